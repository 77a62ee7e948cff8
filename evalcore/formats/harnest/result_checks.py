"""Checks of ``EvalRunResult`` files: where their verdicts disagree or hide something."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from evalcore.errors import Problem
from evalcore.formats.adk.applied import threshold_of
from evalcore.formats.adk.fields import both, member, objects, place
from evalcore.formats.adk.result_checks import (
    CASE_RESULTS,
    EVAL_ID,
    EVAL_STATUS,
    FINAL_STATUS,
    METRIC_NAME,
    METRIC_RESULTS,
    OVERALL,
    PER_INVOCATION,
    SCORE,
    THRESHOLD,
    case_traps,
    is_crashed,
    number_of,
    unevaluated,
)
from evalcore.formats.adk.status import status_of
from evalcore.formats.harnest.folder import REPORT
from evalcore.jsontree import JsonObject, JsonValue

SET_RESULTS = both("eval_set_results")
LISTS = dict.fromkeys(SET_RESULTS.spellings, dict.fromkeys(CASE_RESULTS.spellings))
"""Where the many results of a file lie."""
SUMMARY = both("summary")
STATUS = both("status")
ERROR = both("error")
API_VERSION = both("api_version")
KNOWN_VERSION = "harnest.dev/v1alpha1"


class Counts(NamedTuple):
    """What a summary counts, under its own names."""

    suiteCount: int
    caseCount: int
    passedCases: int
    failedCases: int
    notEvaluatedCases: int


def check_results(value: JsonValue) -> Iterator[Problem]:
    """Yield the problems of an envelope, then of its sets and their cases."""
    if not isinstance(value, dict):
        return
    version = member(value, API_VERSION)
    if version != KNOWN_VERSION:
        yield REPORT.problem(
            "warning",
            "unknown_version",
            place(value, "", API_VERSION),
            f"The result's version is {version!r}; known is “{KNOWN_VERSION}”. Some of it may be "
            "read wrongly.",
        )
    error = member(value, ERROR)
    if isinstance(error, dict):
        yield REPORT.problem(
            "warning",
            "run_stopped",
            place(value, "", ERROR),
            f"The run stopped early: {error_text(error)}. Sets may be missing or empty.",
        )
    sets = list(objects(value, SET_RESULTS, ""))
    cases = [raw for where, suite in sets for _, raw in objects(suite, CASE_RESULTS, where)]
    yield from _summary(value, len(sets), cases)
    yield from _status(value, cases)
    for where, suite in sets:
        yield from case_traps(suite, where, REPORT)
        for case_at, case in objects(suite, CASE_RESULTS, where):
            yield from _two_verdicts(case, case_at)


def error_text(error: JsonObject) -> str:
    """Return an envelope's error as one line."""
    message, kind = error.get("message"), error.get("type")
    return f"{message or 'no message'}" + (f" ({kind})" if kind else "")


def _summary(value: JsonObject, suites: int, cases: Sequence[JsonObject]) -> Iterator[Problem]:
    summary = member(value, SUMMARY)
    if not isinstance(summary, dict):
        return
    statuses = [status_of(member(case, FINAL_STATUS)) for case in cases]
    counts = Counts(
        suites,
        len(cases),
        statuses.count("passed"),
        statuses.count("failed"),
        statuses.count("not_evaluated"),
    )
    for name, counted in counts._asdict().items():
        key = both(_snake(name))
        said = number_of(member(summary, key))
        if said is not None and said != counted:
            yield REPORT.problem(
                "warning",
                "summary_differs",
                place(value, "", SUMMARY, key),
                f"The summary says {name} {said:g}; the file holds {counted}.",
            )


def _status(value: JsonObject, cases: Sequence[JsonObject]) -> Iterator[Problem]:
    status, where = member(value, STATUS), place(value, "", STATUS)
    missing = sorted({name for case in cases for name in unevaluated(case)})
    failed = [case for case in cases if status_of(member(case, FINAL_STATUS)) == "failed"]
    if status == "failed" and not failed and missing:
        yield REPORT.problem(
            "info",
            "failed_without_failed_case",
            where,
            "The run counts as failed although no case does: some metrics were not evaluated "
            f"({', '.join(missing)}).",
        )
    elif status == "passed" and failed:
        yield REPORT.problem(
            "warning", "status_differs", where, "The run counts as passed, but has failed cases."
        )
    elif status == "not_evaluated":
        yield REPORT.problem(
            "warning",
            "run_not_evaluated",
            where,
            "Nothing was evaluated, and Harnest's exit code was 0 all the same.",
        )


def _two_verdicts(case: JsonObject, pointer: str) -> Iterator[Problem]:
    """Harnest's exit code goes by the mean of the turns, the file by the evaluator's verdict."""
    if is_crashed(case):
        return
    means = _turn_means(case)
    for where, raw in objects(case, OVERALL, pointer):
        stored, threshold = status_of(member(raw, EVAL_STATUS)), _threshold(raw)
        mean = means.get(str(member(raw, METRIC_NAME)))
        if mean is None or threshold is None or stored not in ("passed", "failed"):
            continue
        by_mean = "passed" if mean >= threshold else "failed"
        if by_mean != stored:
            yield REPORT.problem(
                "warning",
                "two_verdicts",
                where,
                f"“{member(raw, METRIC_NAME)}” of case “{member(case, EVAL_ID)}” is {stored} here, "
                f"but its turns average {mean:g} against {threshold:g}, so for Harnest's exit "
                f"code it {by_mean}.",
            )


def _turn_means(case: JsonObject) -> dict[str, float]:
    scores: dict[str, list[float]] = {}
    for _, turn in objects(case, PER_INVOCATION, ""):
        for _, raw in objects(turn, METRIC_RESULTS, ""):
            score = number_of(member(raw, SCORE))
            if score is not None:
                scores.setdefault(str(member(raw, METRIC_NAME)), []).append(score)
    return {name: sum(each) / len(each) for name, each in scores.items()}


def _threshold(raw: JsonObject) -> float | None:
    own = number_of(member(raw, THRESHOLD))
    return own if own is not None else threshold_of(member(raw, both("criterion")))


def _snake(name: str) -> str:
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name)
