"""The charts of a run as data: how scores lie about their threshold, and cases against checks.

They are drawn, and made into files, elsewhere. Values are on 0–1, texts on the check's own scale.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from evalcore import verdicts
from evalcore.results import Verdict
from evalcore.store import MetricFilter, MetricSummary, RunQuery, StoredRun
from evalcore.store.folding import Beside, Fold, folded
from evalcore.views.metrics import shown, thresholds_of
from evalcore.views.values import printable
from evalcore.views.words import plural

BINS = 20
MAX_THRESHOLDS = 4
HEAT_ROWS = 50
"""How many cases a page of the heatmap shows."""
LABEL_LENGTH = 30


@dataclass(frozen=True, slots=True)
class Bin:
    """Scores from ``low`` on and below ``high``; None where the range is open to that side."""

    low: float | None
    high: float | None
    passed: int
    rest: int
    text: str

    @property
    def total(self) -> int:
        """Return how many scores lie in it."""
        return self.passed + self.rest


@dataclass(frozen=True, slots=True)
class Histogram:
    """How many case results scored what. ``marks`` are thresholds: a place on 0–1 and a text."""

    metric: MetricSummary
    bins: tuple[Bin, ...]
    low_text: str
    high_text: str
    marks: tuple[tuple[float, str], ...]

    @property
    def most(self) -> int:
        """Return the height of the highest column."""
        return max(b.total for b in self.bins)

    @property
    def alt(self) -> str:
        """Return what the chart shows, in words."""
        below = sum(b.rest for b in self.bins)
        total = sum(b.total for b in self.bins)
        marks = f", threshold {', '.join(text for _, text in self.marks)}" if self.marks else ""
        rest = "" if self.metric.informational else f", {below:,} of them not passed"
        return f"Scores of {shorten(self.metric.label)}: {plural(total, 'score')}{rest}{marks}"


@dataclass(frozen=True, slots=True)
class HeatCell:
    """What one check says of a case: its mean on 0–1, and the worst of its verdicts.

    ``wash`` is 0 for the worst, 1 for the best, and 0.5 at the threshold; None for no colour.
    """

    value: float | None
    verdict: Verdict | None
    text: str
    wash: float | None = None


@dataclass(frozen=True, slots=True)
class Heat:
    """Cases, worst first, against checks, those with most trouble first. ``cases`` match in all."""

    metrics: tuple[MetricSummary, ...]
    rows: tuple[tuple[Fold, tuple[HeatCell, ...]], ...]
    cases: int


def histogram(run: StoredRun, key: str, query: RunQuery) -> Histogram | None:
    """Return how one evaluator's scores lie; None where it has no values."""
    metric = run.manifest.metric(key)
    found = run.histogram(key, query, BINS) if metric is not None else []
    if metric is None or not found:
        return None
    low = found[0][0]
    width = found[1][0] - low if len(found) > 1 else 1.0
    last = len(found) - 1
    bins = tuple(
        Bin(
            low=None if n == 0 else _edge(edge),
            high=None if n == last else _edge(found[n + 1][0]),
            passed=passed,
            rest=rest,
            text=f"{shown(metric, _edge(edge))} – {shown(metric, _edge(edge + width))}",
        )
        for n, (edge, passed, rest) in enumerate(found)
    )
    span = width * len(found)
    marks = tuple(
        (min(1.0, max(0.0, (mark - low) / span)), shown(metric, mark))
        for mark in thresholds_of(run, metric)[:MAX_THRESHOLDS]
    )
    return Histogram(metric, bins, shown(metric, low), shown(metric, _edge(low + span)), marks)


def histograms(run: StoredRun, query: RunQuery) -> tuple[Histogram, ...]:
    """Return the histograms of all evaluators, those with most trouble first."""
    rest = tuple(m for m in run.metrics if m.informational)
    found = (histogram(run, m.key, query) for m in (*_judged(run), *rest))
    return tuple(each for each in found if each is not None)


def heat(run: StoredRun, query: RunQuery, page: int = 1, beside: Beside | None = None) -> Heat:
    """Return one page of cases against checks; ``page`` counts from 1."""
    metrics = _judged(run)
    asked = replace(query, limit=HEAT_ROWS, offset=(page - 1) * HEAT_ROWS)
    found = folded(run, asked, beside)
    rows = tuple((fold, tuple(heat_cell(run, fold, m) for m in metrics)) for fold in found.folds)
    return Heat(metrics, rows, found.cases)


def heat_cell(run: StoredRun, fold: Fold, metric: MetricSummary) -> HeatCell:
    """Return what one check says of a case, over all of its repeats."""
    said, value = fold.verdicts(metric.key), fold.value(metric.key)
    verdict = worst(said)
    if metric.informational:
        return HeatCell(value, None, shown(metric, value))
    if verdict is None:
        return HeatCell(value, None, "·")
    glyph = "~" if is_mixed(said) else verdicts.GLYPHS[verdict]
    if value is None:
        return HeatCell(None, verdict, glyph)
    marks = thresholds_of(run, metric)
    mark = marks[0] if marks else None
    text = f"{glyph} {shown(metric, value, mark)}"
    return HeatCell(value, verdict, text, _wash(value, mark, verdict))


def _wash(value: float, mark: float | None, verdict: Verdict) -> float | None:
    """Return how far a value is from its mark, as far as its verdict goes the same way."""
    if verdict is Verdict.NOT_EVALUATED:
        return None
    at = 0.5 if mark is None else min(1.0, max(0.0, mark))
    if value >= at:
        above = 1.0 if at >= 1 else (value - at) / (1 - at)
        return 0.5 + 0.5 * max(0.3, min(1.0, above))
    return 0.5 - 0.5 * max(0.3, min(1.0, (at - value) / at))


def worst(said: Counter[Verdict]) -> Verdict | None:
    """Return the worst of some verdicts, None of none."""
    return next((v for v in verdicts.WORST_FIRST if said[v]), None)


def is_mixed(said: Counter[Verdict]) -> bool:
    """Return whether some repeats passed and others did not."""
    return bool(said[Verdict.PASSED] and (said[Verdict.FAILED] or said[Verdict.ERROR]))


def shorten(label: str, limit: int = LABEL_LENGTH) -> str:
    """Return a label of at most ``limit`` characters on one printable line."""
    line = " ".join(printable(label[: 4 * limit]).split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def shown_side(metric: MetricSummary, wanted: MetricFilter) -> str:
    """Return ``≥ 0.50``: what a filter asks of a score, on the check's own scale."""
    sign = {"<=": "≤", ">=": "≥"}.get(wanted.comparison or "", wanted.comparison or "")
    return f"{sign} {shown(metric, wanted.value)}"


def _judged(run: StoredRun) -> tuple[MetricSummary, ...]:
    judged = [m for m in run.metrics if not m.informational]
    return tuple(sorted(judged, key=lambda m: -(m.counts.error + m.counts.failed)))


def _edge(value: float) -> float:
    return float(f"{value:.6g}")
