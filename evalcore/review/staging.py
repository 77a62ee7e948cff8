"""Making the case file say what a result says: a new expectation, or a new case."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from evalcore.builder import Case, Turn
from evalcore.errors import FormatError
from evalcore.jsontree import MISSING, JsonValue, Missing
from evalcore.model import ToolCall

if TYPE_CHECKING:
    from evalcore.formats.evalset import EvalSetLens
    from evalcore.results import CaseResult, InvocationResult

Part = Literal["reply", "tool_calls", "node_order"]
FIELDS: dict[Part, str] = {
    "reply": "expected_output",
    "tool_calls": "tool_calls",
    "node_order": "node_order",
}


def stageable(lens: EvalSetLens, turn: InvocationResult) -> tuple[Part, ...]:
    """Return which parts of what happened can become the expectation of a turn."""
    names = {field.name for field in lens.invocation_fields if not field.read_only}
    held: dict[Part, bool] = {
        "reply": turn.actual_output is not MISSING and turn.actual_output is not None,
        "tool_calls": turn.actual_tool_calls is not None,
        "node_order": turn.node_visits is not None,
    }
    return tuple(part for part, has in held.items() if has and FIELDS[part] in names)


def staged(
    lens: EvalSetLens,
    tree: JsonValue,
    index: int,
    number: int,
    turn: InvocationResult,
    parts: Sequence[Part],
) -> JsonValue:
    """Return the set with what happened as the new expectation of a case's turn.

    ``index`` is the case's place in the set, ``number`` the turn's in the case, both from 0. The
    tool calls that are there keep their objects where name and order fit, so that what else a file
    says of them stays. Raises FormatError where the case has no such turn, or the format no place.
    """
    pointers = lens.invocation_pointers(tree, lens.case_pointers(tree)[index])
    if number >= len(pointers):
        raise FormatError(
            f"The case has no turn {number + 1} any more", hint="Open the case and look at it."
        )
    possible = stageable(lens, turn)
    for part in parts:
        if part not in possible:
            plain = part.replace("_", " ")
            raise FormatError(f"What happened has no {plain} that this format can expect")
        value = _value(lens, tree, pointers[number], part, turn)
        tree = lens.put_field(tree, pointers[number], "invocation", FIELDS[part], value)
    return tree


def case_from(result: CaseResult, *, tags: Sequence[str] = ()) -> Case:
    """Return a new case in which what happened is what is expected, turn by turn.

    Raises FormatError for a result without any turn whose input was recorded.
    """
    turns = []
    for turn in result.invocations:
        if turn.input is MISSING:
            continue
        turns.append(
            Turn(
                query=_known(turn.input),
                expected=_known(turn.actual_output),
                tools=tuple(_fresh(call) for call in turn.actual_tool_calls or ()),
                node_order=tuple(turn.node_visits or ()),
            )
        )
    if not turns:
        raise FormatError(
            "This result does not say what the agent was asked",
            hint="Only results with recorded inputs can become cases.",
        )
    return Case(tuple(turns), tags=tuple(tags))


def _value(
    lens: EvalSetLens, tree: JsonValue, pointer: str, part: Part, turn: InvocationResult
) -> object:
    from evalcore.jsontree import get

    if part == "reply":
        return turn.actual_output
    if part == "node_order":
        return list(turn.node_visits or ())
    raw = get(tree, pointer)
    field = lens.field("invocation", "tool_calls")
    held = field.lens.get(raw) if isinstance(raw, dict) else MISSING
    old = list(held) if isinstance(held, tuple) else []
    return tuple(_merged(call, old) for call in turn.actual_tool_calls or ())


def _merged(call: ToolCall, old: list[ToolCall]) -> ToolCall:
    """Return a call as the file's own of the same name, with the arguments that were used."""
    for known in old:
        if known.name == call.name:
            old.remove(known)
            return known.model_copy(update={"args": call.args})
    return _fresh(call)


def _fresh(call: ToolCall) -> ToolCall:
    """Return a call without what belongs to one run only: its id and what came back."""
    return ToolCall(name=call.name, args={} if call.args is MISSING else call.args)


def _known(value: JsonValue | Missing) -> JsonValue:
    return None if value is MISSING else value
