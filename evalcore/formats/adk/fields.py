"""Building blocks for shapes of ADK's models: members in both spellings, base64, pairs, enums."""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Iterator

from evalcore.errors import Problem
from evalcore.formats.lenses import Key, exactly, key
from evalcore.formats.shapes import (
    Extra,
    Flag,
    Listing,
    Mapped,
    Member,
    Nullable,
    Number,
    Object,
    Report,
    Shape,
    Text,
    may,
    needs,
)
from evalcore.jsontree import MISSING, JsonObject, JsonValue, Missing, join

TEXT = Nullable(Text())
NUMBER = Nullable(Number())
WHOLE = Nullable(Number(whole=True))
FLAG = Nullable(Flag())
OBJECT = Nullable(Mapped())
TEXTS = Nullable(Listing(Text()))


def both(snake: str) -> Key:
    """Return a key in the order in which ADK's models look: the camelCase spelling wins."""
    return key(snake, first="camel")


def model(what: str, extra: Extra = "refuse", /, **members: Shape) -> Object:
    """Return an object of optional members in both spellings.

    A member whose Python name ends in "_" is a required one; ``extra`` is what becomes of others.
    """
    return Object(what, [_member(name, shape) for name, shape in members.items()], extra)


def snake_model(what: str, extra: Extra = "refuse", /, **members: Shape) -> Object:
    """Return an object whose members have their snake_case spelling only."""
    return Object(
        what,
        [
            needs(exactly(name[:-1]), shape) if name.endswith("_") else may(exactly(name), shape)
            for name, shape in members.items()
        ],
        extra,
    )


def _member(name: str, shape: Shape) -> Member:
    return needs(both(name[:-1]), shape) if name.endswith("_") else may(both(name), shape)


def some(shape: Shape) -> Shape:
    """Return a shape that may also be null."""
    return Nullable(shape)


def many(shape: Shape) -> Shape:
    """Return a list of one shape that may also be null."""
    return Nullable(Listing(shape))


class Base64(Shape):
    """Bytes as base64, in the standard or the URL-safe alphabet, padded or not."""

    expected = "base64 text"
    _standard = re.compile(r"[A-Za-z0-9+/]*")
    _url_safe = re.compile(r"[A-Za-z0-9_-]*")

    def faults(self, value: JsonValue, pointer: str, report: Report) -> Iterator[Problem]:
        """Refuse what is no text, mixes the alphabets, or has the wrong length or padding."""
        if not isinstance(value, str):
            yield self.wrong(value, pointer, report)
        elif not self._is_valid(value):
            yield report.problem(
                "error",
                "bad_base64",
                pointer,
                "These are no bytes in base64.",
                f"{report.system} refuses the file: restore the original text, or remove it.",
            )

    def _is_valid(self, text: str) -> bool:
        body = text.rstrip("=")
        if not (self._standard.fullmatch(body) or self._url_safe.fullmatch(body)):
            return False
        if len(body) % 4 == 1 or (text != body and len(text) % 4) or len(text) - len(body) > 2:
            return False
        standard = body.replace("-", "+").replace("_", "/")
        padded = standard + "=" * (-len(body) % 4)
        return b64encode(b64decode(padded)).decode() == padded


class Pair(Shape):
    """A list of exactly two items, each of its own shape."""

    def __init__(self, first: Shape, second: Shape, expected: str) -> None:
        self.items = (first, second)
        self.expected = expected

    def faults(self, value: JsonValue, pointer: str, report: Report) -> Iterator[Problem]:
        """Refuse what is no list of two, and items that differ."""
        if not isinstance(value, list) or len(value) != len(self.items):
            yield self.wrong(value, pointer, report)
            return
        for index, (shape, item) in enumerate(zip(self.items, value, strict=True)):
            yield from shape.faults(item, join(pointer, index), report)


def member(raw: JsonValue | Missing, name: Key) -> JsonValue | Missing:
    """Return the member of an object under the spelling that ADK reads, MISSING if it has none."""
    found = name.find(raw)
    return raw[found] if found is not None and isinstance(raw, dict) else MISSING


def objects(raw: JsonValue | Missing, name: Key, pointer: str) -> Iterator[tuple[str, JsonObject]]:
    """Yield (pointer, object) of the objects in a list that is a member of ``raw``."""
    found = name.find(raw)
    items = raw[found] if found is not None and isinstance(raw, dict) else None
    if found is not None and isinstance(items, list):
        for index, item in enumerate(items):
            if isinstance(item, dict):
                yield join(pointer, found, index), item


def place(raw: JsonValue | Missing, pointer: str, *names: Key) -> str:
    """Return the pointer of a member as far as it is there, from an object at ``pointer``."""
    at = raw
    for name in names:
        found = name.find(at)
        if found is None:
            break
        pointer, at = join(pointer, found), member(at, name)
    return pointer
