"""Importing large result files: how long it takes, and how much memory, whatever their size."""

from __future__ import annotations

import json
import time
from pathlib import Path

from evalcore.store import Place, RunStore
from evalcore.store.importing import import_result
from evalcore.workspace import Workspace
from tests.bench._memory import memory_gb

CHECKS = ("tool_name_match_score", "tool_trajectory_avg_score", "rouge_match", "judge", "safe")
REPLY = "Your parcel left the warehouse and will be with you on day {0}, order {1}. " * 4


def write_report(path: Path, results: int) -> None:
    """Write a 10xGraph report of so many results of one turn, five scores each."""
    head = {"eval_set_id": "bench", "eval_set_name": "bench", "timestamp": 1_789_000_000.0}
    with path.open("w", encoding="utf-8") as stream:
        stream.write(json.dumps(head).removesuffix("}") + ', "results": [')
        for number in range(results):
            stream.write((",\n" if number else "\n") + json.dumps(_result(number)))
        stream.write(f'\n], "summary": {{"total_cases": {results}, "pass_rate": 0.5}}}}\n')


def _result(number: int) -> dict[str, object]:
    reply = REPLY.format(number % 28, number)
    calls = [{"name": "find", "args": {"order": number}, "call_id": None, "result": None}]
    scores = [
        {
            "criterion": name,
            "score": (number * 7 + place) % 100 / 100,
            "passed": (number * 7 + place) % 100 >= 50,
            "threshold": 0.5,
            "details": {"reason": f"{name} looked at {number}"},
            "error": None,
        }
        for place, name in enumerate(CHECKS)
    ]
    said = {"turn_index": 0, "user_input": f"Where is {number}?", "agent_response": reply}
    return {
        "eval_id": f"case-{number:06}",
        "name": "",
        "passed": all(score["passed"] for score in scores),
        "criterion_results": scores,
        "actual_tool_calls": calls,
        "actual_response": reply,
        "messages": [{"role": "user", "content": f"Where is {number}?"}],
        "node_visits": [],
        "error": None,
        "turn_results": [said | {"tool_calls": calls, "node_visits": []}],
    }


def imported(folder: str, name: str, results: int) -> list[float]:
    """Return the CPU seconds that importing a report took, and the most memory in MB."""
    store = RunStore(Place(str(Path(folder, "imported"))))
    start = time.process_time()
    (run_id,) = import_result(store, Workspace(Path(folder)), name)
    took = time.process_time() - start
    assert store.manifest(run_id).invocations == results
    return [took, memory_gb() * 1000]
