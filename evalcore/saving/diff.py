"""The line difference of two versions of a file, in time that grows with the file, not its square.

Equal bytes at both ends are cut off first. What is left is anchored on lines that occur exactly
once on both sides; only the small gaps between anchors are compared line against line.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal, overload

CONTEXT = 3
SMALL = 250_000
"""Product of line counts up to which a gap is compared with difflib, in the worst case 30 ms."""

MAX_SLIDE = 100

LineKind = Literal["same", "removed", "added"]
Block = tuple[int, int, int, int]
"""Old start, old end, new start, new end of lines that differ."""


@dataclass(frozen=True, slots=True)
class DiffLine:
    """One line of a hunk, without its line ending.

    Numbers count from 1; ``old`` is None for an added line, ``new`` for a removed one.
    ``ending`` is the line ending as written, "" on a last line that has none.
    """

    kind: LineKind
    old: int | None
    new: int | None
    text: str
    ending: str = "\n"


@dataclass(frozen=True, slots=True)
class Hunk:
    """Neighbouring changes with up to three unchanged lines around them."""

    lines: Sequence[DiffLine]

    @property
    def header(self) -> str:
        """Return the ``@@ -1,3 +1,4 @@`` line of a unified diff."""
        return f"@@ -{self._range('old')} +{self._range('new')} @@"

    def _range(self, side: Literal["old", "new"]) -> str:
        numbers = [n for line in self.lines if (n := getattr(line, side)) is not None]
        return f"{numbers[0]},{len(numbers)}" if numbers else "0,0"


@dataclass(frozen=True, slots=True)
class Diff:
    """All hunks of two versions, and how many lines were added and removed."""

    hunks: tuple[Hunk, ...]
    added: int
    removed: int


def diff_lines(old: bytes, new: bytes) -> Diff:
    """Return how ``new`` differs from ``old``, line by line.

    Lines end with a line feed, as for git. Bytes that are no UTF-8 are shown as U+FFFD.
    """
    if old == new:
        return Diff((), 0, 0)
    cut = _Window.of(old, new)
    blocks = _slid(list(_blocks(cut.old, cut.new)), cut.old, cut.new)
    added = sum(new_end - new_start for _, _, new_start, new_end in blocks)
    removed = sum(old_end - old_start for old_start, old_end, _, _ in blocks)
    return Diff(tuple(cut.hunk(group) for group in _groups(blocks)), added, removed)


class _Lines(Sequence[DiffLine]):
    """The lines of a hunk, each made when it is asked for: one hunk may be a million of them.

    ``runs`` are stretches of one kind: the kind, the first old and new line, how many.
    """

    def __init__(self, window: _Window, runs: Sequence[tuple[LineKind, int, int, int]]) -> None:
        self._window = window
        self._runs = runs
        self._ends = list(accumulate(count for *_start, count in runs))

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    @overload
    def __getitem__(self, at: int) -> DiffLine: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[DiffLine, ...]: ...
    def __getitem__(self, at: int | slice) -> DiffLine | tuple[DiffLine, ...]:
        if isinstance(at, slice):
            return tuple(self._line(i) for i in range(*at.indices(len(self))))
        return self._line(range(len(self))[at])

    def _line(self, at: int) -> DiffLine:
        number = bisect_right(self._ends, at)
        kind, old, new, count = self._runs[number]
        offset = at - (self._ends[number] - count)
        return self._window.line(
            kind,
            None if kind == "added" else old + offset,
            None if kind == "removed" else new + offset,
        )


@dataclass(frozen=True, slots=True)
class _Window:
    """The lines of both sides without the equal ends, but for a few lines of context."""

    old: Sequence[bytes]
    new: Sequence[bytes]
    first: int
    """How many equal lines were cut off before them."""

    @classmethod
    def of(cls, old: bytes, new: bytes) -> _Window:
        start = _line_start(old, _common_prefix(old, new))
        for _ in range(CONTEXT):
            start = _line_start(old, start - 1) if start else 0
        tail = _common_suffix(old, new, min(len(old), len(new)) - start)
        end = _line_end(old, len(old) - tail)
        for _ in range(CONTEXT):
            end = _line_end(old, end)
        kept = len(old) - end
        return cls(
            _split(old[start:end]),
            _split(new[start : len(new) - kept]),
            old.count(b"\n", 0, start),
        )

    def hunk(self, blocks: Sequence[Block]) -> Hunk:
        """Return the hunk of some neighbouring blocks."""
        runs: list[tuple[LineKind, int, int, int]] = []
        i, j = blocks[0][0], blocks[0][2]
        back = min(CONTEXT, i, j)
        i, j = i - back, j - back
        for old_start, old_end, new_start, new_end in blocks:
            runs.append(("same", i, j, old_start - i))
            runs.append(("removed", old_start, new_start, old_end - old_start))
            runs.append(("added", old_end, new_start, new_end - new_start))
            i, j = old_end, new_end
        runs.append(("same", i, j, min(CONTEXT, len(self.old) - i)))
        return Hunk(_Lines(self, [run for run in runs if run[3] > 0]))

    def line(self, kind: LineKind, old: int | None, new: int | None) -> DiffLine:
        """Return one line by its numbers in the window."""
        raw = self.old[old] if old is not None else self.new[new or 0]
        text = raw.decode("utf-8", "replace")
        body = text.rstrip("\n").removesuffix("\r") if text.endswith("\n") else text
        return DiffLine(
            kind,
            None if old is None else self.first + old + 1,
            None if new is None else self.first + new + 1,
            body,
            text[len(body) :],
        )


def _groups(blocks: Sequence[Block]) -> Iterator[list[Block]]:
    """Put blocks together whose contexts would touch."""
    group: list[Block] = []
    for block in blocks:
        if group and block[0] - group[-1][1] > 2 * CONTEXT:
            yield group
            group = []
        group.append(block)
    if group:
        yield group


def _blocks(old: Sequence[bytes], new: Sequence[bytes]) -> Iterator[Block]:
    """Yield the parts that differ, in order."""
    numbers: dict[bytes, int] = {}
    left = [numbers.setdefault(line, len(numbers)) for line in old]
    right = [numbers.setdefault(line, len(numbers)) for line in new]
    waiting: list[Block] = [(0, len(left), 0, len(right))]
    while waiting:
        i, i_end, j, j_end = waiting.pop()
        while i < i_end and j < j_end and left[i] == right[j]:
            i, j = i + 1, j + 1
        while i < i_end and j < j_end and left[i_end - 1] == right[j_end - 1]:
            i_end, j_end = i_end - 1, j_end - 1
        if i == i_end or j == j_end:
            if i < i_end or j < j_end:
                yield i, i_end, j, j_end
            continue
        if (i_end - i) * (j_end - j) <= SMALL:
            yield from _compared(left, right, (i, i_end, j, j_end))
            continue
        anchors = _anchors(left, right, (i, i_end, j, j_end))
        if not anchors:
            yield i, i_end, j, j_end
            continue
        waiting.extend(reversed(list(_gaps(anchors, (i, i_end, j, j_end)))))


def _slid(blocks: list[Block], old: Sequence[bytes], new: Sequence[bytes]) -> list[Block]:
    """Return the blocks with purely added or removed lines at their most readable place.

    Lines added between two equal lines can be shown as one place higher or lower; best is where
    whole objects and lists are added, not the end of one and the start of the next.
    """
    slid: list[Block] = []
    for number, (i, i_end, j, j_end) in enumerate(blocks):
        if i < i_end and j < j_end:
            slid.append((i, i_end, j, j_end))
            continue
        lines, start, end = (new, j, j_end) if i == i_end else (old, i, i_end)
        before = slid[-1] if slid else (0, 0, 0, 0)
        after = blocks[number + 1] if number + 1 < len(blocks) else (len(old), 0, len(new), 0)
        up = min(i - before[1], j - before[3], MAX_SLIDE)
        down = min(after[0] - i_end, after[2] - j_end, MAX_SLIDE)
        by = _best_slide(lines, start, end, up, down)
        slid.append((i + by, i_end + by, j + by, j_end + by))
    return slid


def _best_slide(lines: Sequence[bytes], start: int, end: int, up: int, down: int) -> int:
    """Return by how many lines to move a block so that it opens all that it closes."""
    low = high = 0
    while -low < up and lines[start + low - 1] == lines[end + low - 1]:
        low -= 1
    while high < down and lines[start + high] == lines[end + high]:
        high += 1
    nearest = sorted(range(low, high + 1), key=abs)
    return next((by for by in nearest if _is_whole(lines[start + by : end + by])), 0)


def _is_whole(lines: Sequence[bytes]) -> bool:
    depth = 0
    for line in lines:
        text = line.strip()
        depth -= text.startswith((b"}", b"]"))
        if depth < 0:
            return False
        depth += text.endswith((b"{", b"["))
    return depth == 0


def _compared(left: Sequence[int], right: Sequence[int], block: Block) -> Iterator[Block]:
    from difflib import SequenceMatcher

    i, i_end, j, j_end = block
    matcher = SequenceMatcher(None, left[i:i_end], right[j:j_end], autojunk=False)
    for tag, a, a_end, b, b_end in matcher.get_opcodes():
        if tag != "equal":
            yield i + a, i + a_end, j + b, j + b_end


def _anchors(left: Sequence[int], right: Sequence[int], block: Block) -> list[tuple[int, int]]:
    """Return pairs of lines that occur once on each side, as many as stand in the same order."""
    i, i_end, j, j_end = block
    ours, theirs = _once(left, i, i_end), _once(right, j, j_end)
    pairs = [(at, theirs[line]) for line, at in ours.items() if line in theirs]
    tails: list[int] = []
    ends: list[int] = []
    previous: list[int] = []
    for index, (_old, new) in enumerate(pairs):
        at = bisect_left(tails, new)
        previous.append(ends[at - 1] if at else -1)
        tails[at : at + 1] = [new]
        ends[at : at + 1] = [index]
    kept: list[tuple[int, int]] = []
    step = ends[-1] if ends else -1
    while step >= 0:
        kept.append(pairs[step])
        step = previous[step]
    return kept[::-1]


def _once(lines: Sequence[int], start: int, end: int) -> dict[int, int]:
    places: dict[int, int] = {}
    for at in range(start, end):
        places[lines[at]] = -1 if lines[at] in places else at
    return {line: at for line, at in places.items() if at >= 0}


def _gaps(anchors: Sequence[tuple[int, int]], block: Block) -> Iterator[Block]:
    i, i_end, j, j_end = block
    for old, new in (*anchors, (i_end, j_end)):
        if i < old or j < new:
            yield i, old, j, new
        i, j = old + 1, new + 1


def _split(data: bytes) -> list[bytes]:
    lines = data.split(b"\n")
    last = lines.pop()
    return [line + b"\n" for line in lines] + ([last] if last else [])


def _common_prefix(old: bytes, new: bytes) -> int:
    low, high = 0, min(len(old), len(new))
    while low < high:
        middle = (low + high + 1) // 2
        if old[low:middle] == new[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _common_suffix(old: bytes, new: bytes, limit: int) -> int:
    low, high = 0, limit
    while low < high:
        middle = (low + high + 1) // 2
        if old[len(old) - middle : len(old) - low] == (new[len(new) - middle : len(new) - low]):
            low = middle
        else:
            high = middle - 1
    return low


def _line_start(data: bytes, at: int) -> int:
    return data.rfind(b"\n", 0, at) + 1


def _line_end(data: bytes, at: int) -> int:
    found = data.find(b"\n", at)
    return len(data) if found < 0 else found + 1
