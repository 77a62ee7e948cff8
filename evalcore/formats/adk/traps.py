"""What an ADK eval set seems to say and does not: cases and turns, seen from the file alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from evalcore.errors import Problem
from evalcore.formats.adk.applied import Applied
from evalcore.formats.adk.fields import both, member, objects, place
from evalcore.formats.adk.rubric_traps import rubric_traps
from evalcore.formats.adk.schema import CONVERSATION, SCENARIO
from evalcore.formats.lenses import key
from evalcore.formats.memo import remembered
from evalcore.formats.repeats import folded
from evalcore.formats.shapes import Report
from evalcore.jsontree import JsonObject, JsonValue, get, join, split

EVAL_CASES = key("eval_cases")
EVAL_ID = both("eval_id")
SESSION = both("session_input")
USER_ID = both("user_id")
SESSION_ID = both("session_id")
STATE = both("state")
FINAL_STATE = both("final_session_state")
START = both("starting_prompt")
PLAN = both("conversation_plan")
_FROM_CRITERIA = frozenset(
    {"reference_metric_on_scenario", "simulator_metric_on_turns", "no_calls_in_free_order"}
)
"""What the criteria make of cases alike: mended in the criteria, not case by case."""


@dataclass(frozen=True, slots=True)
class Case:
    """A case and its turns, with their places."""

    pointer: str
    raw: JsonObject
    turns: Sequence[tuple[str, JsonObject]]


def cases_of(value: JsonValue) -> list[Case]:
    """Return the cases of a set that are objects."""
    return [
        Case(pointer, raw, list(objects(raw, CONVERSATION, pointer)))
        for pointer, raw in objects(value, EVAL_CASES, "")
    ]


def traps(value: JsonValue, applied: Applied, report: Report) -> Iterator[Problem]:
    """Yield what loads and does something else than it seems, case by case."""
    from evalcore.formats.adk.turn_traps import reply_traps, turn_traps

    cases = cases_of(value)
    if isinstance(value, dict) and not cases and member(value, EVAL_CASES) == []:
        yield report.problem(
            "warning",
            "no_cases",
            place(value, "", EVAL_CASES),
            "The set has no cases: a run evaluates nothing.",
            "Add a case.",
        )
    yield from _repeated_ids(cases, report)
    yield from reply_traps(cases, applied, report)
    around = repr(applied)

    def of_case(case: Case) -> Iterator[Problem]:
        yield from _case_traps(case, applied, report)
        yield from rubric_traps(case.raw, case.pointer, case.turns, applied, report)
        for pointer, turn in case.turns:
            yield from turn_traps(turn, pointer, applied, report)

    for case in cases:
        yield from remembered(case.raw, (case.pointer, around, report), partial(of_case, case))


def _repeated_ids(cases: Sequence[Case], report: Report) -> Iterator[Problem]:
    counts = Counter(case_id for c in cases if isinstance(case_id := member(c.raw, EVAL_ID), str))
    seen: set[JsonValue] = set()
    for case in cases:
        case_id = member(case.raw, EVAL_ID)
        if not isinstance(case_id, str) or counts[case_id] < 2:
            continue
        if case_id in seen:
            yield report.problem(
                "error",
                "duplicate_case_id",
                place(case.raw, case.pointer, EVAL_ID),
                f"Another case is called “{case_id}” too.",
                f"{report.system} does not evaluate a file with two cases of one id. Rename one.",
            )
        seen.add(case_id)


def _case_traps(case: Case, applied: Applied, report: Report) -> Iterator[Problem]:
    yield from _id_traps(case, report)
    turns = member(case.raw, CONVERSATION)
    if turns == [] and not isinstance(member(case.raw, SCENARIO), dict):
        yield report.problem(
            "warning",
            "empty_conversation",
            place(case.raw, case.pointer, CONVERSATION),
            "The case has no turns: it is not evaluated, so it can never pass.",
            "Add a turn, or delete the case.",
        )
    yield from _scenario_traps(case, applied, report)
    yield from _session_traps(case, report)
    if member(case.raw, FINAL_STATE):
        yield report.problem(
            "info",
            "expected_state_unread",
            place(case.raw, case.pointer, FINAL_STATE),
            f"{report.system} keeps the expected state at the end, but nothing compares it.",
        )


def _id_traps(case: Case, report: Report) -> Iterator[Problem]:
    case_id = member(case.raw, EVAL_ID)
    where = place(case.raw, case.pointer, EVAL_ID)
    if case_id == "":
        yield report.problem(
            "warning", "empty_case_id", where, "The case's id is empty.", "Give it a name."
        )


def _scenario_traps(case: Case, applied: Applied, report: Report) -> Iterator[Problem]:
    scenario = member(case.raw, SCENARIO)
    if not isinstance(scenario, dict):
        if "per_turn_user_simulator_quality_v1" in applied.criteria and case.turns:
            yield report.problem(
                "warning",
                "simulator_metric_on_turns",
                place(case.raw, case.pointer, CONVERSATION),
                "“per_turn_user_simulator_quality_v1” needs a simulated user; this case has fixed "
                "turns, so the metric is not evaluated.",
            )
        return
    yield from _unsaid(case, scenario, report)
    needing = [metric.name for metric in applied.metrics() if metric.reference]
    if needing:
        source = "test_config.json asks for" if applied.found else "the default criteria are"
        yield report.problem(
            "warning",
            "reference_metric_on_scenario",
            place(case.raw, case.pointer, SCENARIO),
            f"A simulated conversation has no expected side, but {source} "
            f"{_listed(needing)}: not evaluated for this case.",
            "Use metrics without a reference: rubrics, hallucinations_v1 or "
            "per_turn_user_simulator_quality_v1.",
        )


def _unsaid(case: Case, scenario: JsonObject, report: Report) -> Iterator[Problem]:
    """Warn of a simulated user who has nothing to say or no aim."""
    told = {
        START: (
            "The simulated user has nothing to start with: the first message is empty.",
            "Write what the user says first.",
        ),
        PLAN: (
            "The simulated user has no plan: after the first message a model makes up the rest.",
            "Write what the user wants and when the conversation is over.",
        ),
    }
    for name, (message, hint) in told.items():
        text = member(scenario, name)
        if isinstance(text, str) and not text.strip():
            where = place(case.raw, case.pointer, SCENARIO, name)
            yield report.problem("warning", "empty_scenario", where, message, hint)


def _session_traps(case: Case, report: Report) -> Iterator[Problem]:
    session = member(case.raw, SESSION)
    if not isinstance(session, dict):
        return
    if member(session, USER_ID) == "":
        yield report.problem(
            "info",
            "empty_user_id",
            place(case.raw, case.pointer, SESSION, USER_ID),
            "With an empty user id the results do not show the session.",
        )
    pinned = member(session, SESSION_ID)
    if isinstance(pinned, str) and pinned and member(session, STATE):
        yield report.problem(
            "info",
            "pinned_session",
            place(case.raw, case.pointer, SESSION, SESSION_ID),
            "If a session of this id exists already, it is used as it is and the state below is "
            "not applied.",
        )


def located(problems: Iterable[Problem], value: JsonValue) -> Iterator[Problem]:
    """Yield problems whose messages start with the case and the turn that they are about.

    What is the same in several of them is one problem, at the first.
    """
    for problem in folded(problems, also=_FROM_CRITERIA):
        yield _located(problem, value)


def _located(problem: Problem, value: JsonValue) -> Problem:
    tokens = split(problem.pointer)
    if len(tokens) < 2 or tokens[0] not in EVAL_CASES.spellings:
        return problem
    case_id = member(get(value, join("", *tokens[:2])), EVAL_ID)
    name = (
        f"“{_short(case_id)}”" if case_id and isinstance(case_id, str) else f"{int(tokens[1]) + 1}"
    )
    turn = f", turn {int(tokens[3]) + 1}" if len(tokens) > 3 and tokens[2] == "conversation" else ""
    return replace(problem, message=f"Case {name}{turn}: {problem.message}")


def _short(name: str) -> str:
    return name if len(name) <= 40 else f"…{name[-39:]}"


def _listed(names: Sequence[str]) -> str:
    return " and ".join(f"“{name}”" for name in names)
