"""Reading what an edited export changes in its set, cell by cell, before anything is changed.

Only a cell that differs from what was exported is an edit. Where the file has changed as well since
then, in the same place, somebody has to choose. What is not in the sheet is not deleted unasked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from evalcore.errors import FormatError
from evalcore.exporting.cells import LEAVE, Cell, plain_text
from evalcore.exporting.columns import CASE_ID, Column
from evalcore.exporting.stamp import Stamp
from evalcore.exporting.table import cell_of, turns_of
from evalcore.importing.building import NewCase
from evalcore.importing.edits import CellEdit, NewTurn, Patch
from evalcore.importing.rewrites import is_rewritten
from evalcore.importing.sheets import Sheet, SheetRow
from evalcore.importing.source import RowProblem
from evalcore.jsontree import MISSING, JsonValue, same

if TYPE_CHECKING:
    from evalcore.formats.evalset import EvalSetLens


def read_patch(lens: EvalSetLens, tree: JsonValue, sheet: Sheet) -> Patch:
    """Return what a sheet changes in a set as it is now."""
    return _Reader(lens, tree, sheet).patch()


class _Reader:
    """Compares a sheet with a set."""

    def __init__(self, lens: EvalSetLens, tree: JsonValue, sheet: Sheet) -> None:
        self.lens, self.sheet = lens, sheet
        self.cases = lens.raw_cases(tree)
        self.found = Patch(problems=[*sheet.problems])
        self.by_id: dict[str, list[int]] = {}
        for index, raw in enumerate(self.cases):
            self.by_id.setdefault(lens.case_id(raw) or "", []).append(index)
        self.told = {row.id for row in sheet.rows}
        self.seen: dict[tuple[int, int | None], int] = {}
        self.met: dict[int, set[int]] = {}
        self.named: dict[str, NewCase] = {}
        self.last: NewCase | None = None

    def patch(self) -> Patch:
        for row in self.sheet.rows:
            try:
                self._row(row)
            except FormatError as error:
                self._problem(row, "", error)
        self._note_missing()
        return self.found

    def _row(self, row: SheetRow) -> None:
        index = self._case_of(row)
        if index is None:
            self._new_case(row)
            return
        self.met.setdefault(index, set())
        raw = self.cases[index]
        turns = turns_of(self.lens, raw)
        turn = self._turn_of(row, index, len(turns))
        if (index, turn) in self.seen:
            other = self.seen[index, turn]
            raise FormatError(
                f"Row {other:,} is the same {'turn' if turn is not None else 'case'} already",
                hint="Give a copied row another case id, or the number of a new turn.",
            )
        self.seen[index, turn] = row.number
        if turn is not None and turn >= len(turns):
            self._new_turn(row, index)
            return
        if turn is not None:
            self.met[index].add(turn)
        self._compare(row, index, turn, turns)

    def _case_of(self, row: SheetRow) -> int | None:
        """Return the case that a row is of, None for a new one."""
        if row.stamp is not None and not self.sheet.has_ids:
            return self._case_at(row, row.stamp)
        named = self.by_id.get(row.id, []) if row.id or row.stamp else []
        if len(named) == 1 and (row.id or self._is_stamped(row, named[0])):
            return named[0]
        if row.stamp is not None and row.stamp.case in named:
            return row.stamp.case
        if not row.id or not named:
            return self._case_misspelled(row)
        raise FormatError(
            f"The set has {len(named)} cases called {row.id!r}, and the row does not say which",
            hint="Give them different ids in the set, and export it again.",
        )

    def _case_at(self, row: SheetRow, stamp: Stamp) -> int:
        """Return the case that only the stamp of a row tells; it must be as it was then."""
        if stamp.case < len(self.cases):
            case = self.cases[stamp.case]
            turns = turns_of(self.lens, case)
            at = stamp.turn or 0
            own = turns[at] if at < len(turns) else MISSING
            cells = (
                (c, cell_of(c, case if c.level == "case" else own, first=not at)) for c in row.cells
            )
            if all(stamp.was(row.key + c.key, c.canonical(cell)) for c, cell in cells):
                return stamp.case
        raise FormatError(
            f"Without the column {CASE_ID!r} nobody can tell which case this is: "
            "the set has changed since it was exported",
            hint="Put the column back, or export the set again.",
        )

    def _case_misspelled(self, row: SheetRow) -> int | None:
        """Return the case whose id a spreadsheet program took for a number or a date."""
        if not row.id or row.stamp is None:
            return None
        free = (
            i for i, ids in self.by_id.items() if i not in self.told and is_rewritten(i, row.id)
        )
        found = [index for case_id in free for index in self.by_id[case_id]]
        index = row.stamp.case if row.stamp.case in found else found[0] if len(found) == 1 else None
        if index is not None and index not in self.met:
            case_id = self.lens.case_id(self.cases[index])
            self._rewritten(row, CASE_ID, f"id {case_id!r}", row.id)
        return index

    def _rewritten(self, row: SheetRow, column: str, old: str, new: str) -> None:
        message = f"A spreadsheet program made {new!r} of the {old}, which stays as it is"
        hint = "Excel workbooks keep such texts: export to XLSX rather than to CSV."
        self.found.problems.append(RowProblem(row.number, column, message, hint, "warning"))

    def _is_rewritten(self, row: SheetRow, column: Column, before: Cell, after: Cell) -> bool:
        """Return whether not a person but a program changed a cell; texts are told of."""
        if (
            isinstance(before, bool)
            or after is None
            or (self.sheet.typed and isinstance(after, str))
        ):
            return False
        old, new = plain_text(before), plain_text(after)
        if not is_rewritten(old, new):
            return False
        if isinstance(before, str):
            self._rewritten(row, column.header, f"text {old!r}", new)
        return True

    def _is_stamped(self, row: SheetRow, index: int) -> bool:
        return row.stamp is not None and row.stamp.case == index

    def _turn_of(self, row: SheetRow, index: int, count: int) -> int | None:
        """Return which turn a row is, None for a case that is its own or has none."""
        if not self.lens.has_turns:
            return None
        if row.turn is not None:
            return row.turn
        if row.is_blank_turn and row.stamp is not None and row.stamp.turn is None and not count:
            return None
        if row.stamp is not None and row.stamp.turn is not None:
            return row.stamp.turn
        # A row added under a known id, without a number, is the next turn.
        used = [turn for case, turn in self.seen if case == index and turn is not None]
        return max(count, *(turn + 1 for turn in used), 0) or None

    def _compare(
        self, row: SheetRow, index: int, turn: int | None, turns: Sequence[JsonValue]
    ) -> None:
        case = self.cases[index]
        own = turns[turn or 0] if turns else MISSING
        title = self.lens.case_label(case) or f"case {index + 1}"
        stale = False
        for column, after in row.cells.items():
            raw = case if column.level == "case" else own
            first = not turn
            before = cell_of(column, raw, first=first)
            now, said = column.canonical(before), column.canonical(after)
            key = row.key + column.key
            is_old = row.stamp is not None and not row.stamp.was(key, now)
            stale = stale or is_old
            if now == said or (row.stamp is not None and is_old and row.stamp.was(key, said)):
                continue
            if row.stamp is not None and self._is_rewritten(row, column, before, after):
                continue
            if not isinstance(raw, dict) or (column.level == "case" and not first):
                self._misplaced(row, column, raw, index, turn)
                continue
            self._edit(
                row,
                CellEdit(index, turn, title, column, before, after, None, row.number, is_old),
                raw,
            )
        if stale and (index, title) not in self.found.stale:
            self.found.stale.append((index, title))

    def _edit(self, row: SheetRow, edit: CellEdit, raw: JsonValue) -> None:
        column, old = edit.column, edit.column.value(raw)
        try:
            empty = edit.after is None or edit.after == ""
            value = column.cleared(raw) if empty else column.read(edit.after, raw)
            if value is LEAVE or _is_same(old, value):
                return
            column.put(raw, value, "snake")
        except FormatError as error:
            self._problem(row, column.header, error)
            return
        self.found.edits.append(replace(edit, value=value))

    def _misplaced(
        self, row: SheetRow, column: Column, raw: object, index: int, turn: int | None
    ) -> None:
        if raw is MISSING and column.level == "invocation":
            # The first text written beside a case without turns is its first turn.
            if (index, 0) not in self.seen:
                self.seen[index, 0] = row.number
                self._new_turn(row, index)
            return
        if column.level == "case" and turn:
            message = "This belongs to the whole case: write it beside the case's first turn"
        else:
            message = "The case has a shape that its format does not describe"
        self.found.problems.append(
            RowProblem(row.number, column.header, message, severity="warning")
        )

    def _new_turn(self, row: SheetRow, index: int) -> None:
        values = self._values(row, "invocation", self.lens.blank_invocation(self.cases[index]))
        title = self.lens.case_label(self.cases[index]) or f"case {index + 1}"
        if values:
            self.found.new_turns.append(NewTurn(index, title, row.number, values))

    def _new_case(self, row: SheetRow) -> None:
        case = self.named.get(row.id) if row.id else self.last if row.turn else None
        values = self._values(row, "case", {}) if case is None else {}
        turn = self._values(row, "invocation", {})
        if not values and not turn and not row.id:
            return
        if case is None:
            case = NewCase(self._label(row, values), [row.number], values)
            self.found.new_cases.append(case)
            self.named |= {row.id: case} if row.id else {}
        elif self.lens.has_turns:
            case.rows.append(row.number)
        else:
            raise FormatError(f"The id {row.id!r} is in row {case.rows[0]:,} already")
        self.last = case
        if turn:
            case.turns.append(turn)

    def _label(self, row: SheetRow, values: dict[Column, Any]) -> str:
        """Return what a new case is called: its id, or what its format calls cases by."""
        if self.lens.label_field == "id":
            return row.id
        found = next((c for c in values if c.field.name == self.lens.label_field), None)
        label = values.pop(found) if found is not None else row.id
        return label if isinstance(label, str) else ""

    def _values(self, row: SheetRow, level: str, raw: JsonValue) -> dict[Column, Any]:
        values: dict[Column, Any] = {}
        for column, cell in row.cells.items():
            if column.level != level or cell is None or cell == "":
                continue
            try:
                value = column.read(cell, raw)
            except FormatError as error:
                self._problem(row, column.header, error)
                continue
            if value is not LEAVE:
                values[column] = value
        return values

    def _note_missing(self) -> None:
        for index, raw in enumerate(self.cases):
            title = self.lens.case_label(raw) or f"case {index + 1}"
            if index not in self.met:
                self.found.missing_cases.append((index, title))
            elif self.lens.has_turns:
                count = len(turns_of(self.lens, raw))
                gone = sorted(set(range(count)) - self.met[index])
                self.found.missing_turns += ((index, turn, title) for turn in gone)

    def _problem(self, row: SheetRow, column: str, error: FormatError) -> None:
        self.found.problems.append(
            RowProblem(row.number, column or CASE_ID, error.message, error.hint)
        )


def _is_same(old: Any, new: Any) -> bool:
    if isinstance(old, (int, float)) and isinstance(new, (int, float)):
        return isinstance(old, bool) == isinstance(new, bool) and old == new
    if isinstance(old, tuple) and isinstance(new, tuple):
        return same([m.model_dump() for m in old], [m.model_dump() for m in new])
    if isinstance(old, tuple) or isinstance(new, tuple):
        return False
    if old is MISSING or new is MISSING:
        return old is new
    return same(old, new)
