"""One case result with exactly what its scoring held it against, ready to be read."""

from __future__ import annotations

from dataclasses import replace

from evalcore.counting import CaseRow, build
from evalcore.jsontree import MISSING
from evalcore.model import Invocation
from evalcore.results import CaseResult, InvocationResult
from evalcore.scoring.joining import Joined
from evalcore.views.expectations import Join
from evalcore.views.rescore_board import Board, Scored

DRAFT = "your unsaved draft"


def row_of(board: Board, scored: Scored, place: int, case: CaseResult) -> CaseRow:
    """Return a scored case as a row with its turns.

    What the result file recorded of expectations is left out where the scoring went by the set.
    """
    joined = board.joined(scored, place)
    turns = case.invocations
    if joined is not None and _is_by_set(scored, joined):
        turns = tuple(map(_bare, turns))
    alone = case.model_copy(update={"invocations": turns})
    (row,) = build(board.material.run.model_copy(update={"cases": (alone,)})).by_place
    return replace(row, place=place)


def expected_by(board: Board, scored: Scored, place: int) -> Join | None:
    """Return the case that a result was held against; None where the file's own record was."""
    joined = board.joined(scored, place)
    if joined is None or not _is_by_set(scored, joined):
        return None
    wanted = [turn.expected for turn in joined.turns[joined.padding :]]
    blank = Invocation(origin=joined.case.origin)
    case = joined.case.model_copy(update={"invocations": tuple(w or blank for w in wanted)})
    is_draft = scored.eval_set is not board.material.eval_set
    path = DRAFT if is_draft else board.material.project.path
    return Join(path, place, case, "id")


def _is_by_set(scored: Scored, joined: Joined) -> bool:
    return scored.scoring.expectations == "set" and bool(joined.case.origin)


def _bare(turn: InvocationResult) -> InvocationResult:
    nothing = {
        "expected_output": MISSING,
        "expected_tool_calls": None,
        "expected_node_order": None,
    }
    return turn.model_copy(update=nothing)
