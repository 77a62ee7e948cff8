"""Rules about a case's inputs, the same for both kinds of sets."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from evalcore.errors import Problem
from evalcore.formats._uipath.set_view import Case, SetView, camel
from evalcore.formats.shapes import closest
from evalcore.jsontree import MISSING, join

_MADE_UP = ("input_mocking_strategy", "simulate_input", "conversational_inputs")


def inputs_fit_the_entry_point(view: SetView, case: Case) -> Iterator[Problem]:
    """Warn of inputs that ``entry-points.json`` does not have, and of required ones missing."""
    inputs, schema = case.raw.get("inputs"), view.entry_points.inputs
    if not isinstance(inputs, dict) or schema.is_open:
        return
    for name in inputs:
        if name not in schema.members:
            guess = closest(name, list(schema.members))
            yield case.problem(
                "warning",
                "unknown_input",
                join(case.pointer, "inputs", name),
                f"the agent takes no input “{name}” (see entry-points.json), so the run may fail.",
                f"Did you mean “{guess}”?" if guess else "Remove it, or correct its name.",
                guess or "",
            )
    if any(case.get(camel(name)) not in (MISSING, None, False) for name in _MADE_UP):
        return
    for name in sorted(schema.required - set(inputs)):
        yield case.problem(
            "warning",
            "missing_input",
            join(case.pointer, "inputs"),
            f"the agent needs the input “{name}” (see entry-points.json), so the run may fail.",
            f"Add “{name}” to the inputs.",
        )


RULES: tuple[Callable[[SetView, Case], Iterator[Problem]], ...] = (inputs_fit_the_entry_point,)
