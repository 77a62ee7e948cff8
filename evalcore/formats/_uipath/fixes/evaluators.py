"""What mends an evaluator's file."""

from __future__ import annotations

from collections.abc import Mapping

from evalcore.errors import Problem
from evalcore.formats._uipath.evaluator_view import is_on
from evalcore.formats.fixes import (
    Fix,
    Fixer,
    Site,
    as_wanted,
    constant,
    removed,
    renamed,
    without,
    written,
)
from evalcore.jsontree import MISSING, JsonValue, get, join, put


def _case_sensitive(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    """Say what ignoreCase means by the name that is read."""
    config = problem.pointer.rpartition("/")[0]
    sensitive = not is_on(get(tree, problem.pointer))
    held = get(tree, config)
    if isinstance(held, dict) and ("caseSensitive" in held or "case_sensitive" in held):
        return removed(tree, problem.pointer, is_safe=True)
    moved = renamed(tree, problem.pointer, "caseSensitive")
    if moved is None:
        return None
    said = "true" if sensitive else "false"
    label = f"Write “caseSensitive”: {said} instead"
    return Fix(label, put(moved.tree, join(config, "caseSensitive"), sensitive))


def _line_flag(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    coded = problem.pointer.startswith("/evaluatorConfig")
    return renamed(
        tree, problem.pointer, "lineByLineEvaluator" if coded else "lineByLineEvaluation"
    )


def _placeholder(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    prompt = get(tree, problem.pointer)
    names = [n for n in ("ExpectedAgentBehavior", "AgentRunHistory") if n in problem.message]
    if not isinstance(prompt, str) or not names:
        return None
    slip, right = "{{ExpectedBehavior}}", f"{{{{{names[0]}}}}}"
    if names[0] == "ExpectedAgentBehavior" and slip in prompt:
        mended = prompt.replace(slip, right)
        return written(tree, problem.pointer, mended, f"Write {right} instead of {slip}")
    mended = f"{prompt.rstrip()}\n\n{right}"
    return written(tree, problem.pointer, mended, f"Add {right} at the end")


def _right_placeholder(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    prompt = get(tree, problem.pointer)
    wrong = problem.message.partition("{{")[2].partition("}}")[0]
    if not isinstance(prompt, str) or not problem.wanted or not wrong:
        return None
    right = f"{{{{{problem.wanted}}}}}"
    mended = prompt.replace(f"{{{{{wrong}}}}}", right)
    return written(tree, problem.pointer, mended, f"Write {right}")


def _classes(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    found = get(tree, problem.pointer)
    if not isinstance(found, list):
        return None
    kept: dict[str, str] = {}
    for label in found:
        if isinstance(label, str) and label.strip():
            kept.setdefault(label.strip().lower(), label.strip())
    names: list[JsonValue] = list(kept.values())
    return written(tree, problem.pointer, names, f"Keep {', '.join(map(str, names))}")


def _conflict(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    config = problem.pointer.rpartition("/")[0]
    return removed(tree, join(config, problem.wanted))


def _f_value(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    at = join(problem.pointer, "fValue")
    return written(tree, at, 1, "Write 1", is_safe=False)


def _for_uip(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    """Add what uipath eval takes for granted."""
    defaults: dict[str, JsonValue] = {
        "fileName": site.path.name,
        "name": site.path.stem,
        "description": "",
        "targetOutputKey": "*",
        "model": "same-as-agent",
    }
    value = defaults.get(problem.wanted, MISSING)
    if value is MISSING:
        return None
    label = f"Add “{problem.wanted}”: “{value}”"
    # With the agent's own model the evaluator needs an agent.json, which may not be there.
    return written(tree, join("", problem.wanted), value, label, is_safe=problem.wanted != "model")


EVALUATORS: Mapping[str, Fixer] = {
    "unknown_type": as_wanted,
    "ignore_case_not_read": _case_sensitive,
    "line_flag_misnamed": _line_flag,
    "subset_without_effect": without(is_safe=True),
    "two_names": without(is_safe=True),
    "matches_anything": lambda tree, problem, site: (
        constant("*", "Compare the whole output", is_safe=False)(tree, problem, site)
        if get(tree, problem.pointer) == []
        else None
    ),
    "placeholder_missing": _placeholder,
    "unknown_placeholder": _right_placeholder,
    "classes_not_distinct": _classes,
    "aggregators_conflict": _conflict,
    "f_value_out_of_range": _f_value,
    "uip_needs_it": _for_uip,
    "no_model": lambda tree, problem, site: written(
        tree,
        "/evaluatorConfig/model",
        "gpt-4.1-2025-04-14",
        "Write “gpt-4.1-2025-04-14”",
        is_safe=False,
    ),
}
