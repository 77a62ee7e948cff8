"""Which case results of a run are wanted, in which order, as SQL with parameters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

from evalcore.errors import EvaldeskError
from evalcore.results import Verdict
from evalcore.store.documents import utf8
from evalcore.store.manifest import Manifest
from evalcore.store.marks import CODES

Mode = Literal["all", "failures", "errors", "passes", "flaky", "not_evaluated"]
Comparison = Literal["<", "<=", "=", ">=", ">"]
Order = Literal["worst", "file", "name", "duration"]
"""Or ``metric:<key>`` as the sort of a query: by that metric, errors first, then the lowest."""

COMPARISONS = ("<", "<=", "=", ">=", ">")
WORST_FIRST = "c.place"
FILE_ORDER = "c.case_row"
TAG = "tag"
"""The name of the slice by tags; it hides a field of metadata of this name."""

MODES: dict[Mode, str] = {
    "all": "TRUE",
    "failures": f"c.verdict IN ({CODES[Verdict.FAILED]}, {CODES[Verdict.ERROR]})",
    "errors": f"c.verdict = {CODES[Verdict.ERROR]}",
    "passes": f"c.verdict = {CODES[Verdict.PASSED]}",
    "not_evaluated": f"c.verdict = {CODES[Verdict.NOT_EVALUATED]}",
    "flaky": "c.is_flaky",
}


@dataclass(frozen=True, slots=True)
class MetricFilter:
    """What one evaluator must have said: a verdict, or a value on 0–1 on one side of a number."""

    key: str
    verdict: Verdict | None = None
    comparison: Comparison | None = None
    value: float = 0.0


@dataclass(frozen=True, slots=True)
class RunQuery:
    """Which case results are wanted; the default is all of them, worst first.

    Every word of ``text`` must occur somewhere in a result. ``tags`` must all be there. ``slices``
    are pairs of a slice's name and its group, as ``StoredRun.slices`` gives them. ``cases`` are
    case keys, ``rows`` places in the run; None does not restrict. ``sort`` is worst, file, name,
    duration (the longest first) or ``metric:<key>``.
    """

    mode: Mode = "all"
    text: str = ""
    metrics: tuple[MetricFilter, ...] = ()
    tags: tuple[str, ...] = ()
    slices: tuple[tuple[str, str], ...] = ()
    cause: str | None = None
    cases: frozenset[str] | None = None
    rows: tuple[int, ...] | None = None
    sort: str = "worst"
    descending: bool = False
    limit: int = 100
    offset: int = 0

    @property
    def is_open(self) -> bool:
        """Return whether every case result matches."""
        return replace(self, sort="worst", descending=False, limit=100, offset=0) == RunQuery()


@dataclass(slots=True)
class Sql:
    """A condition or an order, with its parameters."""

    text: str
    parameters: list[object] = field(default_factory=list)


def condition(query: RunQuery, manifest: Manifest) -> Sql:
    """Return the condition on the table of cases ``c``.

    The case results in which the words of its text occur are those of ``{matches}``. Raises
    EvaldeskError for an evaluator that the run does not have.
    """
    parts, parameters = [], []
    for text, values in _parts(query, manifest):
        parts.append(f"({text})")
        parameters += values
    return Sql(" AND ".join(parts), parameters)


def matching(words: tuple[str, ...], details: str) -> Sql:
    """Return the query of the case results in whose texts all words occur."""
    every = " AND ".join("contains(text, ?)" for _ in words)
    return Sql(f"SELECT case_row FROM {details} WHERE {every}", list(words))


def words_of(query: RunQuery) -> tuple[str, ...]:
    """Return the words that are searched for, as the texts are kept."""
    return tuple(dict.fromkeys(utf8(query.text.casefold()).split()))


def group_sql(name: str) -> Sql:
    """Return the groups of a case result in a slice, as a list of texts."""
    if name == TAG:
        return Sql("c.tags")
    return Sql("list_value(map_extract_value(c.metadata, ?))", [utf8(name)])


def _parts(query: RunQuery, manifest: Manifest) -> Iterator[tuple[str, list[object]]]:
    yield MODES[query.mode], []
    for wanted in query.metrics:
        yield from _metric(wanted, manifest)
    for tag in query.tags:
        yield "list_contains(c.tags, ?)", [utf8(tag)]
    for name, value in query.slices:
        group = group_sql(name)
        yield f"list_contains({group.text}, ?)", [*group.parameters, utf8(value)]
    if query.cause is not None:
        yield "list_contains(c.causes, ?)", [utf8(query.cause)]
    if query.cases is not None:
        yield "c.case_key IN (SELECT unnest(?::VARCHAR[]))", [sorted(query.cases)]
    if query.rows is not None:
        yield "c.case_row IN (SELECT unnest(?::INTEGER[]))", [list(query.rows)]
    if words_of(query):
        yield "c.case_row IN (SELECT case_row FROM {matches})", []


def _metric(wanted: MetricFilter, manifest: Manifest) -> Iterator[tuple[str, list[object]]]:
    column = column_of(wanted.key, manifest)
    if wanted.verdict is not None:
        yield f"c.v{column} = ?", [CODES[wanted.verdict]]
    if wanted.comparison is not None:
        if wanted.comparison not in COMPARISONS:
            raise EvaldeskError(f"Values cannot be compared by {wanted.comparison!r}")
        # Tables hold 32-bit numbers: 0.7 must equal the 0.7 that was stored.
        yield f"c.m{column} {wanted.comparison} ?::FLOAT", [wanted.value]
    if wanted.verdict is None and wanted.comparison is None:
        yield f"c.m{column} IS NOT NULL OR c.v{column} IS NOT NULL", []


def order(query: RunQuery, manifest: Manifest) -> str:
    """Return the ORDER BY of a query; ties keep the order of the run."""
    turned = " DESC" if query.descending else ""
    match query.sort:
        case "worst":
            return f"{WORST_FIRST}{turned}"
        case "file":
            return f"{FILE_ORDER}{turned}"
        case "name":
            return f"c.case_key{turned}, c.case_row"
        case "duration":
            turned = "" if query.descending else " DESC"
            return f"{number_of(query, manifest)}{turned}, c.case_row"
        case sort if sort.startswith("metric:"):
            return f"{number_of(query, manifest)}{turned}, c.case_row"
        case other:
            raise EvaldeskError(f"A run cannot be sorted by {other!r}")


def number_of(query: RunQuery, manifest: Manifest) -> str | None:
    """Return the number that a query sorts by, never NULL; None where it sorts by no number.

    Errors come first and what has no number comes last, in either direction.
    """
    first, last = ("'infinity'", "'-infinity'") if falls(query) else ("'-infinity'", "'infinity'")
    if query.sort == "duration":
        return f"coalesce(c.duration_s, {last}::FLOAT)"
    if query.sort.startswith("metric:"):
        n = column_of(query.sort.removeprefix("metric:"), manifest)
        return (
            f"CASE WHEN c.v{n} = {CODES[Verdict.ERROR]} THEN {first}::FLOAT "
            f"WHEN c.m{n} IS NULL THEN {last}::FLOAT ELSE c.m{n} END"
        )
    return None


def falls(query: RunQuery) -> bool:
    """Return whether the numbers that a query sorts by fall: a duration is longest first."""
    return query.descending != (query.sort == "duration")


def column_of(key: str, manifest: Manifest) -> int:
    """Return the number of an evaluator's columns; raises EvaldeskError where there are none."""
    metric = manifest.metric(key)
    if metric is None:
        raise EvaldeskError(
            f"This run has no check {key!r}", hint="Choose one of the checks of this run."
        )
    return metric.column
