"""Tool calls as ADK compares them: a name and arguments, by Python's equality."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import attrgetter

import msgspec

from evalcore.jsontree import MISSING
from evalcore.model import ToolCall

Item = tuple[str, object]
_encode = msgspec.msgpack.Encoder().encode
_PARTS, _ARGS = attrgetter("name", "args"), attrgetter("args")


def items(calls: Iterable[ToolCall], *, by_name: bool) -> list[Item]:
    """Return what counts of each call; absent arguments are null, and {} is something else."""
    if by_name:
        return [(call.name, None) for call in calls]
    found = map(_PARTS, calls)
    return [part if part[1] is not MISSING else (part[0], None) for part in found]


def has_nan(calls: Sequence[ToolCall]) -> bool:
    """Return whether an argument is or holds a NaN, which equals nothing, itself included.

    Python's lists and objects take one and the same NaN for equal.
    """
    found = list(map(_ARGS, calls))
    try:
        # A float begins with this in MessagePack, which is made much quicker than a walk is.
        if b"\xcb" not in _encode(found):
            return False
    except (ValueError, TypeError, OverflowError, RecursionError):
        pass
    return _has_nan(found)


def _has_nan(value: object) -> bool:
    if isinstance(value, dict):
        return any(map(_has_nan, value.values()))
    if isinstance(value, (list, tuple)):
        return any(map(_has_nan, value))
    return value != value
