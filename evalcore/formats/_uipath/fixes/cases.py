"""What mends a case: its inputs, what it expects, and its criteria."""

from __future__ import annotations

import json
from collections.abc import Mapping

from evalcore.errors import Problem
from evalcore.formats._uipath.fixes.sets import view_of
from evalcore.formats._uipath.refs import EvaluatorRefs
from evalcore.formats.fixes import (
    Fix,
    Fixer,
    Site,
    as_wanted,
    called_as_wanted,
    constant,
    removed,
    renamed,
    without,
    written,
)
from evalcore.jsontree import JsonValue, get, join, put, split


def _as_number(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    found = get(tree, problem.pointer)
    if not isinstance(found, str) or not found.lstrip("-").isdecimal():
        return None
    # Only entry-points.json can tell that the agent returns a number here.
    known = problem.severity == "warning"
    return written(tree, problem.pointer, int(found), f"Write the number {found}", is_safe=known)


def _as_object(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    found = get(tree, problem.pointer)
    try:
        inside = json.loads(found) if isinstance(found, str) else None
    except ValueError:
        return None
    if not isinstance(inside, dict):
        return None
    return written(tree, problem.pointer, inside, "Write the object itself, without quotes")


def _output(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    if not problem.pointer.endswith(("/targetOutputKey", "/target_output_key")):
        return called_as_wanted(tree, problem, site)
    is_one = isinstance(get(tree, problem.pointer), str)
    return as_wanted(tree, problem, site) if is_one else None


def _criteria(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    if problem.wanted:
        moved = renamed(tree, problem.pointer, problem.wanted)
        return moved or removed(tree, problem.pointer)
    name, view = split(problem.pointer)[-1], view_of(tree, site)
    if view is not None and name in view.evaluator_by_id:
        refs = EvaluatorRefs()
        named = refs.put(tree, [*view.refs, name], "camel")
        return Fix(f"Add “{name}” to the set's evaluators", named, is_safe=False)
    return removed(tree, problem.pointer)


def _args(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    return renamed(tree, problem.pointer, "args")


def _refused(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    """Rename “arguments”, which is what most refused criteria have instead of “args”."""
    found = get(tree, problem.pointer)
    if isinstance(found, dict) and "arguments" in found:
        return renamed(tree, join(problem.pointer, "arguments"), "args")
    return None


def _exact_first(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    """Put the calls of one tool with more arguments before those with fewer."""
    pointer = problem.pointer.rpartition("/")[0]
    calls, first = get(tree, pointer), get(tree, problem.pointer)
    tool = first.get("name") if isinstance(first, dict) else None
    if not isinstance(calls, list):
        return None
    named = (call.get("name") if isinstance(call, dict) else None for call in calls)
    places = [index for index, name in enumerate(named) if name == tool]
    ordered = sorted((calls[i] for i in places), key=_fewer_arguments)
    moved = list(calls)
    for place, call in zip(places, ordered, strict=True):
        moved[place] = call
    return Fix("Put the calls with more arguments first", put(tree, pointer, moved), shifts=True)


def _switched_on(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    at, name = join(problem.pointer.rpartition("/")[0], problem.wanted), problem.wanted
    return written(tree, at, True, f"Set “{name}” to true", is_safe=False)


def _fewer_arguments(call: JsonValue) -> int:
    args = call.get("args") if isinstance(call, dict) else None
    return -len(args) if isinstance(args, dict) else 0


CASES: Mapping[str, Fixer] = {
    "unknown_input": called_as_wanted,
    "unknown_output": _output,
    "number_as_text": _as_number,
    "json_as_text": _as_object,
    "criteria_not_read": _criteria,
    "criteria_refused": _refused,
    "arguments_for_args": _args,
    "general_call_first": _exact_first,
    "coded_key": without(),
    "lowcode_key": without(),
    "simulation_is_off": lambda tree, problem, site: written(
        tree,
        join(problem.pointer.rpartition("/")[0], "simulateTools"),
        True,
        "Set “simulateTools” to true",
        is_safe=False,
    ),
    "instructions_not_read": _switched_on,
    "input_not_simulated": constant(False, "Switch it off", is_safe=False),
}
