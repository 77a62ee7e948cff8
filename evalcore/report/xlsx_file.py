"""A run as a workbook: its numbers, its case results and their turns, each on a sheet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import IO, Any, Final

from evalcore.report.facts import Facts, facts_of
from evalcore.report.selection import Selection
from evalcore.report.table import (
    SheetCell,
    case_cells,
    case_head,
    turn_head,
    turn_rows,
)
from evalcore.report.texts import sheet_text
from evalcore.results import Verdict
from evalcore.store import MetricNumbers
from evalcore.verdicts import WORDS, WORST_FIRST
from evalcore.views import numbers

MOST_ROWS: Final = 1_048_575
"""How many rows a sheet holds below its header."""
WIDE: Final = {"causes", "error", "input", "expected", "actual"}
COUNTED: Final = (Verdict.PASSED, Verdict.FAILED, Verdict.ERROR, Verdict.NOT_EVALUATED)
CHECK_HEAD: Final = (
    *("check", "scored", "passed", "failed", "errors", "not evaluated"),
    *("mean (0–1)", "lowest (0–1)", "highest (0–1)"),
)


def write(selection: Selection, stream: IO[bytes]) -> None:
    """Write the workbook; rows beyond what a sheet holds are counted on the first sheet."""
    from openpyxl import Workbook

    book = Workbook(write_only=True)
    summary, cases, turns = (book.create_sheet(name) for name in ("Summary", "Cases", "Turns"))
    metrics = selection.run.metrics
    case_sheet = _Sheet(cases, case_head(metrics), frozen_columns=1)
    turn_sheet = _Sheet(turns, turn_head(metrics), frozen_columns=4)
    for line, row in selection.results():
        case_sheet.add(case_cells(line, row, selection))
        for cells in turn_rows(line, row, selection):
            turn_sheet.add(cells)
    first = _Sheet(summary, ["what", "value"], frozen_columns=1, width=30)
    dropped = {"Cases": case_sheet.dropped, "Turns": turn_sheet.dropped}
    for told in _summary(facts_of(selection), dropped):
        first.add(told)
    book.save(stream)


class _Sheet:
    """One sheet being written, its header bold and always in sight."""

    def __init__(
        self, sheet: Any, head: Sequence[SheetCell], frozen_columns: int, width: int = 16
    ) -> None:
        from openpyxl.styles import Font
        from openpyxl.utils import get_column_letter

        self.sheet = sheet
        self.dropped = 0
        self._left = MOST_ROWS
        sheet.freeze_panes = f"{get_column_letter(frozen_columns + 1)}2"
        for number, name in enumerate(head, 1):
            is_wide = name in WIDE or str(name).endswith(": reason")
            sheet.column_dimensions[get_column_letter(number)].width = 60 if is_wide else width
        bold = Font(bold=True)
        cells = [self._cell(name) for name in head]
        for cell in cells:
            cell.font = bold
        sheet.append(cells)

    def add(self, cells: Sequence[SheetCell]) -> None:
        if self._left == 0:
            self.dropped += 1
            return
        self._left -= 1
        self.sheet.append([self._cell(value) for value in cells])

    def _cell(self, value: SheetCell) -> Any:
        from openpyxl.cell import WriteOnlyCell

        if not isinstance(value, str):
            return value
        cell: Any = WriteOnlyCell(self.sheet, value=value)
        # A text that merely looks like a formula or an error stays a text.
        cell.data_type = "s"
        return cell


def _summary(facts: Facts, dropped: dict[str, int]) -> Iterator[Sequence[SheetCell]]:
    yield "run", sheet_text(facts.title)
    yield "what is in this file", sheet_text(facts.scope or f"all {facts.total:,} case results")
    yield from _rate(facts)
    for name, number in dropped.items():
        if number:
            told = f"{numbers.count(number)} rows more than a sheet holds are left out"
            yield f"sheet {name}", told
    yield from (("caution", sheet_text(str(said))) for said in facts.cautions)
    yield from ((name.lower(), sheet_text(text)) for name, text in facts.about)
    yield ()
    yield CHECK_HEAD
    yield from map(_check, facts.metrics)
    yield ()
    yield "cause", "case results"
    yield from ((sheet_text(cause), times) for cause, times in facts.causes)


def _rate(facts: Facts) -> Iterator[Sequence[SheetCell]]:
    yield "result", facts.headline
    yield "interval", facts.rate.interval_text
    if facts.rate.share is not None:
        low, high = facts.rate.interval
        yield "rate", facts.rate.share
        yield "rate, lower end (Wilson, 95 %)", low
        yield "rate, upper end (Wilson, 95 %)", high
    yield "scored", facts.scored
    yield from ((WORDS[verdict], facts.counts[verdict]) for verdict in WORST_FIRST)


def _check(found: MetricNumbers) -> Sequence[SheetCell]:
    counts = [None if found.metric.informational else found.counts[v] for v in COUNTED]
    label = sheet_text(found.metric.label)
    return (label, found.scored, *counts, found.mean, found.low, found.high)
