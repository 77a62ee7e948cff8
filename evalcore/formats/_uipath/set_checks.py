"""What UiPath refuses in an eval set, and the order in which its rules are asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import PurePath

from evalcore.errors import Problem
from evalcore.formats._uipath import (
    case_rules,
    coded_rules,
    lowcode_rules,
    mock_rules,
    ref_rules,
    set_rules,
)
from evalcore.formats._uipath.kinds import REPORT
from evalcore.formats._uipath.recognise import API_WORKFLOW, NO_VERSION, version_of
from evalcore.formats._uipath.set_shapes import (
    CODED_CASE,
    CODED_SET,
    LOWCODE_CASE,
    LOWCODE_SET,
    OTHER_CASE,
)
from evalcore.formats._uipath.set_view import Case, SetView
from evalcore.formats.base import Detection, Surroundings
from evalcore.formats.memo import remembered
from evalcore.formats.shapes import Shape, describe
from evalcore.jsontree import JsonObject, JsonValue

CaseRule = Callable[[SetView, Case], Iterator[Problem]]
_ADDED = {
    "evaluationCriterias": "Add it: {} if no evaluator should score the case.",
    "inputs": "Add it: {} if the agent takes no inputs.",
    "evalSetId": "Add it: the id of this set.",
    "fileName": "Add it: the name of this file.",
    "type": "Write null, remove it, or give it a type: llm or mockito.",
}


def check_set(
    value: JsonValue, detection: Detection, path: PurePath, near: Surroundings
) -> Iterator[Problem]:
    """Yield the problems of an eval set of either kind."""
    if not isinstance(value, dict):
        message = f"An eval set must be an object, but this file is {describe(value)}."
        yield REPORT.problem("error", "not_an_object", "", message, "Wrap it in { }.")
        return
    view = SetView(value, detection, path, near)
    coded = view.is_coded
    if coded:
        yield from _version(value, detection.variant)
    yield from _refused(view)
    for rule in (*set_rules.RULES, *ref_rules.RULES):
        yield from rule(view)
    if coded:
        yield from _of_cases(view, *case_rules.RULES, *mock_rules.RULES, *coded_rules.RULES)
    else:
        for rule in lowcode_rules.SET_RULES:
            yield from rule(view)
        yield from _of_cases(view, *case_rules.RULES, *lowcode_rules.RULES)


def _of_cases(view: SetView, *rules: CaseRule) -> Iterator[Problem]:
    def found(case: Case) -> Iterator[Problem]:
        for rule in rules:
            yield from rule(view, case)

    for case in view.cases:
        around = ("rules", case.pointer, view.around)
        yield from remembered(case.raw, around, partial(found, case))


def _version(value: JsonObject, variant: str) -> Iterator[Problem]:
    version = value.get("version")
    if variant == NO_VERSION:
        written = "version" in value
        found = f"its version is {describe(version)}" if written else "it has no version"
        yield REPORT.problem(
            "error",
            "no_version",
            "/version" if written else "",
            f"This looks like an eval set of a coded agent, but {found}: UiPath takes it for a "
            "low-code set and refuses it.",
            'Write "version": "1.0" at the top.',
        )
    elif version_of(value) != "legacy" and version != "1.0" and variant != API_WORKFLOW:
        message = f"The version must be the text “1.0”, but is {describe(version)}."
        hint = 'Write "version": "1.0", with the quotes.'
        yield REPORT.problem("error", "wrong_version", "/version", message, hint)


def _refused(view: SetView) -> Iterator[Problem]:
    whole, shape = (CODED_SET, CODED_CASE) if view.is_coded else (LOWCODE_SET, LOWCODE_CASE)
    if view.variant not in ("", NO_VERSION):
        shape = OTHER_CASE
    yield from map(_hinted, whole.faults(view.value, "", REPORT))
    listed = view.value.get("evaluations")
    names = {case.pointer: case.label for case in view.cases}
    for index, raw in enumerate(listed if isinstance(listed, list) else ()):
        pointer = f"/evaluations/{index}"
        find = partial(_refused_case, shape, raw, pointer, names.get(pointer, ""))
        yield from remembered(raw, ("shape", pointer, shape), find)


def _refused_case(shape: Shape, raw: JsonValue, pointer: str, label: str) -> Iterator[Problem]:
    for fault in shape.faults(raw, pointer, REPORT):
        yield _named(_hinted(fault), label)


def _named(problem: Problem, label: str) -> Problem:
    if not label:
        return problem
    message = problem.message.replace("The case has", "it has", 1)
    return replace(problem, message=f"Case “{label}”: {message}")


def _hinted(problem: Problem) -> Problem:
    if problem.code == "uipath.missing":
        for name, hint in _ADDED.items():
            if f"“{name}”" in problem.message:
                return replace(problem, hint=hint)
    return problem
