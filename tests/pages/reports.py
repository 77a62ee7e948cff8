"""10xGraph reports for the Results page, whose set may lie beside them."""

import json
from pathlib import Path


def check(name, score, threshold=0.8, **more):
    passed = score >= threshold
    made = {"criterion": name, "score": score, "passed": passed, "threshold": threshold}
    return {**made, "details": {"reason": f"{name} scored {score}"}, "error": None, **more}


def result(eval_id, reply, *checks, said="Refund A-17", error=None, calls=()):
    return {
        "eval_id": eval_id,
        "name": "",
        "passed": not error and all(c["passed"] for c in checks),
        "criterion_results": list(checks),
        "actual_tool_calls": list(calls),
        "actual_response": reply,
        "messages": [{"role": "user", "content": said}],
        "node_visits": [],
        "error": error,
        "turn_results": [
            {
                "turn_index": 0,
                "user_input": said,
                "agent_response": reply,
                "tool_calls": list(calls),
                "node_visits": [],
            }
        ],
    }


def call(name, **args):
    return {"name": name, "args": args, "call_id": None, "result": None}


def report(*results, set_id="refunds", **more):
    passed = sum(r["passed"] for r in results)
    return {
        "eval_set_id": set_id,
        "eval_set_name": "Refunds",
        "results": list(results),
        "summary": {"total_cases": len(results), "pass_rate": passed / max(1, len(results))},
        "config_used": {"criteria": {}},
        "timestamp": 1796033700.5,
        "metadata": {},
        **more,
    }


def eval_set():
    turn = {
        "user_content": {"role": "user", "content": "Refund A-17"},
        "expected_final_response": {"role": "assistant", "content": "I refunded 24 EUR."},
        "expected_tool_trajectory": [{"name": "refund", "args": {"order": "A-17"}}],
    }
    cases = [{"eval_id": name, "conversation": [turn]} for name in ("bad", "good", "crash")]
    return {"eval_set_id": "refunds", "name": "Refunds", "eval_cases": cases}


RESULTS = (
    result("good", "I refunded 24 EUR.", check("rouge_match", 0.95)),
    result(
        "bad",
        "I refunded 42 EUR.",
        check("rouge_match", 0.799),
        calls=[call("refund", order="B-90")],
    ),
    result("crash", "", error="the model did not answer"),
    result("idle", "Nobody judged this."),
)


def write_reports(folder: Path):
    """Put a set into a folder; returns what writes reports of it, and says their paths."""
    (folder / "eval_reports").mkdir()
    (folder / "refunds.evalset.json").write_text(json.dumps(eval_set()))

    def write(value, name="refunds_20261129_101500.json"):
        path = folder / "eval_reports" / name
        path.write_text(value if isinstance(value, str) else json.dumps(value, indent=1))
        return f"eval_reports/{name}"

    return write


def components(at, holds=""):
    """What the page's own components show, those that hold a text."""
    found = [json.loads(e.proto.json) for e in at.get("bidi_component")]
    return [held for held in found if holds in json.dumps(held, ensure_ascii=False)]


def shown(at):
    """Every text of the page's own components."""
    return "\n".join(json.dumps(held, ensure_ascii=False) for held in components(at))


def listed(at):
    """The cases of the list, by their addresses; repeats from the second on with their number."""
    (found,) = [held for held in components(at) if held.get("label") == "Case results"]
    return [row["id"].removesuffix("\n1").replace("\n", " ") for row in found["rows"]]


def addressed(at, name):
    """What the URL says, which AppTest gives as a list if the test itself wrote it."""
    value = at.query_params[name]
    return value[0] if isinstance(value, list) else value
