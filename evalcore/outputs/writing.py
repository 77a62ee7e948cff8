"""Writing what a run recorded as a file of outputs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from evalcore.jsontree import MISSING
from evalcore.model import Json
from evalcore.results import CaseResult, InvocationResult, Run


def write_outputs(run: Run) -> bytes:
    """Return the outputs of a run as JSONL: what was recorded, without scores and expectations."""
    return b"".join(_encoded(line) for case in run.cases for line in _written(case))


def _encoded(line: dict[str, Json]) -> bytes:
    try:
        return f"{json.dumps(line, ensure_ascii=False)}\n".encode()
    except UnicodeEncodeError:
        # Half of a surrogate pair has no UTF-8, but an escape in JSON.
        return f"{json.dumps(line)}\n".encode()


def _written(case: CaseResult) -> Iterator[dict[str, Json]]:
    head: dict[str, Any] = {"case_id": case.case_id or case.name}
    if case.repeat:
        head["repeat"] = case.repeat
    if not case.invocations:
        yield {**head, "error": case.error or "No turn was recorded."}
    for index, turn in enumerate(case.invocations):
        error = turn.error if turn.error is not None else case.error if index == 0 else None
        line: dict[str, Any] = {
            **head,
            "invocation": index,
            "output": turn.actual_output,
            "tool_calls": _written_calls(turn),
            "node_visits": turn.node_visits,
            "duration_s": turn.duration_s,
            "tokens": _written_tokens(turn, case),
            "error": error,
        }
        keeps_null = ("output",)
        yield {
            name: value
            for name, value in line.items()
            if value is not MISSING and (value is not None or name in keeps_null)
        }


def _written_calls(turn: InvocationResult) -> list[dict[str, Json]] | None:
    if turn.actual_tool_calls is None:
        return None
    calls: list[dict[str, Any]] = [
        {"name": call.name, "args": call.args, "id": call.id, "result": call.result}
        for call in turn.actual_tool_calls
    ]
    return [
        {
            name: value
            for name, value in call.items()
            if value is not MISSING and not (name == "id" and value is None)
        }
        for call in calls
    ]


def _written_tokens(turn: InvocationResult, case: CaseResult) -> Json:
    calls = turn.model_calls or ()
    into = [n for c in calls for n in (c.prompt_tokens, c.tool_use_tokens) if n is not None]
    out = [n for c in calls for n in (c.candidates_tokens, c.thoughts_tokens) if n is not None]
    if into or out:
        return {"input": sum(into), "output": sum(out)}
    return case.total_tokens if len(case.invocations) == 1 else None
