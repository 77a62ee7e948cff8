"""Edits of a file of evaluators: add, remove, switch, rename its checks. Trees in, trees out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from evalcore.errors import FormatError
from evalcore.evaluators.tenxgraph.presets import PRESETS, combine
from evalcore.formats.adk.metrics import METRICS
from evalcore.formats.tenxgraph.names import BY_KEY
from evalcore.jsontree import MISSING, JsonObject, JsonValue, get, join, put
from evalcore.scoring.sidecar import with_check, without_check
from evalcore.views.evaluators.bench import Bench, CheckView
from evalcore.views.rescore_form import STARTS, fresh_name, own_kinds

ADK_MARKS: Final[Mapping[str, float]] = {
    "tool_trajectory_avg_score": 1.0,
    "hallucinations_v1": 0.9,
    "response_evaluation_score": 3.0,
    "safety_v1": 0.9,
}
"""Pass marks that new criteria of ADK begin with, where that is not 0.8."""
_MARK: Final = 0.8


def addable(bench: Bench) -> dict[str, str]:
    """Return the checks that can be added to a criteria file: their names there, and in words."""
    present = {check.ref for check in bench.checks if check.state != "null"}
    if bench.family in ("adk", "harnest"):
        usual = {n: m.title for n, m in METRICS.items() if not m.informational}
        return {n: title for n, title in usual.items() if n not in present}
    if bench.family == "tenxgraph":
        return {n: c.label for n, c in BY_KEY.items() if n not in present}
    return {name: cls.label for name, cls in own_kinds().items()}


def add(bench: Bench, name: str) -> str:
    """Add a check with its usual settings, as one undoable step; returns what it is called."""
    if bench.family == "evaldesk":
        taken = {check.ref for check in bench.checks}
        called = fresh_name(name, taken)
        bench.edit(
            lambda tree: with_check(tree, called, name, STARTS.get(name, {})), f"Add {called}"
        )
        return called
    raw = blank_criterion(bench.family, name)
    bench.edit(lambda tree: with_criterion(tree, name, raw), f"Add {name}")
    return name


def blank_criterion(family: str, name: str) -> JsonValue:
    """Return a new criterion: a number where that says all, else an object."""
    if family == "tenxgraph":
        criterion = BY_KEY[name]
        more: JsonObject = {key: [] for key in ("keywords", "rubrics") if key in criterion.reads}
        return {"threshold": criterion.factory, **more}
    mark = ADK_MARKS.get(name, _MARK)
    metric = METRICS.get(name)
    if metric is None or metric.criterion == "plain":
        return mark
    if metric.criterion == "trajectory":
        return {"threshold": mark, "match_type": "IN_ORDER"}
    return {"threshold": mark, **({"rubrics": []} if metric.criterion == "rubrics" else {})}


def with_criterion(tree: JsonValue, name: str, raw: JsonValue) -> JsonValue:
    """Return a criteria file with a criterion, in its place or at the end."""
    if not isinstance(get(tree, "/criteria"), dict):
        tree = put(tree, "/criteria", {})
    return put(tree, join("/criteria", name), raw)


def add_custom(bench: Bench, name: str, function: str) -> None:
    """Add a custom metric of ADK: its function's path, and a criterion of the same name.

    Raises FormatError for a name that is taken or says nothing, and for a path that is none.
    """
    name, function = name.strip(), function.strip()
    if not name or bench.check(name) is not None:
        raise FormatError(
            "A custom metric needs a name of its own", hint="Write one that no other check has."
        )
    if not all(part.isidentifier() for part in function.split(".")) or "." not in function:
        raise FormatError(
            f"{function!r} is no path of a Python function", hint="Write one such as checks.tone."
        )
    camel = get(bench.tree, "/customMetrics") is not MISSING or bench.style == "camel"
    snake_there = get(bench.tree, "/custom_metrics") is not MISSING
    outer, inner = (
        ("customMetrics", "codeConfig")
        if camel and not snake_there
        else (
            "custom_metrics",
            "code_config",
        )
    )

    def edit(tree: JsonValue) -> JsonValue:
        tree = with_criterion(tree, name, _MARK)
        return put(tree, join("", outer, name), {inner: {"name": function}})

    bench.edit(edit, f"Add {name}")


def remove(bench: Bench, check: CheckView) -> bool:
    """Take a check out of its file, with all that belongs to it, as one undoable step."""

    def edit(tree: JsonValue) -> JsonValue:
        if bench.family == "evaldesk":
            return without_check(tree, check.ref)
        tree = put(tree, check.pointer, MISSING)
        for outer in ("custom_metrics", "customMetrics"):
            if get(tree, join("", outer, check.ref)) is not MISSING:
                tree = put(tree, join("", outer, check.ref), MISSING)
        return tree

    return bench.edit(edit, f"Remove {check.title}")


def rename(bench: Bench, check: CheckView, new: str) -> bool:
    """Give a check of ours, or a custom metric, another name everywhere in its file.

    Raises FormatError for a name that is empty or taken.
    """
    new = new.strip()
    if not new:
        raise FormatError("A check needs a name", hint="Write one.")
    if new != check.ref and any(other.ref == new for other in bench.checks):
        raise FormatError(f"There is already a check called {new!r}", hint="Choose another name.")

    def edit(tree: JsonValue) -> JsonValue:
        if bench.family == "evaldesk":
            return _renamed_own(tree, check, new)
        for outer in ("criteria", "custom_metrics", "customMetrics"):
            tree = _renamed_key(tree, f"/{outer}", check.ref, new)
        return tree

    return bench.edit(edit, f"Rename {check.title}")


def can_rename(bench: Bench, check: CheckView) -> bool:
    """Return whether a check's name is the project's own and not its system's."""
    return bench.family == "evaldesk" or (check.is_custom and not bench.is_single)


def as_object(bench: Bench, check: CheckView, *, on: bool) -> bool:
    """Write a criterion of ADK as an object, or as a bare number where nothing else is lost.

    Raises FormatError where an object holds more than its pass mark.
    """
    raw = get(bench.tree, check.pointer)
    if on == isinstance(raw, dict):
        return False
    if isinstance(raw, dict):
        if list(raw) != ["threshold"]:
            raise FormatError(
                "The criterion holds more than its pass mark",
                hint="Take its other settings out first: a bare number has no place for them.",
            )
        return bench.edit(
            lambda tree: put(tree, check.pointer, raw["threshold"]), "Write as a number"
        )
    if raw is MISSING:
        return False
    return bench.edit(
        lambda tree: put(tree, check.pointer, {"threshold": raw}), "Write as an object"
    )


def switch(bench: Bench, check: CheckView, *, on: bool) -> bool:
    """Switch a criterion of 10xGraph on or off; what it is set to stays."""
    raw = get(bench.tree, check.pointer)
    if raw is None or raw is MISSING:
        new = blank_criterion("tenxgraph", check.ref) if on and check.ref in BY_KEY else raw
        if new is MISSING or new is None:
            return False
        return bench.edit(lambda tree: put(tree, check.pointer, new), f"Switch {check.title} on")
    known: JsonObject = raw if isinstance(raw, dict) else {"threshold": raw}
    new_raw: JsonObject = {**known, "enabled": on}
    return bench.edit(
        lambda tree: put(tree, check.pointer, new_raw),
        f"Switch {check.title} {'on' if on else 'off'}",
    )


def use_preset(bench: Bench, preset: str) -> bool:
    """Put the criteria of a preset of 10xGraph in place of the file's; other settings stay."""
    made = PRESETS[preset]()
    return bench.edit(lambda tree: _with_criteria(tree, made), f"Use the preset {preset}")


def add_preset(bench: Bench, preset: str) -> bool:
    """Add the criteria of a preset to the file's, as ``combine`` does: the preset's win."""
    made = PRESETS[preset]()

    def edit(tree: JsonValue) -> JsonValue:
        both = combine(tree if isinstance(tree, dict) else {}, made)
        return _with_criteria(tree, both)

    return bench.edit(edit, f"Add the preset {preset}")


def _with_criteria(tree: JsonValue, made: JsonObject) -> JsonValue:
    """Return a config with these criteria; names that it sets to null stay so."""
    old, new = get(tree, "/criteria"), made.get("criteria")
    wanted = new if isinstance(new, dict) else {}
    if not isinstance(old, dict):
        return put(tree, "/criteria", wanted)
    writes_nulls = any(raw is None for raw in old.values())
    kept = {n: wanted.get(n) for n in old if n in wanted or writes_nulls}
    return put(tree, "/criteria", {**kept, **{n: v for n, v in wanted.items() if n not in kept}})


def _renamed_own(tree: JsonValue, check: CheckView, new: str) -> JsonValue:
    tree = put(tree, join(check.pointer, "name"), new)
    cases = get(tree, "/cases")
    for case_id in cases if isinstance(cases, dict) else ():
        tree = _renamed_key(tree, join("/cases", case_id), check.ref, new)
    return tree


def _renamed_key(tree: JsonValue, pointer: str, old: str, new: str) -> JsonValue:
    found = get(tree, pointer)
    if not isinstance(found, dict) or old not in found:
        return tree
    return put(tree, pointer, {(new if n == old else n): v for n, v in found.items()})
