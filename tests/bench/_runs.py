"""Large runs for measuring, written as Parquet at once: their numbers look like those of evals."""

from __future__ import annotations

import json
from collections import Counter
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from evalcore.results import Verdict
from evalcore.store import Manifest, MetricSummary, Place, SetFacts, Source, VerdictCounts
from evalcore.store.manifest import write_manifest
from evalcore.store.marks import CODES
from evalcore.store.ranking import ranked_sql
from evalcore.store.tables import COLUMNS, ROW_GROUP

NAMES = ("tool_calls", "reply_in_same_words", "judge", "rubrics", "cited_sources")
MARKS = (1.0, 0.3, 0.5, 0.6, 0.5)
ONCE = ("repeat", "is_flaky")
WORDS = ("refund", "order", "parcel", "invoice", "agent", "reply", "address", "late", "lamp")
START = datetime(2026, 9, 1, tzinfo=UTC)
ERROR, FAILED, PASSED = (CODES[v] for v in (Verdict.ERROR, Verdict.FAILED, Verdict.PASSED))


class Shape(NamedTuple):
    """How large a run is; ``texts`` writes texts of its own for each result, else the same ones."""

    cases: int
    repeats: int
    metrics: int
    texts: bool = False


def write_run(place: Place, name: str, shape: Shape, seed: int, drift: float = 0.0) -> Manifest:
    """Write a run of one turn per result; ``drift`` raises or lowers its scores."""
    chance = np.random.default_rng(seed)
    total = shape.cases * shape.repeats
    keys = [f"case-{number:07d}" for number in range(shape.cases) for _ in range(shape.repeats)]
    values = _values(chance, total, shape.metrics, drift)
    broken = chance.random(total) < 0.005
    codes = [
        np.where(value >= mark, PASSED, FAILED) for value, mark in zip(values, MARKS, strict=False)
    ]
    verdict = np.where(broken, ERROR, np.minimum.reduce(codes)).astype(np.uint8)
    columns: dict[str, Any] = {
        "row": np.arange(total, dtype=np.int32),
        "key": pa.array(keys),
        "repeat": np.tile(np.arange(shape.repeats, dtype=np.int32), shape.cases),
        "verdict": verdict,
        "duration": np.round(chance.lognormal(0.7, 0.6, total), 1).astype(np.float32),
    }
    scores = {}
    for number, (value, code) in enumerate(zip(values, codes, strict=True)):
        scores[f"m{number}"] = pa.array(value.astype(np.float32), mask=broken)
        scores[f"v{number}"] = pa.array(code.astype(np.uint8), mask=broken)
    with TemporaryDirectory() as folder:
        for table, made in (
            ("cases", _cases(columns, scores, chance)),
            ("scores", _scores(columns, scores)),
        ):
            path = Path(folder) / f"{table}.parquet"
            pq.write_table(made, path, compression="zstd", row_group_size=ROW_GROUP)
            place.put(path, f"{name}/{table}.parquet")
        path = Path(folder) / "details.parquet"
        _write_details(path, total, keys, values, chance if shape.texts else None)
        place.put(path, f"{name}/details.parquet")
    manifest = _manifest(name, shape, keys, verdict, values, codes, broken, seed)
    place.write(f"{name}/run.json", write_manifest(manifest))
    return manifest


def _values(chance: Any, total: int, metrics: int, drift: float) -> list[Any]:
    """Return scores: shares of calls, of shared words, of votes, of rubrics, of sources."""
    skill = np.clip(chance.beta(5, 1.6, total) + drift, 0, 1)
    calls = chance.integers(1, 5, total)
    wanted, made = chance.integers(40, 60, total), chance.integers(40, 60, total)
    found = [
        chance.binomial(calls, skill**0.2) / calls,
        2 * chance.binomial(np.minimum(wanted, made), skill) / (wanted + made),
        chance.binomial(5, skill) / 5,
        chance.binomial(4, np.sqrt(skill)) / 4,
        chance.binomial(1, np.sqrt(skill)).astype(float),
    ]
    return found[:metrics]


def _cases(columns: dict[str, Any], scores: dict[str, Any], chance: Any) -> pa.Table:
    verdict, total = columns["verdict"], len(columns["verdict"])
    reasons = np.array(["missing tool call: refund", "reply_in_same_words: # words differ"])
    told = [
        [reasons[i]] if v < 2 else []
        for v, i in zip(verdict, chance.integers(0, 2, total), strict=True)
    ]
    fixed = {
        "case_row": columns["row"],
        "case_key": columns["key"],
        "case_id": columns["key"],
        "name": pa.array([""] * total),
        "repeat": columns["repeat"],
        "verdict": verdict,
        "stored_verdict": verdict,
        "stored_status": pa.array([""] * total),
        "is_near": chance.random(total) < 0.03,
        "causes": pa.array(told, pa.list_(pa.string())),
        "turns": np.ones(total, dtype=np.int32),
        "duration_s": columns["duration"],
        "tokens": chance.integers(20, 90, total) * 16,
        "tags": pa.array([[["smoke"], ["returns"], []][n % 3] for n in range(total)]),
        "metadata": pa.nulls(total, pa.map_(pa.string(), pa.string())),
    }
    assert list(fixed) == list(COLUMNS["cases"])
    cases = pa.table(fixed | scores)
    numbers = list(range(len(scores) // 2))
    has_repeats = bool(columns["repeat"].any())
    with duckdb.connect() as connection:
        connection.register("made", cases)
        return connection.sql(ranked_sql("made", numbers, has_repeats=has_repeats)).to_arrow_table()


def _scores(columns: dict[str, Any], scores: dict[str, Any]) -> pa.Table:
    fixed = {
        "row_id": columns["row"],
        "case_row": columns["row"],
        "case_id": columns["key"],
        "inv": np.zeros(len(columns["row"]), dtype=np.int32),
        "repeat": columns["repeat"],
        "verdict": columns["verdict"],
        "duration_s": columns["duration"],
    }
    assert list(fixed) == list(COLUMNS["scores"])
    return pa.table(fixed | scores)


def _write_details(path: Path, total: int, keys: list[str], values: list[Any], chance: Any) -> None:
    """Write about 1 KB of JSON and half of that as text per result, or the same for all."""
    schema = pa.schema([("case_row", pa.int32()), ("doc", pa.string()), ("text", pa.string())])
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        for start in range(0, total, 2_000):
            rows = range(start, min(start + 2_000, total))
            if chance is None:
                docs = [_doc(0, "any case", values, "where is my parcel")] * len(rows)
                texts = ["where is my parcel"] * len(rows)
            else:
                texts = [" ".join(chance.choice(WORDS, 90)) for _ in rows]
                docs = [
                    _doc(row, keys[row], values, text)
                    for row, text in zip(rows, texts, strict=True)
                ]
            writer.write_table(pa.table([list(rows), docs, texts], schema=schema))


def _doc(row: int, key: str, values: list[Any], text: str) -> str:
    scores = [
        {
            "evaluator": NAMES[number],
            "value": float(value[row]),
            "native": float(value[row]),
            "threshold": MARKS[number],
            "verdict": "passed" if value[row] >= MARKS[number] else "failed",
        }
        for number, value in enumerate(values)
    ]
    turn = {"origin": f"/{row}/0", "index": 0, "input": text[:90], "scores": scores}
    said = {"expected_output": text, "actual_output": text[::-1]}
    return json.dumps({"origin": f"/{row}", "case_id": key, "invocations": [turn | said]})


def _manifest(
    name: str,
    shape: Shape,
    keys: list[str],
    verdict: Any,
    values: list[Any],
    codes: list[Any],
    broken: Any,
    seed: int,
) -> Manifest:
    counted = Counter(verdict.tolist())
    order = sha256(b"".join(key.encode() + b"\0" for key in keys))
    by_case = verdict.reshape(shape.cases, shape.repeats)
    flaky = (by_case == PASSED).any(axis=1) & (by_case < CODES[Verdict.NOT_EVALUATED]).any(axis=1)
    at = START + timedelta(hours=seed)
    return Manifest(
        id=name,
        name=name,
        source=Source(kind="outputs"),
        format_id="adk",
        eval_set=SetFacts(id="bench", cases=shape.cases),
        started_at=at,
        finished_at=at,
        imported_at=at,
        cases=VerdictCounts(passed=counted[PASSED], failed=counted[FAILED], error=counted[ERROR]),
        invocations=len(keys),
        distinct=shape.cases,
        repeats=shape.repeats,
        flaky=int(flaky.sum()),
        key_order=order.hexdigest(),
        blank=("case_id", "name", "metadata", "turns", *ONCE * (shape.repeats == 1)),
        metrics=tuple(
            MetricSummary(
                key=NAMES[number],
                label=NAMES[number],
                column=number,
                scored=int((~broken).sum()),
                counts=VerdictCounts(
                    passed=int(((code == PASSED) & ~broken).sum()),
                    failed=int(((code == FAILED) & ~broken).sum()),
                ),
                mean=float(value[~broken].mean()),
                low=0.0,
                high=1.0,
                thresholds=(MARKS[number],),
            )
            for number, (value, code) in enumerate(zip(values, codes, strict=True))
        ),
    )
