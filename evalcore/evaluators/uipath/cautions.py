"""What the numbers of UiPath's output checks hide, in words."""

from __future__ import annotations

import json

from evalcore.evaluators.uipath.values import as_text
from evalcore.jsontree import JsonValue

EXACT_INTEGERS = 2.0**53


def of_match(expected: JsonValue, actual: JsonValue, *, equal: bool, case: bool) -> list[str]:
    """Return what there is to say of a comparison of two whole values.

    ``equal`` is its outcome, ``case`` whether upper and lower case differ.
    """
    if equal:
        return [*_equal_by_chance(expected, actual)]
    if isinstance(expected, str) or isinstance(actual, str):
        return _texts_that_differ(expected, actual)
    cautions = []
    if not case and _lowered(expected) == _lowered(actual):
        cautions.append(
            "Only upper and lower case differ. Inside objects that counts, whatever is configured."
        )
    if isinstance(expected, dict) and isinstance(actual, dict) and actual.keys() > expected.keys():
        extra = sorted(actual.keys() - expected.keys())
        cautions.append(f"The whole output is compared, and {extra} is not in the expected one.")
    return cautions


def of_search(wanted: str, actual: JsonValue, *, found: bool) -> list[str]:
    """Return what there is to say of a search in a value's text."""
    if not wanted:
        return ["An empty text is found in anything."]
    if isinstance(actual, str):
        return []
    cautions = []
    if not found and '"' in wanted:
        cautions.append("Objects are searched as Python text, with single quotes.")
    if found and isinstance(actual, float) and wanted not in f"{actual:g}":
        cautions.append(f"Numbers become floats: the text that was searched is “{actual}”.")
    if found and (actual is None or isinstance(actual, bool)):
        cautions.append(f"The text that was searched is “{actual}”.")
    return cautions


def of_keys(key: str | list[str]) -> list[str]:
    """Return what there is to say of the fields that are compared."""
    return ["No field is named, so nothing is compared."] if key == [] else []


def _equal_by_chance(expected: JsonValue, actual: JsonValue) -> list[str]:
    cautions = []
    if _has_large(expected):
        cautions.append("Numbers this large lose their last digits before they are compared.")
    if as_text(expected).lower() != as_text(actual).lower() and _truths(expected) != _truths(
        actual
    ):
        cautions.append("True and 1 count as equal, and so do false and 0.")
    return cautions


def _texts_that_differ(expected: JsonValue, actual: JsonValue) -> list[str]:
    left, right = as_text(expected), as_text(actual)
    if not isinstance(actual, str) and _is_number_text(left, actual):
        return [f"Numbers become floats: “{left}” is compared with “{right}”."]
    if isinstance(actual, (dict, list)) and _is_json(left):
        return ["The expected output is a text; with * it is not read as JSON."]
    if left.strip().lower() == right.strip().lower():
        return ["The texts differ in blanks around them, or in the kind of line ends."]
    return []


def _is_number_text(text: str, actual: JsonValue) -> bool:
    try:
        return not isinstance(actual, bool) and float(text) == actual
    except ValueError:
        return False


def _is_json(text: str) -> bool:
    try:
        return isinstance(json.loads(text), (dict, list))
    except ValueError:
        return False


def _lowered(value: JsonValue) -> JsonValue:
    if isinstance(value, str):
        return value.lower()
    if isinstance(value, dict):
        return {key: _lowered(item) for key, item in value.items()}
    return [_lowered(item) for item in value] if isinstance(value, list) else value


def _has_large(value: JsonValue) -> bool:
    if isinstance(value, dict):
        return any(map(_has_large, value.values()))
    if isinstance(value, list):
        return any(map(_has_large, value))
    return isinstance(value, float) and EXACT_INTEGERS <= abs(value) < float("inf")


def _truths(value: JsonValue) -> int:
    """Return how many truth values a value holds."""
    if isinstance(value, dict):
        return sum(map(_truths, value.values()))
    return sum(map(_truths, value)) if isinstance(value, list) else int(isinstance(value, bool))
