"""What a case of UiPath's coded sets expects by evaluator, and the criteria made of a case."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from evalcore.convert.portable import Case, Item, Move, Out, Parts, Turn, listed
from evalcore.jsontree import JsonValue, join, same

if TYPE_CHECKING:
    from evalcore.model import Evaluator

FIELD = "criteria"
_MEMBERS: Final = {
    "expected_output": ("expectedOutput", "expected_output"),
    "expected_behavior": ("expectedAgentBehavior", "expected_agent_behavior"),
}
_CALLS: Final = ("toolCalls", "tool_calls")
TOOL_ARGS, TOOL_ORDER = "uipath-tool-call-args", "uipath-tool-call-order"


def unpack(case: Case) -> None:
    """Take from the criteria what belongs to the case: what it expects, and the calls.

    Named values that different evaluators expect are put together. Where two expect different
    things, the first one's count.
    """
    criteria = case.items.get(FIELD)
    if criteria is None or not isinstance(criteria.value, dict):
        return
    turn = case.turns[0]
    for ref, expected in criteria.value.items():
        if isinstance(expected, dict):
            item = criteria.member(ref)
            for name, members in _MEMBERS.items():
                _take(turn, name, item, members, ref)
            _take_calls(turn, item, ref)


def _take(turn: Turn, name: str, item: Item, members: Sequence[str], ref: str) -> None:
    member = next((m for m in members if m in item.value), None)
    if member is None or item.value[member] is None:
        return
    given = item.member(member)
    how = f"What the evaluator “{ref}” expects became what the case expects."
    known = turn.items.get(name)
    if known is None or known.value in (None, "", {}):
        turn.items[name] = given.explained(how)
    elif same(known.value, given.value) or _agree(known.value, given.value):
        both = known.value if same(known.value, given.value) else {**known.value, **given.value}
        again = given.explained(how).moves
        turn.items[name] = Item(both, (*known.moves, *again))


def _agree(one: Any, other: Any) -> bool:
    """Return whether two objects say the same where both say something."""
    if not (isinstance(one, dict) and isinstance(other, dict)):
        return False
    return all(same(one[name], other[name]) for name in one.keys() & other.keys())


def _take_calls(turn: Turn, item: Item, ref: str) -> None:
    member = next((m for m in _CALLS if isinstance(item.value.get(m), list)), None)
    if member is None or turn.calls is not None:
        return
    how = f"What the evaluator “{ref}” expects became the turn's expected tool calls."
    calls: list[Parts] = []
    for index, call in enumerate(item.value[member]):
        given = item.member(member, index)
        names = [n for n in ("name", "args", "id") if isinstance(call, dict) and n in call]
        parts = {n: given.member(n).explained(how) for n in names if call[n] is not None}
        if "name" in parts:
            calls.append(parts)
    turn.calls = calls


def pack(turn: Turn, evaluators: Sequence[Evaluator], out: Out) -> tuple[str, ...]:
    """Write the turn's calls as criteria of the tool call evaluators; return those used."""
    if not turn.calls:
        return ()
    criteria: dict[str, JsonValue] = {}
    moves: list[Move] = []
    for evaluator in evaluators:
        found = _criteria_of(turn.calls, evaluator)
        if found is not None:
            criteria[evaluator.ref] = found.value
            moves += found.within(None, join("", evaluator.ref)).moves
    if criteria:
        out.give(FIELD, Item(criteria, tuple(moves)))
    return tuple(criteria)


def _criteria_of(calls: Sequence[Parts], evaluator: Evaluator) -> Item | None:
    how = f"The expected tool calls became criteria of “{evaluator.name}”."
    values: list[Any]
    if evaluator.native_type == TOOL_ARGS:
        parts = [
            {n: p.explained(how) for n, p in c.items() if n in ("name", "args")} for c in calls
        ]
        values, moves = listed(parts)
        made = [{"name": v.get("name", ""), "args": v.get("args", {})} for v in values]
        return Item(made, moves).within({"toolCalls": made}, "/toolCalls")
    if evaluator.native_type == TOOL_ORDER:
        names = [c["name"].explained(how) for c in calls if "name" in c]
        values = [name.value for name in names]
        placed = [n.within(None, join("", "toolCallsOrder", i)) for i, n in enumerate(names)]
        return Item({"toolCallsOrder": values}, tuple(m for p in placed for m in p.moves))
    return None
