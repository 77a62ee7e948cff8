"""Rules about the cases of a coded set: what each evaluator expects."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from evalcore.errors import Problem
from evalcore.formats._uipath import output_rules, tool_rules
from evalcore.formats._uipath.evaluator_view import EvaluatorView
from evalcore.formats._uipath.kinds import LEGACY_CRITERIA, REPORT
from evalcore.formats._uipath.set_view import CRITERIA, EXPECTED_OUTPUT, Case, SetView
from evalcore.formats.shapes import closest
from evalcore.jsontree import MISSING, JsonObject, JsonValue, Missing, get

LOWCODE_KEYS = {
    "simulateTools": "mockingStrategy",
    "simulationInstructions": "mockingStrategy",
    "toolsToSimulate": "mockingStrategy",
    "simulateInput": "inputMockingStrategy",
    "inputGenerationInstructions": "inputMockingStrategy",
}


def criteria_are_there(view: SetView, case: Case) -> Iterator[Problem]:
    """Warn of a case that nothing scores."""
    named = case.get(CRITERIA)
    if isinstance(named, dict) and view.refs and view.refs.keys().isdisjoint(named):
        yield case.problem(
            "warning",
            "nothing_scored",
            case.at(CRITERIA),
            "it has no criteria for any evaluator of the set, so nothing scores it.",
            "Add a check for each evaluator that should; “Its own defaults” will do "
            "(null in the file).",
        )


def criteria_name_evaluators_of_the_set(view: SetView, case: Case) -> Iterator[Problem]:
    """Warn of criteria that are not read because the set does not name their evaluator."""
    for name in _criteria(case):
        if name not in view.refs:
            guess = closest(name, list(view.refs))
            yield case.problem(
                "warning",
                "criteria_not_read",
                case.at(CRITERIA, name),
                f"its criteria for “{name}” are not read, because the set does not name that "
                "evaluator.",
                f"Did you mean “{guess}”?" if guess else "Add it to the set's evaluators.",
                guess or "",
            )


def criteria_can_be_read(view: SetView, case: Case) -> Iterator[Problem]:
    """Refuse criteria on which the whole case fails, as far as the evaluators are known."""
    for name, criteria in _criteria(case).items():
        evaluator = view.evaluator_by_id.get(name)
        if evaluator is None or name not in view.refs:
            continue
        if criteria is None or criteria == {}:
            yield from _without_criteria(case, name, evaluator)
        elif isinstance(criteria, dict):
            yield from _refused(case, name, criteria, evaluator)


def criteria_mean_what_they_say(view: SetView, case: Case) -> Iterator[Problem]:
    """Warn of criteria that always pass, never pass, or compare something else."""
    for name, criteria in _criteria(case).items():
        evaluator = view.evaluator_by_id.get(name)
        if isinstance(criteria, dict):
            pointer = case.at(CRITERIA, name)
            traps = tool_rules.of_criteria(partial(case.problem, "warning"), criteria, pointer)
            refused = evaluator is not None and name in view.refs
            yield from (p for p in traps if not (refused and p.code in tool_rules.REFUSED))
            yield from output_rules.of_criteria(view, case, criteria, pointer, evaluator)
        if evaluator is not None and evaluator.coded is not None:
            own = criteria.get("expectedOutput", MISSING) if isinstance(criteria, dict) else MISSING
            if own is MISSING and evaluator.coded.takes_expected_output:
                shared = case.get(EXPECTED_OUTPUT)
                yield from output_rules.of_expected(
                    view, case, shared, case.at(EXPECTED_OUTPUT), evaluator
                )


def no_lowcode_keys(view: SetView, case: Case) -> Iterator[Problem]:
    """Warn of keys that only low-code sets have: what they ask for does not happen."""
    for name, instead in LOWCODE_KEYS.items():
        if name in case.raw:
            yield case.problem(
                "warning",
                "lowcode_key",
                f"{case.pointer}/{name}",
                f"the setting “{name}” is for low-code sets; in this one UiPath ignores it.",
                f"Use “{instead}”.",
            )


def _without_criteria(case: Case, name: str, evaluator: EvaluatorView) -> Iterator[Problem]:
    kind = evaluator.coded
    if kind is None:
        return
    shared = case.get(EXPECTED_OUTPUT)
    if kind.takes_expected_output and shared is not MISSING and shared is not None:
        return
    if evaluator.default_criteria not in (MISSING, None):
        return
    yield case.problem(
        "error",
        "criteria_missing",
        case.at(CRITERIA, name),
        f"“{name}” has no criteria here and no default of its own. The whole case fails, and every "
        "evaluator counts it as 0.",
        "Write the criteria, or give the evaluator default criteria.",
    )


def _refused(
    case: Case, name: str, criteria: JsonObject, evaluator: EvaluatorView
) -> Iterator[Problem]:
    kind = evaluator.coded
    shape = LEGACY_CRITERIA if evaluator.legacy else kind.criteria if kind else None
    if shape is None:
        return
    shared = case.get(EXPECTED_OUTPUT)
    stands_in = kind is not None and kind.takes_expected_output and shared not in (MISSING, None)
    tested: JsonObject = criteria
    if stands_in and shared is not MISSING and "expectedOutput" not in criteria:
        tested = {**criteria, "expectedOutput": shared}
    for fault in shape.faults(tested, case.at(CRITERIA, name), REPORT):
        if fault.severity != "error":
            continue
        raw = get(case.raw, fault.pointer.removeprefix(case.pointer))
        misnamed = fault.code == "uipath.missing" and isinstance(raw, dict) and "arguments" in raw
        yield case.problem(
            "error",
            "criteria_refused",
            fault.pointer,
            f"“{name}” cannot use its criteria: {fault.message} The whole case fails, and every "
            "evaluator counts it as 0.",
            "Call “arguments” “args”." if misnamed else fault.hint,
        )


def _criteria(case: Case) -> JsonObject:
    found: JsonValue | Missing = case.get(CRITERIA)
    return found if isinstance(found, dict) else {}


RULES: tuple[Callable[[SetView, Case], Iterator[Problem]], ...] = (
    criteria_are_there,
    criteria_name_evaluators_of_the_set,
    criteria_can_be_read,
    criteria_mean_what_they_say,
    no_lowcode_keys,
)
