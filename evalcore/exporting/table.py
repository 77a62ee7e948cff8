"""The table of a set: a row for each turn, or for each case where a case is its own turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from evalcore.exporting.cells import Cell, written
from evalcore.exporting.columns import CASE_ID, CHECK, TURN, Column, columns_of
from evalcore.exporting.stamp import stamp
from evalcore.jsontree import MISSING, JsonValue, get

if TYPE_CHECKING:
    from evalcore.formats.evalset import EvalSetLens


@dataclass(frozen=True, slots=True)
class Row:
    """One row: a turn of a case, and with its first turn what belongs to the whole case.

    ``case`` and ``turn`` count from 0. ``turn`` is None for a case without turns.
    """

    case: int
    turn: int | None
    id: str | None
    cells: tuple[Cell, ...]
    stamp: str

    @property
    def is_first(self) -> bool:
        """Return whether the row carries the fields of its case."""
        return not self.turn


@dataclass(frozen=True, slots=True)
class Table:
    """What is exported of a set."""

    path: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    has_turns: bool


def table_of(
    lens: EvalSetLens,
    tree: JsonValue,
    path: str = "",
    indexes: Sequence[int] | None = None,
    columns: Sequence[Column] | None = None,
) -> Table:
    """Return the table of a set, or of the cases at some indexes, in the set's order."""
    cases = lens.raw_cases(tree)
    chosen = range(len(cases)) if indexes is None else sorted(set(indexes))
    if columns is None:
        columns = columns_of(lens, [cases[i] for i in chosen])
    rows = tuple(row for i in chosen for row in rows_of(lens, cases[i], i, columns))
    return Table(path, tuple(columns), rows, lens.has_turns)


def rows_of(
    lens: EvalSetLens, case: JsonValue, index: int, columns: Sequence[Column]
) -> Iterator[Row]:
    """Yield the rows of one case."""
    turns = turns_of(lens, case)
    for turn, raw in enumerate(turns) if turns else ((None, MISSING),):
        cells = tuple(
            cell_of(column, case if column.level == "case" else raw, first=not turn)
            for column in columns
        )
        number = turn if lens.has_turns else None
        texts = ((c.key, c.canonical(cell)) for c, cell in zip(columns, cells, strict=True))
        yield Row(index, number, lens.case_id(case), cells, stamp(index, number, texts))


def cell_of(column: Column, raw: object, *, first: bool) -> Cell:
    """Return a cell; what belongs to the whole case stands in its first row only."""
    if not isinstance(raw, dict) or (column.level == "case" and not first):
        return None
    return column.cell(raw)


def turns_of(lens: EvalSetLens, case: JsonValue) -> list[JsonValue]:
    """Return the turns of a case as they stand in the file; a case that is its own turn is one."""
    turns = (get(case, pointer) for pointer in lens.invocation_pointers(case, ""))
    return [None if turn is MISSING else turn for turn in turns]


def plain_id(case_id: str | None) -> Cell:
    """Return the cell of a case's id, empty for a case without one."""
    return None if not case_id else written(case_id)


def heads(table: Table) -> list[str]:
    """Return the headers of all columns as they are written, the id first and the stamp last.

    The last one names the set, so that a sheet that comes back knows where it belongs.
    """
    fixed = [CASE_ID, TURN] if table.has_turns else [CASE_ID]
    own = (str(written(column.header)) for column in table.columns)
    return [*fixed, *own, str(written(f"{CHECK}: {table.path}" if table.path else CHECK))]


def cells_of(table: Table, row: Row) -> list[Cell]:
    """Return all cells of a row, in the order of ``heads``."""
    number = None if row.turn is None else row.turn + 1
    fixed = [plain_id(row.id), number] if table.has_turns else [plain_id(row.id)]
    return [*fixed, *row.cells, row.stamp]
