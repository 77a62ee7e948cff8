"""A case as its format can have it: each part that has no field goes where the system has a home.

- Turns, where a case has one: a conversation where the format has them, else a case for each turn,
  as *Convert* makes of them.
- Expected tools, where a turn has none: criteria of the evaluators of tool calls, else sentences in
  the expected behavior, which low-code sets' judges of trajectories read.
- Expected behavior: criteria of the judges of trajectories, or a rubric about the trajectory.
- Node order, description and metadata without a field: notes, which the system keeps unread.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from evalcore.builder.cases import Case, Turn, call_of
from evalcore.builder.criteria import criteria_of, in_words
from evalcore.convert import portable, uipath_talk
from evalcore.jsontree import MISSING, JsonValue
from evalcore.model import Rubric, ToolCall

if TYPE_CHECKING:
    from evalcore.formats.evalset import EvalSetLens
    from evalcore.model import Evaluator

BEHAVIOR: Final = "expected_behavior"
BEHAVIOR_RUBRIC: Final = "expected_behavior"
_RUBRIC_TYPE: Final = "TRAJECTORY_QUALITY"


def fitted(
    lens: EvalSetLens, case: Case, label: str, evaluators: Sequence[Evaluator] = ()
) -> list[tuple[str, Case]]:
    """Return the cases that a case becomes in a format, each with its label.

    ``evaluators`` are those that the set names. What has no home at all stays where it is, for
    ``write_case`` to refuse.
    """
    if lens.has_turns:
        return [(label, _as_rubric(lens, _noted(lens, case)))]
    if len(case.turns) > 1 and _has(lens, "invocation", uipath_talk.INPUT):
        return [(label, _as_conversation(_noted(lens, case)))]
    return [
        (name, _checked(lens, _noted(lens, one), evaluators)) for name, one in _by_turn(case, label)
    ]


def calls_of(turn: Turn) -> tuple[ToolCall, ...]:
    """Return the calls that a turn expects."""
    return tuple(call_of(tool) for tool in turn.tools)


def _by_turn(case: Case, label: str) -> list[tuple[str, Case]]:
    if len(case.turns) < 2:
        return [(label, case)]
    made = []
    for number, turn in enumerate(case.turns, 1):
        suffix = f"_turn_{number}" if number > 1 else ""
        name = case.name and case.name + suffix
        made.append((label + suffix, replace(case, turns=(turn,), name=name)))
    return made


def _noted(lens: EvalSetLens, case: Case) -> Case:
    """Return a case with what its format has no field for among its notes."""
    notes: dict[str, JsonValue] = dict(case.notes)
    if case.description is not None and not _has(lens, "case", "description"):
        notes["/description"] = case.description
        case = replace(case, description=None)
    if "metadata" in case.more and not _has(lens, "case", "metadata"):
        notes["/metadata"] = case.more["metadata"]
        case = replace(case, more=_without(case.more, "metadata"))
    if not _has(lens, "invocation", "node_order"):
        for index, turn in enumerate(case.turns):
            if turn.node_order:
                notes[f"/conversation/{index}/expected_node_order"] = list(turn.node_order)
        case = replace(case, turns=tuple(replace(turn, node_order=()) for turn in case.turns))
    if _has(lens, "case", "criteria"):
        for index, turn in enumerate(case.turns):
            for number, call in enumerate(calls_of(turn)):
                if call.result is not MISSING:
                    where = f"/conversation/{index}/expected_tool_trajectory/{number}/result"
                    notes[where] = call.result
    return replace(case, notes=notes)


def _as_rubric(lens: EvalSetLens, case: Case) -> Case:
    """Return a case whose expected behavior is a rubric, where its format has those instead."""
    behavior = case.more.get(BEHAVIOR)
    if not behavior or _has(lens, "case", BEHAVIOR) or not _has(lens, "case", "rubrics"):
        return case
    given = case.more.get("rubrics", ())
    told = Rubric(id=BEHAVIOR_RUBRIC, text=behavior, type=_RUBRIC_TYPE)
    more = {**_without(case.more, BEHAVIOR), "rubrics": (*given, told)}
    return replace(case, more=more)


def _checked(lens: EvalSetLens, case: Case, evaluators: Sequence[Evaluator]) -> Case:
    """Return a case of one turn with its tools and behavior where evaluators read them."""
    if not case.turns:
        return case
    (turn,) = case.turns
    calls, behavior = calls_of(turn), _behavior(case, turn)
    if not _has(lens, "case", "criteria"):
        return _with_words(case, {1: calls} if calls else {})
    own = case.more.get("criteria")
    made = criteria_of(evaluators, calls, behavior, has_output=turn.expected is not None)
    more = {**case.more, "criteria": {**made, **own} if isinstance(own, dict) else made}
    return replace(case, turns=(replace(turn, tools=()),), more=more)


def _as_conversation(case: Case) -> Case:
    """Return a case whose turns are a conversation, the last of which is tested.

    What only the earlier turns expect is not compared by anything there, so it is also told in
    words.
    """
    spoken = portable.Case(0, "", turns=[_portable(turn) for turn in case.turns])
    out = portable.Out()
    uipath_talk.pack(spoken, len(case.turns) - 1, out)
    told = {n: calls_of(turn) for n, turn in enumerate(case.turns[:-1], 1) if turn.tools}
    further: dict[str, Any] = {}
    behaviors = []
    for turn in case.turns:
        further.update(_without(turn.more, BEHAVIOR))
        behaviors += [turn.more[BEHAVIOR]] if turn.more.get(BEHAVIOR) else []
    more = {**case.more, **further, **out.values}
    whole = "\n".join(filter(None, [case.more.get(BEHAVIOR), *behaviors]))
    if whole:
        more[BEHAVIOR] = whole
    return _with_words(replace(case, more=more), told, len(case.turns), stays=False)


def _portable(turn: Turn) -> portable.Turn:
    items = {"input": portable.Item(turn.query, ())}
    if turn.expected is not None:
        items["expected_output"] = portable.Item(turn.expected, ())
    calls: list[portable.Parts] = []
    for call in calls_of(turn):
        parts = {"name": call.name, "args": call.args, "result": call.result}
        calls.append({n: portable.Item(v, ()) for n, v in parts.items() if v is not MISSING})
    return portable.Turn(items, calls or None)


def _with_words(
    case: Case, calls: dict[int, tuple[ToolCall, ...]], of: int = 1, *, stays: bool = True
) -> Case:
    """Return a case whose expected behavior also tells of tools; ``stays``: its turns do."""
    turns = tuple(replace(turn, tools=()) for turn in case.turns) if stays else ()
    if not calls:
        return replace(case, turns=turns)
    given = _behavior(case, *turns)
    if stays:
        turns = tuple(replace(turn, more=_without(turn.more, BEHAVIOR)) for turn in turns)
    words = in_words(calls, of)
    more = {**case.more, BEHAVIOR: f"{given}\n{words}" if given else words}
    return replace(case, turns=turns, more=more)


def _behavior(case: Case, *turns: Turn) -> str | None:
    own = [turn.more.get(BEHAVIOR) for turn in turns]
    said = [text for text in (case.more.get(BEHAVIOR), *own) if isinstance(text, str) and text]
    return "\n".join(said) or None


def _has(lens: EvalSetLens, level: Any, name: str) -> bool:
    return any(field.name == name for field in lens.fields(level))


def _without(more: Any, name: str) -> dict[str, Any]:
    return {key: value for key, value in more.items() if key != name}
