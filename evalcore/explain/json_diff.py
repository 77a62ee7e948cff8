"""What differs between two JSON values, by path, with key order ignored."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from evalcore.jsontree import MISSING, JsonValue, Missing

MAX_CHANGES = 500
"""More changes than this are not listed."""

Kind = Literal["missing", "extra", "changed", "type", "spelling"]


@dataclass(frozen=True, slots=True)
class Change:
    """One place where two values differ.

    ``path`` reads like ``order.items[2].price``, "" for the whole value. ``kind`` is ``missing``
    (expected, not there), ``extra``, ``changed``, ``type`` (the same text, as another type: ``8``
    and ``"8"``) or ``spelling`` (equal numbers written differently: ``1`` and ``1.0``).
    """

    path: str
    kind: Kind
    expected: JsonValue | Missing
    actual: JsonValue | Missing

    @property
    def is_harmless(self) -> bool:
        """Return whether the two sides are the same number in another spelling."""
        return self.kind == "spelling"


@dataclass(frozen=True, slots=True)
class JsonDiff:
    """The changes in document order; ``cut`` when there are more than are listed."""

    changes: tuple[Change, ...]
    cut: bool = False


def diff_json(expected: JsonValue | Missing, actual: JsonValue | Missing) -> JsonDiff:
    """Return where two values differ; list items are compared by position."""
    found = tuple(islice(_walk(expected, actual, ""), MAX_CHANGES + 1))
    return JsonDiff(found[:MAX_CHANGES], cut=len(found) > MAX_CHANGES)


def _walk(a: JsonValue | Missing, b: JsonValue | Missing, path: str) -> Iterator[Change]:
    if isinstance(a, dict) and isinstance(b, dict):
        for key in (*a, *(k for k in b if k not in a)):
            where = f"{path}.{key}" if path else key
            yield from _walk(a.get(key, MISSING), b.get(key, MISSING), where)
    elif isinstance(a, list) and isinstance(b, list):
        for index in range(max(len(a), len(b))):
            left = a[index] if index < len(a) else MISSING
            right = b[index] if index < len(b) else MISSING
            yield from _walk(left, right, f"{path}[{index}]")
    elif (kind := _kind(a, b)) is not None:
        yield Change(path, kind, a, b)


def _kind(a: JsonValue | Missing, b: JsonValue | Missing) -> Kind | None:
    if a is MISSING or b is MISSING:
        return None if a is b else "extra" if a is MISSING else "missing"
    if type(a) is type(b):
        return None if a == b or (a != a and b != b) else "changed"
    if _is_number(a) and _is_number(b) and a == b:
        return "spelling"
    return "type" if _plain(a) == _plain(b) else "changed"


def _is_number(value: JsonValue) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _plain(value: JsonValue) -> str:
    return value.strip() if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
