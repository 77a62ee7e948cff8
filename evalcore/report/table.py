"""A run as two tables for spreadsheets: a row per case result, and a row per turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import isfinite
from typing import TypeAlias

from evalcore import verdicts
from evalcore.counting import CaseRow, Cell, TurnRow
from evalcore.model import ToolCall
from evalcore.report.selection import Selection
from evalcore.report.texts import sheet_text, text_of
from evalcore.results import Score, Verdict
from evalcore.store import CaseLine, MetricSummary
from evalcore.views import numbers
from evalcore.views.expectations import Expected, expected_of

SheetCell: TypeAlias = str | int | float | None
CASE_HEAD = (
    *("case", "name", "repeat", "verdict", "near the mark", "flaky", "causes", "error"),
    *("turns", "duration s", "tokens", "tags"),
)
TURN_HEAD = (
    *("case", "name", "repeat", "turn", "verdict", "error", "duration s"),
    *("input", "expected", "actual", "expected tool calls", "actual tool calls"),
    *("expected nodes", "visited nodes"),
)
TEXTS = ("input", "expected", "actual")


def case_head(metrics: Sequence[MetricSummary]) -> list[SheetCell]:
    """Return the names of the columns of case results, each of them once."""
    return [*CASE_HEAD, *_metric_head(metrics), *TEXTS]


def turn_head(metrics: Sequence[MetricSummary]) -> list[SheetCell]:
    """Return the names of the columns of turns."""
    return [*TURN_HEAD, *_metric_head(metrics)]


def case_cells(line: CaseLine, row: CaseRow, selection: Selection) -> list[SheetCell]:
    """Return the cells of one case result; texts of several turns are numbered."""
    wanted = [_expected(turn, line, selection) for turn in row.turns]
    sides = (
        [text_of(one.input) for one in wanted],
        [text_of(one.output) for one in wanted],
        [text_of(turn.turn.actual_output) for turn in row.turns],
    )
    return [
        *_identity(line, selection),
        line.verdict.value,
        "yes" if line.is_near else "",
        "yes" if line.is_flaky else "",
        _text("; ".join(line.causes)),
        _text(_errors(row)),
        line.turns,
        _number(line.duration_s),
        line.tokens,
        _text(", ".join(line.tags)),
        *_metric_cells(row.cells, selection.run.metrics),
        *(_text(_numbered(side)) for side in sides),
    ]


def turn_rows(line: CaseLine, row: CaseRow, selection: Selection) -> Iterator[list[SheetCell]]:
    """Yield the cells of each turn of a case result."""
    for turn in row.turns:
        wanted, found = _expected(turn, line, selection), turn.turn
        yield [
            *_identity(line, selection),
            turn.number,
            "" if turn.verdict is None else turn.verdict.value,
            _text(found.error or ""),
            _number(found.duration_s),
            _text(text_of(wanted.input)),
            _text(text_of(wanted.output)),
            _text(text_of(found.actual_output)),
            _text(calls_text(wanted.tool_calls)),
            _text(calls_text(found.actual_tool_calls)),
            _text(_listed(wanted.node_order)),
            _text(_listed(found.node_visits)),
            *_metric_cells(turn.cells, selection.run.metrics),
        ]


def calls_text(calls: Iterable[ToolCall] | None) -> str | None:
    """Return calls as lines of a name and its arguments; None where they are not known."""
    if calls is None:
        return None
    told = ((call.name, text_of(call.args)) for call in calls)
    return "\n".join(name if args is None else f"{name} {args}" for name, args in told)


def score_of(score: Score) -> float | None:
    """Return the number that a score is shown as: as the file has it, else the one on 0–1."""
    return score.native if score.native is not None else score.value


def score_words(cell: Cell) -> str:
    """Return ``0.42 ✗ failed, pass mark 0.70``: never equal to a mark that it misses."""
    score = cell.score
    number = score_of(score)
    parts = [] if number is None else [numbers.score(number, score.threshold)]
    if not score.informational:
        parts.append(verdicts.said(cell.verdict))
    text = " ".join(parts) or "no score"
    if score.threshold is None:
        return text
    return f"{text}, pass mark {numbers.score(score.threshold, number)}"


def _metric_head(metrics: Sequence[MetricSummary]) -> Iterator[SheetCell]:
    seen: Counter[str] = Counter()
    for metric in metrics:
        seen[metric.label] += 1
        name = metric.label if seen[metric.label] == 1 else f"{metric.label} ({seen[metric.label]})"
        name = sheet_text(name)
        yield name
        if not metric.informational:
            yield from (f"{name}: verdict", f"{name}: reason")


def _metric_cells(cells: dict[str, Cell], metrics: Sequence[MetricSummary]) -> Iterator[SheetCell]:
    for metric in metrics:
        cell = cells.get(metric.key)
        verdict = None if cell is None else cell.verdict
        has_number = cell is not None and verdict is not Verdict.ERROR
        yield _number(score_of(cell.score)) if cell is not None and has_number else None
        if metric.informational:
            continue
        yield "" if verdict is None else verdict.value
        yield None if cell is None else _text(_reason(cell.score))


def _reason(score: Score) -> str:
    return " ".join(filter(None, (score.reason, *(f"Caution: {c}" for c in score.cautions))))


def _identity(line: CaseLine, selection: Selection) -> list[SheetCell]:
    repeat = line.repeat + 1 if selection.run.manifest.repeats > 1 else 1
    return [_text(line.case_id or line.case_key), _text(line.name), repeat]


def _expected(turn: TurnRow, line: CaseLine, selection: Selection) -> Expected:
    return expected_of(turn.turn, turn.number - 1, selection.joins(line))


def _errors(row: CaseRow) -> str:
    several = len(row.turns) > 1
    told = [
        f"turn {turn.number}: {turn.turn.error}" if several else turn.turn.error
        for turn in row.turns
        if turn.turn.error
    ]
    return "\n".join([row.case.error, *told] if row.case.error else told)


def _numbered(texts: Sequence[str | None]) -> str | None:
    if len(texts) == 1:
        return texts[0]
    return "\n".join(f"[{n}] {text}" for n, text in enumerate(texts, 1) if text is not None) or None


def _listed(names: Sequence[str] | None) -> str | None:
    return None if names is None else " → ".join(names)


def _text(text: str | None) -> SheetCell:
    return None if text is None else sheet_text(text)


def _number(value: float | None) -> SheetCell:
    return value if value is None or isfinite(value) else numbers.score(value)
