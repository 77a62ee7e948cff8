"""A run as CSV, a row per case result, as spreadsheet programs open it without asking."""

from __future__ import annotations

import csv
import io
from typing import IO

from evalcore.report.selection import Selection
from evalcore.report.table import case_cells, case_head


def write(selection: Selection, stream: IO[bytes]) -> None:
    """Write UTF-8 with a byte order mark, commas and CRLF."""
    text = io.TextIOWrapper(stream, encoding="utf-8-sig", newline="", write_through=True)
    try:
        writer = csv.writer(text, lineterminator="\r\n")
        writer.writerow(case_head(selection.run.metrics))
        for line, row in selection.results():
            writer.writerow(case_cells(line, row, selection))
    finally:
        text.detach()
