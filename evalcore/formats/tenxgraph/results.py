"""10xGraph's ``EvalReport`` files as runs. Criteria score whole cases, never single turns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from math import isfinite
from typing import NamedTuple

from evalcore.formats.tenxgraph.content import CALL_PARTS, tool_call
from evalcore.formats.tenxgraph.evaluators import threshold_of
from evalcore.formats.tenxgraph.messages import text_of
from evalcore.formats.tenxgraph.names import named
from evalcore.formats.tenxgraph.reasons import reason_of
from evalcore.formats.tenxgraph.recognise import FORMAT_ID
from evalcore.formats.tenxgraph.report_facts import (
    CAPTURE_LOST,
    as_flag,
    as_number,
    as_text,
    is_capture_lost,
    items_of,
    not_judged,
    results_of,
    scores_of,
    stored_status,
)
from evalcore.formats.tenxgraph.score_traps import cautions_of
from evalcore.jsontree import MISSING, JsonObject, JsonValue, Missing, get, join
from evalcore.model import ToolCall
from evalcore.results import UNIT, CaseResult, InvocationResult, Run, Score, Verdict

_CUT_AT = 500
"""How much of the expected reply 10xGraph keeps in the details of its word overlap."""


class Expected(NamedTuple):
    """What the details of a case's scores tell about its expectations; None where nothing."""

    reply: str | None
    calls: tuple[ToolCall, ...] | None
    nodes: tuple[str, ...] | None


def read_run(value: JsonValue) -> Run:
    """Return the run that a report holds; its summary is not used, as it may contradict the cases.

    A case that passed with no score is not evaluated, and a criterion that failed to run is an
    error with no value, whatever number the file gives it.
    """
    report = value if isinstance(value, dict) else {}
    seen: Counter[str] = Counter()
    cases = []
    for pointer, raw in results_of(report):
        case_id = as_text(raw.get("eval_id"))
        cases.append(_case(raw, pointer, seen[case_id], report))
        seen[case_id] += 1
    kept = ("config_used", "metadata")
    return Run(
        format_id=FORMAT_ID,
        name=as_text(report.get("eval_set_name")) or as_text(report.get("eval_set_id")),
        eval_set_id=as_text(report.get("eval_set_id")) or None,
        eval_set_name=as_text(report.get("eval_set_name")) or None,
        created_at=_time(report.get("timestamp")),
        stored_status=_stored_status(report),
        cases=tuple(cases),
        metadata={name: report[name] for name in kept if name in report},
    )


def _stored_status(report: JsonObject) -> str:
    rate = get(report, "/summary/pass_rate")
    if rate is MISSING:
        return ""
    return "passed" if as_number(rate) == 1.0 else "failed"


def _time(written: JsonValue) -> datetime | None:
    seconds = as_number(written)
    if seconds is None or not isfinite(seconds):
        return None
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (OverflowError, ValueError, OSError):
        return None


def _case(raw: JsonObject, pointer: str, repeat: int, report: JsonObject) -> CaseResult:
    scores = tuple(_score(score, pointer + at, report) for at, score in scores_of(raw))
    expected = _expected(raw)
    return CaseResult(
        origin=pointer,
        case_id=raw["eval_id"] if isinstance(raw.get("eval_id"), str) else None,
        name=as_text(raw.get("name")),
        repeat=repeat,
        verdict=_verdict(raw, scores),
        stored_status=stored_status(raw),
        invocations=tuple(_invocations(raw, pointer, expected)),
        scores=scores,
        error=_error(raw),
        duration_s=_finite(raw.get("duration_seconds")),
        total_tokens=_tokens(raw),
        notes=tuple(_notes(raw, scores, expected)),
    )


def _error(raw: JsonObject) -> str | None:
    error = raw.get("error")
    return None if error is None else as_text(error) or "The case failed without a message."


def _verdict(raw: JsonObject, scores: Sequence[Score]) -> Verdict | None:
    """Return the stored verdict, but for what 10xGraph calls passed or failed without judging."""
    status, verdicts = stored_status(raw), {score.verdict for score in scores}
    if status == "error":
        return Verdict.ERROR
    if not scores:
        return Verdict.NOT_EVALUATED
    if status == "failed" and Verdict.ERROR in verdicts and Verdict.FAILED not in verdicts:
        return Verdict.ERROR
    return Verdict(status) if status else None


def _score(raw: JsonObject, pointer: str, report: JsonObject) -> Score:
    name = as_text(raw.get("criterion"))
    criterion = named(name)
    failed_to_run = raw.get("error") is not None
    number = None if failed_to_run else _finite(raw.get("score"))
    return Score(
        evaluator=name,
        evaluator_name=criterion.label if criterion else name,
        value=None if number is None else UNIT.normalise(number),
        native=number,
        verdict=Verdict.ERROR if failed_to_run else _score_verdict(raw),
        threshold=_configured(name, report) if failed_to_run else _finite(raw.get("threshold")),
        reason=reason_of(raw),
        cautions=cautions_of(raw),
        details=raw.get("details", MISSING),
        origin=pointer,
    )


def _score_verdict(raw: JsonObject) -> Verdict | None:
    passed = as_flag(raw.get("passed"))
    return None if passed is None else Verdict.PASSED if passed else Verdict.FAILED


def _configured(name: str, report: JsonObject) -> float | None:
    """Return the threshold that the report's config gives a criterion, which its result lost."""
    criterion = named(name)
    if criterion is None or not criterion.key:
        return None
    config = get(report, join("/config_used/criteria", criterion.key))
    return None if config is MISSING or config is None else threshold_of(config)


def _expected(raw: JsonObject) -> Expected:
    reply: str | None = None
    calls: tuple[ToolCall, ...] | None = None
    nodes: tuple[str, ...] | None = None
    for _, score in scores_of(raw):
        found = score.get("details")
        details = found if isinstance(found, dict) else {}
        text = details.get("expected_response")
        reply = text if isinstance(text, str) else reply
        calls = _calls(details, "expected_trajectory", in_turn=False) or calls
        nodes = _texts(details.get("expected_node_order")) or nodes
        if calls is None and items_of(details, "expected_names"):
            calls = tuple(ToolCall(name=str(n)) for n in items_of(details, "expected_names"))
    return Expected(reply, calls, nodes)


def _invocations(raw: JsonObject, pointer: str, expected: Expected) -> Iterator[InvocationResult]:
    turns = items_of(raw, "turn_results")
    if not turns:
        yield _whole_case(raw, pointer, expected)
        return
    only = len(turns) == 1
    for index, item in enumerate(turns):
        turn = item if isinstance(item, dict) else {}
        is_last = index == len(turns) - 1
        # Calls and nodes are compared for all turns together: they belong to no single one.
        yield InvocationResult(
            origin=join(pointer, "turn_results", index),
            index=index,
            input=turn.get("user_input", MISSING),
            expected_output=expected.reply if is_last and expected.reply is not None else MISSING,
            actual_output=turn.get("agent_response", MISSING),
            expected_tool_calls=expected.calls if only else None,
            actual_tool_calls=_calls(turn, "tool_calls"),
            expected_node_order=expected.nodes if only else None,
            node_visits=_texts(turn.get("node_visits")),
        )


def _whole_case(raw: JsonObject, pointer: str, expected: Expected) -> InvocationResult:
    """Return the one turn of a case whose turns were not recorded."""
    reply = raw.get("actual_response", MISSING)
    has_run = raw.get("error") is None
    return InvocationResult(
        origin=pointer,
        index=0,
        input=_first_question(raw),
        expected_output=MISSING if expected.reply is None else expected.reply,
        actual_output=reply if has_run or reply != "" else MISSING,
        expected_tool_calls=expected.calls,
        actual_tool_calls=_calls(raw, "actual_tool_calls") if has_run else None,
        expected_node_order=expected.nodes,
        node_visits=_texts(raw.get("node_visits")) if has_run else None,
        error=_error(raw),
    )


def _first_question(raw: JsonObject) -> str | Missing:
    for message in items_of(raw, "messages"):
        if isinstance(message, dict) and message.get("role") == "user":
            return text_of(message)
    return MISSING


def _calls(holder: JsonObject, name: str, *, in_turn: bool = True) -> tuple[ToolCall, ...] | None:
    found = holder.get(name)
    if not isinstance(found, list):
        return None
    return tuple(
        tool_call(
            {part: lens.get(item) for part, lens in CALL_PARTS.items()},
            join("", name, index) if in_turn else "",
        )
        for index, item in enumerate(found)
        if isinstance(item, dict)
    )


def _texts(found: JsonValue) -> tuple[str, ...] | None:
    return tuple(str(item) for item in found) if isinstance(found, list) else None


def _finite(written: JsonValue) -> float | None:
    number = as_number(written)
    return number if number is not None and isfinite(number) else None


def _tokens(raw: JsonObject) -> int | None:
    """Return the agent's and the judges' tokens, None where none were counted."""
    counts = [
        _finite(found) or 0.0
        for name in ("input_tokens", "output_tokens")
        if (found := get(raw, f"/token_usage/{name}")) is not MISSING
    ]
    return int(sum(counts)) or None


def _notes(raw: JsonObject, scores: Sequence[Score], expected: Expected) -> Iterator[str]:
    status = stored_status(raw)
    if status == "passed" and not scores:
        yield "10xGraph counts this case as passed, though no criterion scored it."
    if status == "passed" and any(s.verdict is not Verdict.PASSED for s in scores):
        yield "Stored as passed, though one of its scores did not pass."
    if status == "failed" and scores and all(s.verdict is Verdict.PASSED for s in scores):
        yield "Stored as failed, though all its scores passed."
    skipped = sum(bool(not_judged(score)) for _, score in scores_of(raw))
    if skipped:
        yield f"Scores that judge nothing: {skipped} of {len(scores)}. Their cautions say why."
    if is_capture_lost(raw):
        yield CAPTURE_LOST
    if expected.reply is not None and len(expected.reply) == _CUT_AT:
        yield f"The report keeps only the first {_CUT_AT} characters of the expected reply."
    if any(score.evaluator in ("simulation_goals", "simulation_completed") for score in scores):
        yield from _simulation(raw)


def _simulation(raw: JsonObject) -> Iterator[str]:
    goals = get(raw, "/metadata/goals_achieved")
    reached = ", ".join(map(str, goals)) if isinstance(goals, list) else goals
    yield (
        "A simulated conversation; the reply is its transcript, and a crash of the agent leaves "
        f"no error here.{f' Goals reached: {reached}.' if reached else ''}"
    )
