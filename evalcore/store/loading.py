"""The table of a run's case results in memory, judged by a pass mark."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evalcore.errors import EvaldeskError
from evalcore.store.manifest import Manifest
from evalcore.store.marks import CASE_COLUMNS, CHECK_COLUMNS, judged_sql
from evalcore.store.ranking import RANK_COLUMNS, ranked_sql
from evalcore.store.tables import quoted
from evalcore.verdicts import PassMark

if TYPE_CHECKING:
    import duckdb

    from evalcore.store.engine import Make
    from evalcore.store.place import Place

UNUSED = ("stored_verdict", "stored_status", "rank", "worst")
"""Columns that no question is about."""
BLANK = {
    "case_id": "case_key",
    "name": "''",
    "repeat": "0",
    "is_flaky": "FALSE",
    "turns": "1",
    "duration_s": "NULL::FLOAT",
    "tokens": "NULL::BIGINT",
    "tags": "[]::VARCHAR[]",
    "metadata": "NULL::MAP(VARCHAR, VARCHAR)",
}
"""What stands for a column that is not loaded, because it says the same in every row."""


def load_cases(place: Place, manifest: Manifest, mark: PassMark | None) -> Make:
    """Return what makes the table; ``mark`` judges anew where the system has no pass rule.

    The table is a view, so that columns in which nothing stands take no memory.
    """
    address = quoted(place.address(f"{manifest.id}/cases.parquet"))
    left_out = [*UNUSED, *(name for name in manifest.blank if name in BLANK)]
    if not manifest.has_pass_rule:
        left_out += CASE_COLUMNS
        left_out += [f"{kind}{m.column}" for m in manifest.metrics for kind in CHECK_COLUMNS]
    judged = _judged(f"read_parquet('{address}')", manifest, mark)
    blanks = "".join(f", {BLANK[name]} AS {name}" for name in left_out if name in BLANK)

    def make(cursor: duckdb.DuckDBPyConnection, name: str) -> str:
        found = cursor.execute(f"SELECT count(*) FROM read_parquet('{address}')").fetchone()
        if found is None or found[0] != manifest.cases.total:
            raise EvaldeskError(
                f"The run {manifest.name or manifest.id} was replaced meanwhile",
                hint="Open it again.",
            )
        cursor.execute(
            f"CREATE TABLE {name}_held AS SELECT * EXCLUDE ({', '.join(left_out)}) FROM {judged}"
        )
        cursor.execute(f"CREATE VIEW {name} AS SELECT *{blanks} FROM {name}_held")
        return f"DROP VIEW {name}; DROP TABLE {name}_held"

    return make


def _judged(table: str, manifest: Manifest, mark: PassMark | None) -> str:
    if mark is None or manifest.has_pass_rule:
        return table
    numbers = [metric.column for metric in manifest.metrics]
    judged = [metric.column for metric in manifest.metrics if not metric.informational]
    old = f"(SELECT * EXCLUDE ({', '.join(RANK_COLUMNS)}) FROM {table})"
    cases = f"({judged_sql(mark, numbers).replace('{table}', old)})"
    return f"({ranked_sql(cases, judged, has_repeats=manifest.repeats > 1)})"
