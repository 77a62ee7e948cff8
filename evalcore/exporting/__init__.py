"""Eval sets as files for spreadsheets and programs, which come back as a patch.

The text and the order of everything that is not exported stay in the set: a sheet is a view of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING

from evalcore.jsontree import JsonValue

if TYPE_CHECKING:
    from evalcore.formats.evalset import EvalSetLens


class ExportKind(StrEnum):
    """What a set can be exported to; the value is the ending of the file's name."""

    XLSX = "xlsx"
    CSV = "csv"
    JSONL = "jsonl"


def exported(
    kind: ExportKind,
    lens: EvalSetLens,
    tree: JsonValue,
    path: str = "",
    indexes: Sequence[int] | None = None,
) -> bytes:
    """Return a set, or the cases at some indexes, as the bytes of a file.

    ``path`` is the set's path in the workspace: it is written into the file, by which it knows
    where it belongs when it comes back.
    """
    if kind is ExportKind.JSONL:
        from evalcore.exporting.jsonl_file import jsonl_bytes

        return jsonl_bytes(lens, tree, path, indexes)
    from evalcore.exporting.table import table_of

    table = table_of(lens, tree, path, indexes)
    if kind is ExportKind.CSV:
        from evalcore.exporting.csv_file import csv_bytes

        return csv_bytes(table)
    from evalcore.exporting.xlsx_file import xlsx_bytes

    return xlsx_bytes(table)
