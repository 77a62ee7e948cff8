"""From the bytes of a file to columns and rows: what the file is, and reading it as that."""

from __future__ import annotations

from typing import Final

from evalcore.errors import FormatError
from evalcore.exporting.columns import CHECK
from evalcore.importing.decoding import ENCODINGS, decoded
from evalcore.importing.delimited import DELIMITERS, read_delimited
from evalcore.importing.grid import Grid, tabled
from evalcore.importing.parsing import parsed_values
from evalcore.importing.source import (
    EXPORT,
    TABLE,
    WORKBOOK,
    ReadOptions,
    Source,
    chosen_kind,
    resolved,
)
from evalcore.importing.structured import from_values
from evalcore.importing.workbook import is_workbook, read_workbook

ENDINGS: Final = (
    "csv",
    "tsv",
    "txt",
    "xlsx",
    "xlsm",
    "json",
    "jsonl",
    "ndjson",
    "yaml",
    "yml",
)
"""The endings of files that are offered; what is in a file decides how it is read."""
LARGEST: Final = 100_000_000


def read_source(data: bytes, name: str, options: ReadOptions | None = None) -> Source:
    """Return what is in a file; raises FormatError for one from which no rows can be read."""
    wanted = options or ReadOptions()
    if not data.strip(b" \t\r\n\x00\xef\xbb\xbf\xff\xfe"):
        raise FormatError("The file is empty", hint="Choose a file with at least one row.")
    if len(data) > LARGEST:
        raise FormatError("The file is too large to be read here", hint="Split it into parts.")
    if is_workbook(data):
        return _from_workbook(data, name, wanted)
    text, encoding = decoded(data, wanted.encoding)
    wanted = resolved(wanted, encoding=encoding)
    values = None if wanted.kind == TABLE else parsed_values(text, name)
    if values is None:
        return _from_delimited(text, name, wanted)
    return from_values(*values, name=name, options=wanted)


def _from_workbook(data: bytes, name: str, options: ReadOptions) -> Source:
    grid, sheet, sheets = read_workbook(data, options.sheet)
    used = resolved(options, sheet=sheet, encoding=None)
    what = "Excel workbook" if len(sheets) == 1 else f"Excel workbook, sheet {sheet}"
    return _from_grid(grid, name, what, used, sheets, WORKBOOK)


def _from_delimited(text: str, name: str, options: ReadOptions) -> Source:
    grid, delimiter = read_delimited(text, options.delimiter, name)
    used = resolved(options, delimiter=delimiter)
    mark = DELIMITERS.get(delimiter, repr(delimiter)).lower()
    what = f"Table with columns separated by a {mark}, {_encoding(options)}"
    return _from_grid(grid, name, what, used, (), TABLE)


def _from_grid(
    grid: Grid, name: str, what: str, options: ReadOptions, sheets: tuple[str, ...], kind: str
) -> Source:
    table = tabled(grid, options.header)
    set_path = _exported_from(table.columns)
    kinds = (kind,) if set_path is None else (EXPORT, kind)
    chosen = chosen_kind(options, kinds)
    return Source(
        name=name,
        what=what,
        columns=table.columns,
        rows=table.rows,
        options=resolved(options, kind=chosen, header=table.header),
        kinds=kinds,
        problems=table.problems,
        notes=table.notes,
        sheets=sheets,
        typed=kind == WORKBOOK,
        set_path=set_path or "",
    )


def _exported_from(columns: tuple[str, ...]) -> str | None:
    """Return the set that a sheet was exported from, "" if it does not say, None for others."""
    for column in columns:
        if column.startswith(CHECK):
            return column[len(CHECK) :].lstrip(": ")
    return None


def _encoding(options: ReadOptions) -> str:
    return ENCODINGS.get(options.encoding or "", options.encoding or "")
