"""One case in two runs, turn by turn: both answers with the words and calls that differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evalcore.counting import CaseRow, case_row
from evalcore.explain.text_diff import Piece
from evalcore.explain.tool_alignment import Match, Pair, align
from evalcore.jsontree import MISSING
from evalcore.results import CaseResult, InvocationResult, Score, Verdict
from evalcore.verdicts import USUAL_MARK, PassMark
from evalcore.views.turn_detail import SHOWN, Reply, reply_of, shown, whole

WORDS = {
    Match.MATCHED: "= the same",
    Match.ARGUMENTS: "≠ other arguments",
    Match.MOVED: "⇅ at another step",
    Match.MISSING: "− only in A",
    Match.EXTRA: "+ only in {right}",
}
"""What aligned calls of two runs are called; neither of them is what was expected."""


@dataclass(frozen=True, slots=True)
class TwoTurns:
    """One turn in both runs; a side that has no such turn is None throughout.

    ``left`` and ``right`` are the replies in pieces that stand on both sides or on one. ``calls``
    is None where neither side recorded any. ``expected`` is what the left side, else the right one,
    expected.
    """

    number: int
    said: str
    said_right: str
    """What the user said in the right run, "" where that is the same."""
    expected: str
    left: tuple[Piece, ...] | None
    right: tuple[Piece, ...] | None
    note: str
    errors: tuple[str, str]
    calls: tuple[Pair, ...] | None
    is_cut: bool


@dataclass(frozen=True, slots=True)
class TwoScores:
    """One check of a case in both runs; None on a side that does not have it."""

    label: str
    left: Score | None
    right: Score | None
    verdicts: tuple[Verdict | None, Verdict | None]


def two_turns(left: CaseResult | None, right: CaseResult | None) -> list[TwoTurns]:
    """Return the turns of a case in both runs, paired by their place."""
    a = () if left is None else left.invocations
    b = () if right is None else right.invocations
    return [_turn(number, _at(a, number), _at(b, number)) for number in range(max(len(a), len(b)))]


def _at(turns: Sequence[InvocationResult], number: int) -> InvocationResult | None:
    return turns[number] if number < len(turns) else None


def _turn(number: int, a: InvocationResult | None, b: InvocationResult | None) -> TwoTurns:
    old = MISSING if a is None else a.actual_output
    new = MISSING if b is None else b.actual_output
    reply = reply_of(old, new)
    said = [shown(turn.input) or "" if turn else "" for turn in (a, b)]
    left = whole(reply.expected, reply.limit) if reply.expected is not None else None
    right = whole(reply.actual, reply.limit) if reply.actual is not None else None
    if reply.diff is not None:
        left, right = reply.diff.expected, reply.diff.actual
    wanted = [shown(turn.expected_output) or "" if turn else "" for turn in (a, b)]
    return TwoTurns(
        number=number + 1,
        said=(said[0] or said[1])[:SHOWN],
        said_right=said[1][:SHOWN] if said[0] and said[1] and said[0] != said[1] else "",
        expected=(wanted[0] or wanted[1])[:SHOWN],
        left=left,
        right=right,
        note=_note(reply),
        errors=((a.error or "") if a else "", (b.error or "") if b else ""),
        calls=_calls(a, b),
        is_cut=reply.length > reply.limit,
    )


def _note(reply: Reply) -> str:
    if reply.expected is not None and reply.expected == reply.actual:
        return "Both replies are the same."
    if reply.diff is not None and reply.diff.is_same:
        return "The beginnings are the same; they differ further on."
    return reply.note


def _calls(a: InvocationResult | None, b: InvocationResult | None) -> tuple[Pair, ...] | None:
    old = a.actual_tool_calls if a else None
    new = b.actual_tool_calls if b else None
    return None if old is None and new is None else align(old or (), new or ())


def call_words(match: Match, right: str) -> str:
    """Return what became of a call, with the right run's letter."""
    return WORDS[match].format(right=right)


def two_scores(
    left: CaseResult | None,
    right: CaseResult | None,
    mark: PassMark = USUAL_MARK,
) -> list[TwoScores]:
    """Return every check of either side, what changed its verdict first."""
    a, b = (None if case is None else case_row(0, case, mark) for case in (left, right))
    keys = dict.fromkeys([*_keys(a), *_keys(b)])
    found = [_scores(key, a, b) for key in keys]
    return sorted(found, key=lambda s: (s.verdicts[0] == s.verdicts[1], s.label.casefold()))


def _keys(row: CaseRow | None) -> list[str]:
    return [] if row is None else list(row.cells)


def _scores(key: str, a: CaseRow | None, b: CaseRow | None) -> TwoScores:
    old = a.cells.get(key) if a else None
    new = b.cells.get(key) if b else None
    known = new or old
    label = known.score.evaluator_name if known else ""
    return TwoScores(
        label or key,
        old.score if old else None,
        new.score if new else None,
        (old.verdict if old else None, new.verdict if new else None),
    )
