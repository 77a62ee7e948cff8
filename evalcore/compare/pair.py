"""Two runs compared case by case: counts that filter, numbers that claim no more than they may."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from evalcore.compare.banners import Banner, banners
from evalcore.compare.outcomes import (
    NUMBERS,
    WORST_FIRST,
    Outcome,
    delta_sql,
    outcome_sql,
    sides_sql,
    single_sql,
)
from evalcore.results import Verdict
from evalcore.stats import (
    PairedCounts,
    PairedMean,
    holm,
    normal_mean,
    paired_mean,
    paired_sentence,
)
from evalcore.store import MetricSummary, StoredRun
from evalcore.store.engine import engine
from evalcore.store.rows import CODES, VERDICTS

BOOTSTRAP_UP_TO = 20_000
"""The most pairs for a bootstrap; with more, the normal approximation is as good."""


@dataclass(frozen=True, slots=True)
class Side:
    """One case in one run; ``case_row`` is its worst repeat, ``passed`` of ``judged`` repeats."""

    case_row: int
    verdict: Verdict
    passed: int
    judged: int
    repeats: int
    values: dict[str, float | None]


@dataclass(frozen=True, slots=True)
class PairLine:
    """One case in both runs; ``delta`` is the mean change of the scores that both have."""

    case_key: str
    outcome: Outcome
    left: Side | None
    right: Side | None
    delta: float
    why: str = ""


@dataclass(frozen=True, slots=True)
class PairQuery:
    """Which cases are wanted; None for all outcomes. ``text`` must occur in the case's key."""

    outcomes: frozenset[Outcome] | None = None
    text: str = ""
    cases: frozenset[str] | None = None
    sort: str = "worst"
    limit: int = 100
    offset: int = 0


@dataclass(frozen=True, slots=True)
class MetricChange:
    """One metric that both runs have, over the ``n`` cases with a value on both sides.

    ``mean`` is right minus left; its ``p`` is corrected for ``comparisons`` by Holm in
    ``p_adjusted``.
    """

    metric: MetricSummary
    n: int
    left_mean: float | None
    right_mean: float | None
    change: PairedMean
    p_adjusted: float | None = None


@dataclass(frozen=True, slots=True)
class Pair:
    """Two runs side by side. ``left`` is the baseline."""

    left: StoredRun
    right: StoredRun
    table: str
    counts: Counter[Outcome]
    paired: PairedCounts
    banners: tuple[Banner, ...]
    shared: tuple[tuple[MetricSummary, MetricSummary], ...] = field(default=(), repr=False)

    def sentence(self, margin: float | None = None, name: str = "B") -> str:
        """Return the comparison in one honest sentence."""
        return paired_sentence(self.paired, name, margin)

    def page(self, query: PairQuery) -> tuple[tuple[PairLine, ...], int]:
        """Return the lines that a query asks for, worst first, and how many match in all."""
        where, parameters = _where(query)
        columns = self._columns()
        order = {"worst": "outcome, delta, ord", "file": "ord"}.get(query.sort, "outcome, ord")
        found = _rows(
            f"SELECT {', '.join(columns)} FROM {self.table} WHERE {where} "
            f"ORDER BY {order} LIMIT ? OFFSET ?",
            [*parameters, query.limit, query.offset],
        )
        total = _rows(f"SELECT count(*) FROM {self.table} WHERE {where}", parameters)[0][0]
        return tuple(self._line(row) for row in found), total

    def metric_changes(self) -> tuple[MetricChange, ...]:
        """Return what became of every metric that both runs have, with Holm's correction."""
        found = [self._change(left, right) for left, right in self.shared]
        tested = [c.change.p for c in found if c.change.p is not None]
        adjusted = iter(holm(tested))
        return tuple(
            c
            if c.change.p is None
            else MetricChange(c.metric, c.n, c.left_mean, c.right_mean, c.change, next(adjusted))
            for c in found
        )

    def slice_counts(self, cases_by_slice: dict[str, frozenset[str]]) -> dict[str, PairedCounts]:
        """Return how verdicts fall within each slice of the cases."""
        return {
            name: _paired(self.table, "list_contains(?::VARCHAR[], case_key)", [sorted(keys)])
            for name, keys in cases_by_slice.items()
        }

    def _change(self, left: MetricSummary, right: MetricSummary) -> MetricChange:
        a, b = f"l_m{left.column}", f"r_m{right.column}"
        both = f"FROM {self.table} WHERE {a} IS NOT NULL AND {b} IS NOT NULL"
        n, left_mean, right_mean, spread = _rows(
            f"SELECT count(*), avg({a}), avg({b}), stddev_samp({b} - {a}) {both}", []
        )[0]
        if n > BOOTSTRAP_UP_TO:
            change = normal_mean(right_mean - left_mean, spread, n)
        else:
            rows = _rows(f"SELECT {a}, {b} {both} ORDER BY ord", [])
            change = paired_mean([row[0] for row in rows], [row[1] for row in rows])
        return MetricChange(left, n, left_mean, right_mean, change)

    def _columns(self) -> list[str]:
        sides = []
        for side, run in (("l", self.left), ("r", self.right)):
            sides += [f"{side}_{n}" for n in ("row", "verdict", "passed", "judged", "n")]
            sides += [f"{side}_m{m.column}" for m in run.metrics]
        return ["case_key", "outcome", "delta", *sides]

    def _line(self, row: Sequence[Any]) -> PairLine:
        width = 5 + len(self.left.metrics)
        left = _side(row[3 : 3 + width], self.left)
        right = _side(row[3 + width :], self.right)
        outcome = WORST_FIRST[row[1]]
        why = _why(left, right) if outcome is Outcome.NOT_COMPARABLE else ""
        return PairLine(row[0], outcome, left, right, row[2], why)


def compare(left: StoredRun, right: StoredRun) -> Pair:
    """Compare two runs by their cases; ``left`` is the baseline."""
    shared = tuple(
        (metric, other)
        for metric in left.metrics
        if not metric.informational and (other := right.manifest.metric(metric.key)) is not None
    )
    prefix = engine().tables(
        ("pair", left.tables, right.tables),
        left.manifest.distinct + right.manifest.distinct,
        lambda cursor, name: cursor.execute(_joined(f"{name}_cases", left, right, shared)),
    )
    table = f"{prefix}_cases"
    counts = Counter(
        {
            WORST_FIRST[number]: count
            for number, count in _rows(f"SELECT outcome, count(*) FROM {table} GROUP BY 1", [])
        }
    )
    paired = _paired(table, "TRUE", [])
    return Pair(left, right, table, counts, paired, banners(left, right), shared)


def _joined(
    table: str,
    left: StoredRun,
    right: StoredRun,
    shared: Sequence[tuple[MetricSummary, MetricSummary]],
) -> str:
    sides = [
        (single_sql if run.manifest.repeats == 1 else sides_sql)(
            run.tables, [m.column for m in run.metrics], f"{name}_"
        )
        for name, run in (("l", left), ("r", right))
    ]
    columns = [(a.column, b.column) for a, b in shared]
    return (
        f"CREATE TABLE {table} AS SELECT *, coalesce(l_key, r_key) AS case_key, "
        f"coalesce(l_row, r_row + {left.manifest.cases.total}) AS ord, "
        f"({delta_sql(columns)})::FLOAT AS delta, {outcome_sql(columns)} AS outcome "
        f"FROM ({sides[0]}) AS lefts FULL OUTER JOIN ({sides[1]}) AS rights "
        "ON l_hash = r_hash AND l_key = r_key"
    )


def _paired(table: str, where: str, parameters: list[object]) -> PairedCounts:
    passed, failed = CODES[Verdict.PASSED], CODES[Verdict.FAILED]
    both = "l_judged > 0 AND r_judged > 0"
    tests = [(passed, passed), (failed, passed), (passed, failed), (failed, failed)]
    counts = ", ".join(f"count(*) FILTER (l_verdict = {a} AND r_verdict = {b})" for a, b in tests)
    row = _rows(f"SELECT {counts} FROM {table} WHERE {both} AND {where}", parameters)[0]
    return PairedCounts(*row)


def _where(query: PairQuery) -> tuple[str, list[object]]:
    parts: list[str] = ["TRUE"]
    parameters: list[object] = []
    if query.outcomes is not None:
        parts.append("list_contains(?::INTEGER[], outcome::INTEGER)")
        parameters.append(sorted(NUMBERS[o] for o in query.outcomes))
    if query.cases is not None:
        parts.append("list_contains(?::VARCHAR[], case_key)")
        parameters.append(sorted(query.cases))
    for word in query.text.casefold().split():
        parts.append("contains(lower(case_key), ?)")
        parameters.append(word)
    return " AND ".join(parts), parameters


def _side(row: Sequence[Any], run: StoredRun) -> Side | None:
    if row[0] is None:
        return None
    values = {m.key: value for m, value in zip(run.metrics, row[5:], strict=False)}
    return Side(row[0], VERDICTS[row[1]], row[2], row[3], row[4], values)


def _why(left: Side | None, right: Side | None) -> str:
    said = {Verdict.ERROR: "ended in an error", Verdict.NOT_EVALUATED: "was not evaluated"}
    parts = [
        f"the {name} side {said[side.verdict]}"
        for name, side in (("left", left), ("right", right))
        if side is not None and side.verdict in said
    ]
    return " and ".join(parts)


def _rows(sql: str, parameters: Sequence[object]) -> list[Any]:
    cursor = engine().cursor()
    try:
        return cursor.execute(sql, list(parameters)).fetchall()
    finally:
        cursor.close()
