"""Every problem of a 10xGraph file: what its loaders refuse, and what they load without a word."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from evalcore.errors import Problem, Severity
from evalcore.formats.base import Detection, Kind
from evalcore.formats.tenxgraph import config_checks, report_checks, schema, set_checks
from evalcore.jsontree import JsonValue, get

if TYPE_CHECKING:
    from evalcore.jsondoc import JsonDocument

_JSON_SEVERITY: Final[Mapping[str, Severity]] = {
    "bom": "error",
    "duplicate_key": "warning",
    "nan": "warning",
    "infinity": "warning",
    "lone_surrogate": "warning",
    "big_integer": "info",
}
"""What Python's JSON reader, which 10xGraph uses, makes of each oddity: only a BOM is refused."""


def problems_of(document: JsonDocument, detection: Detection) -> Iterator[Problem]:
    """Yield the problems of a recognised file."""
    yield from (_as_10xgraph_sees(problem) for problem in document.problems)
    yield from value_problems(document.value, detection.kind)


def value_problems(value: JsonValue, kind: Kind) -> Iterator[Problem]:
    """Yield the problems of a file's content, those that stop 10xGraph first."""
    if kind is Kind.EVAL_SET:
        traps = list(set_checks.hidden_traps(value))
        explained = {p.pointer for p in traps if p.code == set_checks.WRONG_KEY}
        faults = schema.EVAL_SET.faults(value, "", schema.REPORT)
        yield from _grouped(p for p in faults if p.pointer not in explained)
        yield from traps
    elif kind is Kind.CRITERIA:
        yield from _grouped(schema.EVAL_CONFIG.faults(value, "", schema.REPORT))
        yield from config_checks.hidden_traps(value)
    elif kind is Kind.RESULT:
        yield from schema.EVAL_REPORT.faults(value, "", schema.REPORT)
        yield from report_checks.hidden_traps(value)
    elif kind is Kind.PROJECT:
        yield from schema.PROJECT.faults(value, "", schema.REPORT)
        yield from _project(value)


def _as_10xgraph_sees(problem: Problem) -> Problem:
    severity = _JSON_SEVERITY.get(problem.code.rpartition(".")[2])
    return replace(problem, severity=severity) if severity else problem


def _grouped(problems: Iterable[Problem]) -> Iterator[Problem]:
    """Yield the problems, with the same unknown key in many places as one, at the first."""
    unknown: dict[str, list[Problem]] = {}
    for problem in problems:
        if problem.severity == "info" and problem.code == "tenxgraph.unknown_key":
            unknown.setdefault(problem.message, []).append(problem)
        else:
            yield problem
    for same in unknown.values():
        more = f" (So in {len(same)} places.)" if len(same) > 1 else ""
        yield replace(same[0], message=same[0].message + more)


def _project(value: JsonValue) -> Iterator[Problem]:
    threshold = get(value, "/evaluation/threshold")
    if threshold:
        yield schema.REPORT.problem(
            "info",
            "threshold_without_effect",
            "/evaluation/threshold",
            "The threshold does not change how a run ends: “10xgraph eval” reports success only "
            "when every case passes.",
        )
