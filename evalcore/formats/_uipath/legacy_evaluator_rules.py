"""What UiPath refuses in a low-code evaluator beyond its shape, and what it reads otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import PurePath

from evalcore.errors import Problem
from evalcore.formats._uipath.entry_points import entry_points
from evalcore.formats._uipath.evaluator_view import EvaluatorView
from evalcore.formats._uipath.kinds import CATEGORIES, REPORT, TYPES, LegacyKind
from evalcore.formats._uipath.paths import WHOLE, tokens
from evalcore.formats._uipath.prompts import LEGACY_PLACEHOLDERS, of_prompt, placeholders
from evalcore.formats.base import Surroundings
from evalcore.formats.shapes import closest
from evalcore.jsontree import MISSING, JsonObject, get

SAME = "same-as-agent"
AGENT = "../../agent.json"
_ALLOWED = ((0, 1), (0, 6), (1, 5), (3, 7))
_WANTED = ("fileName", "name", "description", "targetOutputKey")
_CODED_ONLY = ("caseSensitive", "ignoreCase", "negated", "evaluatorConfig")


def refused(value: JsonObject, kind: LegacyKind, near: Surroundings) -> Iterator[Problem]:
    """Yield what stops UiPath from loading a judge or a CSV evaluator."""
    columns = value.get("targetSubOutputKey")
    if kind.title == "CSV columns" and isinstance(columns, str) and not columns.strip(" ,"):
        message = "No column to compare is named (“targetSubOutputKey”)."
        hint = "Write the names of the columns, separated by commas."
        yield REPORT.problem("error", "no_columns", "/targetSubOutputKey", message, hint)
    if not kind.is_judged:
        return
    prompt, model = value.get("prompt"), value.get("model", SAME)
    if kind.sees == "trace" and isinstance(prompt, str):
        for name in LEGACY_PLACEHOLDERS["trace"]:
            if f"{{{{{name}}}}}" not in prompt:
                yield _placeholder_missing(name, prompt)
    if model == SAME and near.glob("*.json") and not _agent_model(near):
        yield REPORT.problem(
            "error",
            "no_agent_model",
            "/model" if "model" in value else "",
            "The judge uses the agent's own model, but no agent.json with a model in its settings "
            "lies in this project, so UiPath refuses to load it.",
            "Write the name of a model instead of “same-as-agent”.",
        )


def of_evaluator(view: EvaluatorView, path: PurePath, near: Surroundings) -> Iterator[Problem]:
    """Yield the traps in a low-code evaluator that UiPath loads."""
    kind, data = view.legacy, view.data
    if kind is None:
        return
    warn = partial(REPORT.problem, "warning")
    if "evaluations" not in path.parts:
        yield from _refused_by_uip(data, kind, path)
    if "lineByLineEvaluator" in data:
        message = "UiPath does not read “lineByLineEvaluator” here, so nothing is scored by lines."
        hint = "Call it “lineByLineEvaluation”."
        yield warn("line_flag_misnamed", "/lineByLineEvaluator", message, hint)
    for name in _CODED_ONLY:
        if name in data:
            message = f"The setting “{name}” is for coded evaluators; UiPath does not read it here."
            yield warn("coded_key", f"/{name}", message, "Remove it.")
    if kind.is_judged and isinstance(data.get("prompt"), str):
        yield from of_prompt(str(data["prompt"]), "/prompt", kind.sees, coded=False)
    if kind.sees == "output":
        yield from _target(view, kind, near)


def _placeholder_missing(name: str, prompt: str) -> Problem:
    found = placeholders(prompt)
    slip = name == "ExpectedAgentBehavior" and "ExpectedBehavior" in found
    hint = f"Write {{{{{name}}}}}" + (" instead of {{ExpectedBehavior}}." if slip else " into it.")
    message = f"The prompt must contain {{{{{name}}}}}, or UiPath refuses to load the evaluator."
    return REPORT.problem("error", "placeholder_missing", "/prompt", message, hint)


def _agent_model(near: Surroundings) -> bool:
    agent = near.value(AGENT)
    model = MISSING if agent is MISSING else get(agent, "/settings/model")
    return isinstance(model, str) and bool(model)


def _refused_by_uip(data: JsonObject, kind: LegacyKind, path: PurePath) -> Iterator[Problem]:
    """Yield what runs locally but not with UiPath's low-code tools."""
    warn = partial(REPORT.problem, "warning")
    pair = (data.get("category"), data.get("type"))
    if pair not in _ALLOWED:
        names = f"{_name(pair[0], CATEGORIES)} with {_name(pair[1], TYPES)}"
        message = (
            f"uip agent validate refuses this evaluator ({names}), though uipath eval runs it."
        )
        hint = "Use 0 with 1 (equals) or 6 (JSON similarity), 1 with 5 (judge), 3 with 7."
        yield warn("not_for_low_code", "/type", message, hint)
    for name in (*_WANTED, *(("model",) if kind.is_judged else ())):
        if name not in data:
            message = f"The evaluator has no “{name}”, which uip agent validate asks for."
            yield warn("uip_needs_it", "", message, f"Add “{name}”.", name)
    if isinstance(data.get("fileName"), str) and data["fileName"] != path.name:
        message = f"It says that its file is called “{data['fileName']}”, but it is “{path.name}”."
        yield REPORT.problem("info", "file_name_differs", "/fileName", message)


def _target(view: EvaluatorView, kind: LegacyKind, near: Surroundings) -> Iterator[Problem]:
    path, schema = view.target_key, entry_points(near).outputs
    steps = tokens(path)
    if path == WHOLE or not steps or schema.is_open or steps[0] in schema.members:
        return
    effect = {
        "Equals": "a case that does not expect it either passes whatever the agent does",
        "JSON similarity": "a case that expects it scores 0, any other 100",
    }.get(kind.title, "it compares the whole output instead")
    yield REPORT.problem(
        "warning",
        "unknown_output",
        "/targetOutputKey",
        f"The agent returns no “{steps[0]}” (see entry-points.json): {effect}.",
        f"The output has: {', '.join(schema.members)}.",
        (closest(str(steps[0]), list(schema.members)) or "") if len(steps) == 1 else "",
    )


def _name(value: object, names: dict[int, str]) -> str:
    return names.get(value, str(value)) if isinstance(value, int) else str(value)
