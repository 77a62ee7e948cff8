"""Tool calls as ADK compares them: a name and arguments, by Python's equality."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from evalcore.jsontree import MISSING
from evalcore.model import ToolCall

Item = tuple[str, object]
_encode = msgspec.json.Encoder().encode


def items(calls: Iterable[ToolCall], *, by_name: bool) -> list[Item]:
    """Return what counts of each call; absent arguments are null, and {} is something else."""
    if by_name:
        return [(call.name, None) for call in calls]
    return [(call.name, None if call.args is MISSING else call.args) for call in calls]


def surely_equal(expected: Sequence[Item], actual: Sequence[Item]) -> bool:
    """Return whether equal calls are so beyond doubt: no NaN, and no true that equals 1.

    False says nothing. This is quick, which a walk over all arguments is not: both spell the same
    JSON, in which a NaN is a null.
    """
    try:
        text = _encode(expected)
        return b"null" not in text and text == _encode(actual)
    except (ValueError, TypeError, OverflowError, RecursionError):
        return False


def has_nan(value: object) -> bool:
    """Return whether a value is or holds a NaN, which equals nothing, itself included.

    Python's lists and objects take one and the same NaN for equal.
    """
    if isinstance(value, dict):
        return any(map(has_nan, value.values()))
    if isinstance(value, (list, tuple)):
        return any(map(has_nan, value))
    return value != value
