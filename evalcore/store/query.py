"""Which case results of a run are wanted, in which order, as SQL with parameters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

from evalcore.errors import EvaldeskError
from evalcore.results import Verdict
from evalcore.store.manifest import Manifest
from evalcore.store.rows import CODES

Mode = Literal["all", "failures", "errors", "passes", "flaky", "not_evaluated"]
Comparison = Literal["<", "<=", "=", ">=", ">"]
Order = Literal["worst", "file", "name", "duration"]
"""Or ``metric:<key>`` as the sort of a query: by that metric, lowest first."""

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
    are pairs of a metadata field and its value as JSON. ``cases`` are case keys, ``rows`` places in
    the run; None does not restrict. ``sort`` is worst, file, name, duration or ``metric:<key>``.
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


def condition(query: RunQuery, manifest: Manifest, details: str) -> Sql:
    """Return the condition on the table of cases ``c``; ``details`` is that of the texts.

    Raises EvaldeskError for an evaluator that the run does not have.
    """
    parts, parameters = [], []
    for text, values in _parts(query, manifest, details):
        parts.append(f"({text})")
        parameters += values
    return Sql(" AND ".join(parts), parameters)


def _parts(query: RunQuery, manifest: Manifest, details: str) -> Iterator[tuple[str, list[object]]]:
    yield MODES[query.mode], []
    for wanted in query.metrics:
        yield from _metric(wanted, manifest)
    for tag in query.tags:
        yield "list_contains(c.tags, ?)", [tag]
    for name, value in query.slices:
        yield "json_extract(c.metadata, ?) = ?::JSON", [f'$."{name}"', value]
    if query.cause is not None:
        yield "list_contains(c.causes, ?)", [query.cause]
    if query.cases is not None:
        yield "list_contains(?::VARCHAR[], c.case_key)", [sorted(query.cases)]
    if query.rows is not None:
        yield "list_contains(?::INTEGER[], c.case_row)", [list(query.rows)]
    words = query.text.casefold().split()
    if words:
        every = " AND ".join("contains(text, ?)" for _ in words)
        yield f"c.case_row IN (SELECT case_row FROM {details} WHERE {every})", list(words)


def _metric(wanted: MetricFilter, manifest: Manifest) -> Iterator[tuple[str, list[object]]]:
    column = column_of(wanted.key, manifest)
    if wanted.verdict is not None:
        yield f"c.v{column} = ?", [CODES[wanted.verdict]]
    if wanted.comparison is not None:
        # Tables hold 32-bit numbers: 0.7 must equal the 0.7 that was stored.
        yield f"c.m{column} {wanted.comparison} ?::FLOAT", [wanted.value]
    if wanted.verdict is None and wanted.comparison is None:
        yield f"c.m{column} IS NOT NULL OR c.v{column} IS NOT NULL", []


def order(query: RunQuery, manifest: Manifest) -> str:
    """Return the ORDER BY of a query; ties keep the order of the run."""
    turned = " DESC" if query.descending else ""
    match query.sort:
        case "worst":
            return f"c.rank{turned}, c.worst{turned}, c.case_row"
        case "file":
            return f"c.case_row{turned}"
        case "name":
            return f"c.case_key{turned}, c.case_row"
        case "duration":
            turned = "" if query.descending else " DESC"
            return f"c.duration_s{turned} NULLS LAST, c.case_row"
        case sort if sort.startswith("metric:"):
            column = column_of(sort.removeprefix("metric:"), manifest)
            return f"c.v{column} = 0 DESC NULLS LAST, c.m{column}{turned} NULLS LAST, c.case_row"
        case other:
            raise EvaldeskError(f"A run cannot be sorted by {other!r}")


def column_of(key: str, manifest: Manifest) -> int:
    """Return the number of an evaluator's columns; raises EvaldeskError where there are none."""
    metric = manifest.metric(key)
    if metric is None:
        raise EvaldeskError(
            f"This run has no check {key!r}", hint="Choose one of the checks of this run."
        )
    return metric.column
