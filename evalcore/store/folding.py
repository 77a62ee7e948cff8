"""The cases of a run with their repeats folded: one line per case, however often it was run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import fmean

from evalcore.errors import EvaldeskError
from evalcore.results import Verdict
from evalcore.store.engine import creating, engine
from evalcore.store.lines import CaseLine
from evalcore.store.marks import CODES
from evalcore.store.query import RunQuery, column_of
from evalcore.store.stored import StoredRun

_ERROR, _FAILED, _IDLE, _PASSED = (
    CODES[v] for v in (Verdict.ERROR, Verdict.FAILED, Verdict.NOT_EVALUATED, Verdict.PASSED)
)
_RANK = (
    f"CASE WHEN bool_or(verdict = {_ERROR}) THEN 0 "
    f"WHEN bool_or(verdict = {_FAILED}) AND bool_or(verdict = {_PASSED}) THEN 2 "
    f"WHEN bool_or(verdict = {_FAILED}) THEN 1 "
    f"WHEN bool_or(verdict = {_PASSED} AND is_near) THEN 3 "
    f"WHEN bool_or(verdict = {_PASSED}) THEN 5 ELSE 4 END"
)
"""Errors 0, failures 1, flaky cases 2, near passes 3, not evaluated 4, the rest 5."""
_ONE_RANK = (
    f"CASE WHEN verdict = {_ERROR} THEN 0 WHEN verdict = {_FAILED} THEN 1 "
    f"WHEN verdict = {_PASSED} AND is_near THEN 3 WHEN verdict = {_IDLE} THEN 4 ELSE 5 END"
)


@dataclass(frozen=True, slots=True)
class Fold:
    """One case: all of its results in the order of their repeats.

    ``at`` is the place in the run of the worst result that matches, the one to open.
    ``matching`` counts those that match. ``delta`` and ``outcome`` are those of a ``Beside``.
    """

    at: int
    lines: tuple[CaseLine, ...]
    matching: int
    delta: float | None = None
    outcome: int | None = None

    @property
    def head(self) -> CaseLine:
        """Return the result to open."""
        return next((line for line in self.lines if line.case_row == self.at), self.lines[0])

    @property
    def counts(self) -> Counter[Verdict]:
        """Return the results by verdict."""
        return Counter(line.verdict for line in self.lines)

    @property
    def is_flaky(self) -> bool:
        """Return whether some of the repeats passed and others failed or ended in an error."""
        found = self.counts
        return bool(found[Verdict.PASSED] and (found[Verdict.FAILED] or found[Verdict.ERROR]))

    def value(self, key: str) -> float | None:
        """Return the mean of an evaluator's values over the repeats that have one."""
        known = [v for line in self.lines if (v := line.values.get(key)) is not None]
        return fmean(known) if known else None

    def verdicts(self, key: str) -> Counter[Verdict]:
        """Return what an evaluator said of the repeats."""
        said = (line.verdicts.get(key) for line in self.lines)
        return Counter(verdict for verdict in said if verdict is not None)


@dataclass(frozen=True, slots=True)
class FoldPage:
    """Some cases of all that have a matching result; ``results`` counts those results."""

    folds: tuple[Fold, ...]
    cases: int
    results: int


@dataclass(frozen=True, slots=True)
class Beside:
    """Another run held against this one: a table of pairs of cases in the engine.

    Its column ``r_row`` is the worst result of a case here, ``delta`` what changed, ``outcome`` the
    number of what became of the case. Only the outcomes in ``only`` are wanted; () for all.
    """

    pairs: str
    only: tuple[int, ...] = ()


def folded(run: StoredRun, query: RunQuery, beside: Beside | None = None) -> FoldPage:
    """Return the cases that a query asks for; each of which it finds a result of is there whole.

    With a run beside, those that lost most come first among equals; of the wanted outcomes the
    worst come first.
    """
    if run.manifest.repeats <= 1 and beside is None:
        page = run.page(query)
        folds = tuple(Fold(line.case_row, (line,), 1) for line in page.lines)
        return FoldPage(folds, page.total, page.total)
    with _by_case(run) as cases:
        found = _found(run, query, cases, beside)
    rows = sorted({row for _, places, *_ in found.rows for row in places})
    lines = run.page(RunQuery(rows=tuple(rows), sort="file", limit=max(1, len(rows)))).lines
    at = {line.case_row: line for line in lines}
    folds = tuple(
        Fold(place, tuple(at[row] for row in places), matching, delta, outcome)
        for place, places, matching, delta, outcome in found.rows
    )
    return FoldPage(folds, found.cases, found.results)


def neighbours(
    run: StoredRun, query: RunQuery, case_row: int, beside: Beside | None = None
) -> tuple[int | None, int | None]:
    """Return the results to open before and after the case of one, in the order of the cases."""
    if run.manifest.repeats <= 1 and beside is None:
        return run.neighbours(query, case_row)
    with _by_case(run) as cases:
        sql, parameters = _matching(run, query, cases, beside)
        numbered = (
            f"SELECT spot, places, row_number() OVER (ORDER BY {_order(run, query, beside)}) AS n "
            f"FROM ({sql})"
        )
        found = run.ask(
            f"WITH o AS ({numbered}), here AS (SELECT n FROM o WHERE list_contains(places, ?)) "
            "SELECT o.n - here.n, o.spot FROM o, here WHERE abs(o.n - here.n) = 1",
            [*parameters, case_row],
            query,
        )
    steps = dict(found)
    return steps.get(-1), steps.get(1)


def position(
    run: StoredRun, query: RunQuery, case_row: int, beside: Beside | None = None
) -> int | None:
    """Return where the case of a result stands in the list, from 0; None if it is not in it."""
    with _by_case(run) as cases:
        sql, parameters = _matching(run, query, cases, beside)
        found = run.ask(
            f"SELECT n FROM (SELECT places, row_number() OVER (ORDER BY "
            f"{_order(run, query, beside)}) - 1 AS n FROM ({sql})) WHERE list_contains(places, ?)",
            [*parameters, case_row],
            query,
        )
    return int(found[0][0]) if found else None


@dataclass(frozen=True, slots=True)
class _Found:
    rows: list[tuple[int, list[int], int, float | None, int | None]]
    cases: int
    results: int


def _found(run: StoredRun, query: RunQuery, cases: str, beside: Beside | None) -> _Found:
    sql, parameters = _matching(run, query, cases, beside)
    rows = run.ask(
        f"SELECT spot, places, n, delta, outcome FROM ({sql}) "
        f"ORDER BY {_order(run, query, beside)} LIMIT ? OFFSET ?",
        [*parameters, query.limit, query.offset],
        query,
    )
    if query.is_open and not (beside and beside.only):
        return _Found(rows, run.manifest.distinct, run.manifest.cases.total)
    total = run.ask(f"SELECT count(*), coalesce(sum(n), 0) FROM ({sql})", parameters, query)[0]
    return _Found(rows, int(total[0]), int(total[1]))


def _matching(
    run: StoredRun, query: RunQuery, cases: str, beside: Beside | None
) -> tuple[str, list[object]]:
    """Return a query of the cases that have a matching result."""
    names = "f.case_key, f.places, f.begins, f.rank, f.share, f.place, f.duration_s" + "".join(
        f", f.m{m.column}, f.e{m.column}" for m in run.metrics
    )
    if query.is_open:
        sql = (
            f"SELECT {names}, f.spot, len(f.places) AS n{{more}} FROM {cases} f {{join}} WHERE TRUE"
        )
    else:
        found = (
            "SELECT case_key, arg_min(case_row, place) AS spot, count(*) AS n "
            "FROM {cases} c WHERE {where} GROUP BY case_key"
        )
        sql = (
            f"SELECT {names}, g.spot, g.n{{more}} FROM ({found}) g "
            f"JOIN {cases} f ON f.case_key = g.case_key {{join}} WHERE TRUE"
        )
    if beside is None:
        more = ", NULL AS delta, NULL AS outcome"
        return sql.replace("{more}", more).replace("{join}", ""), []
    join = f"LEFT JOIN {beside.pairs} p ON p.r_row = f.spot"
    sql = sql.replace("{more}", ", p.delta, p.outcome").replace("{join}", join)
    if not beside.only:
        return sql, []
    return f"{sql} AND p.outcome IN (SELECT unnest(?::UTINYINT[]))", [list(beside.only)]


def _order(run: StoredRun, query: RunQuery, beside: Beside | None) -> str:
    turned = " DESC" if query.descending else ""
    match query.sort:
        case "worst" if beside is not None and beside.only:
            return f"outcome{turned}, delta{turned}, rank, place"
        case "worst" if beside is not None:
            return f"rank{turned}, delta{turned} NULLS LAST, share{turned}, place{turned}"
        case "worst":
            return f"rank{turned}, share{turned}, place{turned}"
        case "file":
            return f"begins{turned}"
        case "name":
            return f"case_key{turned}, begins"
        case "duration":
            return f"duration_s {'ASC' if query.descending else 'DESC'} NULLS LAST, begins"
        case "delta":
            return f"delta{turned} NULLS LAST, begins"
        case sort if sort.startswith("metric:"):
            n = column_of(sort.removeprefix("metric:"), run.manifest)
            return f"e{n} DESC, m{n}{turned} NULLS LAST, begins"
        case other:
            raise EvaldeskError(f"A run cannot be sorted by {other!r}")


@contextmanager
def _by_case(run: StoredRun) -> Iterator[str]:
    """Give what to select the cases of a run from, a row for each."""
    columns = [metric.column for metric in run.metrics]
    with run.table() as table:
        if run.manifest.repeats <= 1:
            means = "".join(f", m{n}, coalesce(v{n} = {_ERROR}, false) AS e{n}" for n in columns)
            yield (
                f"(SELECT case_key, [case_row] AS places, case_row AS begins, case_row AS spot, "
                f"{_ONE_RANK} AS rank, 0 AS share, place, duration_s{means} FROM {table})"
            )
            return
        means = "".join(
            f", avg(m{n})::FLOAT AS m{n}, coalesce(bool_or(v{n} = {_ERROR}), false) AS e{n}"
            for n in columns
        )
        make = creating(
            "SELECT case_key, list(case_row ORDER BY repeat, case_row) AS places, "
            "min(case_row) AS begins, "
            # As evalcore.compare names the worst result of a case.
            "arg_min(case_row, verdict::BIGINT * 4294967296 + case_row) AS spot, "
            f"({_RANK})::UTINYINT AS rank, "
            f"(count(*) FILTER (verdict = {_PASSED}) / nullif(count(*) FILTER "
            f"(verdict IN ({_PASSED}, {_FAILED})), 0))::FLOAT AS share, min(place) AS place, "
            f"avg(duration_s)::FLOAT AS duration_s{means} FROM {table} GROUP BY case_key"
        )
        with engine().holding((*run.key, "folds"), make) as held:
            yield held
