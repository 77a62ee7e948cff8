"""Runs as files to hand on: for spreadsheets, programs, test viewers, pull requests and colleagues.

    with open("run.html", "wb") as stream:
        write(ReportKind.HTML, Selection(run, RunQuery(mode="failures")), stream)

What is written is all that the query selects, whatever page of it was looked at.
"""

from __future__ import annotations

from enum import StrEnum
from importlib import import_module
from typing import IO

from evalcore.report.expected import joins_of
from evalcore.report.selection import Joins, Selection, no_join

__all__ = ["Joins", "ReportKind", "Selection", "file_name", "joins_of", "no_join", "write"]


class ReportKind(StrEnum):
    """What a run can be written as."""

    HTML = "html"
    JUNIT = "junit"
    MARKDOWN = "md"
    CSV = "csv"
    XLSX = "xlsx"
    JSON = "json"

    @property
    def ending(self) -> str:
        """Return the ending of the file's name, without the dot."""
        return "xml" if self is ReportKind.JUNIT else self.value

    @property
    def is_text(self) -> bool:
        """Return whether the file is text that a terminal can show."""
        return self is not ReportKind.XLSX


MODULES = {
    ReportKind.HTML: "html",
    ReportKind.JUNIT: "junit",
    ReportKind.MARKDOWN: "markdown",
    ReportKind.CSV: "csv_file",
    ReportKind.XLSX: "xlsx_file",
    ReportKind.JSON: "json_file",
}


def write(kind: ReportKind, selection: Selection, stream: IO[bytes]) -> None:
    """Write a report; memory stays flat but for HTML, which keeps a line of each case result.

    Raises EvaldeskError where the run cannot be read.
    """
    import_module(f"evalcore.report.{MODULES[kind]}").write(selection, stream)


def file_name(kind: ReportKind, selection: Selection) -> str:
    """Return a name for the file that every file system takes; it says where it is a part."""
    manifest = selection.run.manifest
    plain = "".join(c if c.isalnum() or c in "-_." else "-" for c in manifest.name or manifest.id)
    stem = plain.strip("-.")[:80] or "run"
    part = "" if selection.query.is_open else "-part"
    return f"{stem}{part}.{kind.ending}"
