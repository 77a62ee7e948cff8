"""Names of tools and nodes that a file mentions, found by where its system writes them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from evalcore.jsontree import JsonObject, JsonValue

NameKind = Literal["tool", "node"]
Holds = Literal["object", "objects", "texts", "members", "text"]


@dataclass(frozen=True, slots=True)
class NameMark:
    """A key under which names stand.

    ``holds`` says how: an object or a list of objects with the name under ``name``, a list of
    texts, an object whose members' names they are, or one text. ``args`` are the keys of the
    object that holds a tool's arguments; with "/", a path. Objects of another ``kind_key`` value
    than ``kind`` are something else.
    """

    kind: NameKind
    keys: tuple[str, ...]
    holds: Holds = "objects"
    name: str = "name"
    args: tuple[str, ...] = ()
    kind_key: str = ""


@dataclass(slots=True)
class Names:
    """Names in the order in which they were first met, each tool with its arguments' names."""

    tools: dict[str, dict[str, None]] = field(default_factory=dict)
    nodes: dict[str, None] = field(default_factory=dict)

    def add(self, kind: NameKind, name: JsonValue, args: Sequence[str] = ()) -> None:
        """Note a name; what is no text, or empty, is none."""
        if not isinstance(name, str) or not name:
            return
        if kind == "node":
            self.nodes.setdefault(name)
        else:
            self.tools.setdefault(name, {}).update(dict.fromkeys(args))

    def update(self, other: Names) -> None:
        """Note all names of another file."""
        for name, args in other.tools.items():
            self.add("tool", name, tuple(args))
        for name in other.nodes:
            self.add("node", name)


def names_in(value: JsonValue, marks: Sequence[NameMark]) -> Names:
    """Return the names that a file's value mentions."""
    by_key = {key: mark for mark in marks for key in mark.keys}
    found = Names()
    # A stack and not recursion: files may be nested deeper than Python's own stack goes.
    waiting: list[JsonValue] = [value]
    while waiting:
        at = waiting.pop()
        if isinstance(at, list):
            waiting.extend(reversed(at))
        elif isinstance(at, dict):
            for key, inner in at.items():
                mark = by_key.get(key)
                if mark is not None:
                    _note(found, mark, inner)
            waiting.extend(v for v in reversed(at.values()) if isinstance(v, (dict, list)))
    return found


def _note(found: Names, mark: NameMark, value: JsonValue) -> None:
    if mark.holds == "members" and isinstance(value, dict):
        for name in value:
            found.add(mark.kind, name)
    elif mark.holds == "text":
        found.add(mark.kind, value)
    elif mark.holds == "texts" and isinstance(value, list):
        for text in value:
            found.add(mark.kind, text)
    else:
        for item in _objects(value, mark):
            found.add(mark.kind, item.get(mark.name), _args(item, mark))


def _objects(value: JsonValue, mark: NameMark) -> Iterator[JsonObject]:
    items = [value] if mark.holds == "object" else value
    for item in items if isinstance(items, list) else ():
        if isinstance(item, dict) and item.get(mark.kind_key, mark.kind) == mark.kind:
            yield item


def _args(item: JsonObject, mark: NameMark) -> tuple[str, ...]:
    names: list[str] = []
    for path in mark.args:
        at: JsonValue = item
        for key in path.split("/"):
            at = at.get(key) if isinstance(at, dict) else None
        names += at if isinstance(at, dict) else ()
    return tuple(names)
