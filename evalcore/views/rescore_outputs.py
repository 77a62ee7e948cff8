"""Outputs of any agent as a run of an eval set: what was read, and a file to begin with."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from evalcore.errors import EvaldeskError, Problem
from evalcore.formats.base import Kind
from evalcore.jsontree import JsonValue
from evalcore.model import EvalCase, EvalSet
from evalcore.outputs import read_outputs
from evalcore.results import Run
from evalcore.scoring.joining import match_cases
from evalcore.views.words import plural
from evalcore.workspace import Entry, Workspace

EXAMPLES: Final = 3
KEYS: Final = (
    ("case_id", "text, required", "the id of the case in the eval set, else its name"),
    ("invocation", "whole number", "the turn, from 0; left out: 0"),
    ("output", "any JSON", "the reply, a text or an object; left out: not recorded"),
    ("tool_calls", "list", "objects with “name” and, if known, “args”, “id”, “result”; [] is none"),
    ("node_visits", "list of texts", "the nodes of the graph in the order of visits"),
    ("duration_s", "number", "seconds that the turn took"),
    ("tokens", "number or object", "tokens in all, or “input” and “output”"),
    ("error", "text", "why the turn crashed; such a case is an error, never a zero"),
    ("repeat", "whole number", "which run of the case, from 0"),
)
"""What a line may hold: key, type and meaning."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """What a file of outputs holds for a set.

    ``unknown`` are ids that the set does not have, ``missing`` how many of its cases have no line.
    """

    run: Run
    problems: tuple[Problem, ...]
    unknown: tuple[str, ...]
    missing: int

    @property
    def text(self) -> str:
        """Return what was found in one sentence."""
        turns = sum(len(case.invocations) for case in self.run.cases)
        told = f"{plural(len(self.run.cases), 'case result')} with {plural(turns, 'turn')}"
        return f"{told}; {plural(self.missing, 'case')} of the set without a line."


def sets_of(entries: Sequence[Entry]) -> list[str]:
    """Return the paths of the eval sets that can be read."""
    return [e.path for e in entries if e.kind is Kind.EVAL_SET and e.error is None]


def open_set(workspace: Workspace, path: str) -> EvalSet:
    """Return an eval set. Raises WorkspaceError, DocumentError, or EvaldeskError if it is none."""
    opened = workspace.open(path)
    if opened.format is None or opened.detection is None:
        raise EvaldeskError(f"{path} is no eval set", hint="Choose one from the list.")
    return opened.format.lens_for(opened.detection).read(opened.document.value)


def read(data: bytes, name: str, eval_set: EvalSet) -> Recorded:
    """Return what a file of outputs holds for a set.

    Raises EvaldeskError where no line of it can be used, and says what is wrong with the first.
    """
    found = read_outputs(data, name=name, format_id=eval_set.format_id)
    if not found.run.cases:
        first = found.problems[0] if found.problems else None
        told = f"line {first.line}: {first.message}" if first and first.line else ""
        told = told or (first.message if first else "the file is empty")
        raise EvaldeskError(
            f"{name} holds no outputs: {told}",
            hint=(first.hint if first else "") or "Each line is a JSON object with a case_id.",
        )
    places = match_cases(found.run, eval_set)
    pairs = zip(found.run.cases, places, strict=True)
    unknown = dict.fromkeys(case.case_id or "" for case, place in pairs if place is None)
    known = {place for place in places if place is not None}
    return Recorded(found.run, found.problems, tuple(unknown), len(eval_set.cases) - len(known))


def template(eval_set: EvalSet, most: int | None = None) -> str:
    """Return lines to fill in, one for each turn of the set's first ``most`` cases, else of all."""
    cases = eval_set.cases[:most]
    return "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for c in cases for line in _lines(c))


def _lines(case: EvalCase) -> list[dict[str, JsonValue]]:
    head: dict[str, JsonValue] = {"case_id": case.id or case.name or ""}
    turns = max(1, len(case.invocations))
    return [
        {**head, **({"invocation": n} if turns > 1 else {}), "output": "…", "tool_calls": []}
        for n in range(turns)
    ]
