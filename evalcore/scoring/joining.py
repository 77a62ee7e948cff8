"""From a run and the eval set that was run to samples: what was expected beside what happened."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from evalcore.evaluators.base import Sample, Turn
from evalcore.formats import by_id
from evalcore.jsontree import MISSING, same
from evalcore.model import EvalCase, EvalSet, Invocation, MaybeJson
from evalcore.results import CaseResult, InvocationResult, Run, Verdict
from evalcore.scoring.matching import CaseMatcher
from evalcore.scoring.systems import System

Expectations = Literal["set", "recorded"]
NOT_RUN = "The run has no result for this case."
UNKNOWN = "The eval set has no such case, so its expectations are those that the run recorded."


@dataclass(frozen=True, slots=True)
class Joined:
    """One case result with its case.

    ``turns`` may start with ``padding`` turns that the run did not record, where the system takes
    all turns together. ``notes`` say what is odd about the pair. ``is_missing`` marks a case of the
    set that the run left out.
    """

    result: CaseResult
    case: EvalCase
    turns: tuple[Turn, ...]
    padding: int = 0
    notes: tuple[str, ...] = ()
    is_missing: bool = False

    def sample(self, criterion: MaybeJson = MISSING, *, real_turns: bool = False) -> Sample:
        """Return what an evaluator gets; ``real_turns`` leaves the padding out."""
        return Sample(
            case=self.case,
            turns=self.turns[self.padding :] if real_turns else self.turns,
            criterion=criterion,
            duration_s=self.result.duration_s,
            total_tokens=self.result.total_tokens,
        )


def join(
    run: Run,
    eval_set: EvalSet | None,
    system: System,
    expectations: Expectations = "set",
) -> tuple[Joined, ...]:
    """Return every result with its case, then the cases of the set that have no result.

    ``set`` takes what the set expects today, ``recorded`` what the result file says was expected,
    where it does. Without a set all expectations are the recorded ones.
    """
    cases = eval_set.cases if eval_set is not None else ()
    places = [None] * len(run.cases) if eval_set is None else match_cases(run, eval_set)
    found = []
    for result, place in zip(run.cases, places, strict=True):
        case = None if place is None else cases[place]
        found.append(_joined(result, case, system, expectations, has_set=eval_set is not None))
    ran = {place for place in places if place is not None}
    missing = [case for place, case in enumerate(cases) if place not in ran]
    return (*found, *map(_missing, missing))


def match_cases(run: Run, eval_set: EvalSet) -> list[int | None]:
    """Return the place of each result's case, None where the set has none.

    Ids compare as the set's own system compares them; the rest is as ``CaseMatcher`` says.
    """
    cases = eval_set.cases
    key = by_id(eval_set.format_id).eval_sets.join_key
    matcher = CaseMatcher(run, [c.id for c in cases], lambda place: cases[place].name, key=key)
    found = map(matcher.of, range(len(run.cases)))
    return [None if match is None else match.place for match in found]


def _joined(
    result: CaseResult,
    case: EvalCase | None,
    system: System,
    expectations: Expectations,
    *,
    has_set: bool,
) -> Joined:
    notes: tuple[str, ...] = (UNKNOWN,) if case is None and has_set else ()
    if case is None:
        case = _recorded_case(result)
    elif expectations == "recorded":
        case = case.model_copy(update={"invocations": _recorded_turns(result, case)})
    else:
        notes = tuple(_changes(result, case))
    turns, padding = _turns(result, case, system)
    return Joined(result, case, turns, padding, notes)


def _missing(case: EvalCase) -> Joined:
    result = CaseResult(
        origin=case.origin,
        case_id=case.id,
        name=case.name or "",
        verdict=Verdict.NOT_EVALUATED,
        notes=(NOT_RUN,),
    )
    return Joined(result, case, (), is_missing=True)


def _turns(result: CaseResult, case: EvalCase, system: System) -> tuple[tuple[Turn, ...], int]:
    actual, wanted = result.invocations, case.invocations
    padding = 0
    if system.joins_turns and actual:
        padding = max(0, len(wanted) - len(actual))
    blank = tuple(InvocationResult(origin="", index=index) for index in range(padding))
    return tuple(
        Turn(expected=wanted[index] if index < len(wanted) else None, actual=turn)
        for index, turn in enumerate((*blank, *actual))
    ), padding


def _recorded_case(result: CaseResult) -> EvalCase:
    return EvalCase(
        origin="",
        id=result.case_id,
        name=result.name or None,
        invocations=tuple(
            wanted
            for turn in result.invocations
            if (wanted := _recorded(turn, Invocation(origin=turn.origin))) is not None
        ),
    )


def _recorded_turns(result: CaseResult, case: EvalCase) -> tuple[Invocation, ...]:
    """Return the turns of a case with what the run recorded of its expectations in their place."""
    recorded = dict(enumerate(result.invocations))
    return tuple(
        (_recorded(recorded[index], turn) or turn) if index in recorded else turn
        for index, turn in enumerate(case.invocations)
    )


def _recorded(turn: InvocationResult, base: Invocation) -> Invocation | None:
    update: dict[str, object] = {}
    if turn.input is not MISSING and base.input is MISSING:
        update["input"] = turn.input
    expected: dict[str, object] = {}
    if turn.expected_output is not MISSING:
        expected["expected_output"] = turn.expected_output
    if turn.expected_tool_calls is not None:
        expected["tool_calls"] = turn.expected_tool_calls
    if turn.expected_node_order is not None:
        expected["node_order"] = turn.expected_node_order
    return base.model_copy(update={**update, **expected}) if expected else None


def _changes(result: CaseResult, case: EvalCase) -> list[str]:
    """Return which turns expect something else today than the run recorded."""
    notes = []
    for number, turn in enumerate(result.invocations, 1):
        if number > len(case.invocations):
            break
        wanted = case.invocations[number - 1]
        parts = [
            part
            for part, changed in (
                ("reply", _output_differs(turn.expected_output, wanted.expected_output)),
                ("tool calls", _calls_differ(turn, wanted)),
                ("node order", _nodes_differ(turn, wanted)),
            )
            if changed
        ]
        if parts:
            notes.append(f"Turn {number} expects another {' and '.join(parts)} today than then.")
    return notes


def _output_differs(recorded: MaybeJson, today: MaybeJson) -> bool:
    if recorded is MISSING:
        return False
    if isinstance(recorded, str) and isinstance(today, str) and len(recorded) == _CUT_AT:
        # 10xGraph keeps only the beginning of an expected reply.
        return not today.startswith(recorded)
    blank = ("", None, MISSING)
    return not same(recorded, today) and not (recorded in blank and today in blank)


def _calls_differ(turn: InvocationResult, wanted: Invocation) -> bool:
    if turn.expected_tool_calls is None:
        return False
    recorded = [(c.name, c.args) for c in turn.expected_tool_calls]
    return recorded != [(c.name, c.args) for c in wanted.tool_calls] and not _names_only(
        turn, wanted
    )


def _names_only(turn: InvocationResult, wanted: Invocation) -> bool:
    """Return whether the run recorded nothing but the expected names, the same as today."""
    recorded = turn.expected_tool_calls or ()
    bare = all(call.args in (MISSING, None, {}) for call in recorded)
    return bare and [c.name for c in recorded] == [c.name for c in wanted.tool_calls]


def _nodes_differ(turn: InvocationResult, wanted: Invocation) -> bool:
    return turn.expected_node_order is not None and turn.expected_node_order != wanted.node_order


_CUT_AT = 500
