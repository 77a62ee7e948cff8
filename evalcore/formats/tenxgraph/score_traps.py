"""What a stored score of 10xGraph hides, in words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from evalcore.formats.tenxgraph.report_facts import (
    as_flag,
    as_number,
    as_text,
    items_of,
    not_judged,
)
from evalcore.jsontree import JsonObject, JsonValue

_NEAR: Final = 1e-9
_START: Final = "__start__"
_WORD: Final = re.compile(r"\w")


def cautions_of(score: JsonObject) -> tuple[str, ...]:
    """Return where the number of a score says less, or something else, than it seems."""
    if score.get("error") is not None:
        return ("10xGraph counts this as a score of 0, and stores a threshold of 0 with it.",)
    found = score.get("details")
    details = found if isinstance(found, dict) else {}
    return (
        *_unjudged(score),
        *_number(score),
        *_calls(score, details),
        *_nodes(score, details),
        *_words(score, details),
        *_parts(score, details),
    )


def _unjudged(score: JsonObject) -> Iterator[str]:
    why = not_judged(score)
    if why:
        yield f"Not judged: {why}."


def _number(score: JsonObject) -> Iterator[str]:
    number, threshold = as_number(score.get("score")), as_number(score.get("threshold"))
    if number is None:
        return
    if number != number:
        yield "The score is not a number."
        return
    if not 0 <= number <= 1:
        yield f"{number:g} lies outside 0 to 1."
    passed = as_flag(score.get("passed"))
    if threshold is None or passed is None:
        return
    if 0 < threshold - number <= _NEAR:
        yield f"It is below the threshold {threshold:g} by rounding alone."
    if passed is not (number >= threshold):
        yield f"The verdict is not what {number:g} against {threshold:g} gives."
    elif passed and threshold <= 0:
        yield f"With a threshold of {threshold:g} every score passes."


def _calls(score: JsonObject, details: JsonObject) -> Iterator[str]:
    expected, actual = (
        items_of(details, "expected_trajectory"),
        items_of(details, "actual_trajectory"),
    )
    number = as_number(score.get("score"))
    if details.get("match_type") == "EXACT" and expected and len(actual) > len(expected):
        extra = len(actual) - len(expected)
        yield f"{extra} more calls than expected; calls after the expected ones are free."
    if details.get("check_args") is True and number != 1.0 and _same_names(expected, actual):
        yield "The names agree; the arguments differ."
    if actual and number == 1.0 and details.get("expected_trajectory") == []:
        yield "No calls were expected, so any calls score 1."
    if details.get("expected_names") == [] and items_of(details, "actual_names"):
        yield "No calls were expected, and 10xGraph gives 0.5 for those that were made."


def _nodes(score: JsonObject, details: JsonObject) -> Iterator[str]:
    expected, actual = (
        items_of(details, "expected_node_order"),
        items_of(details, "actual_node_order"),
    )
    if actual and details.get("expected_node_order") == []:
        yield "No nodes were expected, so any visits score 1."
    if expected and actual[:1] == [_START] and _START not in expected:
        yield f"Runs record {_START} first and never a ToolNode; expect what they record."


def _words(score: JsonObject, details: JsonObject) -> Iterator[str]:
    expected = as_text(details.get("expected_response"))
    if "f1" in details and expected and not _WORD.search(expected):
        yield "The expected reply has no words, only signs: any other signs match."


def _parts(score: JsonObject, details: JsonObject) -> Iterator[str]:
    """Say where the whole is judged otherwise than its parts."""
    passed = as_flag(score.get("passed"))
    parts = [part for part in items_of(details, "sub_results") if isinstance(part, dict)]
    verdicts = [as_flag(part["passed"]) for part in parts if "passed" in part]
    if passed and False in verdicts:
        yield f"Passes although {verdicts.count(False)} of {len(verdicts)} of its parts fail."
    if passed is False and verdicts and all(verdicts):
        yield "Fails although all of its parts pass: only its own threshold counts."
    threshold = as_number(score.get("threshold"))
    low = _low_categories(details, threshold) if passed else []
    if low:
        yield f"Passes although it is low in {', '.join(low)}: only the overall score counts."
    missed = items_of(details, "unachieved_goals")
    if passed and missed:
        yield f"Passes although these goals were not achieved: {', '.join(map(str, missed))}."


def _low_categories(details: JsonObject, threshold: float | None) -> list[str]:
    found = details.get("category_scores")
    if threshold is None or not isinstance(found, dict):
        return []
    numbers = {name: as_number(number) for name, number in found.items()}
    return [name for name, number in numbers.items() if number is not None and number < threshold]


def _same_names(expected: list[JsonValue], actual: list[JsonValue]) -> bool:
    names = [
        [c.get("name") if isinstance(c, dict) else None for c in calls]
        for calls in (expected, actual)
    ]
    return bool(expected) and names[0] == names[1]
