"""A case between two formats: values, each with where it comes from and what was done to it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from evalcore.convert.atlas import SET, Address, Atlas, Place
from evalcore.jsontree import MISSING, JsonValue, join

IN_PLACE = "Its place in the new file says it."


class Move(NamedTuple):
    """From an address of the source to a path in a value; ``how`` is "" if nothing changes."""

    source: Address
    path: str = ""
    how: str = ""


@dataclass(frozen=True, slots=True)
class Item:
    """A value and the moves that made it."""

    value: Any
    moves: tuple[Move, ...]

    def explained(self, how: str) -> Item:
        """Return the same value, with what was done to it."""
        moves = (m if m.how == IN_PLACE else m._replace(how=_both(m.how, how)) for m in self.moves)
        return replace(self, moves=tuple(moves))

    def within(self, value: Any, path: str, how: str = "") -> Item:
        """Return a value that holds this one at a path."""
        moves = tuple(Move(m.source, path + m.path, _both(m.how, how)) for m in self.moves)
        return Item(value, moves)

    def flattened(self, value: Any, how: str) -> Item:
        """Return a value made of this one, in which its leaves have no place of their own."""
        return Item(value, tuple(Move(m.source, "", _both(m.how, how)) for m in self.moves))

    def told_by(self, *addresses: Address, how: str = IN_PLACE) -> Item:
        """Return the same value, which also stands for what these addresses say."""
        return replace(self, moves=(*self.moves, *(Move(a, "", how) for a in addresses)))

    def member(self, *keys: str | int) -> Item:
        """Return a value inside this one, which was moved as it is."""
        value, path = self.value, join("", *keys)
        for key in keys:
            value = value[key]
        moved = [m for m in self.moves if not m.path]
        return Item(
            value, tuple(Move(Address(m.source.place, m.source.path + path)) for m in moved)
        )


def _both(first: str, second: str) -> str:
    return f"{first} {second}" if first and second and first != second else first or second


Parts = dict[str, Item]
"""The parts of a tool call (``name``, ``args``, ``id``, ``result``) or of a message."""


@dataclass(slots=True)
class Turn:
    """One turn. ``calls`` and ``said`` are None where the source says nothing of them."""

    items: dict[str, Item] = field(default_factory=dict)
    calls: list[Parts] | None = None
    said: list[Parts] | None = None


@dataclass(slots=True)
class Case:
    """One case. ``tested`` is the turn that counts where only one can be kept.

    ``is_conversation``: its turns are a conversation, whose last turn is what is tested.
    """

    number: int
    label: str
    items: dict[str, Item] = field(default_factory=dict)
    turns: list[Turn] = field(default_factory=list)
    is_conversation: bool = False

    @property
    def tested(self) -> int:
        """Return the number of the turn that counts where only one can be kept."""
        return len(self.turns) - 1 if self.is_conversation else 0


@dataclass(slots=True)
class Out:
    """An object of the target: values of its fields, and the moves that lead to them."""

    values: dict[str, Any] = field(default_factory=dict)
    moves: list[tuple[Move, str]] = field(default_factory=list)

    def give(self, name: str, item: Item) -> None:
        """Give a field a value; one that has a value already keeps it."""
        if name not in self.values:
            self.values[name] = item.value
            self.moves += [(move, name) for move in item.moves]


@dataclass(slots=True)
class OutCase:
    """A case of the target, and its turns. ``number`` is that of the source's case."""

    number: int
    label: str
    own: Out = field(default_factory=Out)
    turns: list[Out] = field(default_factory=list)


def moved(atlas: Atlas, place: Place) -> Item | None:
    """Return the value of a field, moved as it is; None where the source has none."""
    value = atlas.at(place)
    if value is MISSING:
        return None
    if isinstance(value, tuple):
        value = tuple(record.model_copy(update={"origin": ""}) for record in value)
    return Item(value, (Move(Address(place)),))


def items_of(atlas: Atlas, case: int, turn: int = SET) -> dict[str, Item]:
    """Return the values of all fields of one object."""
    found = {}
    for place in atlas.objects.get((case, turn), ()):
        item = moved(atlas, place)
        if item is not None:
            found[place.field] = item
    return found


def listed(items: Iterable[Mapping[str, Item]]) -> tuple[list[dict[str, Any]], tuple[Move, ...]]:
    """Return objects made of parts, and the moves that lead into the list of them."""
    values: list[dict[str, Any]] = []
    moves: list[Move] = []
    for index, parts in enumerate(items):
        values.append({name: part.value for name, part in parts.items()})
        for name, part in parts.items():
            moves += [Move(m.source, join("", index, name) + m.path, m.how) for m in part.moves]
    return values, tuple(moves)


def as_text(item: Item) -> Item:
    """Return what a message says instead of a value: a lone text, or JSON."""
    value = item.value
    if isinstance(value, str) or value is None:
        return item
    if isinstance(value, dict) and len(value) == 1:
        ((name, only),) = value.items()
        if isinstance(only, str):
            return item.flattened(only, f"The named value “{name}” became the text.")
    if value == {}:
        return item.flattened("", "No named values became an empty text.")
    what = "The named values" if isinstance(value, dict) else "The value"
    return item.flattened(json.dumps(value, ensure_ascii=False), f"{what} became JSON text.")


def as_named(item: Item, name: str) -> Item:
    """Return named values instead of a text: those that it spells as JSON, or it under a name."""
    value = item.value
    if isinstance(value, dict):
        return item
    spelled = _object_in(value) if isinstance(value, str) else None
    if spelled is not None:
        return item.flattened(spelled, "The JSON object in the text became named values.")
    what = "text" if isinstance(value, str) else "value"
    return item.within({name: value}, join("", name), f"The {what} became the value “{name}”.")


def _object_in(text: str) -> dict[str, JsonValue] | None:
    if not text.lstrip().startswith("{"):
        return None
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
