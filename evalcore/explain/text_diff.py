"""What differs between two texts, word by word, in bounded time."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

Kind = Literal["same", "removed", "added"]

MAX_WORDS = 4000
"""More differing words or lines than this on a side are not compared one by one."""
MAX_WORK = 3_000_000
"""Bound on pairs of equal tokens that one comparison may look at."""

_WORDS = re.compile(r"\s+|\d+(?:[.,:]\d+)*\w*|\w+(?:[-'’]\w+)*|[^\w\s]")
_LINES = re.compile(r"[^\n]*\n|[^\n]+")


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text that is the same on both sides, or stands only on this one."""

    kind: Kind
    text: str


@dataclass(frozen=True, slots=True)
class TextDiff:
    """Two texts cut into pieces; joining a side's pieces gives that side's text.

    ``grain`` says how finely they were compared: ``block`` marks the whole differing middle.
    """

    expected: tuple[Piece, ...]
    actual: tuple[Piece, ...]
    grain: Literal["word", "line", "block"] = "word"

    @property
    def is_same(self) -> bool:
        """Return whether the texts are equal."""
        return all(piece.kind == "same" for piece in (*self.expected, *self.actual))

    @property
    def is_space_only(self) -> bool:
        """Return whether they differ, and only in spaces and line ends."""
        changed = [p.text for p in (*self.expected, *self.actual) if p.kind != "same"]
        return bool(changed) and not any(text.strip() for text in changed)


def diff_words(expected: str, actual: str) -> TextDiff:
    """Return the word-level difference; very long differences are compared by lines or as a block.

    Words, numbers, punctuation marks and runs of white space are the units.
    """
    if expected == actual:
        whole = (Piece("same", expected),) if expected else ()
        return TextDiff(whole, whole)
    by_words = _diff(_WORDS.findall(expected), _WORDS.findall(actual))
    if by_words is not None:
        return TextDiff(*by_words, grain="word")
    has_lines = "\n" in expected and "\n" in actual
    by_lines = _diff(_LINES.findall(expected), _LINES.findall(actual)) if has_lines else None
    if by_lines is not None:
        return TextDiff(*by_lines, grain="line")
    return TextDiff(*_block(expected, actual), grain="block")


_Sides = tuple[tuple[Piece, ...], tuple[Piece, ...]]


def _diff(left: list[str], right: list[str]) -> _Sides | None:
    """Return both sides in pieces, None where comparing them would take too long."""
    head, tail = shared_ends(left, right)
    a, b = left[head : len(left) - tail], right[head : len(right) - tail]
    if max(len(a), len(b)) > MAX_WORDS or _work(a, b) > MAX_WORK:
        return None
    matcher = SequenceMatcher(str.isspace, a, b, autojunk=False)
    sides = _Collector()
    sides.same(left[:head])
    for tag, a0, a1, b0, b1 in matcher.get_opcodes():
        if tag == "equal":
            sides.same(a[a0:a1])
        else:
            sides.changed(a[a0:a1], b[b0:b1])
    sides.same(left[len(left) - tail :])
    return sides.pieces()


def shared_ends(left: Sequence[object], right: Sequence[object]) -> tuple[int, int]:
    """Return how many leading and trailing items two sequences share, without overlap."""
    limit = min(len(left), len(right))
    head = 0
    while head < limit and left[head] == right[head]:
        head += 1
    tail = 0
    while tail < limit - head and left[-1 - tail] == right[-1 - tail]:
        tail += 1
    return head, tail


def _work(a: list[str], b: list[str]) -> int:
    """Return about how many pairs of equal tokens the matcher will visit in its first pass."""
    places: dict[str, int] = {}
    for token in b:
        if not token.isspace():
            places[token] = places.get(token, 0) + 1
    return sum(places.get(token, 0) for token in a)


def _block(expected: str, actual: str) -> _Sides:
    head, tail = shared_ends(expected, actual)
    sides = _Collector()
    sides.same([expected[:head]])
    sides.changed([expected[head : len(expected) - tail]], [actual[head : len(actual) - tail]])
    sides.same([expected[len(expected) - tail :]] if tail else [])
    return sides.pieces()


class _Collector:
    """Collects both sides; white space alone between two changes joins them into one."""

    def __init__(self) -> None:
        self._runs: list[tuple[bool, str, str]] = []

    def same(self, tokens: list[str]) -> None:
        text = "".join(tokens)
        if text:
            self._runs.append((True, text, text))

    def changed(self, left: list[str], right: list[str]) -> None:
        a, b = "".join(left), "".join(right)
        if self._ends_in_a_gap():
            _, gap, _ = self._runs.pop()
            _, before_a, before_b = self._runs.pop()
            a, b = before_a + gap + a, before_b + gap + b
        self._runs.append((False, a, b))

    def _ends_in_a_gap(self) -> bool:
        if len(self._runs) < 2 or self._runs[-2][0]:
            return False
        is_same, text, _ = self._runs[-1]
        return is_same and not text.strip()

    def pieces(self) -> _Sides:
        left = tuple(Piece("same" if same else "removed", a) for same, a, _ in self._runs if a)
        right = tuple(Piece("same" if same else "added", b) for same, _, b in self._runs if b)
        return left, right
