"""One turn of a case result, ready to be read: expected beside actual, differences found."""

from __future__ import annotations

from dataclasses import dataclass

from evalcore.counting import TurnRow
from evalcore.explain.json_diff import JsonDiff, diff_json
from evalcore.explain.text_diff import Piece, TextDiff, diff_words
from evalcore.explain.tool_alignment import Pair, align, align_names
from evalcore.jsontree import MISSING
from evalcore.model import MaybeJson
from evalcore.results import Verdict
from evalcore.views.expectations import Expected, Join, expected_of
from evalcore.views.values import as_text, printable

SHOWN = 20_000
"""Characters of a text that are shown and compared at first; the rest is one click away."""
SHOWN_IN_FULL = 1_000_000
"""Characters that are shown at most; longer texts are offered as a file."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What was expected beside what came.

    ``diff`` marks the words that differ, within the first ``limit`` characters of each side;
    ``changes`` lists the places that differ where both sides are data. Both are None where a side
    is absent.
    """

    expected: str | None
    actual: str | None
    diff: TextDiff | None
    changes: JsonDiff | None
    limit: int
    length: int

    @property
    def note(self) -> str:
        """Return what to know about the comparison, in one sentence, "" where there is nothing."""
        if self.diff is None:
            return ""
        if self.diff.is_same:
            return "" if self.length > self.limit else "No difference in the text."
        if self.diff.is_space_only:
            return "They differ only in spaces or line ends."
        if self.diff.grain == "line":
            return "Too long to compare word by word: compared line by line."
        if self.diff.grain == "block":
            return "Too long to compare word by word: the part that differs is marked as a whole."
        return ""


@dataclass(frozen=True, slots=True)
class TurnDetail:
    """Everything a reader wants of a turn. ``pairs`` and ``nodes`` are None where nothing is known.

    Without an expectation, the calls made and the nodes visited are listed alone.
    """

    number: int
    verdict: Verdict | None
    said: str
    error: str | None
    duration_s: float | None
    reply: Reply
    expected: Expected
    pairs: tuple[Pair, ...] | None
    calls_expected: bool
    nodes: tuple[tuple[str | None, str | None], ...] | None
    nodes_expected: bool


def turn_detail(row: TurnRow, join: Join | None, limit: int = SHOWN) -> TurnDetail:
    """Return a turn prepared for reading; texts are cut to ``limit`` characters."""
    turn = row.turn
    expected = expected_of(turn, row.number - 1, join)
    made, wanted = turn.actual_tool_calls, expected.tool_calls
    visits, order = turn.node_visits, expected.node_order
    return TurnDetail(
        number=row.number,
        verdict=row.verdict,
        said=shown(expected.input) or "",
        error=turn.error,
        duration_s=turn.duration_s,
        reply=reply_of(expected.output, turn.actual_output, limit),
        expected=expected,
        pairs=None if made is None and wanted is None else align(wanted or (), made or ()),
        calls_expected=wanted is not None,
        nodes=None if visits is None and order is None else align_names(order or (), visits or ()),
        nodes_expected=order is not None,
    )


def reply_of(expected: MaybeJson, actual: MaybeJson, limit: int = SHOWN) -> Reply:
    """Return two replies compared: by words, and by path where both are data."""
    left, right = shown(expected), shown(actual)
    length = max(len(left or ""), len(right or ""))
    diff = None
    if left is not None and right is not None:
        diff = diff_words(left[:limit], right[:limit])
    both_data = isinstance(expected, (dict, list)) and isinstance(actual, (dict, list))
    changes = diff_json(expected, actual) if both_data else None
    return Reply(left, right, diff, changes, limit, length)


def whole(text: str, limit: int = SHOWN) -> tuple[Piece, ...]:
    """Return the beginning of a text that has nothing to be compared with, in one piece."""
    return (Piece("same", text[:limit]),) if text else ()


def shown(value: MaybeJson) -> str | None:
    """Return a value as text for reading: texts as they are, data as JSON; None where absent.

    A null is absent too: no system tells it from a reply that was never given.
    """
    if value is MISSING or value is None:
        return None
    return printable(value) if isinstance(value, str) else as_text(value)
