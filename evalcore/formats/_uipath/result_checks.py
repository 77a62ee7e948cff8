"""What a result file does not say by itself, or says in a way that misleads."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator

from evalcore.errors import Problem
from evalcore.formats._uipath.kinds import REPORT
from evalcore.formats._uipath.result_rows import Item, items
from evalcore.formats.shapes import describe
from evalcore.jsontree import JsonValue, join


def check_result(value: JsonValue) -> Iterator[Problem]:
    """Yield what to know before the numbers of a result file are believed."""
    found = items(value)
    if not found:
        message = "The file holds no case: the run stopped before the first one, or had none."
        yield REPORT.problem("warning", "empty_result", "/evaluationSetResults", message)
    yield from _names(found)
    for item in found:
        yield from _impossible(item)
        yield from _failed(item)
    yield from _mixed(found)


def _names(found: list[Item]) -> Iterator[Problem]:
    counts = Counter(item.name for item in found)
    seen: set[str] = set()
    for item in found:
        if counts[item.name] > 1 and item.name in seen:
            yield REPORT.problem(
                "warning",
                "duplicate_name",
                join(item.origin, "evaluationName"),
                f"{counts[item.name]} cases are called “{item.name}”. UiPath averages them as if "
                "they were one; here they are told apart by their order.",
                "Give the cases of the eval set different names.",
            )
        seen.add(item.name)


def _impossible(item: Item) -> Iterator[Problem]:
    for row in item.rows:
        written = row.result.get("score")
        possible = row.score is not None and not math.isnan(row.score) and 0 <= row.score <= 100
        if not possible:
            yield REPORT.problem(
                "warning",
                "impossible_score",
                join(row.origin, "result", "score"),
                f"“{row.evaluator_name}” has {describe(written)} for “{item.name}”, which no scale "
                "of UiPath has.",
                "Do not trust the average that this score is part of.",
            )


def _failed(item: Item) -> Iterator[Problem]:
    crashed = [row for row in item.rows if row.is_crash]
    if crashed:
        finished = {row.evaluator for row in item.rows if not row.is_crash}
        twice = any(row.evaluator in finished for row in crashed)
        extra = " Evaluators that had finished are listed twice." if twice else ""
        yield REPORT.problem(
            "warning",
            "failure_counted_as_zero",
            crashed[0].origin,
            f"The case “{item.name}” failed. UiPath writes 0 for every evaluator and counts it in "
            f"its averages.{extra}",
            "It is shown as an error here.",
        )
    for row in item.rows:
        if row.is_error:
            yield REPORT.problem(
                "warning",
                "error_counted_as_zero",
                row.origin,
                f"“{row.evaluator_name}” failed on “{item.name}”; UiPath counts that as 0.",
                "It is shown as an error here.",
            )


def _mixed(found: list[Item]) -> Iterator[Problem]:
    above: set[str] = set()
    fractions: set[str] = set()
    for item in found:
        for row in item.rows:
            if row.score is not None and row.score > 1:
                above.add(row.evaluator)
            elif row.score is not None and 0 < row.score < 1:
                fractions.add(row.evaluator)
    if above and fractions - above:
        yield REPORT.problem(
            "info",
            "mixed_scales",
            "/evaluationSetResults",
            "Some evaluators score from 0 to 100 and some from 0 to 1, and UiPath averages the two "
            "as they stand.",
            "Compare evaluators one by one.",
        )
