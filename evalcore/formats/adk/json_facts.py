"""What the problems of a file's JSON mean to a loader that reads it with pydantic."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from evalcore.errors import Problem, Severity
from evalcore.formats.shapes import Report
from evalcore.jsontree import get

if TYPE_CHECKING:
    from evalcore.jsondoc import JsonDocument

LARGEST_INTEGER = 10**4300
"""pydantic reads integers of fewer than 4,301 digits."""


def json_problems(
    document: JsonDocument, report: Report, *, repeated_keys: Severity = "warning"
) -> Iterator[Problem]:
    """Yield the document's own problems with the severity and the effect that they have here."""
    for problem in document.problems:
        code = problem.code.rpartition(".")[2]
        worded = _WORDED.get(code)
        if code == "big_integer" and _is_too_large(document, problem):
            worded = ("error", "{} refuses the file: no number may have more than 4,300 digits.")
        if code == "duplicate_key" and repeated_keys == "error":
            worded = ("error", "{} refuses a file in which one object has the same name twice.")
        if worded is None:
            yield problem
            continue
        severity, effect = worded
        yield replace(
            problem,
            severity=severity,
            code=f"{report.prefix}.{code}",
            message=f"{problem.message.rstrip('.')}. {effect.format(report.system)}",
        )


_WORDED: dict[str, tuple[Severity, str]] = {
    "bom": ("error", "{} refuses the file because of it."),
    "lone_surrogate": ("error", "{} refuses the file because of it."),
    "duplicate_key": ("warning", "{} reads the last one and says nothing."),
    "nan": (
        "warning",
        "{} reads it, never finds it equal to anything, and would save it as null.",
    ),
    "infinity": ("warning", "{} reads it, and would save it as null."),
}


def _is_too_large(document: JsonDocument, problem: Problem) -> bool:
    value = get(document.value, problem.pointer)
    return isinstance(value, int) and abs(value) >= LARGEST_INTEGER
