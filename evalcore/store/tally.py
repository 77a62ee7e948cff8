"""Counts of a run, kept while its case results come in one by one."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256

from evalcore.counting import CaseRow, Cell
from evalcore.results import Scale, Verdict
from evalcore.store.manifest import MetricSummary, VerdictCounts

LARGEST = 3.4e38
MOST_NAMED = 5
_BITS = 32
_PART = (1 << _BITS) - 1
_COUNTED = {
    verdict: 1
    + (1 << _BITS) * (verdict is Verdict.PASSED)
    + (1 << 2 * _BITS) * (verdict in (Verdict.FAILED, Verdict.ERROR))
    for verdict in Verdict
}
"""What one result adds to the number of its case: results, those passed, failures and errors."""


@dataclass(slots=True)
class _Metric:
    column: int
    name: str
    informational: bool
    counts: Counter[Verdict] = field(default_factory=Counter)
    thresholds: set[float] = field(default_factory=set)
    scales: set[Scale | None] = field(default_factory=set)
    scored: int = 0
    total: float = 0.0
    low: float = math.inf
    high: float = -math.inf


class Tally:
    """What the case results seen so far come to."""

    def __init__(self) -> None:
        self._metrics: dict[str, _Metric] = {}
        self._columns: dict[str, int] = {}
        # One number per case, in three parts: a million lists would take 100 MB.
        self._by_key: dict[str, int] = {}
        self._order = sha256()
        self.cases: Counter[Verdict] = Counter()
        self.invocations = 0
        self.duration_s: float | None = None
        self.tokens: int | None = None
        self.contradicting = 0
        self.contradicting_cases: list[str] = []

    def add(self, row: CaseRow, key: str) -> tuple[Mapping[str, int], int]:
        """Count one case result.

        Returns the column of every evaluator seen so far, and how many results of the case, which
        ``key`` names, were counted before.
        """
        self.cases[row.verdict] += 1
        self.invocations += len(row.turns)
        self._order.update(key.encode() + b"\0")
        before = self._by_key.get(key, 0)
        self._by_key[key] = before + _COUNTED[row.verdict]
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
        return self._columns, before & _PART

    def contradict(self, row: CaseRow) -> None:
        """Count a case result whose verdict in the file is not what its scores come to."""
        self.contradicting += 1
        if len(self.contradicting_cases) < MOST_NAMED:
            self.contradicting_cases.append(row.title)

    @property
    def key_order(self) -> str:
        """Return a hash of the keys in their order."""
        return self._order.hexdigest()

    @property
    def distinct(self) -> int:
        """Return how many different cases there were."""
        return len(self._by_key)

    @property
    def repeats(self) -> int:
        """Return the most results that any case has; 1 where there are none."""
        return max((seen & _PART for seen in self._by_key.values()), default=1)

    @property
    def flaky(self) -> int:
        """Return how many cases passed in some of their repeats and failed in others."""
        return sum(
            1 for seen in self._by_key.values() if seen >> 2 * _BITS and seen >> _BITS & _PART
        )

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
        known = self._metrics.get(ref)
        if known is None:
            number = self._columns[ref] = len(self._metrics)
            score = cell.score
            known = _Metric(number, score.evaluator_name or ref, score.informational)
            self._metrics[ref] = known
        return known

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

    None where there is none, where 32 bits cannot hold it, and for an error, which is no zero.
    """
    score = cell.score
    value = score.native if score.informational and score.native is not None else score.value
    if cell.verdict is Verdict.ERROR or value is None or not abs(value) <= LARGEST:
        return None
    return value


def counts_of(counts: Mapping[Verdict, int]) -> VerdictCounts:
    """Return counts by verdict as the manifest holds them."""
    return VerdictCounts(**{verdict.value: counts.get(verdict, 0) for verdict in Verdict})
