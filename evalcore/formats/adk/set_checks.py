"""Checks of eval sets: what ADK's loader refuses, then what it hides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from evalcore.errors import Problem
from evalcore.formats.adk.applied import Applied
from evalcore.formats.adk.fields import member
from evalcore.formats.adk.schema import Schema
from evalcore.formats.adk.traps import EVAL_CASES, located, traps
from evalcore.formats.lenses import key
from evalcore.formats.shapes import Report, describe
from evalcore.jsontree import MISSING, JsonObject, JsonValue, join, split

SET_KEYS = tuple(key(name) for name in ("eval_set_id", "eval_cases"))
_OTHER_SYSTEMS = {
    "test_cases": "a list of “test_cases”, which ADK's evaluation does not know",
    "prompt": "an evaluation dataset of Google's agents-cli",
}


def check_set(
    value: JsonValue, schema: Schema, applied: Applied, report: Report
) -> Iterator[Problem]:
    """Yield what the loader refuses in an eval set, and its traps, each named by case and turn."""
    strange = not_an_eval_set(value, report)
    if strange is not None:
        yield strange
        return
    found = (*_refused(value, schema, report), *traps(value, applied, report))
    yield from located(found, value)


def not_an_eval_set(value: JsonValue, report: Report) -> Problem | None:
    """Return the problem of a file that has nothing of an eval set, None if it has."""
    if isinstance(value, dict) and any(k.find(value) for k in SET_KEYS) and not _is_dataset(value):
        return None
    message = f"This is no eval set: the file holds {_holding(value)}."
    hint = f"{report.system} refuses it. An eval set is an object with “eval_set_id” and a list "
    return report.problem("error", "not_an_eval_set", "", message, hint + "of “eval_cases”.")


def loads_as_empty(value: JsonValue) -> bool:
    """Return whether ADK takes a file that is no eval set for an empty one: ``{}`` and ``[]``."""
    return value in ({}, [])


def _refused(value: JsonValue, schema: Schema, report: Report) -> Iterator[Problem]:
    """Yield the faults of the shapes; camelCase names of the set stand for the right ones."""
    camel = _camel_keys(value)
    if not camel or not isinstance(value, dict):
        yield from schema.eval_set.faults(value, "", report)
        return
    for wrong, right in camel.items():
        yield report.problem(
            "error",
            "camel_case_set",
            join("", wrong),
            f"The name “{wrong}” must be written “{right}”: {report.system} reads the names of "
            "the set itself in snake_case only.",
            f"{report.system} refuses the file: rename it. Names inside the cases may stay.",
        )
    renamed: JsonObject = {camel.get(name, name): item for name, item in value.items()}
    back = {right: wrong for wrong, right in camel.items()}
    for problem in schema.eval_set.faults(renamed, "", report):
        yield _moved(problem, back)


def _camel_keys(value: JsonValue) -> dict[str, str]:
    """Return camelCase names of the set that have no snake_case twin, with the right names."""
    keys = (*SET_KEYS, key("creation_timestamp"))
    pairs = ((k.spellings[1], k.spellings[0]) for k in keys)
    held = value if isinstance(value, dict) else {}
    return {camel: snake for camel, snake in pairs if camel in held and snake not in held}


def _moved(problem: Problem, back: dict[str, str]) -> Problem:
    first, *rest = split(problem.pointer) or ("",)
    pointer = join("", back[first], *rest) if first in back else problem.pointer
    return replace(problem, pointer=pointer)


def _is_dataset(value: JsonObject) -> bool:
    cases = member(value, EVAL_CASES)
    first = cases[0] if isinstance(cases, list) and cases else None
    ours = {"eval_id", "evalId", "conversation"}
    theirs = {"prompt", "agent_data", "responses"}
    return isinstance(first, dict) and bool(theirs & first.keys()) and not ours & first.keys()


def _holding(value: JsonValue) -> str:
    if isinstance(value, dict):
        if member(value, EVAL_CASES) is not MISSING:
            return _OTHER_SYSTEMS["prompt"]
        if "test_cases" in value:
            return _OTHER_SYSTEMS["test_cases"]
        names = ", ".join(f"“{name}”" for name in list(value)[:3])
        return f"an object with {names}" if names else "an empty object"
    return describe(value)
