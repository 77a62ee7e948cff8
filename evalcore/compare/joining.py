"""The cases of two runs side by side, as a table of the engine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from evalcore.compare.outcomes import (
    delta_sql,
    fall_sql,
    grouped_sql,
    outcome_sql,
    single_sql,
)
from evalcore.store import StoredRun
from evalcore.store.engine import creating, engine

if TYPE_CHECKING:
    import duckdb


@dataclass(frozen=True, slots=True)
class Joined:
    """Where to select from: ``left`` and ``right`` have a row per case, ``pairs`` one per pair.

    The columns of a side are those of ``outcomes.grouped_sql``; those of a pair ``l_row`` and
    ``r_row`` (NULL where the side has no such case), ``delta``, ``outcome`` and ``fall``.
    """

    left: str
    right: str
    pairs: str
    both: str
    """The sides ``l`` and ``r`` of the cases that both runs have."""
    left_results: str
    right_results: str
    """The runs' own tables of case results, a row for each repeat."""


@contextmanager
def joined(
    left: StoredRun, right: StoredRun, shared: Sequence[tuple[int, int]]
) -> Iterator[Joined]:
    """Give the tables of two runs side by side; they stay in the block.

    ``shared`` has the columns of the metrics that both runs have.
    """
    with (
        left.table() as left_results,
        right.table() as right_results,
        _side(left, left_results) as lefts,
        _side(right, right_results) as rights,
    ):

        def make(cursor: duckdb.DuckDBPyConnection, name: str) -> str:
            return creating(_pairs(lefts, rights, left, right, shared))(cursor, name)

        with engine().holding(("pair", left.key, right.key), make) as pairs:
            both = _both(lefts, rights, pairs, left, right)
            yield Joined(lefts, rights, pairs, both, left_results, right_results)


def _pairs(
    lefts: str,
    rights: str,
    left: StoredRun,
    right: StoredRun,
    shared: Sequence[tuple[int, int]],
) -> str:
    has_repeats = max(left.manifest.repeats, right.manifest.repeats) > 1
    how, on = "FULL OUTER JOIN", "ON l.case_key = r.case_key"
    if _are_alike(left, right):
        how, on = "POSITIONAL JOIN", ""
    return (
        f"SELECT l.case_row AS l_row, r.case_row AS r_row, {delta_sql(shared)} AS delta, "
        f"{outcome_sql(has_repeats=has_repeats)} AS outcome, {fall_sql()} AS fall "
        f"FROM {lefts} AS l {how} {rights} AS r {on}"
    )


def _both(lefts: str, rights: str, pairs: str, left: StoredRun, right: StoredRun) -> str:
    if _are_alike(left, right):
        return f"{lefts} AS l POSITIONAL JOIN {rights} AS r"
    return (
        f"{pairs} AS p JOIN {lefts} AS l ON p.l_row = l.case_row "
        f"JOIN {rights} AS r ON p.r_row = r.case_row"
    )


def _are_alike(left: StoredRun, right: StoredRun) -> bool:
    """Return whether the runs have the same cases in the same order, each once."""
    a, b = left.manifest, right.manifest
    return a.repeats == b.repeats == 1 and bool(a.key_order) and a.key_order == b.key_order


@contextmanager
def _side(run: StoredRun, table: str) -> Iterator[str]:
    columns = [metric.column for metric in run.metrics]
    if run.manifest.repeats == 1:
        yield f"({single_sql(table, columns)})"
        return
    make = creating(grouped_sql(table, columns))
    with engine().holding((*run.key, "by case"), make) as grouped:
        yield grouped
