"""Reading XLSX workbooks: values of formulas, dates, merged cells, several sheets."""

from __future__ import annotations

import io
import re
import warnings
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from evalcore.errors import FormatError
from evalcore.exporting.cells import from_excel
from evalcore.importing.grid import Grid, GridCell
from evalcore.importing.source import Unusable

if TYPE_CHECKING:
    from openpyxl.workbook import Workbook

MOST_UNPACKED: Final = 600_000_000
"""Bytes that the parts of a workbook may have when unpacked."""
ERRORS: Final = frozenset(
    {"#N/A", "#DIV/0!", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#VALUE!", "#SPILL!", "#CALC!"}
)
_MERGED = re.compile(rb'<mergeCell [^>]*ref="([A-Z]+)(\d+):([A-Z]+)(\d+)"')
_OLD = b"\xd0\xcf\x11\xe0"
_SAVE_AGAIN = "Open the file in a spreadsheet program and save it as .xlsx."


def is_workbook(data: bytes) -> bool:
    """Return whether some bytes are a workbook, or something that only looks like one."""
    return data.startswith((b"PK\x03\x04", _OLD))


def read_workbook(data: bytes, sheet: str | None = None) -> tuple[Grid, str, tuple[str, ...]]:
    """Return the cells of a sheet, its name, and the names of all sheets that can be seen.

    Without a name the first sheet with anything in it is read. Raises FormatError for what is no
    workbook.
    """
    with _explained():
        book = _opened(data, values=True)
        names = tuple(s.title for s in book.worksheets if s.sheet_state == "visible")
        names = names or tuple(book.sheetnames)
        if sheet in names:
            return _grid(data, book, sheet), sheet, names
        grid, first = Grid(), names[0]
        for name in names:
            grid = _grid(data, book, name)
            if grid.rows:
                return grid, name, names
        return grid, first, names


@contextmanager
def _explained() -> Iterator[None]:
    """Turn whatever the library's parsers raise into an error in words."""
    try:
        with warnings.catch_warnings():
            # It warns of what it does not understand, such as colours; values are not among it.
            warnings.simplefilter("ignore")
            yield
    except FormatError:
        raise
    except Exception as error:
        message = f"The workbook cannot be read: {type(error).__name__}"
        raise FormatError(message, hint=_SAVE_AGAIN) from error


def _opened(data: bytes, *, values: bool) -> Workbook:
    from openpyxl import load_workbook

    if data.startswith(_OLD):
        raise FormatError("This is an old Excel file, or one with a password", hint=_SAVE_AGAIN)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as parts:
            size = sum(part.file_size for part in parts.infolist())
    except zipfile.BadZipFile as error:
        raise FormatError("The workbook is damaged", hint=_SAVE_AGAIN) from error
    if size > MOST_UNPACKED:
        raise FormatError("The workbook is too large to be read here", hint="Split it into parts.")
    return load_workbook(io.BytesIO(data), read_only=True, data_only=values)


def _grid(data: bytes, book: Workbook, name: str) -> Grid:
    sheet: Any = book[name]
    if not hasattr(sheet, "iter_rows"):
        return Grid()
    xml = _part(data, sheet)
    rows = [[_cell(v) for v in row] for row in _values(sheet)]
    if b"<f>" in xml or b"<f " in xml:
        _mark_uncalculated(data, name, rows)
    for span in _MERGED.findall(xml):
        _fill_down(rows, span)
    while rows and all(cell is None for cell in rows[-1]):
        rows.pop()
    return Grid([(number, row) for number, row in enumerate(rows, 1)])


def _values(sheet: Any) -> Iterator[tuple[object, ...]]:
    # What a file says about its own size is wrong too often.
    sheet.reset_dimensions()
    yield from sheet.iter_rows(values_only=True)


def _cell(value: object) -> GridCell:
    if isinstance(value, str) and value in ERRORS:
        return Unusable(f"The cell shows the error {value}", "Mend the formula in the workbook.")
    return from_excel(value)


def _part(data: bytes, sheet: Any) -> bytes:
    """Return a sheet's own XML, in which its merged cells and formulas are found."""
    with zipfile.ZipFile(io.BytesIO(data)) as parts:
        path = str(getattr(sheet, "_worksheet_path", "")).lstrip("/")
        return parts.read(path) if path in parts.namelist() else b""


def _mark_uncalculated(data: bytes, name: str, rows: list[list[GridCell]]) -> None:
    """Mark the cells whose formulas nobody has calculated: the file has no value for them."""
    sheet: Any = _opened(data, values=False)[name]
    for row, formulas in zip(rows, _values(sheet), strict=False):
        for index, formula in enumerate(formulas):
            if row[index] is None and formula is not None:
                row[index] = Unusable(
                    "The cell holds a formula that was never calculated",
                    "Open the workbook in a spreadsheet program, save it, and choose it again.",
                )


def _fill_down(rows: list[list[GridCell]], span: tuple[bytes, bytes, bytes, bytes]) -> None:
    """Give every row of a merged cell its value, in the first column that it covers."""
    column = _index(span[0])
    first, last = int(span[1]) - 1, min(int(span[3]) - 1, len(rows) - 1)
    if first > last or column >= len(rows[first]):
        return
    for row in rows[first + 1 : last + 1]:
        row += [None] * (column + 1 - len(row))
        row[column] = rows[first][column]


def _index(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + letter - ord("A") + 1
    return number - 1
