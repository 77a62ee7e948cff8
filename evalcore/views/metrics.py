"""How each evaluator of a run did: counts, mean, range and thresholds, over case results."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from statistics import fmean

from evalcore.counting import Cell, Metric, RunView
from evalcore.results import Scale, Verdict
from evalcore.views import numbers
from evalcore.views.numbers import Rate

BINS = 20


@dataclass(frozen=True, slots=True)
class Summary:
    """One evaluator over the case results of a run; a case counts once, with its worst turn.

    Numbers are native, on ``scale``. Where the scores stand on more than one scale, or one of them
    is no finite number, ``mean``, ``low`` and ``high`` are None: two scales are never averaged.
    ``skipped`` counts the case results that this evaluator says nothing about.
    """

    metric: Metric
    total: int
    values: tuple[float, ...]
    verdicts: tuple[Verdict | None, ...]
    counts: Counter[Verdict]
    rate: Rate
    thresholds: tuple[float, ...]
    scale: Scale | None
    is_mixed: bool
    from_turns: bool
    skipped: int

    @property
    def mean(self) -> float | None:
        """Return the mean of the native scores."""
        return None if self.is_mixed or not self.values else fmean(self.values)

    @property
    def low(self) -> float | None:
        """Return the lowest native score."""
        return None if self.is_mixed else min(self.values, default=None)

    @property
    def high(self) -> float | None:
        """Return the highest native score."""
        return None if self.is_mixed else max(self.values, default=None)

    @property
    def thresholds_text(self) -> str:
        """Return the thresholds as they are used: one, or all different ones, or ``–``."""
        return ", ".join(numbers.score(value) for value in self.thresholds) or "–"


def summarise(view: RunView) -> tuple[Summary, ...]:
    """Return every evaluator's summary: those with most errors and failures first.

    Informational ones come last, in order of appearance.
    """
    cells: dict[str, list[tuple[str, Cell]]] = {metric.key: [] for metric in view.metrics}
    for row in view.by_place:
        for key, cell in row.cells.items():
            cells[key].append((row.label, cell))
    found = [_summary(metric, cells[metric.key], view) for metric in view.metrics]
    return tuple(sorted(found, key=_trouble))


def worst(summaries: tuple[Summary, ...]) -> Summary | None:
    """Return the evaluator to look at first, None where nothing is judged."""
    return next((s for s in summaries if not s.metric.informational), None)


def _trouble(summary: Summary) -> tuple[bool, int]:
    bad = summary.counts[Verdict.ERROR] + summary.counts[Verdict.FAILED]
    return summary.metric.informational, -bad


def _summary(metric: Metric, named: list[tuple[str, Cell]], view: RunView) -> Summary:
    cells = [cell for _, cell in named]
    scored = [(c, value) for c in cells if (value := native(c)) is not None]
    scales = {c.score.scale for c, _ in scored}
    counts = Counter(c.verdict for c in cells if c.verdict is not None)
    judged = counts[Verdict.PASSED] + counts[Verdict.FAILED]
    names = {name for name, c in named if c.verdict in (Verdict.PASSED, Verdict.FAILED)}
    return Summary(
        metric=metric,
        total=len(view.rows),
        values=tuple(value for _, value in scored),
        verdicts=tuple(c.verdict for c, _ in scored),
        counts=counts,
        rate=Rate(counts[Verdict.PASSED], judged, min(len(names), judged)),
        thresholds=tuple(sorted(_thresholds(cells, view))),
        scale=next(iter(scales)) if len(scales) == 1 else None,
        is_mixed=len(scales) > 1,
        from_turns=any(c.turns > 1 for c in cells),
        skipped=len(view.rows) - len(cells),
    )


def native(cell: Cell) -> float | None:
    """Return a cell's number as written, None where there is none or it is not finite.

    An error is not a zero: what a broken check left behind as its number is not a score.
    """
    value = cell.score.native if cell.score.native is not None else cell.score.value
    if cell.verdict is Verdict.ERROR or value is None or value - value != 0:
        return None
    return value


def _thresholds(cells: list[Cell], view: RunView) -> set[float]:
    found = {c.score.threshold for c in cells if c.score.threshold is not None}
    if found or view.run.has_pass_rule:
        return found
    return {
        c.score.scale.worst + view.mark.value * (c.score.scale.best - c.score.scale.worst)
        for c in cells
        if c.score.scale is not None and not c.score.informational
    }
