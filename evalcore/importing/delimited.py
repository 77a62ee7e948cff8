"""Reading CSV and its relatives: the separator found out, broken quotation marks named."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from itertools import islice
from typing import Final

from evalcore.exporting.cells import is_blank
from evalcore.importing.grid import Grid
from evalcore.importing.source import RowProblem

DELIMITERS: Final = {",": "Comma", ";": "Semicolon", "\t": "Tab", "|": "Vertical bar"}
LOOKED_AT: Final = 200
LARGEST_CELL: Final = 50_000_000
_TOLD = re.compile(r'"?sep=(.)"?\r?\n?', re.IGNORECASE)
_CLOSE_HINT = "Put a second quotation mark where the cell ends; one inside a cell is written twice."


def read_delimited(text: str, delimiter: str | None = None, name: str = "") -> tuple[Grid, str]:
    """Return the cells of a delimited text and the separator; numbers of rows count records.

    A quotation mark that is never closed ends the reading at its row, with a problem.
    """
    told = _TOLD.match(text[:20])
    found = delimiter or (told[1] if told else sniffed(text, name))
    csv.field_size_limit(LARGEST_CELL)
    grid, failure = _records(text, found, strict=True)
    if failure and "unexpected end" not in failure:
        grid, _failure = _records(text, found, strict=False)
        grid.problems.append(
            RowProblem(None, "", "Quotation marks inside of cells are not doubled", severity="info")
        )
    elif failure:
        number = (grid.rows[-1][0] if grid.rows else 0) + 1
        message = "A cell starts with a quotation mark and never ends; the rest was not read"
        grid.problems.append(RowProblem(number, "", message, _CLOSE_HINT))
    if told and grid.rows:
        del grid.rows[0]
    return grid, found


def sniffed(text: str, name: str = "") -> str:
    """Return the separator that cuts the first records into most columns of equal number."""
    preferred = "\t" if name.lower().endswith((".tsv", ".tab")) else ","
    scores = {mark: _score(text, mark) for mark in (preferred, ",", ";", "\t", "|")}
    best = max(scores, key=lambda mark: scores[mark])
    return best if scores[best] > (0, 0) else preferred


def _score(text: str, delimiter: str) -> tuple[float, int]:
    reader = csv.reader(io.StringIO(text[:200_000], newline=""), delimiter=delimiter)
    try:
        widths = [len(r) for r in islice(reader, LOOKED_AT) if r and not is_blank(r)]
    except csv.Error:
        return 0, 0
    usual, count = Counter(widths).most_common(1)[0] if widths else (0, 0)
    if usual < 2:
        return 0, 0
    return round(count / len(widths), 1), usual


def _records(text: str, delimiter: str, *, strict: bool) -> tuple[Grid, str]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=strict)
    grid = Grid()
    try:
        for number, cells in enumerate(reader, 1):
            grid.rows.append((number, [cell.replace("\r\n", "\n") or None for cell in cells]))
    except csv.Error as error:
        return grid, str(error)
    return grid, ""
