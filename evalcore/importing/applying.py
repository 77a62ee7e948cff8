"""Putting a patch, or the chosen parts of it, into a set."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from evalcore.errors import FormatError
from evalcore.importing.building import Grouping, made, name_cases
from evalcore.importing.edits import CellEdit, NewTurn, Patch
from evalcore.importing.source import RowProblem
from evalcore.jsontree import MISSING, JsonValue, get, put

if TYPE_CHECKING:
    from evalcore.formats.evalset import EvalSetLens


@dataclass(frozen=True, slots=True)
class Choices:
    """Which parts of a patch are not wanted, and what is to be deleted with it.

    ``dropped`` holds the keys of edits that are left out; edits of what changed in the file since
    the export are left out unless they are in ``taken``.
    """

    dropped: Container[tuple[int, int | None, str]] = ()
    taken: Container[tuple[int, int | None, str]] = ()
    add_cases: bool = True
    add_turns: bool = True
    delete_cases: bool = False
    delete_turns: bool = False


@dataclass(slots=True)
class _Work:
    cases: list[JsonValue]
    gone: set[int] = field(default_factory=set)


def wanted(patch: Patch, choices: Choices) -> list[CellEdit]:
    """Return the edits of a patch that are to be made."""
    return [
        edit
        for edit in patch.edits
        if (edit.key in choices.taken if edit.is_stale else edit.key not in choices.dropped)
    ]


def applied(
    lens: EvalSetLens, tree: JsonValue, patch: Patch, choices: Choices, now: datetime
) -> JsonValue:
    """Return the set with a patch that was read for this very tree; other cases stay as they are.

    Raises FormatError where a field cannot be written.
    """
    if lens.read_only:
        raise FormatError("This set is in an old shape that can be read but not edited")
    work = _Work(list(lens.raw_cases(tree)))
    for edit in wanted(patch, choices):
        work.cases[edit.case] = _edited(lens, tree, work.cases[edit.case], edit)
    for turn in patch.new_turns if choices.add_turns else ():
        work.cases[turn.case] = _longer(lens, tree, work.cases[turn.case], turn)
    if choices.delete_turns:
        for case, turn_index, _title in sorted(patch.missing_turns, reverse=True):
            work.cases[case] = _shorter(lens, work.cases[case], turn_index)
    gone = {index for index, _title in patch.missing_cases} if choices.delete_cases else set()
    kept = [case for index, case in enumerate(work.cases) if index not in gone]
    if choices.add_cases:
        kept += _added(lens, tree, patch, now)
    old = lens.raw_cases(tree)
    if len(kept) == len(old) and all(a is b for a, b in zip(kept, old, strict=True)):
        return tree
    new: JsonValue = kept
    return put(tree, lens.cases_pointer(tree), new)


def _edited(lens: EvalSetLens, tree: JsonValue, case: JsonValue, edit: CellEdit) -> JsonValue:
    pointer = _pointer(lens, case, edit)
    raw = get(case, pointer)
    if raw is MISSING:
        raise FormatError(f"A turn of {edit.title} is gone", hint="Read the sheet again.")
    return put(case, pointer, edit.column.put(raw, edit.value, lens.style_at(raw, tree)))


def _pointer(lens: EvalSetLens, case: JsonValue, edit: CellEdit) -> str:
    turns = lens.invocation_pointers(case, "")
    return "" if edit.column.level == "case" else turns[edit.turn or 0]


def _longer(lens: EvalSetLens, tree: JsonValue, case: JsonValue, turn: NewTurn) -> JsonValue:
    raw: JsonValue = lens.blank_invocation(case)
    style: Any = lens.style_at(raw, tree)
    for column, value in turn.values.items():
        raw = column.put(raw, value, style)
    where = lens.invocations_pointer(case)
    old = get(case, where)
    return put(case, where, [*(old if isinstance(old, list) else []), raw])


def _shorter(lens: EvalSetLens, case: JsonValue, turn: int) -> JsonValue:
    return put(case, lens.invocation_pointers(case, "")[turn], MISSING)


def _added(lens: EvalSetLens, tree: JsonValue, patch: Patch, now: datetime) -> Sequence[JsonValue]:
    told: list[RowProblem] = []
    new = [replace(case) for case in patch.new_cases]
    name_cases(lens, tree, new, Grouping(taken="rename"), told)
    return [made(lens, tree, case, now) for case in new]
