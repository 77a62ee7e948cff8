"""The table of every single turn of some case results, and what a cell of it says.

Texts from the file are cut and made printable here, so that a frame can always be sent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

import pandas as pd

from evalcore import verdicts
from evalcore.counting import CaseRow, Cell, Metric, TurnRow
from evalcore.jsontree import MISSING
from evalcore.model import MaybeJson
from evalcore.results import Verdict
from evalcore.views import numbers
from evalcore.views.metrics import native
from evalcore.views.values import plain, printable

MAX_TEXT = 160
WHOLE_CASE = "whole case"


def cell_text(cell: Cell | None) -> str:
    """Return ``✗ 0.799``, precise enough to tell the score from its threshold; ``·`` for n/a."""
    if cell is None:
        return "·"
    value = native(cell)
    if cell.score.informational:
        return numbers.score(value)
    if cell.verdict is None:
        return "· n/a"
    glyph = verdicts.GLYPHS[cell.verdict]
    if value is None:
        is_idle = cell.verdict is Verdict.NOT_EVALUATED
        return f"{glyph} {'no score' if is_idle else verdicts.WORDS[cell.verdict]}"
    return f"{glyph} {numbers.score(value, cell.score.threshold)}"


def column_names(metrics: Sequence[Metric]) -> list[str]:
    """Return a printable name for each metric that no other one has."""
    seen: Counter[str] = Counter()
    names = []
    for metric in metrics:
        name = short(metric.label, 60)
        seen[name] += 1
        names.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return names


def invocation_frame(
    rows: Iterable[CaseRow], metrics: Sequence[Metric], start: int = 0, stop: int | None = None
) -> pd.DataFrame:
    """Return one line per turn, after a line for the scores of the whole case where there are any.

    A case of one turn has one line, unless its two sets of scores differ. Columns: ``place`` (of
    the case result in the file, from 0), ``case``, ``turn`` (text: 1, 2, … or "whole case"),
    ``verdict`` (glyph and word, "n/a" where no check looks at single turns), ``user says``,
    ``reply``; then per metric ``check <name>`` (text: glyph and score) and ``score <name>`` (the
    native number, empty where there is none). ``start`` and ``stop`` cut the lines before anything
    is formatted.
    """
    lines = [_line(*found, metrics) for found in islice(_flat(rows), start, stop)]
    names = ["place", "case", "turn", "verdict", "user says", "reply"]
    scores = [f"score {name}" for name in column_names(metrics)]
    for name in column_names(metrics):
        names += [f"check {name}", f"score {name}"]
    frame = pd.DataFrame(lines, columns=names)
    return frame.astype(dict.fromkeys(scores, "Float64"))


def invocation_count(rows: Iterable[CaseRow]) -> int:
    """Return the number of lines of the invocation table."""
    return sum(1 for _ in _flat(rows))


def short(text: str, limit: int = MAX_TEXT) -> str:
    """Return the beginning of a text on one printable line."""
    line = " ".join(printable(text[: limit * 4]).split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


_Cells = dict[str, Cell]


def _flat(rows: Iterable[CaseRow]) -> Iterator[tuple[CaseRow, TurnRow | None, _Cells]]:
    """Yield what each line of the invocation table is about."""
    for row in rows:
        whole = {key: cell for key, cell in row.cells.items() if cell.turns == 0}
        if row.is_told_by_its_turn:
            yield row, row.turns[0], row.cells
            continue
        if row.case.scores or not row.turns:
            yield row, None, whole
        for turn in row.turns:
            yield row, turn, turn.cells


def _line(
    row: CaseRow, turn: TurnRow | None, cells: _Cells, metrics: Sequence[Metric]
) -> list[object]:
    verdict = row.verdict if turn is None or len(row.turns) == 1 else turn.verdict
    line: list[object] = [
        row.place,
        short(row.title),
        WHOLE_CASE if turn is None else str(turn.number),
        verdicts.said(verdict),
        "" if turn is None else _said(turn.turn.input),
        "" if turn is None else _said(turn.turn.actual_output),
    ]
    for metric in metrics:
        cell = cells.get(metric.key)
        line.append("" if cell is None else cell_text(cell))
        line.append(None if cell is None else native(cell))
    return line


def _said(value: MaybeJson) -> str:
    return "" if value is MISSING or value is None else short(plain(value))
