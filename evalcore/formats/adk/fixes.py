"""What mends a problem of a file in ADK's schema."""

from __future__ import annotations

import re
from collections.abc import Mapping

from evalcore.errors import Problem
from evalcore.formats.adk.applied import RUBRIC_ID, RUBRICS, Applied
from evalcore.formats.adk.detect import SET_FILE
from evalcore.formats.adk.fields import member, objects
from evalcore.formats.adk.metrics import METRICS
from evalcore.formats.adk.set_checks import SET_KEYS
from evalcore.formats.adk.traps import EVAL_ID, cases_of
from evalcore.formats.fixes import (
    Fix,
    Fixer,
    Site,
    as_wanted,
    called_as_wanted,
    constant,
    first_of,
    fresh,
    hundredth,
    removed,
    renamed,
    without,
    written,
)
from evalcore.formats.lenses import key
from evalcore.jsontree import MISSING, JsonValue, get, join, split


def _stem(site: Site) -> str:
    return site.path.name.removesuffix(SET_FILE[1:]).lstrip("._")


def _case_ids(tree: JsonValue) -> list[JsonValue]:
    found = (member(case.raw, EVAL_ID) for case in cases_of(tree))
    return [case_id for case_id in found if case_id is not MISSING]


def _missing(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    name, at = problem.wanted, problem.pointer
    folded = name.replace("_", "").lower()
    last = split(at)[-1] if at else ""
    number = int(last) + 1 if last.isdecimal() else 1
    values: dict[str, JsonValue] = {
        "evalid": fresh(f"case_{number}", _case_ids(tree)),
        "evalsetid": _stem(site),
        "userid": "user",
        "rubricid": fresh(f"rubric_{number}", _rubric_ids(tree, at)),
    }
    if folded not in values:
        return None
    value = values[folded]
    return written(tree, join(at, name), value, f"Add “{name}”: “{value}”")


def _new_case_id(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    found = get(tree, problem.pointer)
    number = int(split(problem.pointer)[1]) + 1
    name = fresh(found if isinstance(found, str) and found else f"case_{number}", _case_ids(tree))
    return written(tree, problem.pointer, name, f"Call it “{name}”")


def _plain_case_id(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    found = get(tree, problem.pointer)
    if not isinstance(found, str):
        return None
    name = fresh(re.sub(r"\s*[:,/]\s*", "_", found), _case_ids(tree))
    return written(tree, problem.pointer, name, f"Call it “{name}”")


def _set_id_without_slash(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    found = get(tree, problem.pointer)
    name = found.replace("/", "_") if isinstance(found, str) else ""
    return written(tree, problem.pointer, name, f"Call the set “{name}”") if name else None


def _set_id_of_file(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    name = _stem(site)
    # Results of ADK go by the id that the set has now; Harnest does not read the set as it is.
    is_safe = problem.severity == "error"
    label = f"Call the set “{name}”, as its file"
    return written(tree, problem.pointer, name, label, is_safe=is_safe)


def _snake_case(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    name = split(problem.pointer)[-1]
    keys = (*SET_KEYS, key("creation_timestamp"))
    snake = next((k.spellings[0] for k in keys if name in k.spellings), "")
    return renamed(tree, problem.pointer, snake)


def _args(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    # The place is the call where it has no args, and the args where they are null.
    at = problem.pointer
    where = at if get(tree, at) is None else join(at, "args")
    return written(tree, where, {}, "Add “args”: {}")


def _rubric_type(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    judged = [m.rubric_type for m in Applied.beside(site.near).metrics() if m.rubric_type]
    only = first_of(judged)
    kind = only or (judged or ["FINAL_RESPONSE_QUALITY"])[0]
    at = join(problem.pointer, "type")
    return written(tree, at, kind, f"Set its type to {kind}", is_safe=only is not None)


def _rubric_ids(tree: JsonValue, pointer: str) -> list[JsonValue]:
    """Return the ids of all rubrics of the case, or of the criterion, that a place lies in."""
    tokens = split(pointer)
    top = join("", *tokens[:2])
    case = get(tree, top)
    found = list(objects(case, RUBRICS, top))
    turns = get(tree, join(top, "conversation"))
    for turn in turns if isinstance(turns, list) else ():
        found += objects(turn, RUBRICS, "")
    return [rubric_id for _, raw in found if (rubric_id := member(raw, RUBRIC_ID)) is not MISSING]


def _new_rubric_id(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    found = get(tree, problem.pointer)
    taken = [*_rubric_ids(tree, problem.pointer), *_criteria_rubrics(site)]
    name = fresh(found, taken) if isinstance(found, str) else ""
    return written(tree, problem.pointer, name, f"Call it “{name}”") if name else None


def _criteria_rubrics(site: Site) -> list[str]:
    applied = Applied.beside(site.near)
    return [rubric_id for metric in applied.metrics() for rubric_id in applied.rubric_ids(metric)]


def _criterion_rubric_id(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    found = get(tree, problem.pointer)
    listed = get(tree, join("", *split(problem.pointer)[:-2]))
    raws = listed if isinstance(listed, list) else []
    taken = [member(raw, RUBRIC_ID) for raw in raws if isinstance(raw, dict)]
    name = fresh(found, [t for t in taken if t is not MISSING]) if isinstance(found, str) else ""
    return written(tree, problem.pointer, name, f"Call it “{name}”") if name else None


def _threshold(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    tokens = split(problem.pointer)
    metric = METRICS.get(tokens[1]) if len(tokens) > 1 else None
    return hundredth(tree, problem, site) if metric and metric.highest == 1 else None


def _threshold_number(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    found = get(tree, problem.pointer)
    if not isinstance(found, bool):
        return None
    return written(tree, problem.pointer, float(found), f"Write {float(found)}")


def _not_measured(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    criteria = get(tree, problem.pointer.rpartition("/")[0])
    # The last criterion stays: without any, nothing could pass.
    if not isinstance(criteria, dict) or len(criteria) < 2:
        return None
    return removed(tree, problem.pointer, is_safe=True)


def _option(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    if problem.wanted:
        return renamed(tree, problem.pointer, problem.wanted)
    return removed(tree, problem.pointer, is_safe=True)


def _no_empty_turns(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    if get(tree, problem.pointer) != []:
        return None
    return removed(tree, problem.pointer, is_safe=True, what="the empty list of turns")


FIXES: Mapping[str, Fixer] = {
    "missing": _missing,
    "turns_and_scenario": _no_empty_turns,
    "duplicate_case_id": _new_case_id,
    "empty_case_id": _new_case_id,
    "case_id_not_selectable": _plain_case_id,
    "case_id_with_slash": _plain_case_id,
    "set_id_with_slash": _set_id_without_slash,
    "set_id_differs": _set_id_of_file,
    "camel_case_set": _snake_case,
    "unknown_persona": as_wanted,
    "rubric_without_type": _rubric_type,
    "rubric_type_unknown": as_wanted,
    "rubric_id_twice": _new_rubric_id,
    "rubric_id_in_criteria": _new_rubric_id,
    "rubric_id_twice_in_criterion": _criterion_rubric_id,
    "call_without_args": _args,
    "thought_in_reply": without(),
    "expected_state_unread": without(),
    "empty_user_id": constant("user", "Write “user”", is_safe=False),
    "unknown_metric": called_as_wanted,
    "measured_anyway": _not_measured,
    "option_unknown": _option,
    "option_without_effect": without(is_safe=True),
    "criterion_fails": as_wanted,
    "threshold_never": _threshold,
    "threshold_is_flag": _threshold_number,
    "match_type_ignored": without(),
    "option_dropped": without(),
    "live_settings": without(),
}
