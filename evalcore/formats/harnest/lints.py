"""What the compiler accepts and Harnest then runs otherwise than it is written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from evalcore.errors import Problem
from evalcore.formats.adk.applied import CRITERIA, IGNORE_ARGS, MATCH_TYPE, Applied
from evalcore.formats.adk.fields import both, member, objects, place
from evalcore.formats.adk.metrics import match_type
from evalcore.formats.adk.traps import cases_of
from evalcore.formats.adk.turn_traps import (
    INTERMEDIATE_DATA,
    PARTS,
    TEXT,
    TOOL_USES,
    USER_CONTENT,
    calls_of,
)
from evalcore.formats.harnest.folder import REPORT
from evalcore.formats.lenses import exactly
from evalcore.jsontree import MISSING, JsonValue, Missing

TRAJECTORY = exactly("tool_trajectory_avg_score")
PLACEHOLDER_TOOL = "replace_with_your_tool"
_LIVE = both("live_model_config")


def set_lints(value: JsonValue, applied: Applied) -> Iterator[Problem]:
    """Yield the lints of the turns of a set."""
    yield from _not_text(value)
    if not applied.compares_calls:
        return
    for case in cases_of(value):
        for pointer, turn in case.turns:
            if member(member(turn, INTERMEDIATE_DATA), TOOL_USES) == []:
                yield REPORT.problem(
                    "info",
                    "no_call_not_enforced",
                    place(turn, pointer, INTERMEDIATE_DATA, TOOL_USES),
                    "That no tool is called here is only checked with --eval-trajectory strict; "
                    "by default this turn passes whatever the agent calls.",
                )
            for where, call in calls_of(turn, pointer):
                if member(call, exactly("name")) == PLACEHOLDER_TOOL:
                    yield REPORT.problem(
                        "warning",
                        "placeholder_tool",
                        place(call, where, exactly("name")),
                        f"“{PLACEHOLDER_TOOL}” is the scaffold's placeholder, not a tool.",
                        "Write the name of the agent's tool.",
                    )


def _not_text(value: JsonValue) -> Iterator[Problem]:
    for case in cases_of(value):
        for pointer, turn in case.turns:
            said = member(turn, USER_CONTENT)
            parts = list(objects(said, PARTS, place(turn, pointer, USER_CONTENT)))
            other = [at for at, part in parts if not isinstance(member(part, TEXT), str)]
            if other:
                yield REPORT.problem(
                    "info",
                    "input_not_text",
                    other[0],
                    "The user sends more than text here, which works for ADK agents; LangGraph "
                    "projects refuse it.",
                )


def config_lints(value: JsonValue, found: Iterable[Problem]) -> Iterator[Problem]:
    """Yield ``found`` without what does not matter to Harnest, and Harnest's own lints."""
    criterion = member(member(value, CRITERIA), TRAJECTORY)
    where = place(value, "", CRITERIA, TRAJECTORY)
    replaced = set(_options(criterion, where))
    yield from (
        problem
        for problem in found
        if problem.severity == "error" or problem.pointer not in replaced
    )
    yield from _match_type(criterion, where)
    if member(criterion, IGNORE_ARGS) is not MISSING:
        yield REPORT.problem(
            "warning",
            "option_dropped",
            place(criterion, where, IGNORE_ARGS),
            "Harnest replaces this criterion and keeps its threshold only: arguments are always "
            "compared.",
        )
    if member(value, _LIVE) not in (MISSING, None):
        yield REPORT.problem(
            "info",
            "live_settings",
            place(value, "", _LIVE),
            "Live settings work for ADK agents; LangGraph projects refuse them.",
        )


def _match_type(criterion: JsonValue | Missing, where: str) -> Iterator[Problem]:
    written = member(criterion, MATCH_TYPE)
    if written is MISSING or match_type(written) == "IN_ORDER":
        return
    name = match_type(written)
    yield REPORT.problem(
        "warning" if name else "info",
        "match_type_ignored",
        place(criterion, where, MATCH_TYPE),
        f"Harnest ignores this way to compare tool calls{f' ({name})' if name else ''}: others are "
        "free (IN_ORDER), or none are with --eval-trajectory strict (EXACT). Plain ADK reads it.",
    )


def _options(criterion: JsonValue | Missing, where: str) -> Iterator[str]:
    if isinstance(criterion, dict):
        yield from (place(criterion, where, key) for key in (MATCH_TYPE, IGNORE_ARGS))
