"""A run of the store, opened: pages of its case results, numbers over them, and each in full."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

from evalcore.errors import EvaldeskError
from evalcore.results import CaseResult, Verdict
from evalcore.store.documents import load
from evalcore.store.engine import creating, engine
from evalcore.store.lines import (
    LINE,
    CaseLine,
    Group,
    MetricNumbers,
    RunPage,
    aggregates,
    counted,
    groups_of,
    line_of,
    numbers_of,
    numbers_of_all,
)
from evalcore.store.loading import load_cases
from evalcore.store.manifest import Manifest, MetricSummary
from evalcore.store.marks import CODES, VERDICTS
from evalcore.store.query import (
    FILE_ORDER,
    TAG,
    WORST_FIRST,
    RunQuery,
    Sql,
    column_of,
    condition,
    falls,
    group_sql,
    matching,
    number_of,
    order,
    words_of,
)
from evalcore.store.tables import quoted
from evalcore.verdicts import USUAL_MARK, PassMark

if TYPE_CHECKING:
    from evalcore.store.place import Place

NEAR_ROWS = 2_000
"""How far into the lines a page is found by sorting no more than these; beyond, all are sorted."""


class StoredRun:
    """One finished or interrupted run. All methods may be called from several threads.

    ``mark`` judges where the system has no pass rule, in place of the mark at the import; the
    counts of ``manifest`` stay those of the import, those asked for here are by ``mark``.
    """

    def __init__(self, place: Place, manifest: Manifest, mark: PassMark | None = None) -> None:
        self.manifest = manifest
        self._place = place
        used = manifest.pass_mark if manifest.pass_mark is not None else USUAL_MARK.value
        is_other = mark is not None and not manifest.has_pass_rule and mark.value != used
        self._mark = mark if is_other else None
        self._details = self.file("details")
        engine().reach(place)

    @property
    def metrics(self) -> tuple[MetricSummary, ...]:
        """Return the evaluators of the run, in order of appearance."""
        return self.manifest.metrics

    @property
    def pass_mark(self) -> float | None:
        """Return the mark on 0–1 that decides here, None where the system has a rule."""
        if self.manifest.has_pass_rule:
            return None
        if self._mark is not None:
            return self._mark.value
        known = self.manifest.pass_mark
        return USUAL_MARK.value if known is None else known

    @property
    def is_judged_anew(self) -> bool:
        """Return whether another mark decides here than at the import."""
        return self._mark is not None

    @property
    def key(self) -> tuple[str, ...]:
        """Return what this run's table is known by: it changes with all that the table shows."""
        mark = "" if self._mark is None else repr(self._mark.value)
        return self._place.url, self.manifest.id, str(self.manifest.imported_at), mark

    def file(self, name: str) -> str:
        """Return what to select one table of the run's files from, without holding it in memory."""
        return (
            f"read_parquet('{quoted(self._place.address(f'{self.manifest.id}/{name}.parquet'))}')"
        )

    @contextmanager
    def table(self) -> Iterator[str]:
        """Give the name of the table of case results, which stays loaded in the block."""
        make = load_cases(self._place, self.manifest, self._mark)
        with engine().holding(self.key, make) as name:
            yield name

    def page(self, query: RunQuery) -> RunPage:
        """Return the lines that a query asks for."""
        columns = LINE + "".join(f", m{m.column}, v{m.column}" for m in self.metrics)
        by = order(query, self.manifest)
        if query.is_open and by == WORST_FIRST:
            found = self._rows(
                f"SELECT {columns} FROM {{cases}} c WHERE place >= ? AND place < ? ORDER BY place",
                [query.offset, query.offset + query.limit],
            )
        elif query.offset + query.limit > NEAR_ROWS:
            found = self._lines_at(self._far_rows(query), columns)
        else:
            where = self._where(query)
            found = self._rows(
                f"SELECT {columns} FROM {{cases}} c WHERE {where.text} ORDER BY {by} "
                "LIMIT ? OFFSET ?",
                [*where.parameters, query.limit, query.offset],
                query,
            )
        keys = [metric.key for metric in self.metrics]
        return RunPage(tuple(line_of(row, keys) for row in found), self.count(query))

    def count(self, query: RunQuery) -> int:
        """Return how many case results match."""
        if query.is_open:
            return self.manifest.cases.total
        where = self._where(query)
        sql = f"SELECT count(*) FROM {{cases}} c WHERE {where.text}"
        return int(self._rows(sql, where.parameters, query)[0][0])

    def neighbours(self, query: RunQuery, case_row: int) -> tuple[int | None, int | None]:
        """Return the case results before and after one in the order of a query."""
        if order(query, self.manifest) in (WORST_FIRST, FILE_ORDER):
            return self._stepped(query, case_row)
        with self._ordered(query) as places:
            at = engine().rows(f"SELECT rowid FROM {places} WHERE case_row = ?", [case_row])
            if not at:
                return None, None
            found = engine().rows(
                f"SELECT rowid, case_row FROM {places} WHERE rowid IN (?, ?)",
                [at[0][0] - 1, at[0][0] + 1],
            )
        beside = dict(found)
        return beside.get(at[0][0] - 1), beside.get(at[0][0] + 1)

    def case(self, case_row: int) -> CaseResult:
        """Return a case result in full; raises EvaldeskError where there is none at this place."""
        sql = f"SELECT doc FROM {self._details} WHERE case_row = ?"
        found = engine().rows(sql, [case_row])
        if not found:
            raise EvaldeskError(
                f"This run has no result number {case_row + 1}", hint="Choose one from its list."
            )
        return load(found[0][0])

    def cases(self, rows: Sequence[int]) -> list[CaseResult]:
        """Return several case results in full, in the order of the run."""
        sql = (
            f"SELECT doc FROM {self._details} WHERE case_row IN (SELECT unnest(?::INTEGER[])) "
            "ORDER BY case_row"
        )
        return [load(doc) for (doc,) in engine().rows(sql, [list(rows)])]

    def repeats(self, case_key: str) -> tuple[CaseLine, ...]:
        """Return all results of one case, in the order in which they were run."""
        return self.page(RunQuery(cases=frozenset([case_key]), sort="file", limit=10_000)).lines

    def verdicts(self, query: RunQuery) -> Counter[Verdict]:
        """Return how many of the matching case results came to which verdict."""
        if query.is_open and self._mark is None:
            return counted(self.manifest.cases)
        where = self._where(query)
        sql = f"SELECT verdict, count(*) FROM {{cases}} c WHERE {where.text} GROUP BY verdict"
        found = self._rows(sql, where.parameters, query)
        return Counter({VERDICTS[code]: count for code, count in found})

    def numbers(self, query: RunQuery) -> tuple[MetricNumbers, ...]:
        """Return every evaluator's numbers over the matching case results."""
        if not self.metrics or (query.is_open and self._mark is None):
            return tuple(map(numbers_of_all, self.metrics))
        where = self._where(query)
        parts = ", ".join(aggregates(metric.column) for metric in self.metrics)
        sql = f"SELECT {parts} FROM {{cases}} c WHERE {where.text}"
        row = self._rows(sql, where.parameters, query)[0]
        width = 4 + len(CODES)
        return tuple(
            numbers_of(metric, row[index * width : (index + 1) * width])
            for index, metric in enumerate(self.metrics)
        )

    def case_scores(self, key: str, query: RunQuery) -> list[tuple[str, float | None, int | None]]:
        """Return case key, value and verdict code of one evaluator, one for each case result."""
        column, where = column_of(key, self.manifest), self._where(query)
        return self._rows(
            f"SELECT case_key, m{column}, v{column} FROM {{cases}} c "
            f"WHERE {where.text} ORDER BY case_row",
            where.parameters,
            query,
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
        # In 32 bits 0.35 of 20 bins is the edge of the seventh, as it is on paper.
        at = f"floor((m{column} - {low!r}::FLOAT) * {1 / width!r}::FLOAT)::BIGINT"
        found = self._rows(
            f"SELECT {at} AS bin, v{column} AS code, count(*) FROM {{cases}} c "
            f"WHERE m{column} IS NOT NULL AND {where.text} GROUP BY bin, code",
            where.parameters,
            query,
        )
        counts = [[0, 0] for _ in range(bins)]
        for place, code, count in found:
            counts[min(max(place, 0), bins - 1)][code != CODES[Verdict.PASSED]] += count
        bars = [(low + n * width, passed, rest) for n, (passed, rest) in enumerate(counts)]
        return bars if found else []

    def causes(self, query: RunQuery, limit: int = 50) -> list[tuple[str, int]]:
        """Return the causes of failures and errors, the most frequent first."""
        where = self._where(query)
        return self._rows(
            f"SELECT cause, count(*) AS times FROM (SELECT unnest(c.causes) AS cause "
            f"FROM {{cases}} c WHERE {where.text}) GROUP BY cause "
            "ORDER BY times DESC, cause LIMIT ?",
            [*where.parameters, limit],
            query,
        )

    def slice_names(self) -> list[str]:
        """Return what the run can be sliced by: ``tag``, then the fields of metadata."""
        has_tags = self._rows("SELECT count(*) FROM {cases} WHERE len(tags) > 0")[0][0]
        names = self._rows(
            "SELECT DISTINCT unnest(map_keys(metadata)) AS name FROM {cases} ORDER BY name"
        )
        return [TAG] * bool(has_tags) + [name for (name,) in names if name != TAG]

    def slices(self, name: str, query: RunQuery, limit: int = 100) -> list[Group]:
        """Return the groups by ``tag`` or a field of metadata, the largest first."""
        where, group = self._where(query), group_sql(name)
        found = self._rows(
            f"SELECT grp, verdict, count(*), list(DISTINCT case_key) FROM "
            f"(SELECT unnest({group.text}) AS grp, c.verdict, c.case_key FROM {{cases}} c "
            f"WHERE {where.text}) WHERE grp IS NOT NULL GROUP BY grp, verdict",
            [*group.parameters, *where.parameters],
            query,
        )
        return groups_of(found)[:limit]

    def ask(self, sql: str, parameters: Sequence[object], query: RunQuery) -> list[Any]:
        """Return the rows that a question about ``{cases} c`` has.

        ``{where}`` in it stands for the condition of a query, ``parameters`` for those after it.
        """
        where = self._where(query)
        asked = sql.replace("{where}", where.text)
        return self._rows(asked, [*where.parameters, *parameters], query)

    def _where(self, query: RunQuery) -> Sql:
        return condition(query, self.manifest)

    def _rows(
        self, sql: str, parameters: Sequence[object] = (), query: RunQuery | None = None
    ) -> list[Any]:
        """Ask about ``{cases}``, and ``{matches}`` where the query has a text."""
        with self._names(query) as names:
            return engine().rows(_filled(sql, names), parameters)

    @contextmanager
    def _names(self, query: RunQuery | None) -> Iterator[dict[str, str]]:
        words = words_of(query) if query is not None else ()
        with ExitStack() as stack:
            names = {"{cases}": stack.enter_context(self.table())}
            if words:
                key = (*self.key, "words", *words)
                found = matching(words, self._details)
                make = creating(found.text, found.parameters)
                names["{matches}"] = stack.enter_context(engine().holding(key, make))
            yield names

    @contextmanager
    def _ordered(self, query: RunQuery) -> Iterator[str]:
        """Give the name of a table of the matching case results in the order of the query."""
        where, by = self._where(query), order(query, self.manifest)
        sql = f"SELECT c.case_row FROM {{cases}} c WHERE {where.text} ORDER BY {by}"
        key = (*self.key, "order", sql, repr(where.parameters), *words_of(query))
        with self._names(query) as names:
            make = creating(_filled(sql, names), where.parameters)
            with engine().holding(key, make) as places:
                yield places

    def _stepped(self, query: RunQuery, case_row: int) -> tuple[int | None, int | None]:
        """Return the same where each case result has a number of its own to be sorted by."""
        where, by = self._where(query), order(query, self.manifest)
        here = self._rows(f"SELECT {by} FROM {{cases}} c WHERE c.case_row = ?", [case_row])
        if not here:
            return None, None
        at = here[0][0]
        before, after, is_here = self._rows(
            "SELECT max(k) FILTER (k < ?), min(k) FILTER (k > ?), bool_or(k = ?) "
            f"FROM (SELECT {by} AS k FROM {{cases}} c WHERE {where.text})",
            [at, at, at, *where.parameters],
            query,
        )[0]
        if not is_here:
            return None, None
        sql = f"SELECT {by}, c.case_row FROM {{cases}} c WHERE {by} IN (?, ?)"
        found = dict(self._rows(sql, [before, after]))
        return found.get(before), found.get(after)

    def _far_rows(self, query: RunQuery) -> list[int]:
        """Return the case results of a page deep in the list, without sorting all before it."""
        by_number = self._by_number(query)
        if by_number is not None:
            return by_number
        with self._ordered(query) as places:
            found = engine().rows(
                f"SELECT case_row FROM {places} WHERE rowid >= ? AND rowid < ? ORDER BY rowid",
                [query.offset, query.offset + query.limit],
            )
        return [row for (row,) in found]

    def _by_number(self, query: RunQuery) -> list[int] | None:
        """Return the same by sorting only those of the numbers on the page; None for others."""
        number, where = number_of(query, self.manifest), self._where(query)
        if number is None:
            return None
        turned = " DESC" if falls(query) else ""
        last = query.offset + query.limit
        ends = self._rows(
            "SELECT min(number), max(number), min(before) FROM (SELECT number, n, "
            f"sum(n) OVER (ORDER BY number{turned}) - n AS before FROM (SELECT {number} AS number, "
            f"count(*) AS n FROM {{cases}} c WHERE {where.text} GROUP BY number)) "
            "WHERE before < ? AND before + n > ?",
            [*where.parameters, last, query.offset],
            query,
        )[0]
        if ends[0] is None:
            return []
        found = self._rows(
            f"SELECT case_row FROM {{cases}} c WHERE {where.text} "
            f"AND ({number}) >= ?::FLOAT AND ({number}) <= ?::FLOAT "
            f"ORDER BY {order(query, self.manifest)} LIMIT ? OFFSET ?",
            [*where.parameters, ends[0], ends[1], query.limit, query.offset - int(ends[2])],
            query,
        )
        return [row for (row,) in found]

    def _lines_at(self, rows: Sequence[int], columns: str) -> list[Any]:
        lines = self._rows(
            f"SELECT {columns} FROM {{cases}} c WHERE c.case_row IN (SELECT unnest(?::INTEGER[]))",
            [list(rows)],
        )
        at = {row: place for place, row in enumerate(rows)}
        return sorted(lines, key=lambda line: at[line[0]])


def _filled(sql: str, names: Mapping[str, str]) -> str:
    for place, name in names.items():
        sql = sql.replace(place, name)
    return sql
