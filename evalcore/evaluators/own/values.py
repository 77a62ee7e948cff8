"""The part of an output that a check looks at, found by a JSON path (RFC 9535)."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import NamedTuple, cast

from jsonpath_rfc9535 import JSONPathError, JSONPathQuery

from evalcore.errors import EvaldeskError
from evalcore.evaluators.own import patterns
from evalcore.jsontree import MISSING, JsonValue, Missing

_PATHS = patterns.Environment()


class Found(NamedTuple):
    """One place that a path leads to, as a normalised path, and its value."""

    path: str
    value: JsonValue


def as_query(path: str) -> str:
    """Return a path as it was given; raises ValueError for a text that is no JSON path."""
    try:
        _compiled(path)
    except JSONPathError as error:
        raise ValueError(f"“{path}” is no JSON path, such as $.items[0].price: {error}") from error
    return path


def find(value: JsonValue | Missing, path: str) -> list[Found]:
    """Return every place that a path leads to, in document order.

    A text is read as JSON where the path leads into it; raises EvaldeskError if it is none, for a
    value that is not there, and for patterns that take too long.
    """
    if value is MISSING:
        raise EvaldeskError("The run recorded no output for this turn")
    query = _compiled(path)
    if isinstance(value, str) and path.strip() != "$":
        value = _parsed(value)
    try:
        with patterns.bounded():
            return [Found(n.path(), cast(JsonValue, n.value)) for n in query.finditer(value)]
    except TimeoutError as error:
        raise EvaldeskError(
            f"The patterns of the path {path} took more than {patterns.SECONDS:g} s",
            hint="Nested repetitions such as (a+)+ are slow: write the pattern without them.",
        ) from error
    except (JSONPathError, RecursionError) as error:
        raise EvaldeskError(f"The path {path} cannot be followed here: {error}") from error


def equal(left: JsonValue, right: JsonValue) -> bool:
    """Return whether two values are the same JSON: 1 equals 1.0, but neither true nor “1”."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, (int, float)) and isinstance(right, (int, float)):
        return left == right
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(equal(v, right[k]) for k, v in left.items())
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(equal, left, right))
    return type(left) is type(right) and left == right


def contains(whole: JsonValue, part: JsonValue) -> bool:
    """Return whether an object has all that another has; lists compare place by place."""
    if isinstance(whole, dict) and isinstance(part, dict):
        return all(k in whole and contains(whole[k], v) for k, v in part.items())
    if isinstance(whole, list) and isinstance(part, list):
        return len(whole) == len(part) and all(map(contains, whole, part))
    return equal(whole, part)


def shown(value: JsonValue | Missing, length: int = 80) -> str:
    """Return a value as JSON for a reason, cut where it is long; "nothing" where it is missing."""
    text = "nothing" if value is MISSING else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= length else f"{text[: length - 1]}…"


def _parsed(text: str) -> JsonValue:
    try:
        parsed: JsonValue = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise EvaldeskError(
            "The output is a text and no JSON, so a path leads nowhere in it",
            hint="Use the path $ for the whole text.",
        ) from error
    return parsed


@lru_cache(maxsize=256)
def _compiled(path: str) -> JSONPathQuery:
    return _PATHS.compile(path)
