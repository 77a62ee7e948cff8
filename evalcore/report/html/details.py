"""One case result as data for the page: every text ready to be read, every difference found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Any, TypeAlias

from evalcore import verdicts
from evalcore.counting import CaseRow, Cell, TurnRow
from evalcore.explain.json_diff import Change, JsonDiff
from evalcore.explain.text_diff import Piece
from evalcore.explain.tool_alignment import Match, Pair
from evalcore.explain.votes import RubricVotes, votes_of
from evalcore.jsontree import MISSING
from evalcore.model import MaybeJson, ToolCall
from evalcore.report.table import score_words
from evalcore.report.texts import reading_text, tamed, text_of
from evalcore.results import InvocationResult
from evalcore.verdicts import PassMark
from evalcore.views import numbers
from evalcore.views.expectations import Join
from evalcore.views.tool_alignment import WORDS, differing
from evalcore.views.turn_detail import SHOWN_IN_FULL, TurnDetail, turn_detail, whole

Data: TypeAlias = dict[str, Any]
COMPARED = 8_000
"""Characters of a reply that are compared word by word; the rest is there, unmarked."""
MOST_ROWS = 200
"""Tool calls, nodes and differing places of one turn that are listed; more are counted."""


def detail_of(row: CaseRow, join: Join | None, mark: PassMark) -> Data:
    """Return everything that the page shows of a case result."""
    is_told = row.is_told_by_its_turn and bool(row.turns[0].cells)
    whole_case = [] if is_told else [cell for cell in row.cells.values() if cell.turns == 0]
    return {
        "error": _said(row.case.error),
        "notes": [_said(note) for note in (*row.case.notes, *_doubts(row, mark))],
        "scores": [_score(cell) for cell in whole_case],
        "turns": [_turn(turn, join) for turn in row.turns],
    }


def answer_of(row: CaseRow) -> str:
    """Return a mark that repeats of a case share where they answered the same."""
    found = [(text_of(t.turn.actual_output), t.turn.error) for t in row.turns]
    return sha256(repr(found).encode("utf-8", "backslashreplace")).hexdigest()[:10]


def _doubts(row: CaseRow, mark: PassMark) -> Iterable[str]:
    stored, ours = row.case.verdict, verdicts.recount(row.case, mark)
    if stored is not None and row.cells and stored is not ours:
        yield (
            f"The result file says {verdicts.WORDS[stored]}; the scores come to "
            f"{verdicts.WORDS[ours]}."
        )


def _turn(row: TurnRow, join: Join | None) -> Data:
    try:
        found = turn_detail(row, join, COMPARED)
    except ValueError:
        # Integers of thousands of digits cannot be printed at once, by anyone.
        found = turn_detail(
            TurnRow(row.number, _tamed(row.turn), row.verdict, row.cells), join, COMPARED
        )
    reply = found.reply
    left = reply.diff.expected if reply.diff else whole(reply.expected or "", COMPARED)
    right = reply.diff.actual if reply.diff else whole(reply.actual or "", COMPARED)
    return {
        "number": found.number,
        "verdict": None if found.verdict is None else found.verdict.value,
        "time": "" if found.duration_s is None else numbers.seconds(found.duration_s),
        "said": _long(found.said),
        "error": _said(found.error),
        "behavior": _said(found.expected.behavior),
        "expected": _side(reply.expected, left),
        "actual": _side(reply.actual, right),
        "note": reply.note,
        "origin": _said(found.expected.origin("output")),
        "changes": None if reply.changes is None else _changes(reply.changes),
        "calls": None if found.pairs is None else _calls(found),
        "nodes": None if found.nodes is None else _nodes(found),
        "scores": [_score(cell) for cell in row.cells.values() if _is_told(cell)],
    }


def _is_told(cell: Cell) -> bool:
    """Return whether a turn's cell says something: a check of another turn does not."""
    return cell.verdict is not None or cell.score.informational or bool(cell.score.reason)


def _score(cell: Cell) -> Data:
    score = cell.score
    return {
        "name": _said(score.evaluator_name or score.evaluator),
        "verdict": None if cell.verdict is None else cell.verdict.value,
        "words": score_words(cell),
        "near": verdicts.is_near(score, cell.verdict),
        "reason": _long(score.reason),
        "cautions": [_said(caution) for caution in score.cautions],
        "rubrics": [
            _rubric(found)
            for found in votes_of(score)[:MOST_ROWS]
            if found.votes or found.rationale not in score.reason
        ],
    }


def _rubric(found: RubricVotes) -> list[str | None]:
    votes = " ".join("–" if vote is None else f"{vote:g}" for vote in found.votes)
    number = "no answer" if found.score is None else numbers.score(found.score)
    return [_said(found.rubric), number, votes, _said(found.rationale)]


def _side(text: str | None, pieces: Sequence[Piece]) -> Data | None:
    """Return one side of a comparison; None where there is none.

    ``pieces`` are stretches of text, every second of which differs, from the second on.
    """
    if text is None:
        return None
    cut: list[str] = [""]
    for piece in pieces:
        if (piece.kind != "same") is (len(cut) % 2 == 0):
            cut[-1] += reading_text(piece.text)
        else:
            cut.append(reading_text(piece.text))
    return {
        "pieces": cut,
        "rest": reading_text(text[COMPARED:SHOWN_IN_FULL]),
        "left_out": max(0, len(text) - SHOWN_IN_FULL),
    }


def _long(text: str) -> Data:
    return {
        "pieces": [reading_text(text[:COMPARED])],
        "rest": reading_text(text[COMPARED:SHOWN_IN_FULL]),
        "left_out": max(0, len(text) - SHOWN_IN_FULL),
    }


def _changes(found: JsonDiff) -> Data:
    rows = [change for change in found.changes if not change.is_harmless]
    return {
        "rows": [_change(change) for change in rows[:MOST_ROWS]],
        "more": max(0, len(rows) - MOST_ROWS),
        "cut": found.cut,
    }


def _change(change: Change) -> list[str | None]:
    path = _said(change.path) or "the whole"
    return [path, change.kind, _value(change.expected), _value(change.actual)]


def _calls(found: TurnDetail) -> Data:
    pairs = found.pairs or ()
    return {
        "is_expected": found.calls_expected,
        "origin": _said(found.expected.origin("tool_calls")),
        "rows": [_pair(pair, found.calls_expected) for pair in pairs[:MOST_ROWS]],
        "more": max(0, len(pairs) - MOST_ROWS),
    }


def _pair(pair: Pair, is_expected: bool) -> Data:
    return {
        "match": pair.match.value if is_expected else "",
        "words": WORDS[pair.match] if is_expected else "",
        "expected": _call(pair.expected, pair.expected_step),
        "actual": _call(pair.actual, pair.actual_step),
        "differs": _said(differing(pair)) if pair.match is Match.ARGUMENTS else "",
    }


def _call(call: ToolCall | None, step: int | None) -> Data | None:
    if call is None:
        return None
    return {"step": step, "name": _said(call.name), "args": _value(call.args)}


def _nodes(found: TurnDetail) -> Data:
    nodes = found.nodes or ()
    return {
        "is_expected": found.nodes_expected,
        "rows": [[_said(left), _said(right)] for left, right in nodes[:MOST_ROWS]],
        "more": max(0, len(nodes) - MOST_ROWS),
    }


def _value(value: MaybeJson) -> str | None:
    if value is MISSING:
        return None
    text = "null" if value is None else text_of(value) or ""
    return reading_text(text if len(text) <= COMPARED else f"{text[:COMPARED]}…")


def _said(text: str | None) -> str | None:
    if text is None:
        return None
    return reading_text(text if len(text) <= COMPARED else f"{text[:COMPARED]}…")


def _tamed(turn: InvocationResult) -> InvocationResult:
    def calls(given: Sequence[ToolCall] | None) -> tuple[ToolCall, ...] | None:
        if given is None:
            return None
        return tuple(call.model_copy(update={"args": tamed(call.args)}) for call in given)

    return turn.model_copy(
        update={
            "input": tamed(turn.input),
            "expected_output": tamed(turn.expected_output),
            "actual_output": tamed(turn.actual_output),
            "expected_tool_calls": calls(turn.expected_tool_calls),
            "actual_tool_calls": calls(turn.actual_tool_calls),
        }
    )
