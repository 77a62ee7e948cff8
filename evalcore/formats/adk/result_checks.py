"""Checks of result files: what ADK cannot read again, and verdicts that hide something."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence

from evalcore.errors import Problem
from evalcore.formats.adk.config_schema import CRITERION
from evalcore.formats.adk.fields import (
    NUMBER,
    TEXT,
    Pair,
    both,
    many,
    member,
    model,
    objects,
    place,
    some,
)
from evalcore.formats.adk.metrics import METRICS
from evalcore.formats.adk.schema import LATEST
from evalcore.formats.adk.status import STATUSES, Status, status_of
from evalcore.formats.shapes import Listing, Mapped, Number, Report, Shape, Text
from evalcore.jsontree import JsonObject, JsonValue, Missing

CASE_RESULTS = both("eval_case_results")
LISTS = dict.fromkeys(CASE_RESULTS.spellings)
"""Where the many results of a file lie."""
EVAL_ID = both("eval_id")
FINAL_STATUS = both("final_eval_status")
OVERALL = both("overall_eval_metric_results")
PER_INVOCATION = both("eval_metric_result_per_invocation")
METRIC_RESULTS = both("eval_metric_results")
METRIC_NAME = both("metric_name")
EVAL_STATUS = both("eval_status")
SCORE = both("score")
THRESHOLD = both("threshold")


class StatusNumber(Shape):
    """A status as ADK reads it back: a number from 1 to 4."""

    expected = "a number from 1 to 4 (passed, failed, not evaluated, informational)"

    def faults(self, value: JsonValue, pointer: str, report: Report) -> Iterator[Problem]:
        """Refuse names and other numbers."""
        if value is not True and (isinstance(value, str) or status_of(value) is None):
            yield self.wrong(value, pointer, report)


_RUBRIC_SCORE = model("A rubric's score", rubric_id_=Text(), rationale=TEXT, score=NUMBER)
_TOKENS = (
    "total_tokens",
    "input_tokens",
    "prompt_tokens",
    "cached_tokens",
    "tool_use_tokens",
    "output_tokens",
    "candidates_tokens",
    "reasoning_tokens",
)
_SECONDS = ("total_seconds", "model_seconds", "tool_seconds", "framework_seconds")
_DETAILS = model(
    "The details",
    rubric_scores=many(_RUBRIC_SCORE),
    token_usage_details=some(model("The token counts", **dict.fromkeys(_TOKENS, NUMBER))),
    duration_details=some(model("The durations", **dict.fromkeys(_SECONDS, NUMBER))),
)
_METRIC_FIELDS: dict[str, Shape] = {
    "metric_name_": Text(),
    "threshold": NUMBER,
    "criterion": some(CRITERION),
    "custom_function_path": TEXT,
}
_METRIC = model(
    "The metric's result",
    **_METRIC_FIELDS,
    score=NUMBER,
    eval_status_=StatusNumber(),
    details=_DETAILS,
)
_PAIR = Pair(model("The metric", **_METRIC_FIELDS), _METRIC, "a list of a metric and its result")
_TURN = model(
    "The turn's result",
    actual_invocation_=LATEST.invocation,
    expected_invocation=some(LATEST.invocation),
    eval_metric_results=Listing(_METRIC),
)
_SESSION = model(
    "The session",
    id_=Text(),
    app_name_=Text(),
    user_id_=Text(),
    state=Mapped(),
    events=Listing(Mapped()),
    last_update_time=Number(),
)
_CASE = model(
    "The case's result",
    "drop",
    eval_set_file=TEXT,
    eval_set_id=Text(),
    eval_id=Text(),
    final_eval_status_=StatusNumber(),
    eval_metric_results=many(_PAIR),
    overall_eval_metric_results_=Listing(_METRIC),
    eval_metric_result_per_invocation_=Listing(_TURN),
    session_id_=Text(),
    session_details=some(_SESSION),
    user_id=TEXT,
)
RESULT = model(
    "The result",
    "drop",
    eval_set_result_id_=Text(),
    eval_set_result_name=TEXT,
    eval_set_id_=Text(),
    eval_case_results=Listing(_CASE),
    creation_timestamp=Number(),
)
"""An ``EvalSetResult``; the events of its sessions are not looked into."""


def decoded(value: JsonValue) -> JsonValue:
    """Return the result inside a text, as ADK before 1.22 wrote it; any other value as it is."""
    if not isinstance(value, str):
        return value
    try:
        inner: JsonValue = json.loads(value)
    except ValueError:
        return value
    return inner


def check_result(value: JsonValue, report: Report) -> Iterator[Problem]:
    """Yield the problems of a result file; a text with a result inside has no places of its own."""
    inner = decoded(value)
    if inner is value:
        yield from _check(value, report)
        return
    yield report.problem(
        "info",
        "double_encoded",
        "",
        "The file is one text with the result inside, as ADK before 1.22 wrote it. ADK still reads "
        "it.",
    )
    for problem in _check(inner, report):
        yield Problem(problem.severity, problem.code, problem.message, problem.hint)


def _check(value: JsonValue, report: Report) -> Iterator[Problem]:
    if not isinstance(value, dict) or not (CASE_RESULTS.find(value) or "eval_set_id" in value):
        yield report.problem(
            "error",
            "not_a_result",
            "",
            "The file is called a result, but holds none.",
            f"{report.system} does not list it.",
        )
        return
    yield from RESULT.faults(value, "", report)
    yield from case_traps(value, "", report)


def case_traps(value: JsonValue, pointer: str, report: Report) -> Iterator[Problem]:
    """Yield what the verdicts of an eval set's cases hide."""
    cases = list(objects(value, CASE_RESULTS, pointer))
    if not cases:
        yield report.problem(
            "warning", "nothing_evaluated", pointer, "The run evaluated no case at all."
        )
    elif all(status_of(member(raw, FINAL_STATUS)) == "not_evaluated" for _, raw in cases):
        yield report.problem(
            "warning",
            "nothing_evaluated",
            place(value, pointer, CASE_RESULTS),
            "No case has a verdict: nothing was evaluated. That is not a pass.",
        )
    yield from _repeats(cases, place(value, pointer, CASE_RESULTS), report)
    yield from _crashes(cases, report)
    yield from _incomplete_passes(cases, report)
    for where, raw in cases:
        yield from _verdict_traps(raw, where, report)


def is_crashed(case: JsonObject) -> bool:
    """Return whether a case was recorded as failed without any metric result: it crashed."""
    has_results = any(objects(case, OVERALL, "")) or any(objects(case, PER_INVOCATION, ""))
    return status_of(member(case, FINAL_STATUS)) == "failed" and not has_results


def unevaluated(case: JsonObject) -> list[str]:
    """Return the names of the metrics that were not evaluated for a case as a whole."""
    return [
        str(member(raw, METRIC_NAME) or "")
        for _, raw in objects(case, OVERALL, "")
        if status_of(member(raw, EVAL_STATUS)) == "not_evaluated"
    ]


def recounted(case: JsonObject) -> Status:
    """Return the verdict that follows from a case's metric results by ADK's rule."""
    statuses = {status_of(member(raw, EVAL_STATUS)) for _, raw in objects(case, OVERALL, "")}
    return next((s for s in ("failed", "passed") if s in statuses), STATUSES[2])


def _repeats(
    cases: Sequence[tuple[str, JsonObject]], pointer: str, report: Report
) -> Iterator[Problem]:
    counts = Counter(str(member(raw, EVAL_ID)) for _, raw in cases)
    most = max(counts.values(), default=1)
    if most > 1:
        yield report.problem(
            "info",
            "repeated_cases",
            pointer,
            f"Some cases occur up to {most} times: they were run repeatedly.",
        )


def _crashes(cases: Sequence[tuple[str, JsonObject]], report: Report) -> Iterator[Problem]:
    crashed = [(where, case) for where, case in cases if is_crashed(case)]
    if crashed:
        where, first = crashed[0]
        yield report.problem(
            "warning",
            "crashed_case",
            place(first, where, FINAL_STATUS),
            f"{_cases(member(first, EVAL_ID), len(crashed))} recorded as failed without any "
            "metric result: the run crashed. The reason is only in the log.",
        )


def _incomplete_passes(
    cases: Sequence[tuple[str, JsonObject]], report: Report
) -> Iterator[Problem]:
    """Yield one problem for all passed cases that lack the same metrics."""
    lacking: dict[tuple[str, ...], list[tuple[str, JsonObject]]] = {}
    for where, case in cases:
        missing = unevaluated(case)
        if missing and status_of(member(case, FINAL_STATUS)) == "passed":
            lacking.setdefault(tuple(missing), []).append((where, case))
    for names, alike in lacking.items():
        where, first = alike[0]
        yield report.problem(
            "warning",
            "incomplete_pass",
            place(first, where, FINAL_STATUS),
            f"{_cases(member(first, EVAL_ID), len(alike))} recorded as passed, but {_count(names)} "
            f"not evaluated: {', '.join(names)}.",
        )


def _cases(first: JsonValue | Missing, count: int) -> str:
    """Return the start of a sentence about one case, or about it and others."""
    return f"Case “{first}” " + ("is" if count == 1 else f"and {count - 1:,} more are")


def _verdict_traps(case: JsonObject, pointer: str, report: Report) -> Iterator[Problem]:
    if is_crashed(case):
        return
    status, where = status_of(member(case, FINAL_STATUS)), place(case, pointer, FINAL_STATUS)
    passed_anyway = status == "passed" and unevaluated(case)
    if status in ("passed", "failed") and not passed_anyway and recounted(case) != status:
        yield report.problem(
            "warning",
            "status_differs",
            where,
            f"Case “{member(case, EVAL_ID)}” is recorded as {status}, but its metric results make "
            f"it {recounted(case).replace('_', ' ')}.",
        )
    yield from _failed_turns(case, pointer, status, report)
    yield from _unread_rubrics(case, pointer, report)


def _failed_turns(
    case: JsonObject, pointer: str, status: Status | None, report: Report
) -> Iterator[Problem]:
    if status != "passed":
        return
    for number, (where, turn) in enumerate(objects(case, PER_INVOCATION, pointer), 1):
        for metric_at, raw in objects(turn, METRIC_RESULTS, where):
            if status_of(member(raw, EVAL_STATUS)) == "failed":
                yield report.problem(
                    "info",
                    "failed_turn_in_pass",
                    metric_at,
                    f"Turn {number} fails “{member(raw, METRIC_NAME)}”; the case passes because "
                    "the mean of its turns reaches the threshold.",
                )


def _unread_rubrics(case: JsonObject, pointer: str, report: Report) -> Iterator[Problem]:
    for index, _, where in unread_rubrics(case, pointer):
        yield report.problem(
            "warning",
            "rubrics_unread",
            where,
            f"Turn {index + 1} has rubrics, but no answer for them: ADK reads the judge's "
            "answers by the rubrics of the last turn. The case's score leaves them out.",
        )


def unread_rubrics(case: JsonObject, pointer: str) -> Iterator[tuple[int, str, str]]:
    """Yield (turn from 0, metric, pointer) where a turn's rubrics have no answer.

    ADK reads a judge's answers by the last turn's rubrics; other turns' may go unread.
    """
    scored = {
        str(member(raw, METRIC_NAME))
        for _, raw in objects(case, OVERALL, "")
        if number_of(member(raw, SCORE)) is not None
    }
    for index, (where, turn) in enumerate(objects(case, PER_INVOCATION, pointer)):
        for metric_at, raw in objects(turn, METRIC_RESULTS, where):
            name = str(member(raw, METRIC_NAME))
            metric = METRICS.get(name)
            if metric is None or metric.rubric_type is None or metric.last_turn_only:
                continue
            unread = status_of(member(raw, EVAL_STATUS)) == "not_evaluated"
            if unread and name in scored and _has_rubrics(turn, metric.rubric_type):
                yield index, name, metric_at


def _has_rubrics(turn: JsonObject, kind: str) -> bool:
    sides = (member(turn, both(name)) for name in ("actual_invocation", "expected_invocation"))
    return any(
        member(rubric, both("type")) == kind
        for side in sides
        for _, rubric in objects(side, both("rubrics"), "")
    )


def number_of(value: JsonValue | Missing) -> float | None:
    """Return a finite number, None for anything else."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        try:
            number = float(value)
        except OverflowError:
            return None
        return number if number - number == 0 else None
    return None


def _count(names: Sequence[str]) -> str:
    return f"{len(names)} {'metric was' if len(names) == 1 else 'metrics were'}"
