"""Files as 10xGraph writes them, made up for the tests."""

import json
from pathlib import Path

from evalcore.errors import Problem
from evalcore.formats.base import Alone, Detection, Kind
from evalcore.formats.tenxgraph import FORMAT
from evalcore.jsondoc import JsonDocument

PATH = Path("evals/library.evalset.json")


def message(role: str, content) -> dict:
    return {"role": role, "content": content, "metadata": {}}


def turn(says="Is Dune in?", **more) -> dict:
    return {"user_content": message("user", says), **more}


def full_turn(number: int, says: str, reply: str | None, tools=(), nodes=(), on_the_way=()) -> dict:
    return {
        "invocation_id": f"00000000-0000-4000-8000-00000000000{number}",
        "user_content": message("user", says),
        "expected_tool_trajectory": [
            {"name": name, "args": args, "call_id": None, "result": None} for name, args in tools
        ],
        "expected_node_order": list(nodes),
        "expected_intermediate_responses": [message("assistant", text) for text in on_the_way],
        "expected_final_response": None if reply is None else message("assistant", reply),
    }


def full_case(case_id: str, turns, name="", tags=(), session=None, metadata=None) -> dict:
    plain = {"app_name": "", "user_id": "test_user", "state": {}, "config": {}}
    return {
        "eval_id": case_id,
        "name": name,
        "description": "",
        "conversation": list(turns),
        "session_input": {**plain, **(session or {})},
        "tags": list(tags),
        "metadata": metadata or {},
    }


def library_set() -> dict:
    """Return a set with every feature of the format, written out in full as the package does."""
    find = ("find_book", {"title": "Dune", "copies": 2, "shelf": None, "near": {"floor": 1}})
    return {
        "eval_set_id": "library-v1",
        "name": "library",
        "description": "",
        "eval_cases": [
            full_case(
                "is_it_in",
                [full_turn(1, "Is Dune in?", "Yes, at 21 °C.", [("find_book", {})])],
                name="Is it in",
                tags=["loans", "smoke"],
                metadata={"context": "Two copies of Dune on shelf 4", "owner": "desk"},
            ),
            full_case(
                "reserve",
                [full_turn(2, "Reserve Dune", "Result from find_book", [find])],
                session={"app_name": "desk", "user_id": "member_7", "config": {"limit": 12}},
            ),
            full_case(
                "three_turns",
                [
                    full_turn(3, "Hi", "Hello!"),
                    full_turn(
                        4,
                        "And Emma?",
                        "Out until May…",
                        [find],
                        ["__start__", "MAIN", "MAIN"],
                        ["Let me look…"],
                    ),
                    full_turn(5, "Thanks", "You're welcome."),
                ],
            ),
        ],
        "metadata": {},
    }


def as_saved(value) -> bytes:
    """Return a file as the package saves it: two spaces, ASCII only, no newline at the end."""
    return json.dumps(value, indent=2).encode()


def document(value) -> JsonDocument:
    return JsonDocument.parse(value if isinstance(value, bytes) else as_saved(value))


def problems(value, kind: Kind = Kind.EVAL_SET) -> list[Problem]:
    """Return the problems of a file of a known kind, whatever is in it."""
    detection = Detection("tenxgraph", kind, "sure", "the test says so")
    return list(FORMAT.check(document(value), detection, PATH, Alone()))


def codes(value, kind: Kind = Kind.EVAL_SET) -> set[tuple[str, str, str]]:
    """Return (severity, code, pointer) of every problem."""
    prefix = "tenxgraph."
    return {(p.severity, p.code.removeprefix(prefix), p.pointer) for p in problems(value, kind)}


def errors(value, kind: Kind = Kind.EVAL_SET) -> list[tuple[str, str]]:
    """Return (code, pointer) of what the package refuses."""
    return [
        (p.code.removeprefix("tenxgraph."), p.pointer)
        for p in problems(value, kind)
        if p.severity == "error"
    ]


def score(name: str, number=1.0, passed=True, threshold=1.0, **more) -> dict:
    tokens = {"input_tokens": 0, "output_tokens": 0, "total_tokens": 0}
    return {
        "criterion": name,
        "score": number,
        "passed": passed,
        "threshold": threshold,
        "details": {},
        "error": None,
        "token_usage": tokens,
        **more,
    }


def result(case_id: str, scores=(), passed=True, **more) -> dict:
    return {
        "eval_id": case_id,
        "name": "",
        "passed": passed,
        "criterion_results": list(scores),
        "actual_trajectory": [],
        "actual_tool_calls": [],
        "actual_response": "Yes.",
        "messages": [],
        "node_responses": [],
        "node_visits": ["__start__", "MAIN"],
        "duration_seconds": 0.5,
        "error": None,
        "metadata": {},
        "turn_results": [],
        **more,
    }


def report(results, **more) -> dict:
    """Return a report whose summary agrees with its results."""
    errors_ = sum(r.get("error") is not None for r in results)
    passed = sum(bool(r.get("passed")) and r.get("error") is None for r in results)
    total = len(results)
    return {
        "eval_set_id": "library-v1",
        "eval_set_name": "Library",
        "results": list(results),
        "summary": {
            "total_cases": total,
            "passed_cases": passed,
            "failed_cases": total - passed - errors_,
            "error_cases": errors_,
            "pass_rate": passed / total if total else 0.0,
            "criterion_stats": {},
        },
        "config_used": {"criteria": {"trajectory": {"threshold": 0.9}, "rouge_match": {}}},
        "timestamp": 1796052518.5127943,
        "metadata": {},
        **more,
    }
