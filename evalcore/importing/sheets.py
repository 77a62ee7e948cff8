"""An edited export on its way back: its rows, with what each cell belongs to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from evalcore.errors import FormatError
from evalcore.exporting.cells import Cell, dump, plain_text, read_text
from evalcore.exporting.columns import CASE_ID, CHECK, TURN, Column, column_named, columns_of
from evalcore.exporting.jsonl_file import ID, SET, STAMP, TURNS, JsonColumn, json_columns
from evalcore.exporting.stamp import Stamp, read_stamp
from evalcore.importing.source import RowProblem, Source, SourceRow, Unusable, Value
from evalcore.jsontree import MISSING, JsonValue

if TYPE_CHECKING:
    from evalcore.formats.evalset import EvalSetLens


@dataclass(frozen=True, slots=True)
class SheetRow:
    """One row: which case and turn it says it is, and its cells.

    ``turn`` counts from 0, None where the row does not say. ``key`` goes before the columns' keys
    in the stamp. A cell that is not in ``cells`` says nothing.
    """

    number: int
    id: str
    turn: int | None
    stamp: Stamp | None
    cells: dict[Column, Cell]
    key: str = ""
    is_blank_turn: bool = False
    """Whether the row is of a case without turns, as far as it says."""


@dataclass(slots=True)
class Sheet:
    """The rows of a sheet, and what was wrong with some of them."""

    columns: tuple[Column, ...]
    rows: list[SheetRow] = field(default_factory=list)
    problems: list[RowProblem] = field(default_factory=list)
    has_ids: bool = True
    """Whether it has the column of the cases' ids."""
    typed: bool = True
    """Whether the file tells texts from numbers, so that no program took one for the other."""


def sheet_from(lens: EvalSetLens, tree: JsonValue, source: Source) -> Sheet:
    """Return an export that was read, as a sheet of a set."""
    if source.columns == ("Line",):
        return _from_lines(lens, source)
    known = columns_of(lens, lens.raw_cases(tree))
    places: dict[int, Column] = {}
    problems = [*source.problems]
    fixed = {_fixed(name): index for index, name in enumerate(source.columns) if _fixed(name)}
    for index, name in enumerate(source.columns):
        if index in fixed.values():
            continue
        exact = any(name.casefold() == column.header.casefold() for column in known)
        if not exact and (first := _copied(name, source.columns)) is not None:
            message = f"The column {first!r} is there twice; the second one is not used"
            problems.append(RowProblem(None, first, message, severity="warning"))
            continue
        column = column_named(lens, name, [c for c in known if c not in places.values()])
        if column is not None and column.key not in {c.key for c in places.values()}:
            places[index] = column
        elif not name.startswith("Column "):
            message = f"The set has no field {name!r}, so this column is not used"
            problems.append(RowProblem(None, name, message, severity="info"))
    sheet = Sheet(
        tuple(places.values()),
        problems=problems,
        has_ids=CASE_ID in fixed,
        typed=source.typed,
    )
    for row in source.rows:
        found = _row(row, source, fixed, places, problems)
        if found is not None:
            sheet.rows.append(found)
    return sheet


def _copied(name: str, names: Sequence[str]) -> str | None:
    """Return the column that another one is a copy of: it was given a number when it was read."""
    found = re.fullmatch(r"(.+) \([2-9]\d*\)", name, re.DOTALL)
    return found[1] if found and found[1] in names else None


def _fixed(name: str) -> str:
    """Return which of the fixed columns a name is, "" for none."""
    if name.startswith(CHECK):
        return CHECK
    low = name.strip().casefold()
    return next((known for known in (CASE_ID, TURN) if low == known.casefold()), "")


def _row(
    row: SourceRow,
    source: Source,
    fixed: dict[str, int],
    places: dict[int, Column],
    problems: list[RowProblem],
) -> SheetRow | None:
    cells: dict[Column, Cell] = {}
    for index, column in places.items():
        value = row.values[index]
        if isinstance(value, Unusable):
            name = source.columns[index]
            problems.append(RowProblem(row.number, name, value.message, value.hint))
            continue
        cells[column] = _as_cell(value)
    turn_text = plain_text(_as_cell(_at(row, fixed.get(TURN)))).strip()
    turn = re.fullmatch(r"(\d{1,9})(?:\.0+)?", turn_text)
    if turn_text and (not turn or int(turn[1]) < 1):
        problems.append(
            RowProblem(row.number, TURN, f"{turn_text!r} is no number of a turn", "Write 1, 2, 3.")
        )
        return None
    stamp = read_stamp(_at(row, fixed.get(CHECK)))
    number = int(turn[1]) - 1 if turn else None
    name = _text(_at(row, fixed.get(CASE_ID)))
    blank = number is None and TURN in fixed
    return SheetRow(row.number, name, number, stamp, cells, is_blank_turn=blank)


def _at(row: SourceRow, index: int | None) -> Value:
    return MISSING if index is None else row.values[index]


def _as_cell(value: Value) -> Cell:
    return value if isinstance(value, (str, int, float)) else None


def _text(value: Value) -> str:
    cell = _as_cell(value)
    if cell is None:
        return ""
    try:
        found = read_text(cell)
    except FormatError:
        return plain_text(cell)
    return found if isinstance(found, str) else ""


def _from_lines(lens: EvalSetLens, source: Source) -> Sheet:
    columns = json_columns(lens)
    sheet = Sheet(columns, problems=[*source.problems])
    for row in source.rows:
        record = row.values[0]
        if isinstance(record, dict):
            sheet.rows += _line(lens, row.number, record, columns, sheet.problems)
        else:
            sheet.problems.append(RowProblem(row.number, "", "The line is no object"))
    return sheet


def _line(
    lens: EvalSetLens,
    number: int,
    record: dict[str, JsonValue],
    columns: Sequence[JsonColumn],
    problems: list[RowProblem],
) -> Iterator[SheetRow]:
    case_id = record.get(ID)
    name = case_id if isinstance(case_id, str) else ""
    listed = record.get(TURNS, [])
    if not isinstance(listed, list) or not all(isinstance(turn, dict) for turn in listed):
        problems.append(RowProblem(number, TURNS, "The turns are no list of objects"))
        return
    turns = listed if lens.has_turns else [record]
    stamp = read_stamp(record.get(STAMP))
    known = {ID, TURNS, STAMP, SET, *(c.field.name for c in columns)}
    for extra in sorted(set(record) - known):
        message = f"The set has no field {extra!r}, so it is not used"
        problems.append(RowProblem(number, extra, message, severity="info"))
    for index, turn in enumerate(turns or [{}]):
        cells: dict[Column, Cell] = {}
        for column in columns:
            of = record if column.level == "case" else turn
            is_told = isinstance(of, dict) and column.field.name in of
            if isinstance(of, dict) and is_told and (column.level == "invocation" or not index):
                cells[column] = dump(of[column.field.name])
        place = index if lens.has_turns and turns else None
        yield SheetRow(number, name, place, stamp, cells, f"{index}:", not turns)
