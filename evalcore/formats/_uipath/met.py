"""What a check's criteria would have to say for a case to be met by what an agent did."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from evalcore.formats.lenses import key
from evalcore.jsontree import MISSING, JsonValue, Missing

if TYPE_CHECKING:
    from evalcore.model import ToolCall
    from evalcore.results import InvocationResult

_HOLDS: Mapping[str, Callable[[int, int], bool]] = {
    "=": operator.eq,
    "==": operator.eq,
    "!=": operator.ne,
    ">": operator.gt,
    "<": operator.lt,
    ">=": operator.ge,
    "<=": operator.le,
}


def criteria_met(criteria: Mapping[str, JsonValue], turn: InvocationResult) -> dict[str, JsonValue]:
    """Return the criteria by check; what a turn does not tell of stays out."""
    found = {}
    for ref, criterion in criteria.items():
        new = _met(criterion, turn) if isinstance(criterion, dict) else MISSING
        if new is not MISSING:
            found[ref] = new
    return found


def _met(criterion: Mapping[str, JsonValue], turn: InvocationResult) -> JsonValue | Missing:
    new, is_told = dict(criterion), False
    for name, make in _MAKERS.items():
        spelled = key(name, first="camel").find(new)
        value = MISSING if spelled is None else make(new[spelled], turn)
        if spelled is not None and value is not MISSING:
            new[spelled], is_told = value, True
    return new if is_told else MISSING


def _output(old: JsonValue, turn: InvocationResult) -> JsonValue | Missing:
    """Return the output that came, of named values those that were expected before."""
    came = turn.actual_output
    if isinstance(old, dict) and isinstance(came, dict):
        return {name: came[name] for name in old if name in came} or came
    return came if isinstance(old, str) and isinstance(came, str) else MISSING


def _order(_old: JsonValue, turn: InvocationResult) -> JsonValue | Missing:
    calls = turn.actual_tool_calls
    return MISSING if calls is None else [call.name for call in calls]


def _count(old: JsonValue, turn: InvocationResult) -> JsonValue | Missing:
    """Return the counts that did not hold as those that were made; no other tools are counted."""
    calls = turn.actual_tool_calls
    if calls is None or not isinstance(old, dict):
        return MISSING
    made = Counter(call.name for call in calls)
    return {
        name: wanted if _holds(wanted, made[name]) else ["=", made[name]]
        for name, wanted in old.items()
    }


def _holds(wanted: JsonValue, made: int) -> bool:
    if not isinstance(wanted, list) or len(wanted) != 2 or not isinstance(wanted[1], int):
        return False
    compare = _HOLDS.get(wanted[0]) if isinstance(wanted[0], str) else None
    return compare is not None and compare(made, wanted[1])


def _calls(_old: JsonValue, turn: InvocationResult) -> JsonValue | Missing:
    calls = turn.actual_tool_calls
    if calls is None or not all(isinstance(call.args, dict) for call in calls):
        return MISSING
    return [{"name": call.name, "args": _args(call)} for call in calls]


def _outputs(_old: JsonValue, turn: InvocationResult) -> JsonValue | Missing:
    calls: Sequence[ToolCall] = turn.actual_tool_calls or ()
    found: list[JsonValue] = [
        {"name": call.name, "output": call.result} for call in calls if isinstance(call.result, str)
    ]
    return found if calls and len(found) == len(calls) else MISSING


def _args(call: ToolCall) -> JsonValue:
    return None if call.args is MISSING else call.args


_MAKERS: Mapping[str, Callable[[JsonValue, InvocationResult], JsonValue | Missing]] = {
    "expected_output": _output,
    "tool_calls_order": _order,
    "tool_calls_count": _count,
    "tool_calls": _calls,
    "tool_outputs": _outputs,
}
