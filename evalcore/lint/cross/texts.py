"""The words of values, made comparable."""

from __future__ import annotations

import json
from collections.abc import Iterator

from evalcore.jsontree import JsonValue


def flat(text: str) -> str:
    """Return a text on one line with single spaces."""
    return " ".join(text.split())


def identity(value: JsonValue) -> str:
    """Return a text that two values share if they differ in spaces and the order of keys at most.

    Numbers keep their type: 1, 1.0 and true are different.
    """
    return json.dumps(_flattened(value), sort_keys=True, ensure_ascii=False)


def strings(value: JsonValue) -> Iterator[str]:
    """Yield the texts inside a value, not its keys."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from strings(item)


def holds_something(value: JsonValue) -> bool:
    """Return whether there is any text that is not blank, or any number, inside a value."""
    if isinstance(value, str):
        return bool(value.strip())
    if isinstance(value, dict):
        return any(map(holds_something, value.values()))
    if isinstance(value, list):
        return any(map(holds_something, value))
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _flattened(value: JsonValue) -> JsonValue:
    if isinstance(value, str):
        return flat(value)
    if isinstance(value, dict):
        return {name: _flattened(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_flattened(item) for item in value]
    return value
