"""What a result file does not say by itself, or says in a way that misleads."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator

from evalcore.errors import Problem
from evalcore.formats._uipath.kinds import REPORT
from evalcore.formats._uipath.result_rows import Item, Row, items
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
    yield from _crashed(found)
    yield from _failed(found)
    yield from _mixed(found)


def _names(found: list[Item]) -> Iterator[Problem]:
    counts = Counter(item.name for item in found)
    told: set[str] = set()
    once: set[str] = set()
    for item in found:
        if item.name in once and item.name not in told:
            told.add(item.name)
            yield REPORT.problem(
                "warning",
                "duplicate_name",
                join(item.origin, "evaluationName"),
                f"{counts[item.name]} cases are called “{item.name}”. UiPath averages them as if "
                "they were one; here they are told apart by their order.",
                "Give the cases of the eval set different names.",
            )
        once.add(item.name)


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


def _crashed(found: list[Item]) -> Iterator[Problem]:
    crashed = [item for item in found if any(row.is_crash for row in item.rows)]
    if not crashed:
        return
    more, first = len(crashed) - 1, crashed[0]
    failed = f"{len(crashed):,} cases failed, the first of them" if more else "One case failed:"
    twice = any(map(_is_listed_twice, crashed))
    extra = " Evaluators that had finished are listed twice." if twice else ""
    yield REPORT.problem(
        "warning",
        "failure_counted_as_zero",
        next(row.origin for row in first.rows if row.is_crash),
        f"{failed} “{first.name}”. UiPath writes 0 for every evaluator and counts it in its "
        f"averages.{extra}",
        "Shown as errors here." if more else "It is shown as an error here.",
    )


def _is_listed_twice(item: Item) -> bool:
    finished = {row.evaluator for row in item.rows if not row.is_crash}
    return any(row.evaluator in finished for row in item.rows if row.is_crash)


def _failed(found: list[Item]) -> Iterator[Problem]:
    """Yield one problem for each evaluator that failed itself."""
    failed: dict[str, list[tuple[Item, Row]]] = {}
    for item in found:
        for row in item.rows:
            if row.is_error:
                failed.setdefault(row.evaluator_name, []).append((item, row))
    for evaluator, places in failed.items():
        first, row = places[0]
        names = {item.name for item, _ in places}
        more = f" and {len(names) - 1:,} more" if len(names) > 1 else ""
        yield REPORT.problem(
            "warning",
            "error_counted_as_zero",
            row.origin,
            f"“{evaluator}” failed on “{first.name}”{more}; UiPath counts that as 0.",
            "Shown as errors here." if more else "It is shown as an error here.",
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
