"""Two runs compared case by case: counts that filter, numbers that claim no more than they may."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from evalcore.compare.banners import Banner, banners
from evalcore.compare.joining import Joined, joined
from evalcore.compare.outcomes import BOTH, BROKE, FIXED, NEITHER, WORST_FIRST, Outcome
from evalcore.compare.querying import HASHED, Asked, PairQuery, asked
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
from evalcore.store.marks import VERDICTS

ALPHA = 0.05
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
class MetricChange:
    """One metric that both runs have, over the ``n`` cases with a value on both sides.

    ``mean`` is right minus left; its ``p`` is corrected by Holm for all metrics
    of the table in ``p_adjusted``.
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
    counts: Counter[Outcome]
    paired: PairedCounts
    banners: tuple[Banner, ...]
    shared: tuple[tuple[MetricSummary, MetricSummary], ...] = field(default=(), repr=False)

    def sentence(self, margin: float | None = None, name: str = "B", alpha: float = ALPHA) -> str:
        """Return the comparison in one honest sentence; it claims what p below ``alpha`` shows."""
        return paired_sentence(self.paired, name, margin, alpha)

    def page(self, query: PairQuery) -> tuple[tuple[PairLine, ...], int]:
        """Return the lines that a query asks for, worst first, and how many match in all."""
        with self.joined() as tables:
            found = self._asked(query, tables)
            rows = engine().rows(
                f"SELECT l_row, r_row, outcome, delta {found.text} "
                f"ORDER BY {found.order} LIMIT ? OFFSET ?",
                [*found.parameters, query.limit, query.offset],
            )
            total = sum(self.counts.values())
            if not query.is_open:
                sql = f"SELECT count(*) {found.text}"
                total = engine().rows(sql, found.parameters)[0][0]
            lefts = _sides(tables.left, [row[0] for row in rows], self.left)
            rights = _sides(tables.right, [row[1] for row in rows], self.right)
        return tuple(_line(row, lefts, rights) for row in rows), total

    def tally(self, query: PairQuery) -> Counter[Outcome]:
        """Return how many of the cases that a query asks for came out how."""
        if query.is_open:
            return self.counts
        with self.joined() as tables:
            found = self._asked(query, tables)
            sql = f"SELECT outcome, count(*) {found.text} GROUP BY outcome"
            return _counted(engine().rows(sql, found.parameters))

    def place(self, query: PairQuery, case_key: str) -> int | None:
        """Return where a case stands among those a query asks for, from 0; None if it does not."""
        with self.joined() as tables:
            found = self._asked(query, tables)
            at = self._rows_of(case_key, tables)
            if at is None:
                return None
            places = engine().rows(
                "SELECT at_place FROM (SELECT l_row, r_row, row_number() OVER "
                f"(ORDER BY {found.order}) - 1 AS at_place {found.text}) "
                "WHERE l_row IS NOT DISTINCT FROM ? AND r_row IS NOT DISTINCT FROM ?",
                [*found.parameters, *at],
            )
        return int(places[0][0]) if places else None

    def named(self, address: str) -> PairLine | None:
        """Return the case that ``querying.address_of`` gave this address; None for no such case."""
        if not address.startswith(HASHED):
            return self.line(address)
        with self.joined() as tables:
            for table in (tables.left, tables.right):
                found = engine().rows(
                    f"SELECT case_key FROM {table} WHERE starts_with(sha256(case_key), ?) LIMIT 1",
                    [address.removeprefix(HASHED)],
                )
                if found:
                    return self.line(found[0][0])
        return None

    def line(self, case_key: str) -> PairLine | None:
        """Return what became of one case, None where neither run has it."""
        found, _ = self.page(PairQuery(cases=frozenset([case_key]), limit=1))
        return found[0] if found else None

    def sides(self, keys: Sequence[str]) -> dict[str, Side]:
        """Return how some cases came out in the right run, by their keys."""
        with self.joined() as tables:
            found = engine().rows(
                f"SELECT case_row FROM {tables.right} "
                "WHERE case_key IN (SELECT unnest(?::VARCHAR[]))",
                [list(keys)],
            )
            return dict(_sides(tables.right, [row for (row,) in found], self.right).values())

    def metric_changes(self) -> tuple[MetricChange, ...]:
        """Return what became of every metric that both runs have, with Holm's correction."""
        with self.joined() as tables:
            return corrected([self._change(a, b, tables) for a, b in self.shared])

    def slice_counts(self, cases_by_slice: Mapping[str, frozenset[str]]) -> dict[str, PairedCounts]:
        """Return how verdicts fall within each slice of the cases, given by their keys."""
        with self.joined() as tables:
            return {
                name: _paired(self._asked(PairQuery(cases=keys), tables))
                for name, keys in cases_by_slice.items()
            }

    def joined(self) -> AbstractContextManager[Joined]:
        """Give the tables of both runs side by side; they stay in the block."""
        return _of_pair(self.left, self.right, self.shared)

    def _asked(self, query: PairQuery, tables: Joined) -> Asked:
        return asked(query, tables, self.shared, self.left, self.right)

    def _rows_of(self, case_key: str, tables: Joined) -> tuple[int | None, int | None] | None:
        at: list[int | None] = []
        for table in (tables.left, tables.right):
            found = engine().rows(f"SELECT case_row FROM {table} WHERE case_key = ?", [case_key])
            at.append(found[0][0] if found else None)
        return None if at == [None, None] else (at[0], at[1])

    def _change(self, left: MetricSummary, right: MetricSummary, tables: Joined) -> MetricChange:
        a, b = f"l.m{left.column}", f"r.m{right.column}"
        both = f"FROM {tables.both} WHERE {a} IS NOT NULL AND {b} IS NOT NULL"
        return paired_change(left, a, b, both, "l.case_row")


def paired_change(metric: MetricSummary, a: str, b: str, both: str, order: str) -> MetricChange:
    """Return the change of the mean from ``a`` to ``b``, columns of the pairs in ``both``."""
    n, left_mean, right_mean, spread = engine().rows(
        f"SELECT count(*), avg({a}), avg({b}), stddev_samp({b}::DOUBLE - {a}) {both}"
    )[0]
    if n > BOOTSTRAP_UP_TO:
        change = normal_mean(right_mean - left_mean, spread, n)
    else:
        rows = engine().rows(f"SELECT {a}, {b} {both} ORDER BY {order}")
        change = paired_mean([row[0] for row in rows], [row[1] for row in rows])
    return MetricChange(metric, n, left_mean, right_mean, change)


def corrected(changes: Sequence[MetricChange]) -> tuple[MetricChange, ...]:
    """Return changes with their p corrected by Holm for all of them."""
    adjusted = iter(holm([c.change.p for c in changes if c.change.p is not None]))
    return tuple(
        c if c.change.p is None else replace(c, p_adjusted=next(adjusted)) for c in changes
    )


def compare(left: StoredRun, right: StoredRun) -> Pair:
    """Compare two runs by their cases; ``left`` is the baseline."""
    shared = tuple(
        (metric, other)
        for metric in left.metrics
        if (other := right.manifest.metric(metric.key)) is not None
        and not (metric.informational or other.informational)
    )
    with _of_pair(left, right, shared) as tables:
        found = engine().rows(f"SELECT outcome, count(*) FROM {tables.pairs} GROUP BY outcome")
        paired = _paired(Asked(tables.pairs))
    return Pair(left, right, _counted(found), paired, banners(left, right), shared)


@contextmanager
def _of_pair(
    left: StoredRun, right: StoredRun, shared: Sequence[tuple[MetricSummary, MetricSummary]]
) -> Iterator[Joined]:
    with joined(left, right, [(a.column, b.column) for a, b in shared]) as tables:
        yield tables


def _paired(found: Asked) -> PairedCounts:
    sql = f"SELECT fall, count(*) {found.text} GROUP BY fall"
    falls = dict(engine().rows(sql, found.parameters))
    return PairedCounts(*(falls.get(fall, 0) for fall in (BOTH, FIXED, BROKE, NEITHER)))


def _counted(rows: Sequence[tuple[int, int]]) -> Counter[Outcome]:
    return Counter({WORST_FIRST[number]: count for number, count in rows})


def _sides(table: str, rows: Sequence[int | None], run: StoredRun) -> dict[int, tuple[str, Side]]:
    """Return the sides of some rows, each with the key of its case."""
    columns = "".join(f", m{m.column}" for m in run.metrics)
    found = engine().rows(
        f"SELECT case_key, case_row, verdict, passed, judged, n{columns} FROM {table} "
        "WHERE case_row IN (SELECT unnest(?::INTEGER[]))",
        [[row for row in rows if row is not None]],
    )
    keys = [metric.key for metric in run.metrics]
    return {
        row[1]: (
            row[0],
            Side(
                case_row=row[1],
                verdict=VERDICTS[row[2]],
                passed=row[3],
                judged=row[4],
                repeats=row[5],
                values=dict(zip(keys, row[6:], strict=True)),
            ),
        )
        for row in found
    }


def _line(
    row: Sequence[Any],
    lefts: Mapping[int, tuple[str, Side]],
    rights: Mapping[int, tuple[str, Side]],
) -> PairLine:
    left, right = lefts.get(row[0]), rights.get(row[1])
    key = (left or right or ("", None))[0]
    a, b = left and left[1], right and right[1]
    outcome = WORST_FIRST[row[2]]
    why = _why(a, b) if outcome is Outcome.NOT_COMPARABLE else ""
    return PairLine(key, outcome, a, b, row[3], why)


def _why(left: Side | None, right: Side | None) -> str:
    said = {Verdict.ERROR: "ended in an error", Verdict.NOT_EVALUATED: "was not evaluated"}
    parts = [
        f"the {name} side {said[side.verdict]}"
        for name, side in (("left", left), ("right", right))
        if side is not None and side.verdict in said
    ]
    return " and ".join(parts)
