"""Every problem of a 10xGraph file: what its loaders refuse, and what they load without a word."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from evalcore.errors import Problem, Severity
from evalcore.formats.base import Detection, Kind
from evalcore.formats.tenxgraph import config_checks, report_checks, schema, set_checks
from evalcore.jsontree import JsonValue, get

if TYPE_CHECKING:
    from evalcore.jsondoc import JsonDocument

_JSON_SEVERITY: Final[Mapping[str, Severity]] = {
    "duplicate_key": "warning",
    "nan": "warning",
    "infinity": "warning",
    "lone_surrogate": "warning",
    "big_integer": "info",
}
"""What Python's JSON reader, which 10xGraph uses, makes of each oddity; it refuses a BOM."""


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
        yield from (p for p in faults if p.pointer not in explained)
        yield from traps
    elif kind is Kind.CRITERIA:
        yield from schema.EVAL_CONFIG.faults(value, "", schema.REPORT)
        yield from config_checks.hidden_traps(value)
    elif kind is Kind.RESULT:
        yield from schema.EVAL_REPORT.faults(value, "", schema.REPORT)
        yield from report_checks.hidden_traps(value)
    elif kind is Kind.PROJECT:
        yield from schema.PROJECT.faults(value, "", schema.REPORT)
        yield from _project(value)


def _as_10xgraph_sees(problem: Problem) -> Problem:
    code = problem.code.rpartition(".")[2]
    if code == "bom":
        message = f"{problem.message.rstrip('.')}. 10xGraph refuses the file because of it."
        return replace(problem, severity="error", message=message)
    severity = _JSON_SEVERITY.get(code)
    return replace(problem, severity=severity) if severity else problem


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
