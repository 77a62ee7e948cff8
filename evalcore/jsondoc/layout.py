"""Places children into a container: what stands between them, and how a new one looks."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeAlias, cast

from evalcore.jsondoc.lines import spans_lines
from evalcore.jsondoc.printer import Style
from evalcore.jsondoc.spans import Container


class Splice(NamedTuple):
    """A replacement for ``data[start:end]``."""

    start: int
    end: int
    text: bytes


def apply(data: bytes, start: int, end: int, splices: Sequence[Splice]) -> bytes:
    """Return ``data[start:end]`` with its splices, which must not overlap, put in."""
    view, position = memoryview(data), start
    parts: list[bytes | memoryview] = []
    # Sorting puts an insertion before the replacement of what stands at the same offset.
    for splice in sorted(splices):
        parts += (view[position : splice.start], splice.text)
        position = splice.end
    parts.append(view[position:end])
    return b"".join(parts)


class Spot(NamedTuple):
    """The place of a new child: its line's indentation (None: print on one line), its colon."""

    indent: str | None
    colon: bytes


NewChild: TypeAlias = Callable[[Spot], bytes]
"""Writes a child that is new, moved or copied."""

_NEW = None


class Layout:
    """How one container arranges its children.

    ``multiline`` says whether an empty container may spread over lines; any other shows it.
    ``line_indent`` returns the indentation of the line that an offset is on.
    """

    def __init__(
        self,
        data: bytes,
        container: Container,
        style: Style,
        line_indent: Callable[[int], str],
        multiline: bool,
    ) -> None:
        self._data = data
        self._container = container
        self._count = len(container)
        self._style = style
        self._line_indent = line_indent
        has_lines = spans_lines(data, container.start, container.end)
        self.multiline = has_lines if self._count else multiline

    def weave(self, entries: Sequence[int | NewChild]) -> Iterator[Splice]:
        """Yield the splices that leave exactly ``entries`` between the brackets.

        Numbers are children that stay, in increasing order.
        """
        before, waiting = -1, list[NewChild]()
        for entry in (*entries, self._count):
            if not isinstance(entry, int):
                waiting.append(entry)
                continue
            if waiting or entry != before + 1:
                yield self._gap(before, entry, waiting)
            before, waiting = entry, []

    def _gap(self, before: int, after: int, new: Sequence[NewChild]) -> Splice:
        """Replace what stands between two children; -1 and the count are the brackets."""
        container = self._container
        start = container.child(before).end if before >= 0 else container.start + 1
        end = container.child(after).start if after < self._count else container.end - 1
        if not new and before < 0 and after == self._count:
            return Splice(start, end, b"")
        sibling = before if before >= 0 else after if after < self._count else 0
        spot = self._spot(sibling)
        parts: list[bytes] = []
        left: int | None = before
        for child in new:
            parts += (self._glue(left, _NEW, sibling), child(spot))
            left = _NEW
        parts.append(self._glue(left, after, sibling))
        return Splice(start, end, b"".join(parts))

    def _glue(self, left: int | None, right: int | None, sibling: int) -> bytes:
        """Return what stands between two neighbours, either of which may be new (None)."""
        if left == -1:
            return self._opening()
        if right == self._count:
            return self._closing()
        return self._trail(left) + b"," + self._lead(right, sibling)

    def _opening(self) -> bytes:
        if self._count:
            return self._container.lead(0)
        return self._line(self._style.indent) if self.multiline else b""

    def _closing(self) -> bytes:
        if self._count:
            return self._container.trail(self._count - 1)
        return self._line("") if self.multiline else b""

    def _trail(self, number: int | None) -> bytes:
        if self._count < 2:
            return b""
        # What follows the last child leads to the bracket, so it is no model for a comma.
        is_model = number is not None and number < self._count - 1
        return self._container.trail(cast(int, number) if is_model else 0)

    def _lead(self, number: int | None, sibling: int) -> bytes:
        # What precedes the first child leads from the bracket, so it is no model for a comma
        # unless it is a line break.
        number = number or sibling or 1
        if number < self._count:
            return self._container.lead(number)
        opening = self._opening()
        return opening if spans_lines(opening, 0, len(opening)) else self._style.comma[1:].encode()

    def _spot(self, sibling: int) -> Spot:
        if not self._count:
            colon = self._style.colon.encode()
            inner = self._line_indent(self._container.start) + self._style.indent
            return Spot(inner if self.multiline else None, colon)
        child = self._container.child(sibling)
        colon = self._container.colon(sibling) or self._style.colon.encode()
        on_one_line = not self.multiline or self._is_one_line_item(sibling)
        return Spot(None if on_one_line else self._line_indent(child.start), colon)

    def _is_one_line_item(self, number: int) -> bool:
        """Return whether an item is a list or object, not empty, that its author kept on a line."""
        child = self._container.child(number)
        is_item = child.key is None
        return is_item and is_one_line_container(self._data, child.value, child.end)

    def _line(self, extra: str) -> bytes:
        indent = self._line_indent(self._container.start) + extra
        return (self._style.newline + indent).encode()


def is_one_line_container(data: bytes, start: int, end: int) -> bool:
    """Return whether a value is an object or array, not empty, that is written on one line."""
    is_container = data[start : start + 1] in (b"[", b"{")
    return is_container and end - start > 2 and not spans_lines(data, start, end)
