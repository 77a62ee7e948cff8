"""Where the parts of a well-formed document are, found only as far as someone asks."""

from bisect import bisect_right
from typing import NamedTuple, cast

from evalcore.jsondoc import tokens
from evalcore.jsondoc.reader import Extent
from evalcore.jsondoc.walk import decode_string


class Child(NamedTuple):
    """Byte offsets of a member or an item.

    A member starts at its key, which ends at ``key_end``; an item has no key (None) and starts
    where its value does.
    """

    key: str | None
    start: int
    key_end: int
    value: int
    end: int


class SpanIndex:
    """Finds the containers of a well-formed document."""

    def __init__(self, data: bytes, extents: dict[int, Extent]) -> None:
        self.data = data
        self._extents = extents
        self._containers: dict[int, Container] = {}

    def container(self, start: int) -> "Container":
        """Return the object or array that starts at ``start``."""
        found = self._containers.get(start)
        if found is None:
            found = Container(self, start, self._extents.get(start))
            self._containers[start] = found
        return found

    def value_end(self, start: int) -> int:
        """Return the offset behind the value that starts at ``start``."""
        extent = self._extents.get(start)
        return extent.end if extent else tokens.skip(self.data, start)


class Container:
    """The children of an object or array as written, repeated keys included.

    A large array is located piece by piece, so that an edit in it does not read all of it.
    """

    def __init__(self, index: SpanIndex, start: int, extent: Extent | None) -> None:
        self._index = index
        self.start = start
        self.is_object = index.data[start : start + 1] == b"{"
        first = tokens.after_space(index.data, start + 1)
        self._numbers = extent.numbers if extent else [0]
        self._offsets = extent.offsets if extent else [first]
        self._pieces: dict[int, list[Child]] = {}
        self._count = extent.size if extent else len(self._piece(0))
        last = self.child(self._count - 1).end if self._count else start + 1
        self.end = extent.end if extent else tokens.after_space(index.data, last) + 1
        self._numbers_by_key: dict[str, list[int]] | None = None

    def __len__(self) -> int:
        return self._count

    def child(self, number: int) -> Child:
        """Return the child at a position counted from 0."""
        piece = bisect_right(self._numbers, number) - 1
        return self._piece(piece)[number - self._numbers[piece]]

    def occurrences(self, key: str) -> list[int]:
        """Return the numbers of the members with this key, in order; the last one is its value."""
        if self._numbers_by_key is None:
            by_key: dict[str, list[int]] = {}
            for number in range(self._count):
                by_key.setdefault(cast(str, self.child(number).key), []).append(number)
            self._numbers_by_key = by_key
        return self._numbers_by_key.get(key, [])

    def lead(self, number: int) -> bytes:
        """Return the whitespace before a child."""
        start = self._index.data.index(b",", self.child(number - 1).end) if number else self.start
        return self._index.data[start + 1 : self.child(number).start]

    def trail(self, number: int) -> bytes:
        """Return the whitespace between a child and the comma or bracket behind it."""
        end = self.child(number).end
        return self._index.data[end : tokens.after_space(self._index.data, end)]

    def colon(self, number: int) -> bytes:
        """Return the colon of a member with the whitespace around it."""
        child = self.child(number)
        return self._index.data[child.key_end : child.value]

    def _piece(self, piece: int) -> list[Child]:
        children = self._pieces.get(piece)
        if children is None:
            stop = self._offsets[piece + 1] if piece + 1 < len(self._offsets) else None
            children = self._locate(self._offsets[piece], stop)
            self._pieces[piece] = children
        return children

    def _locate(self, position: int, stop: int | None) -> list[Child]:
        """Return the children from ``position`` to the offset ``stop``, None for the bracket."""
        data, children = self._index.data, []
        more = data[position] not in b"]}"
        while more and position != stop:
            child = self._member(position) if self.is_object else self._item(position)
            children.append(child)
            comma = tokens.comma(data, child.end)
            more = comma is not None
            position = comma.end() if comma else child.end
        return children

    def _item(self, start: int) -> Child:
        return Child(None, start, start, start, self._index.value_end(start))

    def _member(self, start: int) -> Child:
        key_end = tokens.skip(self._index.data, start)
        colon = tokens.colon(self._index.data, key_end)
        value = colon.end() if colon else key_end
        key = decode_string(self._index.data[start:key_end])
        return Child(key, start, key_end, value, self._index.value_end(value))
