"""A run as JSON for programs: its manifest, its numbers, and every case result in full."""

from __future__ import annotations

import json
from typing import IO, Any

from evalcore.counting import CaseRow, Cell
from evalcore.report.facts import Facts, facts_of
from evalcore.report.selection import Selection
from evalcore.report.texts import json_line
from evalcore.store import CaseLine
from evalcore.store.documents import plain
from evalcore.store.manifest import write_manifest
from evalcore.verdicts import WORST_FIRST

VERSION = 1
"""The version of this layout; it goes up when a key changes its meaning or goes away."""


def write(selection: Selection, stream: IO[bytes]) -> None:
    """Write one JSON object in ASCII, with one line for each case result.

    NaN and infinities are the texts ``NaN``, ``Infinity`` and ``-Infinity``.
    """
    facts = facts_of(selection)
    head = {
        "version": VERSION,
        "run": json.loads(write_manifest(selection.run.manifest)),
        "selection": facts.scope,
        "summary": _summary(facts),
    }
    opening = json_line(head).removesuffix("}")
    stream.write(f'{opening},\n"cases":['.encode())
    before = "\n"
    for line, row in selection.results():
        stream.write(f"{before}{json_line(_case(line, row))}".encode())
        before = ",\n"
    stream.write(b"\n]}\n")


def _summary(facts: Facts) -> dict[str, Any]:
    rate, (low, high) = facts.rate, facts.rate.interval
    is_known = rate.share is not None
    return {
        "case_results": facts.total,
        "counts": {verdict.value: facts.counts[verdict] for verdict in WORST_FIRST},
        "scored": rate.judged,
        "passed": rate.passed,
        "rate": rate.share,
        "interval": [low, high] if is_known else None,
        "interval_method": "Wilson, 95 %, on different cases",
        "interval_cases": rate.independent,
        "checks": [
            {
                "key": found.metric.key,
                "label": found.metric.label,
                "informational": found.metric.informational,
                "scored": found.scored,
                "counts": {verdict.value: found.counts[verdict] for verdict in WORST_FIRST},
                "mean": found.mean,
                "lowest": found.low,
                "highest": found.high,
            }
            for found in facts.metrics
        ],
        "causes": [{"cause": cause, "case_results": times} for cause, times in facts.causes],
        "cautions": [str(caution) for caution in facts.cautions],
    }


def _case(line: CaseLine, row: CaseRow) -> dict[str, Any]:
    return {
        "place": line.case_row,
        "case_key": line.case_key,
        "repeat": line.repeat,
        "verdict": line.verdict.value,
        "is_near": line.is_near,
        "is_flaky": line.is_flaky,
        "tags": line.tags,
        "causes": line.causes,
        "checks": {key: _check(cell) for key, cell in row.cells.items()},
        "result": plain(row.case),
    }


def _check(cell: Cell) -> dict[str, Any]:
    score = cell.score
    return {
        "value": score.value,
        "native": score.native,
        "verdict": None if cell.verdict is None else cell.verdict.value,
    }
