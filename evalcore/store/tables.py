"""The tables of a run as Parquet: written in parts, joined into one file each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evalcore.store.rows import Row, Rows

if TYPE_CHECKING:
    import pyarrow as pa

    from evalcore.store.manifest import MetricSummary

CASES, SCORES, DETAILS = "cases", "scores", "details"
NAMES = (CASES, SCORES, DETAILS)
ROW_GROUPS = {CASES: 100_000, SCORES: 100_000, DETAILS: 2_000}
ORDER = {CASES: "case_row", SCORES: "row_id", DETAILS: "case_row"}
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
        "metadata": "string",
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
    DETAILS: {"case_row": "int32", "doc": "string", "text": "string"},
}


def write_part(folder: Path, number: int, rows: Rows) -> None:
    """Write the rows of all three tables as one part each."""
    for name, held in ((CASES, rows.cases), (SCORES, rows.scores), (DETAILS, rows.details)):
        write_rows(folder / f"{name}-{number:06d}.parquet", name, held)


def write_rows(path: Path, name: str, rows: Sequence[Row]) -> None:
    """Write rows as a Parquet file with the columns of a table and those of its metrics."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    metrics = sorted(
        {key for row in rows for key in row if key not in COLUMNS[name]}, key=_metric_order
    )
    kinds = dict(COLUMNS[name]) | {m: "float32" if m[0] == "m" else "uint8" for m in metrics}
    columns = {key: pa.array(_column(rows, key), type=_arrow(kind)) for key, kind in kinds.items()}
    pq.write_table(pa.table(columns), path, compression="zstd")


def join_parts(folder: Path, name: str, metrics: Iterable[MetricSummary]) -> Path:
    """Return one file made of all parts of a table, with columns for every metric of the run."""
    import duckdb

    target = folder / f"{name}.parquet"
    parts = sorted(folder.glob(f"{name}-*.parquet"))
    if not parts:
        write_rows(folder / f"{name}-000000.parquet", name, [])
    with duckdb.connect() as connection:
        # One thread keeps the order of the rows, and the memory small.
        connection.execute("SET threads = 1")
        source = connection.from_parquet(str(folder / f"{name}-*.parquet"), union_by_name=True)
        known = set(source.columns)
        added = "" if name == DETAILS else _missing(known, metrics)
        connection.execute(
            f"COPY (SELECT *{added} FROM read_parquet(?, union_by_name = true) "
            f"ORDER BY {ORDER[name]}) TO '{_quoted(target)}' "
            f"(FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE {ROW_GROUPS[name]})",
            [str(folder / f"{name}-*.parquet")],
        )
    return target


def _missing(known: set[str], metrics: Iterable[MetricSummary]) -> str:
    found = ""
    for metric in metrics:
        for column, kind in ((f"m{metric.column}", "FLOAT"), (f"v{metric.column}", "UTINYINT")):
            if column not in known:
                found += f", NULL::{kind} AS {column}"
    return found


def _quoted(path: Path) -> str:
    return str(path).replace("'", "''")


def _metric_order(column: str) -> tuple[int, str]:
    return int(column[1:]), column[0]


def _column(rows: Sequence[Row], key: str) -> list[Any]:
    if key in ("doc", "case_id", "case_key", "name", "stored_status", "text"):
        return [_utf8(row.get(key)) for row in rows]
    if key in ("causes", "tags"):
        return [[_utf8(text) for text in row.get(key) or ()] for row in rows]
    return [row.get(key) for row in rows]


def _utf8(text: str | None) -> str | None:
    """Return text that UTF-8 can hold: halves of broken emoji become question marks."""
    return None if text is None else text.encode("utf-8", "replace").decode("utf-8")


def _arrow(kind: str) -> pa.DataType:
    import pyarrow as pa

    if kind == "strings":
        return pa.list_(pa.string())
    return pa.type_for_alias(kind)
