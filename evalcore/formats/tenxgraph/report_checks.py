"""What a 10xGraph report hides: wrong sums, scores that nobody judged, lost replies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import isnan

from evalcore.errors import Problem
from evalcore.formats.tenxgraph.report_facts import (
    as_flag,
    as_number,
    as_text,
    is_capture_lost,
    not_judged,
    results_of,
    scores_of,
    stored_status,
)
from evalcore.formats.tenxgraph.schema import REPORT
from evalcore.jsontree import JsonObject, JsonValue, join

_NEAR = 1e-9


def hidden_traps(value: JsonValue) -> Iterator[Problem]:
    """Yield every problem of a report that 10xGraph loads without a word.

    What concerns many cases is one problem, at the first of them, with their number.
    """
    if not isinstance(value, dict):
        return
    results = list(results_of(value))
    yield from _summary(value, results)
    yield from _combined(value)
    yield from _repeated_ids(results)
    yield from _capture(results)
    yield from _cases_without_scores(results)
    yield from _contradictions(results)
    yield from _scores(results)


def recount(value: JsonValue) -> dict[str, float]:
    """Return the figures that a report's summary should hold, counted from its cases."""
    statuses = Counter(stored_status(raw) for _, raw in results_of(value))
    total = sum(statuses.values())
    return {
        "total_cases": total,
        "passed_cases": statuses["passed"],
        "failed_cases": statuses["failed"],
        "error_cases": statuses["error"],
        "pass_rate": statuses["passed"] / total if total else 0.0,
    }


def _summary(value: JsonObject, results: list[tuple[str, JsonObject]]) -> Iterator[Problem]:
    summary = value.get("summary")
    if not isinstance(summary, dict):
        if results and "summary" not in value:
            yield REPORT.problem(
                "warning",
                "no_summary",
                "",
                "The report has no summary: 10xGraph shows it as a run of 0 cases, not passed.",
                "The figures shown here are counted from the cases.",
            )
        return
    wrong = [
        f"{name.replace('_', ' ')} {summary[name]} (counted: {right:g})"
        for name, right in recount(value).items()
        if name in summary and not _equal(summary[name], right)
    ]
    if wrong:
        yield REPORT.problem(
            "warning",
            "summary_mismatch",
            "/summary",
            f"The summary contradicts the cases: {', '.join(wrong)}. 10xGraph believes the "
            "summary.",
            "The figures shown here are counted from the cases.",
        )


def _equal(written: JsonValue, right: float) -> bool:
    number = as_number(written)
    return number is not None and abs(number - right) <= _NEAR


def _combined(value: JsonObject) -> Iterator[Problem]:
    if value.get("eval_set_id") == "combined_eval":
        yield REPORT.problem(
            "info",
            "combined_sets",
            "/eval_set_id",
            "The report merges several eval sets and does not say which case is from which.",
            "Run one eval set at a time to compare its runs.",
        )


def _repeated_ids(results: list[tuple[str, JsonObject]]) -> Iterator[Problem]:
    counts = Counter(raw["eval_id"] for _, raw in results if isinstance(raw.get("eval_id"), str))
    reported: set[str] = set()
    for pointer, raw in results:
        case_id = as_text(raw.get("eval_id"))
        if counts[case_id] > 1 and case_id not in reported:
            reported.add(case_id)
            yield REPORT.problem(
                "warning",
                "duplicate_case_id",
                join(pointer, "eval_id"),
                f"{counts[case_id]} results are called “{case_id}”: they shared one conversation "
                "thread, and 10xGraph finds only the first by its id.",
                "Give each case an id of its own.",
            )


def _capture(results: list[tuple[str, JsonObject]]) -> Iterator[Problem]:
    lost = [pointer for pointer, raw in results if is_capture_lost(raw)]
    if lost:
        yield REPORT.problem(
            "warning",
            "capture_lost",
            lost[0],
            f"In {_n_of(len(lost), len(results))} neither a reply nor a visited node was "
            "recorded: most likely the recording failed, not the agent.",
            "Run the cases one after another, in a process of their own.",
        )


def _cases_without_scores(results: list[tuple[str, JsonObject]]) -> Iterator[Problem]:
    bare = [
        pointer
        for pointer, raw in results
        if stored_status(raw) == "passed" and not any(True for _ in scores_of(raw))
    ]
    if bare:
        yield REPORT.problem(
            "warning",
            "passed_without_scores",
            bare[0],
            f"{_n_of(len(bare), len(results))} passed without a single score: no criterion was "
            "switched on.",
            "Shown here as not evaluated.",
        )


def _contradictions(results: list[tuple[str, JsonObject]]) -> Iterator[Problem]:
    for pointer, raw in results:
        status = stored_status(raw)
        verdicts = [as_flag(score.get("passed")) for _, score in scores_of(raw)]
        if verdicts and None not in verdicts and status in ("passed", "failed"):
            expected = "passed" if all(verdicts) else "failed"
            if status != expected:
                yield REPORT.problem(
                    "warning",
                    "verdict_contradicts_scores",
                    join(pointer, "passed"),
                    f"“{raw.get('eval_id')}” is stored as {status}, but by its scores it "
                    f"{expected}.",
                    "Look at the scores.",
                )


def _scores(results: list[tuple[str, JsonObject]]) -> Iterator[Problem]:
    scores = [(p + at, score) for p, raw in results for at, score in scores_of(raw)]
    failed = [p for p, score in scores if score.get("error") is not None]
    if failed:
        yield REPORT.problem(
            "warning",
            "criterion_failed",
            failed[0],
            f"{len(failed)} of {len(scores)} scores could not be computed; 10xGraph stores them "
            "as 0.0, and their threshold as 0.0.",
            "Shown here as errors, with the threshold of the config.",
        )
    skipped = [p for p, score in scores if not_judged(score)]
    if skipped:
        yield REPORT.problem(
            "warning",
            "not_judged",
            skipped[0],
            f"Scores that judge nothing: {len(skipped)} of {len(scores)}. There was no reply, no "
            "expectation, or no judge model that answered.",
            "The caution beside each such score says which.",
        )
    for pointer, score in scores:
        yield from _number_of(score, pointer)


def _number_of(score: JsonObject, pointer: str) -> Iterator[Problem]:
    number, threshold = as_number(score.get("score")), as_number(score.get("threshold", 0.0))
    if number is None or score.get("error") is not None:
        return
    if isnan(number) or not 0 <= number <= 1:
        yield REPORT.problem(
            "warning",
            "score_out_of_range",
            join(pointer, "score"),
            f"“{score.get('criterion')}” has the score {number:g}; scores go from 0 to 1.",
            "Look at how the score is computed.",
        )
    elif threshold is not None and 0 < threshold - number <= _NEAR:
        yield REPORT.problem(
            "info",
            "failed_by_rounding",
            join(pointer, "score"),
            f"“{score.get('criterion')}” failed by rounding alone: {number!r} is just below "
            f"{threshold:g}.",
            "Lower the threshold a little.",
        )


def _n_of(count: int, total: int) -> str:
    return f"{count} of {total} cases"
