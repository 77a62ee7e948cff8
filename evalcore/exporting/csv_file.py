"""A set's table as CSV, as spreadsheet programs open it without asking."""

from __future__ import annotations

import csv
import io

from evalcore.exporting.cells import Cell, guard, plain_text
from evalcore.exporting.table import Table, cells_of, heads


def csv_bytes(table: Table) -> bytes:
    """Return the table as CSV: UTF-8 with a byte order mark, commas, CRLF."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(heads(table))
    for row in table.rows:
        writer.writerow([_text(cell) for cell in cells_of(table, row)])
    return text.getvalue().encode("utf-8-sig")


def _text(cell: Cell) -> str:
    """Return a cell as text; a negative number is guarded as a text that starts with "-" is."""
    return cell if isinstance(cell, str) else guard(plain_text(cell))
