"""Counts of a run, kept while its case results come in one by one."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from evalcore.counting import CaseRow, Cell
from evalcore.results import Scale, Verdict
from evalcore.store.manifest import MetricSummary, VerdictCounts
from evalcore.verdicts import PassMark


@dataclass(slots=True)
class _Metric:
    column: int
    name: str
    informational: bool = True
    counts: Counter[Verdict] = field(default_factory=Counter)
    thresholds: set[float] = field(default_factory=set)
    scales: set[Scale | None] = field(default_factory=set)
    scored: int = 0
    total: float = 0.0
    low: float = math.inf
    high: float = -math.inf


class Tally:
    """What the case results seen so far come to. ``mark`` is that of a system without a rule."""

    def __init__(self, mark: PassMark) -> None:
        self._mark = mark
        self._metrics: dict[str, _Metric] = {}
        self._by_key: dict[str, list[int]] = {}
        self.cases: Counter[Verdict] = Counter()
        self.invocations = 0
        self.duration_s: float | None = None
        self.tokens: int | None = None

    def add(self, row: CaseRow, key: str) -> dict[str, int]:
        """Count one case result; returns the column of every evaluator seen so far."""
        self.cases[row.verdict] += 1
        self.invocations += len(row.turns)
        seen = self._by_key.setdefault(key, [0, 0, 0])
        seen[0] += 1
        seen[1] += row.verdict is Verdict.PASSED
        seen[2] += row.verdict in (Verdict.FAILED, Verdict.ERROR)
        case = row.case
        if case.duration_s is not None:
            self.duration_s = (self.duration_s or 0.0) + case.duration_s
        if case.total_tokens is not None:
            self.tokens = (self.tokens or 0) + case.total_tokens
        for ref, cell in row.cells.items():
            self._count(ref, cell)
        for turn in row.turns:
            for ref, cell in turn.cells.items():
                if ref not in self._metrics:
                    self._metric(ref, cell)
        return {ref: metric.column for ref, metric in self._metrics.items()}

    @property
    def distinct(self) -> int:
        """Return how many different cases there were."""
        return len(self._by_key)

    @property
    def repeats(self) -> int:
        """Return the most results that any case has; 1 where there are none."""
        return max((total for total, _, _ in self._by_key.values()), default=1)

    @property
    def flaky(self) -> int:
        """Return how many cases passed in some of their repeats and failed in others."""
        return sum(1 for _, passed, bad in self._by_key.values() if passed and bad)

    def summaries(self) -> tuple[MetricSummary, ...]:
        """Return every evaluator's summary, in order of appearance; equal names are told apart."""
        shared = Counter(metric.name for metric in self._metrics.values())
        return tuple(
            self._summary(ref, metric, shared[metric.name] > 1)
            for ref, metric in self._metrics.items()
        )

    def counts(self) -> VerdictCounts:
        """Return the case results by verdict."""
        return counts_of(self.cases)

    def _metric(self, ref: str, cell: Cell) -> _Metric:
        name = cell.score.evaluator_name or ref
        return self._metrics.setdefault(ref, _Metric(len(self._metrics), name))

    def _count(self, ref: str, cell: Cell) -> None:
        metric, score = self._metric(ref, cell), cell.score
        metric.informational = metric.informational and score.informational
        metric.scales.add(score.scale)
        if cell.verdict is not None:
            metric.counts[cell.verdict] += 1
        if score.threshold is not None:
            metric.thresholds.add(score.threshold)
        value = value_of(cell)
        if value is not None:
            metric.scored += 1
            metric.total += value
            metric.low, metric.high = min(metric.low, value), max(metric.high, value)

    def _summary(self, ref: str, metric: _Metric, is_shared: bool) -> MetricSummary:
        scale = next(iter(metric.scales)) if len(metric.scales) == 1 else None
        has_values = metric.scored > 0
        return MetricSummary(
            key=ref,
            label=f"{metric.name} · {ref[:8]}" if is_shared else metric.name,
            column=metric.column,
            informational=metric.informational,
            better="none" if metric.informational else "higher",
            scored=metric.scored,
            counts=counts_of(metric.counts),
            mean=metric.total / metric.scored if has_values else None,
            low=metric.low if has_values else None,
            high=metric.high if has_values else None,
            thresholds=tuple(sorted(metric.thresholds)),
            worst_native=scale.worst if scale is not None else None,
            best_native=scale.best if scale is not None else None,
        )


def value_of(cell: Cell) -> float | None:
    """Return a cell's number for tables: on 0–1, for an informational one as it is.

    None where there is none, where it is not finite, and for an error, which is no zero.
    """
    score = cell.score
    value = score.native if score.informational and score.native is not None else score.value
    if cell.verdict is Verdict.ERROR or value is None or not math.isfinite(value):
        return None
    return value


def counts_of(counts: Mapping[Verdict, int]) -> VerdictCounts:
    """Return counts by verdict as the manifest holds them."""
    return VerdictCounts(**{verdict.value: counts.get(verdict, 0) for verdict in Verdict})
