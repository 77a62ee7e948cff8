"""How each evaluator of a run did: verdicts, mean with its interval, thresholds, on its own scale.

A case counts once in every interval, however often it was run.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from evalcore.counting import Cell
from evalcore.results import Verdict
from evalcore.stats import Interval, mean_interval, normal_mean
from evalcore.store import MetricNumbers, MetricSummary, RunQuery, StoredRun
from evalcore.store.casewise import Spread, spreads
from evalcore.views import numbers
from evalcore.views.numbers import Rate

BOOTSTRAP_UP_TO = 500
"""The most cases for a bootstrap of each mean; with more, the normal approximation is as good."""
DIRECTIONS = {"higher": "↑ higher", "lower": "↓ lower", "none": "neither"}
"""Which direction is better, in a word."""


@dataclass(frozen=True, slots=True)
class CheckLine:
    """One evaluator over the matching case results.

    ``mean`` is on 0–1, over cases; ``rate`` is of those judged; ``total`` counts the matching case
    results, scored or not. ``thresholds`` are on 0–1.
    """

    metric: MetricSummary
    counts: Counter[Verdict]
    scored: int
    total: int
    rate: Rate
    mean: Interval
    low: float | None
    high: float | None
    thresholds: tuple[float, ...]

    @property
    def mean_text(self) -> str:
        """Return the mean on the evaluator's own scale."""
        return shown(self.metric, self.mean.estimate)

    @property
    def interval_text(self) -> str:
        """Return ``0.71 – 0.78``, "" where nothing can be said."""
        low, high = self.mean.low, self.mean.high
        if low is None or high is None:
            return ""
        return f"{shown(self.metric, low)} – {shown(self.metric, high)}"

    @property
    def range_text(self) -> str:
        """Return the lowest and the highest score, with the scale that they stand on."""
        if self.low is None or self.high is None:
            return "–"
        ends = f"{shown(self.metric, self.low)} – {shown(self.metric, self.high)}"
        low, high = self.metric.worst_native, self.metric.best_native
        if self.metric.informational:
            return ends
        return f"{ends} on {0 if low is None else low:g}–{1 if high is None else high:g}"

    @property
    def thresholds_text(self) -> str:
        """Return the thresholds as they are used: one, or all different ones, or ``–``."""
        return ", ".join(shown(self.metric, value) for value in self.thresholds) or "–"


def check_lines(run: StoredRun, query: RunQuery) -> tuple[CheckLine, ...]:
    """Return every evaluator's line: those with most errors and failures first.

    Informational ones come last, in order of appearance.
    """
    total = run.count(query)
    spread = spreads(run, query)
    found = [_line(run, query, held, spread[held.metric.key], total) for held in run.numbers(query)]
    return tuple(sorted(found, key=_trouble))


def thresholds_of(run: StoredRun, metric: MetricSummary) -> tuple[float, ...]:
    """Return the marks that decide about an evaluator's scores, on 0–1."""
    if metric.informational:
        return ()
    if metric.thresholds:
        return tuple(as_share(metric, value) for value in metric.thresholds)
    return () if run.pass_mark is None else (run.pass_mark,)


def as_share(metric: MetricSummary, native: float) -> float:
    """Return a number of an evaluator's own scale as its share of 0–1."""
    low, high = metric.worst_native, metric.best_native
    if low is None or high is None or low == high:
        return native
    return (native - low) / (high - low)


def as_native(metric: MetricSummary, value: float) -> float:
    """Return a number on 0–1 on the evaluator's own scale; of several scales it stays a share."""
    low, high = metric.worst_native, metric.best_native
    if metric.informational or low is None or high is None:
        return value
    return low + value * (high - low)


def shown(metric: MetricSummary, value: float | None, beside: float | None = None) -> str:
    """Return a number on 0–1 on the evaluator's own scale, never looking equal to ``beside``."""
    if value is None:
        return "–"
    near = None if beside is None else plain(as_native(metric, beside))
    return numbers.score(plain(as_native(metric, value)), near)


def plain(value: float) -> float:
    """Return a number as it was before the tables held it in 32 bits."""
    return float(f"{value:.7g}")


def native(cell: Cell) -> float | None:
    """Return a cell's number as written, None where there is none or it is not finite.

    An error is not a zero: what a broken check left behind as its number is not a score.
    """
    value = cell.score.native if cell.score.native is not None else cell.score.value
    if cell.verdict is Verdict.ERROR or value is None or value - value != 0:
        return None
    return value


def _trouble(line: CheckLine) -> tuple[bool, int]:
    bad = line.counts[Verdict.ERROR] + line.counts[Verdict.FAILED]
    return line.metric.informational, -bad


def _line(
    run: StoredRun, query: RunQuery, held: MetricNumbers, spread: Spread, total: int
) -> CheckLine:
    judged = held.counts[Verdict.PASSED] + held.counts[Verdict.FAILED]
    return CheckLine(
        metric=held.metric,
        counts=held.counts,
        scored=held.scored,
        total=total,
        rate=Rate(held.counts[Verdict.PASSED], judged, min(spread.judged, judged)),
        mean=_mean(run, query, held.metric, spread),
        low=held.low,
        high=held.high,
        thresholds=thresholds_of(run, held.metric),
    )


def _mean(run: StoredRun, query: RunQuery, metric: MetricSummary, spread: Spread) -> Interval:
    if spread.mean is None or spread.cases < 2:
        return Interval(spread.mean, None, None, spread.cases, "one case")
    if spread.cases > BOOTSTRAP_UP_TO:
        change = normal_mean(spread.mean, spread.deviation or 0.0, spread.cases)
        found = change.interval
        return Interval(found.estimate, found.low, found.high, found.n, "normal, by case")
    scored = [(key, value) for key, value, _ in run.case_scores(metric.key, query)]
    known = [(key, value) for key, value in scored if value is not None]
    interval = mean_interval([value for _, value in known], [key for key, _ in known])
    return Interval(
        spread.mean, interval.low, interval.high, interval.n, "bootstrap, by case", interval.level
    )
