"""What a coded evaluator's file says and UiPath reads otherwise."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from evalcore.errors import Problem
from evalcore.formats._uipath import tool_rules
from evalcore.formats._uipath.entry_points import entry_points
from evalcore.formats._uipath.evaluator_view import EvaluatorView, is_on
from evalcore.formats._uipath.kinds import REPORT
from evalcore.formats._uipath.paths import WHOLE, tokens
from evalcore.formats._uipath.prompts import of_prompt
from evalcore.formats._uipath.set_view import camel
from evalcore.formats.base import Surroundings
from evalcore.formats.lenses import At
from evalcore.formats.shapes import closest
from evalcore.jsontree import MISSING, JsonValue, Missing

CONFIG = "/evaluatorConfig"
_TARGET = At(camel("target_output_key"))
_DEFAULT = At(camel("default_evaluation_criteria"))
_CASE = At(camel("case_sensitive"))
_F_VALUE = At(camel("f_value"))
_POSITIVE = At(camel("positive_class"))


def explained(fault: Problem, view: EvaluatorView) -> Problem:
    """Return a fault of the settings in better words where its key is a known slip."""
    name = fault.pointer.rpartition("/")[2]
    value = view.config.get(name)
    if fault.code != "uipath.unknown_key":
        if name in ("metricType", "metric_type") and value == "fscore":
            return replace(fault, hint='Write "f-score"; only aggregators say "fscore".')
        return fault
    if name in ("ignoreCase", "ignore_case"):
        return _ignore_case(fault, name, is_on(value))
    if name in ("lineByLineEvaluation", "line_by_line_evaluation"):
        return replace(
            fault,
            severity="warning",
            code="uipath.line_flag_misnamed",
            message=f"UiPath does not read “{name}” here, so nothing is scored by lines.",
            hint="Call it “lineByLineEvaluator”.",
        )
    return fault


def _ignore_case(fault: Problem, name: str, wanted: bool) -> Problem:
    effect = "and ignores case in any case" if wanted else "and does not tell A from a"
    return replace(
        fault,
        severity="info" if wanted else "warning",
        code="uipath.ignore_case_not_read",
        message=f"UiPath does not read “{name}”, {effect}.",
        hint=f'Write "caseSensitive": {"false" if wanted else "true"}.',
    )


def aggregators_fit(view: EvaluatorView) -> Iterator[Problem]:
    """Refuse aggregators that UiPath does not load with the other settings."""
    config = view.config
    if view.type_id != "uipath-exact-match" or not config.get("aggregators"):
        return
    refuse = partial(REPORT.problem, "error")
    where = f"{CONFIG}/aggregators"
    classes = config.get("classes")
    if not classes:
        message = "Aggregators need the list of “classes” that they count."
        yield refuse("aggregators_without_classes", where, message, "Add “classes”.")
    for name, found in (
        ("lineByLineEvaluator", view.by_lines),
        ("caseSensitive", is_on(_CASE.get(config))),
        ("negated", is_on(config.get("negated"))),
    ):
        if found:
            message = f"UiPath allows no aggregators together with “{name}”."
            yield refuse("aggregators_conflict", where, message, f"Remove “{name}”.", name)
    listed = config.get("aggregators")
    for index, item in enumerate(listed if isinstance(listed, list) else ()):
        beta = _F_VALUE.get(item)
        if isinstance(beta, (int, float)) and not 0 < beta <= 1000:
            at, message = (
                f"{where}/{index}",
                "The F value (“fValue”) must be above 0 and at most 1000.",
            )
            yield refuse("f_value_out_of_range", at, message, "Use 1 for the usual F-score.")
    labels = [c for c in classes if isinstance(c, str)] if isinstance(classes, list) else []
    folded = [label.lower() for label in labels]
    if any(label != label.strip() or not label for label in labels) or len(set(folded)) < len(
        folded
    ):
        message = "The classes must differ by more than case and have no spaces around them."
        yield refuse("classes_not_distinct", f"{CONFIG}/classes", message, "Correct the classes.")


def of_evaluator(view: EvaluatorView, near: Surroundings) -> Iterator[Problem]:
    """Yield the traps in a coded evaluator that UiPath loads."""
    kind = view.coded
    if kind is None:
        return
    warn = partial(REPORT.problem, "warning")
    if kind.sees == "output":
        yield from _targets(view, near)
        yield from _lines(view)
        yield from _classes(view)
    if kind.is_judged:
        yield from _judge(view)
    if is_on(view.config.get("subset")):
        message = (
            "The setting “subset” changes nothing: UiPath never looks at arguments that are not "
            "expected."
        )
        yield warn("subset_without_effect", f"{CONFIG}/subset", message, "Remove it.")
    if _POSITIVE.get(view.config) == "":
        message = "An empty positive class ends every case in an error."
        where = CONFIG + _POSITIVE.where(view.config)
        yield warn("no_positive_class", where, message, "Write the class that counts.")
    default = _DEFAULT.get(view.config)
    if isinstance(default, dict):
        yield from tool_rules.of_criteria(warn, default, CONFIG + _DEFAULT.where(view.config))
    own, inner = view.data.get("name"), view.config.get("name")
    if isinstance(own, str) and isinstance(inner, str) and own != inner:
        message = f"Results call this evaluator “{own}”, not “{inner}”: the name on top wins."
        yield REPORT.problem("info", "two_names", f"{CONFIG}/name", message, "Keep one name.")


def _targets(view: EvaluatorView, near: Surroundings) -> Iterator[Problem]:
    warn = partial(REPORT.problem, "warning")
    found: JsonValue | Missing = _TARGET.get(view.config)
    where = CONFIG + _TARGET.where(view.config)
    if found == []:
        message = "An empty list of output keys compares nothing, so every output matches."
        yield warn("matches_anything", where, message, "List the keys to compare, or write “*”.")
    schema = entry_points(near).outputs
    for path in view.target_keys if found is not MISSING else ():
        steps = tokens(path)
        if path == WHOLE:
            continue
        if not steps:
            message = f"“{path}” is no path into the output, so every case ends in an error."
            yield warn("no_path", where, message, "Write a name of the output, or “*” for all.")
        elif re.search(r"\[-\d", path):
            message = f"“{path}” counts from the end, which UiPath cannot; it ends in an error."
            yield warn("negative_index", where, message, "Count from the start: [0] is the first.")
        elif re.search(r"\.\d+(?![^.\[\]])", path):
            message = f"“{path}” looks for a member called by a number, not for an item of a list."
            hint = "Write an item's number in brackets: a[0].b."
            yield warn("index_without_brackets", where, message, hint)
        elif not schema.is_open and steps[0] not in schema.members:
            message = (
                f"The agent returns no “{steps[0]}” (see entry-points.json), so every case ends in "
                "an error."
            )
            guess = closest(str(steps[0]), list(schema.members)) if len(steps) == 1 else None
            hint = f"It has: {', '.join(schema.members)}."
            yield warn("unknown_output", where, message, hint, guess or "")


def _classes(view: EvaluatorView) -> Iterator[Problem]:
    if view.type_id.endswith("-classification") and view.target_keys == [WHOLE]:
        yield REPORT.problem(
            "warning",
            "class_of_whole_output",
            CONFIG + _TARGET.where(view.config) if _TARGET.get(view.config) else CONFIG,
            "The class is read from the whole output: of an object that is its text, with braces "
            "and quotes, which is no class.",
            "Name the output that holds the class in “targetOutputKey”.",
        )


def _lines(view: EvaluatorView) -> Iterator[Problem]:
    if not view.by_lines:
        return
    warn = partial(REPORT.problem, "warning")
    where = CONFIG + _TARGET.where(view.config)
    if isinstance(_TARGET.get(view.config), list):
        message = "With a list of output keys nothing is scored by lines."
        yield warn("lines_are_off", where, message, "Name one key.")
    elif view.target_keys == [WHOLE]:
        message = "The whole output is one line here, unless it is a text."
        yield warn("lines_of_whole_output", where, message, "Name the key that holds the text.")
    elif len(tokens(view.target_key)) > 1:
        message = "Line by line works for a key at the top only: here every line is an error."
        yield warn("lines_of_inner_key", where, message, "Name a key at the top of the output.")
    if view.type_id == "uipath-contains":
        message = "Every line must contain the whole search text; lines without it score 0."
        yield REPORT.problem("info", "search_in_every_line", where, message)
    if is_on(view.config.get("negated")):
        message = "The setting “negated” turns each line's score around, not the whole."
        yield warn("negated_by_line", f"{CONFIG}/negated", message)


def _judge(view: EvaluatorView) -> Iterator[Problem]:
    config, kind = view.config, view.coded
    model, prompt = config.get("model", ""), config.get("prompt")
    if model in ("", "same-as-agent"):
        unset = "has no model" if not model else "takes “same-as-agent” for the name of a model"
        yield REPORT.problem(
            "warning",
            "no_model",
            f"{CONFIG}/model" if "model" in config else CONFIG,
            f"The judge {unset}, so UiPath's model service refuses each request.",
            "Write the name of a model, such as gpt-4.1-2025-04-14.",
        )
    if kind is not None and isinstance(prompt, str):
        yield from of_prompt(prompt, f"{CONFIG}/prompt", kind.sees, coded=True)
    if kind is not None and kind.sees == "trace":
        yield REPORT.problem(
            "info",
            "trajectory_sees_tools_only",
            "/evaluatorTypeId",
            "The judge sees the agent's tool calls only: for an agent that calls none there is "
            "nothing to judge, and it tends to score 0.",
        )
    if view.type_id.endswith("-simulation"):
        message = "uipath eval leaves {{SimulationInstructions}} empty."
        yield REPORT.problem("info", "no_simulation_instructions", "/evaluatorTypeId", message)
