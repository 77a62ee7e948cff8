"""On which scale an evaluator's numbers are: coded ones score 0 to 1, low-code ones 0 to 100.

A result file does not say which, and a whole column of numbers does not always show it. Where it
stays open, the numbers are shown as they stand, and no value on 0 to 1 is made up.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evalcore.formats._uipath.result_rows import number_of
from evalcore.jsontree import JsonObject, JsonValue, Missing
from evalcore.results import PERCENT, UNIT, Scale

UNKNOWN = (
    "The file does not say whether this is 1 of 1 or 1 of 100: the evaluator's own file would."
)
_CODED_DETAILS = (
    "expected",
    "actual",
    "lcs",
    "matched_leaves",
    "explained_tool_calls_args",
    "explained_tool_calls_count",
    "explained_tool_calls_outputs",
)


@dataclass(frozen=True, slots=True)
class Sample:
    """One number of a column, with the details that were written beside it."""

    score: float
    details: JsonValue | Missing


def scale_of(column: Iterable[Sample]) -> Scale | None:
    """Return the scale that a column of one evaluator's numbers shows, None where it stays open.

    A number above 1 shows 0–100; a fraction, or details that only coded evaluators write, 0–1. Of
    zeros alone any scale makes 0.
    """
    samples = list(column)
    lines = [score for s in samples for score in _line_scores(s.details)]
    if any(s.score > 1 for s in samples) or any(score > 1 for score in lines):
        return PERCENT
    if lines or any(0 < s.score < 1 for s in samples) or any(_is_coded(s) for s in samples):
        return UNIT
    return UNIT if all(s.score == 0 for s in samples) else None


def signature(sample: Sample) -> tuple[bool, ...]:
    """Return all that a number tells about the scale of its column."""
    lines = _line_scores(sample.details)
    return (
        sample.score > 1,
        any(score > 1 for score in lines),
        bool(lines),
        0 < sample.score < 1,
        _is_coded(sample),
        sample.score == 0,
    )


def scale_by_file(native_type: str, *, by_lines: bool, line: bool) -> Scale:
    """Return the scale of an evaluator that is known from its file.

    Low-code evaluators score 0–100, but the totals of Equals and of CSV columns by lines are the
    share of lines, 0–1.
    """
    if not native_type.startswith("legacy "):
        return UNIT
    shares = native_type.startswith(("legacy Equals", "legacy CSV"))
    return UNIT if by_lines and shares and not line else PERCENT


def detail_object(details: JsonValue | Missing) -> JsonObject:
    """Return details as an object: older files write it as JSON inside a text. {} if it is none."""
    found: object = details
    if isinstance(details, str) and details.lstrip().startswith("{"):
        try:
            found = json.loads(details)
        except ValueError:
            return {}
    return found if isinstance(found, dict) else {}


def _is_coded(sample: Sample) -> bool:
    if isinstance(sample.details, str) and sample.details.startswith("Matched leaves:"):
        return True
    return any(name in detail_object(sample.details) for name in _CODED_DETAILS)


def _line_scores(details: JsonValue | Missing) -> Sequence[float]:
    listed = detail_object(details).get("line_by_line_results")
    rows = [row for row in listed if isinstance(row, dict)] if isinstance(listed, list) else []
    found = (row.get("score") for row in rows)
    return [number for score in found if (number := number_of(score)) is not None]
