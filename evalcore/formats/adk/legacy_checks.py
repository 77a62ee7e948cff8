"""Checks of ADK's two old list shapes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import PurePath

from evalcore.errors import Problem
from evalcore.formats.adk.detect import LEGACY_ROW_KEYS, TEST_FILE
from evalcore.formats.adk.fields import OBJECT, TEXT
from evalcore.formats.shapes import (
    ANYTHING,
    Listing,
    Mapped,
    Object,
    Report,
    Text,
    may,
    needs,
)
from evalcore.jsontree import JsonValue

_TOOL_USE = Object("The tool use", [needs("tool_name", TEXT), needs("tool_input", OBJECT)])
_MESSAGE = Object("The message", [needs("author", Text()), needs("text", TEXT)])
_ROW = Object(
    "The turn",
    [
        needs("query", TEXT),
        may("reference", TEXT),
        may("expected_tool_use", Listing(_TOOL_USE)),
        may("expected_intermediate_agent_responses", Listing(_MESSAGE)),
        may("mock_tool_output", ANYTHING),
    ],
)
_SESSION = Object(
    "The session",
    [may("app_name", Text()), may("user_id", Text()), may("state", Mapped())],
)
_SET = Object(
    "The case",
    [needs("name", Text()), needs("data", Listing(_ROW)), may("initial_session", _SESSION)],
)
MODERNISE = "Open it in the browser (evaldesk serve) and choose “Save as a new-style set”."
SHAPES = {"legacy_sets": Listing(_SET), "legacy_rows": Listing(_ROW)}


def check_legacy(
    value: JsonValue, variant: str, path: PurePath, report: Report
) -> Iterator[Problem]:
    """Yield what ADK's converter stumbles over, and what becomes of the rest."""
    yield report.problem(
        "info",
        "legacy_shape",
        "",
        "This eval set is in an old shape. It can be read here, but not edited.",
        MODERNISE,
    )
    if variant == "legacy_rows":
        yield from _only_pytest(value, path, report)
    for problem in SHAPES[variant].faults(value, "", report):
        yield _worded(problem, report)


def _only_pytest(value: JsonValue, path: PurePath, report: Report) -> Iterator[Problem]:
    rows = value if isinstance(value, list) else []
    is_test = fnmatchcase(path.name, TEST_FILE)
    yield report.problem(
        "warning" if is_test else "error",
        "legacy_rows",
        "",
        "“adk eval” stops at a plain list of queries with “KeyError: 'data'”. Only the pytest "
        "class AgentEvaluator still reads it.",
        MODERNISE,
    )
    first = rows[0] if rows else None
    for name in LEGACY_ROW_KEYS[:2]:
        if isinstance(first, dict) and name not in first:
            yield report.problem(
                "info",
                "legacy_first_row",
                "/0",
                f"The first query has no “{name}”: AgentEvaluator refuses criteria that need it.",
            )


def _worded(problem: Problem, report: Report) -> Problem:
    """Return a shape's problem; unknown members are dropped by the converter, all alike."""
    if problem.code == f"{report.prefix}.unknown_key":
        return replace(problem, code=f"{report.prefix}.legacy_key_dropped")
    return problem
