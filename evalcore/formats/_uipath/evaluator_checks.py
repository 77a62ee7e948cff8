"""What UiPath refuses in an evaluator file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePath

from evalcore.errors import Problem
from evalcore.formats._uipath import coded_evaluator_rules, legacy_evaluator_rules
from evalcore.formats._uipath.evaluator_view import EvaluatorView
from evalcore.formats._uipath.kinds import (
    CATEGORIES,
    CODED_KINDS,
    REPORT,
    TYPES,
    UNLOADABLE,
    legacy_kind,
)
from evalcore.formats._uipath.recognise import CODED
from evalcore.formats._uipath.refs import CONFIGS, REFS, ref_of
from evalcore.formats.base import Detection, Surroundings
from evalcore.formats.shapes import Mapped, Object, Text, closest, describe, may, needs
from evalcore.jsontree import MISSING, JsonObject, JsonValue, Missing

SCHEME = "file://"
OWN_CODE = "The evaluator's own code (“evaluatorSchema”)"
_CUSTOM = Object(
    "The evaluator",
    (
        needs("id", Text()),
        may("name", Text()),
        may("description", Text()),
        needs("evaluatorConfig", Mapped()),
    ),
    "keep",
)


def check_evaluator(
    value: JsonValue, detection: Detection, path: PurePath, near: Surroundings
) -> Iterator[Problem]:
    """Yield the problems of an evaluator file of either kind."""
    if not isinstance(value, dict):
        message = f"An evaluator must be an object, but this file is {describe(value)}."
        yield REPORT.problem("error", "not_an_object", "", message, "Wrap it in { }.")
        return
    if detection.format_id == CODED:
        if value.get("version") != "1.0":
            yield _wrong_version(value)
        view = EvaluatorView({**value, "version": "1.0"}, path.name)
        yield from _coded(view, near)
        yield from coded_evaluator_rules.of_evaluator(view, near)
    else:
        view = EvaluatorView(value, path.name)
        yield from _legacy(value, near)
        yield from legacy_evaluator_rules.of_evaluator(view, path, near)
    yield from _place(view, path, near)


def _place(view: EvaluatorView, path: PurePath, near: Surroundings) -> Iterator[Problem]:
    """Yield what the files around an evaluator say about it."""
    if view.is_coded and path.parts[-3:-1] == ("evals", "evaluators"):
        agent = near.value("../../agent.json")
        if isinstance(agent, dict) and agent.get("type") == "lowCode":
            message = "This is an evaluator for coded agents, and the agent here is a low-code one."
            hint = "Use an evaluator with “category” and “type”: Studio Web cannot use this one."
            yield REPORT.problem("warning", "coded_evaluator_in_low_code", "", message, hint)
    sets = [near.value(name) for name in near.glob("../eval-sets/*.json")]
    known = [found for found in sets if isinstance(found, dict)]
    if view.id and known and not any(_names(found, view) for found in known):
        message = f"No eval set in eval-sets/ names “{view.id}”, so nothing uses this evaluator."
        hint = "Add its id to a set, or delete the file."
        yield REPORT.problem("info", "evaluator_unused", "/id", message, hint)


def _names(value: JsonObject, view: EvaluatorView) -> bool:
    """Return whether a set names an evaluator; Flow and API workflow sets name its file."""
    own = {view.id, view.file_name, view.file_name.removesuffix(".json")}
    entries = (*_entries(CONFIGS.get(value)), *_entries(REFS.get(value)))
    return any(ref_of(entry) in own for entry in entries)


def _entries(found: JsonValue | Missing) -> list[JsonValue]:
    return found if isinstance(found, list) else []


def _wrong_version(value: JsonObject) -> Problem:
    found = describe(value["version"]) if "version" in value else "missing"
    message = f"The version must be the text “1.0”, but is {found}: UiPath refuses the evaluator."
    pointer = "/version" if "version" in value else ""
    return REPORT.problem(
        "error", "wrong_version", pointer, message, 'Write "version": "1.0", with the quotes.'
    )


def _coded(view: EvaluatorView, near: Surroundings) -> Iterator[Problem]:
    schema = view.data.get("evaluatorSchema", "")
    if not isinstance(schema, str):
        message = f"{OWN_CODE} must be text, but is {describe(schema)}."
        hint = "Remove it, or name a class: file://my_evaluator.py:MyEvaluator."
        yield REPORT.problem("error", "wrong_type", "/evaluatorSchema", message, hint)
        return
    if view.is_custom:
        yield from _CUSTOM.faults(view.data, "", REPORT)
        yield from _custom(schema, near)
        return
    kind = view.coded
    if kind is None:
        yield _unknown_type(view.data)
        yield from _CUSTOM.faults(view.data, "", REPORT)
        return
    members = (*_CUSTOM.members[:3], needs("evaluatorConfig", kind.config))
    shape = Object("The evaluator", members, "keep")
    for fault in shape.faults(view.data, "", REPORT):
        overridden = fault.pointer.removeprefix("/evaluatorConfig/")
        if fault.pointer != overridden and isinstance(view.data.get(overridden), str):
            continue
        yield coded_evaluator_rules.explained(fault, view)
    yield from coded_evaluator_rules.aggregators_fit(view)


def _unknown_type(value: JsonObject) -> Problem:
    found = value.get("evaluatorTypeId", MISSING)
    if found is MISSING:
        message = "The evaluator has no “evaluatorTypeId”, so UiPath cannot tell what it is."
        hint = "Add one, such as uipath-exact-match."
        return REPORT.problem("error", "missing", "", message, hint)
    name = found if isinstance(found, str) else ""
    fitting = [i for i in CODED_KINDS if i.startswith(name)] if name in UNLOADABLE else []
    guess = next(iter(fitting), None) or closest(f"uipath-{name.removeprefix('uipath-')}", _IDS)
    hint = f"Did you mean “{guess}”?" if guess else "Use one of " + ", ".join(_IDS) + "."
    quoted = f"“{found}”" if isinstance(found, str) else describe(found)
    message = f"UiPath has no evaluator type {quoted}."
    return REPORT.problem("error", "unknown_type", "/evaluatorTypeId", message, hint, guess or "")


def _custom(schema: str, near: Surroundings) -> Iterator[Problem]:
    where, colon, _ = schema.removeprefix(SCHEME).rpartition(":")
    if not colon:
        message = f"{OWN_CODE} names no class: {describe(schema)}."
        hint = "Write the class after a colon: file://my_evaluator.py:MyEvaluator."
        yield REPORT.problem("error", "no_class", "/evaluatorSchema", message, hint)
        return
    if not near.glob("*.json") or where.startswith("/") or ".." in where:
        return
    if not any(near.glob(f"{folder}{where}") for folder in ("", "custom/", "../../")):
        message = (
            f"The file “{where}” of this custom evaluator was not found in evaluators/custom/."
        )
        hint = "Put it there, or correct “evaluatorSchema”."
        yield REPORT.problem("error", "no_class_file", "/evaluatorSchema", message, hint)


def _legacy(value: JsonObject, near: Surroundings) -> Iterator[Problem]:
    category, type_ = value.get("category", MISSING), value.get("type", MISSING)
    for name, found in (("category", category), ("type", type_)):
        if found is MISSING:
            message = f"The evaluator has no “{name}”, so UiPath cannot tell what it is."
            yield REPORT.problem("error", "missing", "", message, f"Add “{name}”, a number.")
    if category is MISSING or type_ is MISSING:
        return
    kind = legacy_kind(category, type_)
    if kind is None:
        at = "/type" if category in (0, 1, 3) and not isinstance(category, str) else "/category"
        message = (
            f"UiPath has no evaluator of category {_numbered(category, CATEGORIES)} with type "
            f"{_numbered(type_, TYPES)}."
        )
        hint = "Use 0 with 1 (equals) or 6 (JSON similarity), 1 with 5 (judge), 3 with 7."
        yield REPORT.problem("error", "unknown_type", at, message, hint)
        return
    for fault in kind.shape.faults(value, "", REPORT):
        yield replace(
            fault, hint=_HINTS.get(fault.message.split("“")[-1].split("”")[0], fault.hint)
        )
    yield from legacy_evaluator_rules.refused(value, kind, near)


def _numbered(value: JsonValue, names: dict[int, str]) -> str:
    if isinstance(value, (int, float)) and value in names:
        return f"{value:g} ({names[int(value)]})"
    return describe(value)


_IDS = tuple(CODED_KINDS)
_HINTS = {
    "prompt": "Add the prompt for the judge.",
    "targetSubOutputKey": "Add the names of the columns, separated by commas.",
}
