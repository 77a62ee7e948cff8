"""The tables of a run as Parquet: the texts as they come, the rest in parts that are joined."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evalcore.store import marks
from evalcore.store.documents import utf8
from evalcore.store.ranking import ranked_sql
from evalcore.store.rows import Row, Rows

if TYPE_CHECKING:
    import pyarrow as pa

    from evalcore.store.tally import Tally

CASES, SCORES, DETAILS = "cases", "scores", "details"
NAMES = (CASES, SCORES, DETAILS)
ROW_GROUP = 100_000
MEMORY = "400MB"
"""What putting the tables in order may take; more is kept on the disk meanwhile."""
DETAILS_ROWS, DETAILS_BYTES = 2_000, 4_000_000
"""A group of texts holds this many, or this many bytes: one text is read with all of its group."""
COLUMNS = {
    CASES: {
        "case_row": "int32",
        "case_key": "string",
        "case_id": "string",
        "name": "string",
        "repeat": "int32",
        "verdict": "uint8",
        "stored_verdict": "uint8",
        "stored_status": "string",
        "is_near": "bool",
        "causes": "strings",
        "turns": "int32",
        "duration_s": "float32",
        "tokens": "int64",
        "tags": "strings",
        "metadata": "pairs",
    },
    SCORES: {
        "row_id": "int32",
        "case_row": "int32",
        "case_id": "string",
        "inv": "int32",
        "repeat": "int32",
        "verdict": "uint8",
        "duration_s": "float32",
    },
    DETAILS: {"case_row": "int32", "doc": "string", "text": "string", "content": "string"},
}
_CHECKS = {"m": "float32", "v": "uint8"} | marks.CHECK_COLUMNS
_SQL = {"float32": "FLOAT", "float64": "DOUBLE", "uint8": "UTINYINT", "string": "VARCHAR"}


class Tables:
    """The tables of one run while it is written, in a folder of their own.

    ``is_open`` says that a pass mark of the user decides verdicts. What is held in memory does not
    grow with the run.
    """

    def __init__(self, folder: Path, *, is_open: bool = False) -> None:
        self._folder = folder
        self._is_open = is_open
        self._parts = 0
        self._details: Any = None

    def add(self, rows: Rows) -> None:
        """Write some rows."""
        import pyarrow.parquet as pq

        for name, held in ((CASES, rows.cases), (SCORES, rows.scores)):
            path = self._folder / f"{name}-{self._parts:06d}.parquet"
            pq.write_table(table_of(name, held, is_open=self._is_open), path, compression="zstd")
        self._parts += 1
        self._write_details(rows.details)

    def finished(self, name: str, tally: Tally) -> Path:
        """Return one file with all rows of a table, with columns for every metric of the run."""
        if not self._parts:
            self.add(Rows())
        if name != DETAILS:
            return self._joined(name, tally)
        self._details.close()
        return self._folder / f"{DETAILS}.parquet"

    def close(self) -> None:
        """Let go of the files."""
        if self._details is not None:
            self._details.close()

    def _write_details(self, rows: Sequence[Row]) -> None:
        import pyarrow.parquet as pq

        if self._details is None:
            schema = table_of(DETAILS, []).schema
            path = self._folder / f"{DETAILS}.parquet"
            self._details = pq.ParquetWriter(path, schema, compression="zstd")
        for group in _groups(rows):
            self._details.write_table(table_of(DETAILS, group), row_group_size=len(group))

    def _joined(self, name: str, tally: Tally) -> Path:
        import duckdb

        target = self._folder / f"{name}.parquet"
        parts = [str(self._folder / f"{name}-{n:06d}.parquet") for n in range(self._parts)]
        metrics = tally.summaries()
        with duckdb.connect() as connection:
            # One thread keeps the order of the parts, and the memory small.
            connection.execute("SET threads = 1")
            connection.execute(f"SET memory_limit = '{MEMORY}'")
            connection.execute(f"SET temp_directory = '{quoted(str(self._folder / 'spilled'))}'")
            source = connection.from_parquet(parts, union_by_name=True)
            kinds = ("m", "v", *(marks.CHECK_COLUMNS if self._is_open and name == CASES else ()))
            added = "".join(
                f", NULL::{_SQL[_CHECKS[kind]]} AS {kind}{metric.column}"
                for metric in metrics
                for kind in kinds
                if f"{kind}{metric.column}" not in source.columns
            )
            # By name, not by a pattern: the folder's own name may look like one.
            listed = ", ".join(f"'{quoted(part)}'" for part in parts)
            rows = f"SELECT *{added} FROM read_parquet([{listed}], union_by_name = true)"
            if name == CASES:
                judged = [metric.column for metric in metrics if not metric.informational]
                rows = ranked_sql(f"({rows})", judged, has_repeats=tally.repeats > 1)
            connection.execute(
                f"COPY ({rows}) TO '{quoted(str(target))}' "
                f"(FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE {ROW_GROUP})"
            )
        return target


def table_of(name: str, rows: Sequence[Row], *, is_open: bool = False) -> pa.Table:
    """Return rows with the columns of a table and those of their metrics."""
    import pyarrow as pa

    kinds = dict(COLUMNS[name])
    if is_open and name == CASES:
        kinds |= marks.CASE_COLUMNS
    metrics = {key for row in rows for key in row if key not in kinds}
    kinds |= {key: _CHECKS[key[0]] for key in sorted(metrics, key=_metric_order)}
    return pa.table(
        {key: pa.array(_column(rows, key, kind), type=_arrow(kind)) for key, kind in kinds.items()}
    )


def quoted(text: str) -> str:
    """Return a text for a place between single quotes in SQL."""
    return text.replace("'", "''")


def _groups(rows: Sequence[Row]) -> Iterable[Sequence[Row]]:
    start = size = 0
    for number, row in enumerate(rows):
        size += len(row["doc"]) + len(row["text"])
        if size >= DETAILS_BYTES or number + 1 - start >= DETAILS_ROWS:
            yield rows[start : number + 1]
            start, size = number + 1, 0
    if start < len(rows):
        yield rows[start:]


def _metric_order(column: str) -> tuple[int, str]:
    return int(column[1:]), column[0]


def _column(rows: Sequence[Row], key: str, kind: str) -> list[Any]:
    if kind == "string":
        return [None if (text := row.get(key)) is None else utf8(text) for row in rows]
    if kind == "strings":
        return [[utf8(text) for text in row.get(key) or ()] for row in rows]
    return [row.get(key) for row in rows]


def _arrow(kind: str) -> pa.DataType:
    import pyarrow as pa

    if kind == "strings":
        return pa.list_(pa.string())
    if kind == "pairs":
        return pa.map_(pa.string(), pa.string())
    return pa.type_for_alias(kind)
