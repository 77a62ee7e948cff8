"""Rules about low-code sets and their cases."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from evalcore.errors import Problem
from evalcore.formats._uipath.ids import fold_guid, is_guid
from evalcore.formats._uipath.kinds import REPORT
from evalcore.formats._uipath.paths import WHOLE, resolve, tokens
from evalcore.formats._uipath.set_view import (
    EXPECTED_BEHAVIOR,
    EXPECTED_OUTPUT,
    Case,
    SetView,
    camel,
)
from evalcore.formats.shapes import describe
from evalcore.jsontree import MISSING, JsonValue, Missing, join

SET_ID = camel("eval_set_id")
SIMULATE_INPUT = camel("simulate_input")
INPUT_INSTRUCTIONS = camel("input_generation_instructions")
SIMULATE_TOOLS = camel("simulate_tools")
TOOLS = camel("tools_to_simulate")
TOOL_INSTRUCTIONS = camel("simulation_instructions")
SOURCES = ("manual", "debugRun", "runtimeRun", "simulatedRun", "autopilotUserInitiated")
CODED_KEYS = {
    "evaluationCriterias": "every evaluator of the set scores every case",
    "mockingStrategy": "the real tools run",
    "inputMockingStrategy": "the inputs are used as they are",
}


def flag_for_lines_is_not_read(view: SetView) -> Iterator[Problem]:
    """Warn of a flag on the set that only evaluators have."""
    name = camel("line_by_line_evaluation").find(view.value)
    if name is not None and view.value[name] is True:
        yield view.problem(
            "warning",
            "line_flag_on_set",
            join("", name),
            "UiPath does not read “lineByLineEvaluation” of a set, so nothing is scored by lines.",
            "Set “lineByLineEvaluation” in the evaluator's file.",
        )


def file_name_is_right(view: SetView) -> Iterator[Problem]:
    """Tell where the set gives another name for its file."""
    name = camel("file_name").find(view.value)
    found = view.value[name] if name is not None else MISSING
    if name is not None and isinstance(found, str) and found != view.path.name:
        yield view.problem(
            "info",
            "file_name_differs",
            join("", name),
            f"The set says that its file is called “{found}”, but it is “{view.path.name}”.",
            f"Write “{view.path.name}”.",
        )


def case_belongs_to_this_set(view: SetView, case: Case) -> Iterator[Problem]:
    """Warn of a case that was copied from another set."""
    found, own = case.get(SET_ID), view.value.get("id")
    if isinstance(found, str) and isinstance(own, str) and fold_guid(found) != fold_guid(own):
        yield case.problem(
            "warning",
            "other_set_id",
            case.at(SET_ID),
            f"it says that it belongs to the set “{found}”, but the id of this one is “{own}”.",
            "Write the id of this set.",
        )


def something_is_expected(view: SetView, case: Case) -> Iterator[Problem]:
    """Warn of a case without anything to compare with."""
    known = (view.evaluator_by_id.get(ref) for ref in view.refs)
    judged = any(e is not None and e.legacy is not None and e.legacy.is_judged for e in known)
    if judged or _has_output(case) or _has_behavior(case):
        return
    yield case.problem(
        "warning",
        "nothing_expected",
        case.at(EXPECTED_OUTPUT),
        "it expects no output and no behaviour, so its scores say nothing.",
        "Write an expected output or an expected behaviour.",
    )


def simulation_is_complete(view: SetView, case: Case) -> Iterator[Problem]:
    """Warn of simulation that does nothing because half of it is missing."""
    if case.get(SIMULATE_INPUT) is True and not case.get(INPUT_INSTRUCTIONS):
        yield case.problem(
            "warning",
            "input_not_simulated",
            case.at(SIMULATE_INPUT),
            "its inputs are not made up, because there are no instructions for them.",
            "Write “inputGenerationInstructions”.",
        )
    if case.get(SIMULATE_TOOLS) is True and not case.get(TOOLS):
        yield case.problem(
            "warning",
            "no_tool_simulated",
            case.at(SIMULATE_TOOLS),
            "no tool is listed, so nothing is simulated and the real tools run.",
            'List them in “toolsToSimulate”, such as [{"name": "search"}].',
        )
    if case.get(TOOLS) not in (MISSING, None, []) and case.get(SIMULATE_TOOLS) is not True:
        yield case.problem(
            "warning",
            "simulation_is_off",
            case.at(TOOLS),
            "tools are listed to be simulated, but “simulateTools” is off: the real tools run.",
            "Set “simulateTools” to true.",
        )


def instructions_are_read(view: SetView, case: Case) -> Iterator[Problem]:
    """Warn of instructions for a simulation that is not switched on."""
    switches = [(SIMULATE_INPUT, INPUT_INSTRUCTIONS, "its inputs are used as they are written")]
    if case.get(TOOLS) in (MISSING, None, []):
        switches.append((SIMULATE_TOOLS, TOOL_INSTRUCTIONS, "the real tools run"))
    for switch, instructions, effect in switches:
        found = case.get(instructions)
        if isinstance(found, str) and found.strip() and case.get(switch) is not True:
            name = switch.choose(case.raw, "camel")
            yield case.problem(
                "warning",
                "instructions_not_read",
                case.at(instructions),
                f"these instructions are not read, because “{name}” is off: {effect}.",
                f"Set “{name}” to true, or remove the instructions.",
                name,
            )


def no_coded_keys(view: SetView, case: Case) -> Iterator[Problem]:
    """Warn of keys that only coded sets have."""
    for name, effect in CODED_KEYS.items():
        found = case.raw.get(name)
        if found and not (name == "evaluationCriterias" and _all_defaults(found, view)):
            yield case.problem(
                "warning",
                "coded_key",
                join(case.pointer, name),
                f"the setting “{name}” is for sets of coded agents; UiPath ignores it here: "
                f"{effect}.",
                "Remove it.",
            )


def id_is_a_guid(view: SetView, case: Case) -> Iterator[Problem]:
    """Tell of ids that were written by hand; the message is the same for all."""
    found = case.raw.get("id")
    if isinstance(found, str) and found and not is_guid(found):
        yield REPORT.problem(
            "info",
            "id_is_no_guid",
            join(case.pointer, "id"),
            "This id was written by hand. UiPath's tools give GUIDs, and Studio Web may replace "
            "any other.",
        )


def source_is_known(view: SetView, case: Case) -> Iterator[Problem]:
    """Tell of a source that UiPath's tools do not write."""
    found = case.raw.get("source")
    if "source" in case.raw and found not in SOURCES:
        yield case.problem(
            "info",
            "unknown_source",
            join(case.pointer, "source"),
            f"its source is {describe(found)}. Only UiPath's tools should write a source, and they "
            "may overwrite it.",
        )


def evaluators_find_what_they_compare(view: SetView, case: Case) -> Iterator[Problem]:
    """Warn where an evaluator of the set passes or fails whatever the agent does."""
    expected = case.get(EXPECTED_OUTPUT)
    for ref in view.refs:
        evaluator = view.evaluator_by_id.get(ref)
        kind = evaluator.legacy if evaluator is not None else None
        if evaluator is None or kind is None:
            continue
        if kind.is_judged:
            empty = not (_has_output(case) if kind.sees == "output" else _has_behavior(case))
            if empty:
                lacks = "output" if kind.sees == "output" else "behaviour"
                message = f"“{evaluator.name}” needs an expected {lacks}; it ends in an error."
                at = EXPECTED_OUTPUT if kind.sees == "output" else EXPECTED_BEHAVIOR
                yield case.problem(
                    "warning",
                    "judge_expects_nothing",
                    case.at(at),
                    message,
                    f"Write the expected {lacks}.",
                )
        elif isinstance(expected, dict) and kind.title != "CSV columns":
            yield from _target(case, expected, evaluator.target_key, evaluator.name, kind.title)


def _target(
    case: Case, expected: JsonValue, path: str, evaluator: str, title: str
) -> Iterator[Problem]:
    if path == WHOLE or not tokens(path) or resolve(expected, path) is not MISSING:
        return
    passes = "passes if the agent does not return it either" if title == "Equals" else "scores 100"
    yield case.problem(
        "warning",
        "target_not_expected",
        case.at(EXPECTED_OUTPUT),
        f"“{evaluator}” looks at “{path}”, which is not expected here: it {passes}.",
        f"Add “{path}” to the expected output.",
    )


def _all_defaults(criterias: JsonValue, view: SetView) -> bool:
    """Return whether criteria ask for what happens anyway: every evaluator, nothing special."""
    if not isinstance(criterias, dict):
        return False
    return set(criterias) >= set(view.refs) and not any(criterias.values())


def _has_output(case: Case) -> bool:
    spoken: JsonValue | Missing = case.get(camel("conversational_expected_output"))
    return case.get(EXPECTED_OUTPUT) not in ({}, MISSING, None, "") or bool(spoken)


def _has_behavior(case: Case) -> bool:
    found = case.get(EXPECTED_BEHAVIOR)
    return isinstance(found, str) and bool(found.strip())


SET_RULES: tuple[Callable[[SetView], Iterator[Problem]], ...] = (
    flag_for_lines_is_not_read,
    file_name_is_right,
)
RULES: tuple[Callable[[SetView, Case], Iterator[Problem]], ...] = (
    case_belongs_to_this_set,
    something_is_expected,
    simulation_is_complete,
    instructions_are_read,
    no_coded_keys,
    id_is_a_guid,
    source_is_known,
    evaluators_find_what_they_compare,
)
