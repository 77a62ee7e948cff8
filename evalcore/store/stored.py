"""A run of the store, opened: pages of its case results, numbers over them, and each in full."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from evalcore.errors import EvaldeskError
from evalcore.results import CaseResult, Verdict
from evalcore.store.documents import load
from evalcore.store.engine import engine, load_run
from evalcore.store.manifest import Manifest, MetricSummary
from evalcore.store.query import RunQuery, Sql, column_of, condition, order
from evalcore.store.rows import CODES, VERDICTS
from evalcore.verdicts import PassMark

if TYPE_CHECKING:
    from evalcore.store.place import Place


@dataclass(frozen=True, slots=True)
class CaseLine:
    """One case result in a list. ``values`` and ``verdicts`` are by evaluator, None where n/a."""

    case_row: int
    case_key: str
    case_id: str | None
    name: str
    repeat: int
    verdict: Verdict
    is_near: bool
    is_flaky: bool
    turns: int
    duration_s: float | None
    tokens: int | None
    tags: tuple[str, ...]
    causes: tuple[str, ...]
    values: dict[str, float | None]
    verdicts: dict[str, Verdict | None]


@dataclass(frozen=True, slots=True)
class RunPage:
    """Some lines of all that match; ``total`` counts the matching ones."""

    lines: tuple[CaseLine, ...]
    total: int


@dataclass(frozen=True, slots=True)
class MetricNumbers:
    """One evaluator over the case results that match; ``mean`` and such on 0–1."""

    metric: MetricSummary
    scored: int
    counts: Counter[Verdict]
    mean: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Group:
    """Some case results with something in common: how many, and how they came out."""

    name: str
    counts: Counter[Verdict]
    cases: int

    @property
    def total(self) -> int:
        """Return how many case results there are."""
        return self.counts.total()


_LINE = (
    "case_row, case_key, case_id, name, repeat, verdict, is_near, is_flaky, turns, duration_s, "
    "tokens, tags, causes"
)


class StoredRun:
    """One finished or interrupted run. All methods may be called from several threads.

    ``mark`` judges where the system has no pass rule, in place of the mark at the import.
    """

    def __init__(self, place: Place, manifest: Manifest, mark: PassMark | None = None) -> None:
        self.manifest = manifest
        self._place = place
        self._mark = mark
        self._details = (
            f"read_parquet('{_quoted(place.address(f'{manifest.id}/details.parquet'))}')"
        )

    @property
    def metrics(self) -> tuple[MetricSummary, ...]:
        """Return the evaluators of the run, in order of appearance."""
        return self.manifest.metrics

    @property
    def tables(self) -> str:
        """Return the prefix of the loaded tables ``<prefix>_cases`` and ``<prefix>_scores``."""
        key: tuple[str, ...] = (self._place.url, self.manifest.id, str(self.manifest.finished_at))
        if self._mark is not None and not self.manifest.has_pass_rule:
            key = (*key, repr(self._mark.value))
        rows = self.manifest.invocations + self.manifest.cases.total
        engine().reach(self._place)
        return engine().tables(key, rows, load_run(self._place, self.manifest, self._mark))

    def page(self, query: RunQuery) -> RunPage:
        """Return the lines that a query asks for."""
        where = self._where(query)
        keys = [metric.key for metric in self.metrics]
        columns = "".join(f", m{m.column}, v{m.column}" for m in self.metrics)
        found = self._rows(
            f"SELECT {_LINE}{columns} FROM {self.tables}_cases c WHERE {where.text} "
            f"ORDER BY {order(query, self.manifest)} LIMIT ? OFFSET ?",
            [*where.parameters, query.limit, query.offset],
        )
        return RunPage(tuple(_line(row, keys) for row in found), self.count(query))

    def count(self, query: RunQuery) -> int:
        """Return how many case results match."""
        if query.is_open:
            return self.manifest.cases.total
        where = self._where(query)
        found = self._rows(
            f"SELECT count(*) FROM {self.tables}_cases c WHERE {where.text}", where.parameters
        )
        return int(found[0][0])

    def neighbours(self, query: RunQuery, case_row: int) -> tuple[int | None, int | None]:
        """Return the case results before and after one in the order of a query."""
        where = self._where(query)
        found = self._rows(
            f"SELECT before, after FROM (SELECT c.case_row, lag(c.case_row) OVER o AS before, "
            f"lead(c.case_row) OVER o AS after FROM {self.tables}_cases c WHERE {where.text} "
            f"WINDOW o AS (ORDER BY {order(query, self.manifest)})) WHERE case_row = ?",
            [*where.parameters, case_row],
        )
        return (found[0][0], found[0][1]) if found else (None, None)

    def case(self, case_row: int) -> CaseResult:
        """Return a case result in full; raises EvaldeskError where there is none at this place."""
        found = self._rows(f"SELECT doc FROM {self._details} WHERE case_row = ?", [case_row])
        if not found:
            raise EvaldeskError(
                f"This run has no result number {case_row + 1}", hint="Choose one from its list."
            )
        return load(found[0][0])

    def repeats(self, case_key: str) -> tuple[CaseLine, ...]:
        """Return all results of one case, in the order in which they were run."""
        return self.page(RunQuery(cases=frozenset([case_key]), sort="file", limit=10_000)).lines

    def verdicts(self, query: RunQuery) -> Counter[Verdict]:
        """Return how many of the matching case results came to which verdict."""
        where = self._where(query)
        found = self._rows(
            f"SELECT verdict, count(*) FROM {self.tables}_cases c WHERE {where.text} "
            "GROUP BY verdict",
            where.parameters,
        )
        return Counter({VERDICTS[code]: count for code, count in found})

    def numbers(self, query: RunQuery) -> tuple[MetricNumbers, ...]:
        """Return every evaluator's numbers over the matching case results."""
        if not self.metrics:
            return ()
        where = self._where(query)
        parts = ", ".join(_aggregates(metric.column) for metric in self.metrics)
        row = self._rows(
            f"SELECT {parts} FROM {self.tables}_cases c WHERE {where.text}", where.parameters
        )[0]
        width = 4 + len(CODES)
        return tuple(
            _numbers(metric, row[index * width : (index + 1) * width])
            for index, metric in enumerate(self.metrics)
        )

    def case_scores(self, key: str, query: RunQuery) -> list[tuple[str, float | None, int | None]]:
        """Return case key, value and verdict code of one evaluator, one for each case result."""
        column, where = column_of(key, self.manifest), self._where(query)
        return self._rows(
            f"SELECT case_key, m{column}, v{column} FROM {self.tables}_cases c "
            f"WHERE {where.text} ORDER BY case_row",
            where.parameters,
        )

    def histogram(self, key: str, query: RunQuery, bins: int = 20) -> list[tuple[float, int, int]]:
        """Return the bins of one evaluator's values: lower edge, passed, and not passed.

        The range is 0–1, for an informational metric that of the values. Empty bins are included;
        [] where no value matches.
        """
        metric = self.manifest.metric(key)
        column, where = column_of(key, self.manifest), self._where(query)
        low, high = 0.0, 1.0
        if metric is not None and metric.informational:
            low, high = metric.low or 0.0, metric.high or 0.0
        width = (high - low) / bins or 1.0
        found = self._rows(
            f"SELECT least(greatest(floor((m{column}::DOUBLE - ?) / ?), 0), ?)::INT AS bin, "
            f"count(*) FILTER (v{column} = {CODES[Verdict.PASSED]}), "
            f"count(*) FILTER (v{column} IS DISTINCT FROM {CODES[Verdict.PASSED]}) "
            f"FROM {self.tables}_cases c WHERE m{column} IS NOT NULL AND {where.text} "
            "GROUP BY bin",
            [low, width, bins - 1, *where.parameters],
        )
        by_bin = {row[0]: (row[1], row[2]) for row in found}
        if not by_bin:
            return []
        return [(low + n * width, *by_bin.get(n, (0, 0))) for n in range(bins)]

    def causes(self, query: RunQuery, limit: int = 50) -> list[tuple[str, int]]:
        """Return the causes of failures and errors, the most frequent first."""
        where = self._where(query)
        return self._rows(
            f"SELECT cause, count(*) AS times FROM (SELECT unnest(c.causes) AS cause "
            f"FROM {self.tables}_cases c WHERE {where.text}) GROUP BY cause "
            "ORDER BY times DESC, cause LIMIT ?",
            [*where.parameters, limit],
        )

    def slice_names(self) -> list[str]:
        """Return what the run can be sliced by: ``tag``, then the fields of metadata."""
        table = f"{self.tables}_cases"
        has_tags = self._rows(f"SELECT count(*) FROM {table} WHERE len(tags) > 0", [])[0][0]
        names = self._rows(
            f"SELECT DISTINCT unnest(json_keys(metadata)) AS name FROM {table} "
            "WHERE metadata IS NOT NULL ORDER BY name",
            [],
        )
        return (["tag"] if has_tags else []) + [name for (name,) in names]

    def slices(self, name: str, query: RunQuery, limit: int = 100) -> list[Group]:
        """Return the groups by ``tag`` or a field of metadata, the largest first."""
        where = self._where(query)
        value = "unnest(c.tags)" if name == "tag" else "json_extract_string(c.metadata, ?)"
        parameters = [] if name == "tag" else [f'$."{name}"']
        found = self._rows(
            f"SELECT grp, verdict, count(*), count(DISTINCT case_key) FROM "
            f"(SELECT {value} AS grp, c.verdict, c.case_key FROM {self.tables}_cases c "
            f"WHERE {where.text}) WHERE grp IS NOT NULL GROUP BY grp, verdict",
            [*parameters, *where.parameters],
        )
        return _groups(found)[:limit]

    def _where(self, query: RunQuery) -> Sql:
        return condition(query, self.manifest, self._details)

    def _rows(self, sql: str, parameters: Sequence[object]) -> list[Any]:
        cursor = engine().cursor()
        try:
            return cursor.execute(sql, list(parameters)).fetchall()
        finally:
            cursor.close()


def _line(row: Sequence[Any], keys: Sequence[str]) -> CaseLine:
    head, cells = row[:13], row[13:]
    codes = [None if code is None else VERDICTS[code] for code in cells[1::2]]
    return CaseLine(
        case_row=head[0],
        case_key=head[1],
        case_id=head[2],
        name=head[3],
        repeat=head[4],
        verdict=VERDICTS[head[5]],
        is_near=head[6],
        is_flaky=head[7],
        turns=head[8],
        duration_s=head[9],
        tokens=head[10],
        tags=tuple(head[11]),
        causes=tuple(head[12]),
        values=dict(zip(keys, cells[::2], strict=True)),
        verdicts=dict(zip(keys, codes, strict=True)),
    )


def _aggregates(column: int) -> str:
    value = f"m{column}"
    counts = ", ".join(f"count(*) FILTER (v{column} = {code})" for code in VERDICTS)
    return f"count({value}), avg({value}), min({value}), max({value}), {counts}"


def _numbers(metric: MetricSummary, row: Sequence[Any]) -> MetricNumbers:
    counts = Counter(dict(zip(VERDICTS.values(), row[4:], strict=True)))
    return MetricNumbers(metric, row[0], counts, row[1], row[2], row[3])


def _groups(found: Sequence[Any]) -> list[Group]:
    counts: dict[str, Counter[Verdict]] = {}
    cases: Counter[str] = Counter()
    for name, code, number, distinct in found:
        counts.setdefault(name, Counter())[VERDICTS[code]] += number
        cases[name] += distinct
    groups = [Group(name, count, cases[name]) for name, count in counts.items()]
    return sorted(groups, key=lambda group: (-group.total, group.name))


def _quoted(address: str) -> str:
    return address.replace("'", "''")
