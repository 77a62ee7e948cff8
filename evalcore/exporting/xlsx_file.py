"""A set's table as a workbook for people: ids locked, choices as drop-downs, headers in place."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import Any, Final, TypeAlias

from evalcore.errors import FormatError
from evalcore.exporting.cells import LONGEST, Cell
from evalcore.exporting.columns import Column
from evalcore.exporting.table import Row, Table, cells_of, heads

WriteOnlySheet: TypeAlias = Any
"""openpyxl's stubs leave out what its write-only sheets and cells have in common with others."""

SHEET: Final = "Cases"
MORE_ROWS: Final = 1000
"""How many rows below the table the drop-downs reach, for cases that are added there."""
NARROWEST, WIDEST = 9, 60
MOST_ROWS: Final = 1_048_575


def xlsx_bytes(table: Table) -> bytes:
    """Return the table as an XLSX workbook of one sheet; raises FormatError for too many rows."""
    from openpyxl import Workbook

    if len(table.rows) > MOST_ROWS:
        raise FormatError(
            f"A sheet holds {MOST_ROWS:,} rows, and these are {len(table.rows):,}",
            hint="Export fewer cases, or export to CSV or JSONL.",
        )

    book = Workbook(write_only=True)
    sheet = book.create_sheet(SHEET)
    _set_up(sheet, table)
    pen = _Pen(sheet)
    sheet.append(pen.head(heads(table), table))
    for row in table.rows:
        sheet.append(pen.row(table, row))
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


class _Pen:
    """Makes the styled cells of one sheet."""

    def __init__(self, sheet: WriteOnlySheet) -> None:
        from openpyxl.styles import Alignment, Font, PatternFill, Protection

        self.sheet = sheet
        self.bold = Font(bold=True)
        self.open = Protection(locked=False)
        self.grey = PatternFill("solid", fgColor="FFEFEFEF")
        self.wrap = Alignment(wrap_text=True, vertical="top")
        self.styles = {is_open: self._style(is_open) for is_open in (True, False)}

    def head(self, names: Sequence[str], table: Table) -> list[Any]:
        from openpyxl.comments import Comment

        helps = {column.header: column.field.help for column in table.columns}
        cells: list[Any] = []
        for name in names:
            cell = self._cell(name)
            cell.font, cell.fill = self.bold, self.grey
            if helps.get(name):
                cell.comment = Comment(helps[name], "Evaldesk", height=90, width=260)
            cells.append(cell)
        return cells

    def row(self, table: Table, row: Row) -> list[Any]:
        values = cells_of(table, row)
        first, last = len(values) - len(table.columns) - 1, len(values) - 1
        return [
            self._styled(value, self._is_open(table.columns[i - first], row))
            if first <= i < last
            else self._styled(value, is_open=False)
            for i, value in enumerate(values)
        ]

    def _is_open(self, column: Column, row: Row) -> bool:
        return column.level == "invocation" or row.is_first

    def _styled(self, value: Cell, is_open: bool) -> Any:
        if value is None and is_open:
            # Where nothing is written the column's own style holds, which is open too.
            return None
        cell = self._cell(value)
        cell._style = self.styles[is_open]
        return cell

    def _style(self, is_open: bool) -> Any:
        """Return the style of a cell, made once: making it anew takes most of the time."""
        cell = self._cell(None)
        cell.alignment = self.wrap
        if is_open:
            cell.protection = self.open
        else:
            cell.fill = self.grey
        return cell._style

    def _cell(self, value: Cell) -> Any:
        from openpyxl.cell import WriteOnlyCell

        cell: Any = WriteOnlyCell(self.sheet, value=value)
        if isinstance(value, str):
            # A text that merely looks like a formula or an error stays a text.
            cell.data_type = "s"
        return cell


def _set_up(sheet: WriteOnlySheet, table: Table) -> None:
    """Freeze, size and lock the sheet, which must be done before its first row."""
    from openpyxl.styles import Protection
    from openpyxl.utils import get_column_letter

    fixed = 2 if table.has_turns else 1
    sheet.freeze_panes = f"{get_column_letter(fixed + 1)}2"
    widths = [*_widths(table), 4]
    for number, width in enumerate(widths, 1):
        dimension = sheet.column_dimensions[get_column_letter(number)]
        dimension.width = width
        dimension.protection = Protection(locked=False)
        dimension.hidden = number == len(widths)
    for number, column in enumerate(table.columns, fixed + 1):
        _offer_choices(sheet, column, get_column_letter(number), len(table.rows))
    guarded = sheet.protection
    guarded.sheet = True
    for allowed in ("formatCells", "formatColumns", "formatRows", "insertRows", "sort"):
        setattr(guarded, allowed, False)
    guarded.autoFilter = guarded.deleteRows = False


def _offer_choices(sheet: WriteOnlySheet, column: Column, letter: str, row_count: int) -> None:
    from openpyxl.worksheet.datavalidation import DataValidation

    listed = ",".join(column.choices)
    if not listed or len(listed) > 250 or len(column.choices) != listed.count(",") + 1:
        return
    rule = DataValidation(type="list", formula1=f'"{listed}"', allow_blank=True)
    rule.showErrorMessage = False
    rule.add(f"{letter}2:{letter}{row_count + 1 + MORE_ROWS}")
    sheet.data_validations.append(rule)


def _widths(table: Table) -> Iterator[int]:
    names = heads(table)[:-1]
    longest = [len(name) + 2 for name in names]
    for row in table.rows[:500]:
        for number, cell in enumerate(cells_of(table, row)[:-1]):
            text = "" if cell is None else str(cell)[:LONGEST]
            longest[number] = max(longest[number], *map(len, text.split("\n")))
    yield from (min(max(width + 1, NARROWEST), WIDEST) for width in longest)
