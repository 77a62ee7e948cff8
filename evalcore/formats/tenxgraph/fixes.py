"""What mends a problem of a 10xGraph file."""

from __future__ import annotations

from collections.abc import Mapping

from evalcore.errors import Problem
from evalcore.formats.fixes import (
    Fix,
    Fixer,
    Site,
    as_wanted,
    called_as_wanted,
    constant,
    fresh,
    hundredth,
    removed,
    renamed,
    without,
    written,
)
from evalcore.formats.tenxgraph.names import BY_KEY
from evalcore.formats.tenxgraph.set_checks import TOOL_NODES, Case, cases_of
from evalcore.jsontree import MISSING, JsonValue, get, join, put, split


def _cases(tree: JsonValue) -> list[Case]:
    return list(cases_of(tree)) if isinstance(tree, dict) else []


def _case_ids(tree: JsonValue) -> list[JsonValue]:
    return [case.raw["eval_id"] for case in _cases(tree) if "eval_id" in case.raw]


def _missing(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    if problem.wanted != "role":
        return None
    role = "user" if problem.pointer.endswith("/user_content") else "assistant"
    return written(tree, join(problem.pointer, "role"), role, f"Add “role”: “{role}”")


def _set_id(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    if not isinstance(tree, dict):
        return None
    name = site.path.name.split(".", 1)[0] or "eval_set"
    return Fix(f"Add “eval_set_id”: “{name}”", {"eval_set_id": name, **tree})


def _new_case_id(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    found = get(tree, problem.pointer)
    ids = _case_ids(tree)
    # Every case of the id has the problem; the first one keeps it.
    same = [c for c in _cases(tree) if c.raw.get("eval_id") == found]
    if not isinstance(found, str) or problem.pointer == join(same[0].pointer, "eval_id"):
        return None
    name = fresh(found, ids)
    return written(tree, problem.pointer, name, f"Call it “{name}”")


def _case_id(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    raw = get(tree, problem.pointer)
    if not isinstance(raw, dict):
        return None
    name = fresh(f"case_{int(split(problem.pointer)[-1]) + 1}", _case_ids(tree))
    return Fix(f"Call it “{name}”", _put_first(tree, problem.pointer, "eval_id", name))


def _put_first(tree: JsonValue, pointer: str, name: str, value: JsonValue) -> JsonValue:
    raw = get(tree, pointer)
    return put(tree, pointer, {name: value, **raw}) if isinstance(raw, dict) else tree


def _cases_key(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    empty = get(tree, "/eval_cases") == []
    cleared = removed(tree, "/eval_cases") if empty else None
    return renamed(cleared.tree if cleared else tree, problem.pointer, "eval_cases")


def _threshold(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    if not problem.wanted:
        return None
    return hundredth(tree, problem, site)


def _lower_threshold(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    value = float(problem.wanted)
    return written(tree, problem.pointer, value, f"Write {value:g}")


def _usual_threshold(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    criterion = BY_KEY.get(split(problem.pointer)[-1])
    if criterion is None:
        return None
    at, value = join(problem.pointer, "threshold"), criterion.factory
    return written(tree, at, value, f"Add “threshold”: {value:g}", is_safe=False)


def _recorded_nodes(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    found = get(tree, problem.pointer)
    calls = get(tree, problem.pointer.rpartition("/")[0] + "/expected_tool_trajectory")
    tools = [c.get("name") for c in calls if isinstance(c, dict)] if isinstance(calls, list) else []
    if not isinstance(found, list):
        return None
    kept = [n for n in found if isinstance(n, str) and n.upper() not in TOOL_NODES]
    order: list[JsonValue] = [node for node in kept if node not in tools]
    if "__start__" not in order:
        order.insert(0, "__start__")
    label = f"Expect {', '.join(map(str, order))}"
    return written(tree, problem.pointer, order, label, is_safe=False)


def _own_user_id(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    session = get(tree, join("", *split(problem.pointer)[:-2]))
    # Without an id of its own the session has “test_user”, which wins as well.
    is_set = isinstance(session, dict) and session.get("user_id", MISSING) is not MISSING
    return removed(tree, problem.pointer, is_safe=is_set)


FIXES: Mapping[str, Fixer] = {
    "missing": _missing,
    "set_without_id": _set_id,
    "case_without_id": _case_id,
    "duplicate_case_id": _new_case_id,
    "cases_under_another_key": _cases_key,
    "old_criterion_name": called_as_wanted,
    "unknown_criterion": called_as_wanted,
    "match_type_case": as_wanted,
    "threshold_out_of_range": _threshold,
    "mean_misses_threshold": _lower_threshold,
    "threshold_default": _usual_threshold,
    "no_samples": constant(1, "Ask once"),
    "same_question_twice": without(),
    "setting_not_read": without(is_safe=True),
    "setting_not_enforced": without(is_safe=True),
    "weight_not_used": without(is_safe=True),
    "empty_reply_expects_nothing": without(),
    "placeholder_reply": without(),
    "fixed_thread": without(),
    "config_user_id_ignored": _own_user_id,
    "node_order_without_start": _recorded_nodes,
    "node_order_never_matches": _recorded_nodes,
    "intermediate_not_read": without(),
}
