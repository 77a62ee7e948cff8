"""Reading a large JSON file some items of its long lists at a time, with little memory."""

from __future__ import annotations

import codecs
import json
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

from evalcore.formats.parts import Lists
from evalcore.jsontree import JsonObject, JsonValue

WINDOW = 1_000_000
"""Bytes that are read at once; one item that is longer is read as a whole."""
BATCH_SIZE = 4_000_000
"""Characters of items that are handed on together."""
BATCH_ITEMS = 500
_SPACE = " \t\n\r"
_UNDECIDED = frozenset(("", ".", *(e + sign for e in "eE" for sign in ("", "+", "-"))))
"""What may stand at the end of the text read so far and yet belong to the number before it."""
_decode = json.JSONDecoder().raw_decode


class Readable(Protocol):
    """Where bytes come from."""

    def read(self, size: int, /) -> bytes:
        """Return so many bytes or fewer, none at the end."""
        ...


Path: TypeAlias = "tuple[str | int, ...]"


class Uncuttable(Exception):
    """The file has to be read as a whole: it is no object, or not plain enough, or broken."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Some items of the list at ``path``, of which ``first`` stand before them."""

    path: Path
    first: int
    items: list[JsonValue]


@dataclass(slots=True)
class Cutter:
    """One pass over a file. Iterate over ``pieces``; then ``rest`` is the file without them."""

    stream: Readable
    lists: Lists
    rest: JsonObject = field(default_factory=dict)
    _text: str = ""
    _at: int = 0
    _is_over: bool = False
    _decoder: Any = field(default_factory=lambda: codecs.getincrementaldecoder("utf-8-sig")())

    def pieces(self) -> Iterator[Piece]:
        """Yield the items of the lists in pieces; raises Uncuttable, perhaps after some."""
        try:
            self.rest = yield from self._object(self.lists, ())
            if self._peek():
                raise Uncuttable("There is more than one value")
        except (ValueError, RecursionError) as error:
            raise Uncuttable(str(error)) from error

    def _object(self, lists: Lists, path: Path) -> Generator[Piece, None, JsonObject]:
        found: JsonObject = {}
        cut = 0
        self._expect("{")
        while self._peek() != "}":
            if found:
                self._expect(",")
            name = self._value()
            if not isinstance(name, str) or name in found:
                raise Uncuttable("A name stands twice")
            self._expect(":")
            if name in lists and self._peek() == "[":
                cut += 1
                if cut > 1:
                    raise Uncuttable("There are two lists of results")
                found[name] = yield from self._list(lists[name], (*path, name))
            else:
                found[name] = self._value()
        self._expect("}")
        return found

    def _list(self, lists: Lists | None, path: Path) -> Generator[Piece, None, list[JsonValue]]:
        kept: list[JsonValue] = []
        number = first = size = 0
        batch: list[JsonValue] = []
        self._expect("[")
        while self._peek() != "]":
            if number:
                self._expect(",")
            if lists is not None and self._peek() == "{":
                kept.append((yield from self._object(lists, (*path, number))))
            elif lists is not None:
                kept.append(self._value())
            else:
                start = self._at
                batch.append(self._value())
                size += max(0, self._at - start)
            number += 1
            if size >= BATCH_SIZE or len(batch) >= BATCH_ITEMS:
                yield Piece(path, first, batch)
                first, size, batch = number, 0, []
        self._expect("]")
        if batch:
            yield Piece(path, first, batch)
        return kept

    def _value(self) -> JsonValue:
        """Return the next value, reading on until it is whole."""
        self._peek()
        wanted = WINDOW
        while True:
            try:
                value, end = _decode(self._text, self._at)
            except json.JSONDecodeError:
                if self._is_over:
                    raise
                end = None
            # A number that ends where the window does, or just before, may go on behind it.
            if end is not None and (self._is_over or self._text[end : end + 3] not in _UNDECIDED):
                self._at = end
                return value  # type: ignore[no-any-return]
            self._read(wanted)
            wanted *= 2

    def _peek(self) -> str:
        """Return the next character that is no space, "" at the end."""
        while True:
            text, at = self._text, self._at
            while at < len(text) and text[at] in _SPACE:
                at += 1
            self._at = at
            if at < len(text):
                return text[at]
            if self._is_over:
                return ""
            self._read(WINDOW)

    def _expect(self, character: str) -> None:
        found = self._peek()
        if found != character:
            raise Uncuttable(f"There is {found!r} in place of {character!r}")
        self._at += 1

    def _read(self, size: int) -> None:
        data = self.stream.read(size)
        self._is_over = not data
        self._text = self._text[self._at :] + self._decoder.decode(data, final=not data)
        self._at = 0
