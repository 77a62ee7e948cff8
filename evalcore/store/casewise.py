"""Numbers of a run by case: however often a case was run, it counts once."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from evalcore.results import Verdict
from evalcore.store.marks import CODES
from evalcore.store.query import Mode, RunQuery, group_sql
from evalcore.store.stored import StoredRun

_ERROR, _FAILED, _IDLE, _PASSED = (
    CODES[v] for v in (Verdict.ERROR, Verdict.FAILED, Verdict.NOT_EVALUATED, Verdict.PASSED)
)
_CODES = tuple(CODES.values())
_MODES: tuple[Mode, ...] = ("all", "failures", "errors", "passes", "flaky", "not_evaluated")


@dataclass(frozen=True, slots=True)
class Tried:
    """How many cases share these counts: results, passed or failed, and passed."""

    results: int
    judged: int
    passed: int
    cases: int


@dataclass(frozen=True, slots=True)
class Spread:
    """An evaluator's means of the cases: of how many, their mean and standard deviation.

    ``judged`` counts the cases that it says passed or failed.
    """

    cases: int
    judged: int
    mean: float | None
    deviation: float | None


@dataclass(frozen=True, slots=True)
class Slice:
    """A group of cases: ``share`` is the mean over the ``judged`` cases of what part passed."""

    name: str
    counts: Counter[Verdict]
    cases: int
    judged: int
    share: float | None


def tried(run: StoredRun, query: RunQuery) -> tuple[Tried, ...]:
    """Return how often the cases were tried and passed, among the matching results."""
    if run.manifest.repeats <= 1:
        counts = run.verdicts(query)
        judged = counts[Verdict.PASSED], counts[Verdict.FAILED]
        found = [
            (1, 1, 1, judged[0]),
            (1, 1, 0, judged[1]),
            (1, 0, 0, counts.total() - sum(judged)),
        ]
        return tuple(Tried(*numbers) for numbers in found if numbers[3])
    rows = run.ask(
        "SELECT n, judged, passed, count(*) FROM (SELECT count(*) AS n, "
        f"count(*) FILTER (verdict IN ({_PASSED}, {_FAILED})) AS judged, "
        f"count(*) FILTER (verdict = {_PASSED}) AS passed "
        "FROM {cases} c WHERE {where} GROUP BY case_key) GROUP BY ALL ORDER BY ALL",
        [],
        query,
    )
    return tuple(Tried(*row) for row in rows)


def spreads(run: StoredRun, query: RunQuery) -> dict[str, Spread]:
    """Return the spread of every evaluator's means of the cases, by its key."""
    if not run.metrics:
        return {}
    each = "".join(
        f", avg(m{m.column})::DOUBLE AS m{m.column}, "
        f"bool_or(v{m.column} IN ({_PASSED}, {_FAILED})) AS j{m.column}"
        for m in run.metrics
    )
    by_case = f"SELECT case_key{each} FROM {{cases}} c WHERE {{where}} GROUP BY case_key"
    judged = "j{n}"
    if run.manifest.repeats <= 1:
        by_case, judged = (
            "SELECT * FROM {cases} c WHERE {where}",
            f"v{{n}} IN ({_PASSED}, {_FAILED})",
        )
    asked = ", ".join(
        f"count(m{m.column}), count(*) FILTER ({judged.format(n=m.column)}), avg(m{m.column}), "
        f"stddev_samp(m{m.column}::DOUBLE)"
        for m in run.metrics
    )
    row = run.ask(f"SELECT {asked} FROM ({by_case})", [], query)[0]
    return {m.key: Spread(*row[4 * n : 4 * n + 4]) for n, m in enumerate(run.metrics)}


def mode_counts(run: StoredRun, query: RunQuery) -> dict[Mode, int]:
    """Return how many cases each mode would find with the rest of a query."""
    rest = replace(query, mode="all")
    if run.manifest.repeats <= 1:
        counts = run.verdicts(rest)
        passed, failed, error = (counts[v] for v in (Verdict.PASSED, Verdict.FAILED, Verdict.ERROR))
        numbers = counts.total(), failed + error, error, passed, 0, counts[Verdict.NOT_EVALUATED]
    else:
        kinds = (
            f"verdict <= {_FAILED}",
            f"verdict = {_ERROR}",
            f"verdict = {_PASSED}",
            "is_flaky",
            f"verdict = {_IDLE}",
        )
        each = ", ".join(f"bool_or({kind}) AS k{n}" for n, kind in enumerate(kinds))
        sums = ", ".join(f"count(*) FILTER (k{n})" for n in range(len(kinds)))
        numbers = run.ask(
            f"SELECT count(*), {sums} FROM "
            f"(SELECT {each} FROM {{cases}} c WHERE {{where}} GROUP BY case_key)",
            [],
            rest,
        )[0]
    return dict(zip(_MODES, numbers, strict=True))


def slices(run: StoredRun, name: str, query: RunQuery, limit: int = 200) -> list[Slice]:
    """Return the groups by ``tag`` or a field of metadata, the largest first."""
    group = group_sql(name)
    hits = "SELECT tags, metadata, verdict, case_key FROM {cases} c WHERE {where}"
    listed = f"SELECT unnest({group.text}) AS grp, verdict, case_key FROM hits c"
    counts = ", ".join(f"count(*) FILTER (verdict = {code})::INTEGER AS n{code}" for code in _CODES)
    per_case = ", case_key" if run.manifest.repeats > 1 else ""
    inner = f"SELECT grp, {counts} FROM ({listed}) WHERE grp IS NOT NULL GROUP BY grp{per_case}"
    share = f"n{_PASSED} / nullif(n{_PASSED} + n{_FAILED}, 0)"
    names = [f"n{code}" for code in _CODES]
    if per_case:
        sums = ", ".join(f"sum({name})::BIGINT" for name in names)
        outer = f"SELECT grp, {sums}, count(*), count({share}), avg({share}) FROM groups GROUP BY 1"
    else:
        judged = f"n{_PASSED} + n{_FAILED}"
        outer = (
            f"SELECT grp, {', '.join(names)}, {' + '.join(names)}, {judged}, {share} FROM groups"
        )
    sql = f"WITH hits AS ({hits}), groups AS ({inner}) {outer}"
    found = []
    for grp, *numbers, cases, judged, share in run.ask(sql, group.parameters, query):
        held = Counter({v: n for v, n in zip(CODES, numbers, strict=True) if n})
        found.append(Slice(grp, held, cases, judged, share))
    return sorted(found, key=lambda group: (-group.cases, group.name))[:limit]
