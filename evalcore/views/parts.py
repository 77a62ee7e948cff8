"""Edits of what a field holds: members of an object, items of a list, records of a tuple."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from evalcore.errors import FormatError
from evalcore.jsontree import MISSING, JsonObject, JsonValue
from evalcore.model import Model, ToolCall

T = TypeVar("T")


def with_member(value: JsonObject, name: str, new: JsonValue) -> JsonObject:
    """Return an object with one member set, in its place or at the end."""
    return {**value, name: new}


def with_child(value: Any, name: str, new: Any) -> JsonObject:
    """Return an object with a member set, or (MISSING) without it; absent and null are empty ones.

    Raises FormatError for any other value, which has no members.
    """
    if value is MISSING or value is None:
        value = {}
    if not isinstance(value, dict):
        raise FormatError("What this belonged to is no group of values any more")
    return without_member(value, name) if new is MISSING else with_member(value, name, new)


def without_member(value: JsonObject, name: str) -> JsonObject:
    """Return an object without one of its members."""
    return {n: v for n, v in value.items() if n != name}


def renamed(value: JsonObject, old: str, new: str) -> JsonObject:
    """Return an object with one member renamed in its place.

    Raises FormatError for an empty name or one that another member has.
    """
    if new == old:
        return value
    if not new.strip():
        raise FormatError("A value needs a name", hint="Write one, or delete the row.")
    if new in value:
        raise FormatError(f"There is already a value called {new!r}", hint="Choose another name.")
    if old not in value:
        raise FormatError(f"The value {old!r} is gone")
    return {(new if n == old else n): v for n, v in value.items()}


def with_new_member(value: JsonObject, wanted: str = "name") -> JsonObject:
    """Return an object with an empty text under a name that is still free."""
    names = (wanted, *(f"{wanted}_{n}" for n in range(2, len(value) + 3)))
    return {**value, next(n for n in names if n not in value): ""}


def replaced(items: Sequence[T], index: int, item: T) -> list[T]:
    """Return a list with one item replaced."""
    return [*items[:index], item, *items[index + 1 :]]


def without(items: Sequence[T], index: int) -> list[T]:
    """Return a list without one item."""
    return [*items[:index], *items[index + 1 :]]


def shifted(items: Sequence[T], index: int, step: int) -> list[T]:
    """Return a list with one item moved by ``step``; the same order where it cannot go on."""
    target = index + step
    if not 0 <= target < len(items):
        return list(items)
    rest = without(items, index)
    return [*rest[:target], items[index], *rest[target:]]


def changed(records: Sequence[Model], index: int, **updates: Any) -> tuple[Model, ...]:
    """Return records with some fields of one of them changed."""
    return tuple(replaced(records, index, records[index].model_copy(update=updates)))


def copied(records: Sequence[Model], index: int) -> tuple[Model, ...]:
    """Return records with a copy of one of them behind it, which the file does not have yet.

    A tool call's id names that one call, so the copy has none.
    """
    twin = records[index].model_copy(update={"origin": ""})
    if isinstance(twin, ToolCall):
        twin = twin.model_copy(update={"id": None})
    return (*records[: index + 1], twin, *records[index + 1 :])
