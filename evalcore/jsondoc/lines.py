"""Lines and columns of byte offsets, without a table of every line of a large file."""

import re
from collections.abc import Callable
from typing import NamedTuple

_BLOCK = 1 << 16
_BREAK = re.compile(rb"\r\n|\n|\r")
# Every byte of a character but its first.
_CONTINUATION = bytes(range(0x80, 0xC0))
_INDENT = re.compile(rb"[ \t]*+")
BOM = b"\xef\xbb\xbf"


class Position(NamedTuple):
    """A place in a text: both count from 1, columns in characters."""

    line: int
    column: int


def spans_lines(data: bytes, start: int, end: int) -> bool:
    """Return whether there is a line break in ``data[start:end]``."""
    return data.find(b"\n", start, end) >= 0 or data.find(b"\r", start, end) >= 0


class LineIndex:
    r"""Finds the position of an offset; ``\n``, ``\r\n`` and a lone ``\r`` each end a line.

    A byte order mark takes no column.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._breaks = _Tally(self._count_breaks)
        self._characters = _Tally(self._count_characters)

    def position(self, offset: int) -> Position:
        """Return the line and column of a byte offset between 0 and the length of the data."""
        start = self.line_start(offset)
        if offset - start < _BLOCK:
            characters = self._count_characters(start, offset)
        else:
            characters = self._characters.before(offset) - self._characters.before(start)
        has_bom = start == 0 and self._data.startswith(BOM, 0, offset)
        return Position(self._breaks.before(offset) + 1, characters - has_bom + 1)

    def line_start(self, offset: int) -> int:
        """Return the offset of the first byte of the line that ``offset`` is on."""
        newline = self._data.rfind(b"\n", 0, offset)
        return max(newline, self._data.rfind(b"\r", newline + 1, offset)) + 1

    def line_text(self, offset: int) -> bytes:
        """Return the line that ``offset`` is on, without its line end."""
        end = _BREAK.search(self._data, offset)
        return self._data[self.line_start(offset) : end.start() if end else len(self._data)]

    def indent(self, offset: int) -> str:
        """Return the spaces and tabs at the beginning of the line that ``offset`` is on."""
        match = _INDENT.match(self._data, self.line_start(offset))
        return match.group().decode() if match else ""

    def _count_breaks(self, start: int, end: int) -> int:
        r"""Count the line ends whose last byte is in [start, end); "\r" before "\n" is none."""
        data = self._data
        returns = data.count(b"\r", start, end)
        if not returns:
            return data.count(b"\n", start, end)
        pairs = data.count(b"\r\n", start, min(end + 1, len(data)))
        return returns + data.count(b"\n", start, end) - pairs

    def _count_characters(self, start: int, end: int) -> int:
        return len(self._data[start:end].translate(None, _CONTINUATION))


class _Tally:
    """Counts what is before an offset, block by block, and remembers the counts of whole blocks."""

    def __init__(self, count: Callable[[int, int], int]) -> None:
        self._count = count
        self._before_block = [0]

    def before(self, offset: int) -> int:
        block = offset // _BLOCK
        known = self._before_block
        if len(known) <= block:
            # A new list, so that threads sharing a document never see a half-made one.
            known = [*known]
            for start in range((len(known) - 1) * _BLOCK, block * _BLOCK, _BLOCK):
                known.append(known[-1] + self._count(start, start + _BLOCK))
            self._before_block = known
        return known[block] + self._count(block * _BLOCK, offset)
