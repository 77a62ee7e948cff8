"""Which mocks never answer, because a later one takes every call that they are for.

Of all mocks that fit a call the last one answers.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple

from evalcore.formats._uipath.mock_values import built_in, is_any
from evalcore.jsontree import JsonObject, JsonValue


class _Wanted(NamedTuple):
    """What a mock wants of a call: arguments by position, then by sorted name."""

    names: tuple[str, ...]
    values: tuple[JsonValue, ...]

    @property
    def call(self) -> Hashable:
        """What all mocks have in common that one call can fit."""
        return len(self.values) - len(self.names), self.names


def hidden(behaviors: Sequence[JsonObject]) -> Mapping[int, tuple[int, bool]]:
    """Return the mocks that never answer, by their index.

    With each comes the index of a later one that takes its calls, and whether that takes all calls.
    """
    general: dict[str, int] = {}
    later: defaultdict[Hashable, _Later] = defaultdict(_Later)
    found: dict[int, tuple[int, bool]] = {}
    for index in reversed(range(len(behaviors))):
        function, arguments = behaviors[index].get("function"), behaviors[index].get("arguments")
        if not isinstance(function, str):
            continue
        wanted = _wanted(arguments)
        if function in general:
            found[index] = general[function], True
        elif wanted is not None:
            seen = later[function, wanted.call]
            by = seen.taking(wanted)
            if by is not None:
                found[index] = by, False
            seen.add(index, wanted)
        if arguments is None:
            general.setdefault(function, index)
    return found


class _Later:
    """The mocks of one function and one kind of call that stand later."""

    def __init__(self) -> None:
        self._exact: dict[str, int] = {}
        self._wide: list[tuple[int, _Wanted]] = []

    def add(self, index: int, wanted: _Wanted) -> None:
        if any(map(is_any, wanted.values)):
            self._wide.append((index, wanted))
        self._exact.setdefault(_text(wanted), index)

    def taking(self, wanted: _Wanted) -> int | None:
        """Return a mock that takes every call that is wanted, None if there is none."""
        same = self._exact.get(_text(wanted))
        if same is not None:
            return same
        return next((i for i, wide in self._wide if _takes(wide, wanted)), None)


def _wanted(arguments: JsonValue) -> _Wanted | None:
    """Return what a mock wants; None where it wants nothing, or where only code could tell."""
    if not isinstance(arguments, dict):
        return None
    args, named = arguments.get("args", []), arguments.get("kwargs", {})
    if not isinstance(args, list) or not isinstance(named, dict):
        return None
    names = tuple(sorted(named))
    values = (*args, *(named[name] for name in names))
    sure = all(is_any(value) or not any(built_in(value)) for value in values)
    return _Wanted(names, values) if sure else None


def _takes(wide: _Wanted, narrow: _Wanted) -> bool:
    pairs = zip(wide.values, narrow.values, strict=True)
    return all(is_any(one) or (not is_any(other) and one == other) for one, other in pairs)


def _text(wanted: _Wanted) -> str:
    """Return the same text for arguments that Python holds for equal: 1, 1.0 and true are."""
    return json.dumps([_plain(value) for value in wanted.values], sort_keys=True)


def _plain(value: JsonValue) -> JsonValue:
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return int(value) if isinstance(value, bool) else value
