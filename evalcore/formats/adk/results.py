"""ADK's run results: ``EvalSetResult`` in every spelling that its files have had."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from datetime import UTC, datetime

from evalcore.formats.adk.content import PARTS
from evalcore.formats.adk.evalset import read_invocation
from evalcore.formats.adk.fields import both, member, objects
from evalcore.formats.adk.result_checks import (
    CASE_RESULTS,
    EVAL_ID,
    FINAL_STATUS,
    METRIC_RESULTS,
    OVERALL,
    PER_INVOCATION,
    decoded,
    is_crashed,
    number_of,
    unevaluated,
    unread_rubrics,
)
from evalcore.formats.adk.score_traps import (
    UNREAD_RUBRICS,
    of_case_score,
    of_turn_score,
    with_cautions,
)
from evalcore.formats.adk.scores import read_score, total_tokens
from evalcore.formats.adk.status import status_of, status_text
from evalcore.formats.adk.turn_traps import CONTENT, EVENTS, INTERMEDIATE_DATA
from evalcore.jsontree import MISSING, JsonObject, JsonValue, Missing
from evalcore.model import Invocation, ToolCall
from evalcore.results import CaseResult, InvocationResult, ModelCall, Run, Score, Verdict

ACTUAL = both("actual_invocation")
EXPECTED = both("expected_invocation")
DURATION = both("duration")
SESSION_DETAILS = both("session_details")
STATE = both("state")
MODEL_DURATION = both("model_duration")
TOOL_DURATION = both("tool_duration")
USAGE = both("usage_metadata")
MODEL_VERSION = both("model_version")
TOKEN_COUNTS = {
    "prompt_tokens": both("prompt_token_count"),
    "cached_tokens": both("cached_content_token_count"),
    "tool_use_tokens": both("tool_use_prompt_token_count"),
    "candidates_tokens": both("candidates_token_count"),
    "thoughts_tokens": both("thoughts_token_count"),
}
CRASHED = "recorded as failed without any metric result: the run crashed"
_EPOCH_LIMIT = 253402300800.0


def read_run(value: JsonValue, format_id: str = "adk") -> Run:
    """Return the run of a result file; pointers of a result inside a text are those of its JSON."""
    inner = decoded(value)
    result_id = _text(member(inner, both("eval_set_result_id")))
    name = _text(member(inner, both("eval_set_result_name"))) or result_id or ""
    rest = inner if isinstance(inner, dict) else {}
    return Run(
        format_id=format_id,
        name=name,
        eval_set_id=_text(member(inner, both("eval_set_id"))),
        created_at=_moment(member(inner, both("creation_timestamp"))),
        cases=read_cases(inner, ""),
        metadata={n: v for n, v in rest.items() if n not in CASE_RESULTS.spellings},
    )


def read_cases(value: JsonValue, pointer: str) -> tuple[CaseResult, ...]:
    """Return the case results of a set in the file's order; repeats count up from 0."""
    seen: Counter[str | None] = Counter()
    results = []
    for where, raw in objects(value, CASE_RESULTS, pointer):
        case_id = _text(member(raw, EVAL_ID))
        results.append(_case(raw, where, seen[case_id]))
        seen[case_id] += 1
    return tuple(results)


def _case(raw: JsonObject, pointer: str, repeat: int) -> CaseResult:
    status, crashed = status_of(member(raw, FINAL_STATUS)), is_crashed(raw)
    turns = tuple(_turns(raw, pointer))
    stored = Verdict(status) if status and status != "informational" else None
    durations = [turn.duration_s for turn in turns if turn.duration_s is not None]
    return CaseResult(
        origin=pointer,
        case_id=_text(member(raw, EVAL_ID)),
        repeat=repeat,
        verdict=Verdict.ERROR if crashed else stored,
        stored_status=status_text(member(raw, FINAL_STATUS)),
        invocations=turns,
        scores=_whole_scores(raw, pointer, turns),
        error=CRASHED if crashed else None,
        duration_s=sum(durations) if durations else None,
        total_tokens=total_tokens(score for turn in turns for score in turn.scores),
        notes=tuple(_notes(raw, stored, crashed=crashed)),
        final_state=member(member(raw, SESSION_DETAILS), STATE),
    )


def _whole_scores(
    raw: JsonObject, pointer: str, turns: Sequence[InvocationResult]
) -> tuple[Score, ...]:
    by_check: dict[str, list[Score]] = {}
    for score in (score for turn in turns for score in turn.scores):
        by_check.setdefault(score.evaluator, []).append(score)
    scores = (read_score(m, at) for at, m in objects(raw, OVERALL, pointer))
    return tuple(with_cautions(s, of_case_score(s, by_check.get(s.evaluator, ()))) for s in scores)


def _notes(raw: JsonObject, stored: Verdict | None, *, crashed: bool) -> Iterator[str]:
    if crashed:
        yield CRASHED
    missing = unevaluated(raw)
    if stored is Verdict.PASSED and missing:
        yield f"incomplete: not evaluated: {', '.join(missing)}"


def _turns(raw: JsonObject, pointer: str) -> Iterator[InvocationResult]:
    turns = list(objects(raw, PER_INVOCATION, pointer))
    unread = {(index, name) for index, name, _ in unread_rubrics(raw, pointer)}
    for index, (where, turn) in enumerate(turns):
        last = index == len(turns) - 1
        skipped = {name for place, name in unread if place == index}
        yield _turn(turn, where, index, skipped, is_last=last)


def _turn(
    raw: JsonObject, pointer: str, index: int, skipped: Collection[str], *, is_last: bool
) -> InvocationResult:
    """Return a turn with its scores; ``skipped`` are the checks whose rubrics went unread."""
    turn = read_turn(raw, pointer, index)
    scores = []
    for at, metric in objects(raw, METRIC_RESULTS, pointer):
        score = read_score(metric, at, is_last_turn=is_last)
        cautions = of_turn_score(score, turn, metric)
        unread = [UNREAD_RUBRICS] if score.evaluator in skipped else []
        scores.append(with_cautions(score, [*cautions, *unread]))
    return turn.model_copy(update={"scores": tuple(scores)})


def read_turn(raw: JsonObject, pointer: str, index: int) -> InvocationResult:
    """Return what happened in a turn beside what was expected, without any scores.

    The trace is the whole actual invocation. Calls of models are known where a turn has a list of
    events: each event that reports usage or names a model is one.
    """
    actual, expected = member(raw, ACTUAL), member(raw, EXPECTED)
    done = _invocation(actual, f"{pointer}/{ACTUAL.find(raw)}")
    wanted = _invocation(expected, f"{pointer}/{EXPECTED.find(raw)}")
    said = done.input if done and done.input is not MISSING else wanted.input if wanted else MISSING
    return InvocationResult(
        origin=pointer,
        index=index,
        input=said,
        expected_output=wanted.expected_output if wanted else MISSING,
        actual_output=done.expected_output if done else MISSING,
        expected_tool_calls=_with_results(wanted, expected) if wanted else None,
        actual_tool_calls=_with_results(done, actual) if done else None,
        trace=actual if done else MISSING,
        model_calls=_model_calls(member(actual, INTERMEDIATE_DATA)),
        duration_s=number_of(member(actual, DURATION)),
        model_duration_s=number_of(member(actual, MODEL_DURATION)),
        tool_duration_s=number_of(member(actual, TOOL_DURATION)),
    )


def _model_calls(data: JsonValue | Missing) -> tuple[ModelCall, ...] | None:
    if not isinstance(member(data, EVENTS), list):
        return None
    return tuple(
        ModelCall(**{name: _count(member(usage, at)) for name, at in TOKEN_COUNTS.items()})
        for _, event in objects(data, EVENTS, "")
        for usage in [_or_none(member(event, USAGE))]
        if usage is not None or _or_none(member(event, MODEL_VERSION)) is not None
    )


def _or_none(value: JsonValue | Missing) -> JsonValue:
    return None if value is MISSING else value


def _count(value: JsonValue | Missing) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _invocation(raw: JsonValue | Missing, pointer: str) -> Invocation | None:
    return read_invocation(raw, pointer) if isinstance(raw, dict) else None


def _with_results(turn: Invocation, raw: JsonValue | Missing) -> tuple[ToolCall, ...]:
    """Return the calls of a turn with what they returned: paired by id, else by name in order."""
    responses = list(_responses(raw))
    calls = []
    for call in turn.tool_calls:
        match = next((r for r in responses if _answers(r, call)), None)
        if match is not None:
            responses.remove(match)
            call = call.model_copy(update={"result": member(match, both("response"))})
        calls.append(call)
    return tuple(calls)


def _answers(response: JsonObject, call: ToolCall) -> bool:
    response_id = _text(member(response, both("id")))
    if response_id or call.id:
        return response_id == call.id
    return member(response, both("name")) == call.name


def _responses(raw: JsonValue | Missing) -> Iterator[JsonObject]:
    data = member(raw, INTERMEDIATE_DATA)
    yield from (response for _, response in objects(data, both("tool_responses"), ""))
    for _, event in objects(data, EVENTS, ""):
        for _, part in objects(member(event, CONTENT), PARTS, ""):
            response = member(part, both("function_response"))
            if isinstance(response, dict):
                yield response


def _moment(value: JsonValue | Missing) -> datetime | None:
    seconds = number_of(value)
    if seconds is None or not 0 < seconds < _EPOCH_LIMIT:
        return None
    return datetime.fromtimestamp(seconds, UTC)


def _text(value: JsonValue | Missing) -> str | None:
    return value if isinstance(value, str) else None
