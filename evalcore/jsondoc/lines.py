"""Lines and columns of byte offsets, without a table of every line of a large file."""

import re
from typing import NamedTuple

_BLOCK = 1 << 16
_BREAK = re.compile(rb"\r\n|\n|\r")
_INDENT = re.compile(rb"[ \t]*+")
BOM = b"\xef\xbb\xbf"


class Position(NamedTuple):
    """A place in a text: both count from 1, columns in characters."""

    line: int
    column: int


class LineIndex:
    r"""Finds the position of an offset; ``\n``, ``\r\n`` and a lone ``\r`` each end a line.

    A byte order mark takes no column. Invalid UTF-8 counts as one character a bad sequence.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._breaks_before = [0]

    def position(self, offset: int) -> Position:
        """Return the line and column of a byte offset between 0 and the length of the data."""
        before = self._data[self.line_start(offset) : offset].removeprefix(BOM)
        return Position(self._line(offset), len(before.decode("utf-8", "replace")) + 1)

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

    def _line(self, offset: int) -> int:
        block = offset // _BLOCK
        while len(self._breaks_before) <= block:
            start = (len(self._breaks_before) - 1) * _BLOCK
            self._breaks_before.append(self._breaks_before[-1] + self._count(start, start + _BLOCK))
        return self._breaks_before[block] + self._count(block * _BLOCK, offset) + 1

    def _count(self, start: int, end: int) -> int:
        r"""Count the line ends whose last byte is in [start, end); "\r" before "\n" is none."""
        data = self._data
        returns = data.count(b"\r", start, end)
        if not returns:
            return data.count(b"\n", start, end)
        pairs = data.count(b"\r\n", start, min(end + 1, len(data)))
        return returns + data.count(b"\n", start, end) - pairs
