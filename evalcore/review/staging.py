"""Making the case file say what a result says: what happened becomes what is expected."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from evalcore.errors import FormatError
from evalcore.formats.lenses import Editor
from evalcore.jsontree import MISSING, JsonValue, Missing, get, same
from evalcore.model import ToolCall

if TYPE_CHECKING:
    from evalcore.formats.evalset import EvalSetLens
    from evalcore.results import InvocationResult, Score

CHECK = "check "
"""Begins the name of a part that one check alone expects; its ref follows."""
FIELDS = {
    "reply": "expected_output",
    "tool_calls": "tool_calls",
    "node_order": "node_order",
}
CRITERIA = "criteria"


@dataclass(frozen=True, slots=True)
class Part:
    """Something of a case's expectation that what happened can take the place of.

    ``name`` is reply, tool_calls, node_order, or ``check`` with a check's ref.
    """

    name: str
    label: str


def stageable(lens: EvalSetLens, turn: InvocationResult) -> tuple[str, ...]:
    """Return which fields of a turn can hold what happened: reply, tool_calls, node_order."""
    names = {field.name for field in lens.invocation_fields if not field.read_only}
    held = {
        "reply": turn.actual_output not in (MISSING, None, ""),
        "tool_calls": turn.actual_tool_calls is not None,
        "node_order": turn.node_visits is not None,
    }
    return tuple(part for part, has in held.items() if has and FIELDS[part] in names)


def parts_of(
    lens: EvalSetLens, tree: JsonValue, index: int, number: int, turn: InvocationResult
) -> tuple[Part, ...]:
    """Return the parts that would change a case's expectation of a turn.

    ``index`` is the case's place in the set, ``number`` the turn's in the case, both from 0. A
    reply that only the criteria of checks expect is one part for each check. () where the case has
    no such turn.
    """
    case = lens.case_pointers(tree)[index]
    pointers = lens.invocation_pointers(tree, case)
    if number >= len(pointers):
        return ()
    criteria = _criteria(lens, get(tree, case))
    found = [
        Part(CHECK + ref, f"What {ref} expects")
        for ref, new in lens.criteria_met(criteria, turn).items()
        if not same(new, criteria[ref])
    ]
    raw = get(tree, pointers[number])
    by_check = bool(criteria)
    for name in stageable(lens, turn):
        field = lens.field("invocation", FIELDS[name])
        held = field.lens.get(raw if isinstance(raw, dict) else {})
        if (by_check and held is MISSING) or not (_is_given(held) or _says(name, turn)):
            continue
        if not same(staged(lens, tree, index, number, turn, [name]), tree):
            found.append(Part(name, field.label))
    return tuple(found)


def likely(parts: Sequence[Part], failed: Iterable[Score]) -> tuple[str, ...]:
    """Return the parts that failed checks look at; all of them where that cannot be told."""
    names = {part.name for part in parts}
    wanted = set()
    for score in failed:
        if CHECK + score.evaluator in names:
            wanted.add(CHECK + score.evaluator)
            continue
        said = f"{score.evaluator} {score.evaluator_name}".casefold()
        is_calls = "tool" in said or "trajectory" in said
        wanted.add("tool_calls" if is_calls else "node_order" if "node" in said else "reply")
    found = tuple(part.name for part in parts if part.name in wanted)
    return found or tuple(part.name for part in parts)


def staged(
    lens: EvalSetLens,
    tree: JsonValue,
    index: int,
    number: int,
    turn: InvocationResult,
    parts: Sequence[str],
) -> JsonValue:
    """Return the set with what happened as the new expectation of a case's turn.

    ``index`` is the case's place in the set, ``number`` the turn's in the case, both from 0. The
    tool calls that are there keep their objects where name and order fit, so that what else a file
    says of them stays. Raises FormatError where the case has no such turn, or the format no place.
    """
    case = lens.case_pointers(tree)[index]
    pointers = lens.invocation_pointers(tree, case)
    if number >= len(pointers):
        raise FormatError(
            f"The case has no turn {number + 1} any more", hint="Open the case and look at it."
        )
    possible = stageable(lens, turn)
    refs = [part.removeprefix(CHECK) for part in parts if part.startswith(CHECK)]
    if refs:
        tree = _with_criteria(lens, tree, case, turn, refs)
    for part in parts:
        if part.startswith(CHECK):
            continue
        if part not in possible:
            plain = part.replace("_", " ")
            raise FormatError(f"What happened has no {plain} that this format can expect")
        value = _value(lens, tree, pointers[number], part, turn)
        tree = lens.put_field(tree, pointers[number], "invocation", FIELDS[part], value)
    return tree


def fitted(editor: Editor, value: JsonValue) -> JsonValue:
    """Return a value as a field can hold it: one of texts holds data as its JSON."""
    if editor in (Editor.TEXT, Editor.LINE) and not isinstance(value, str) and value is not None:
        return json.dumps(value, ensure_ascii=False)
    return value


def fresh(call: ToolCall) -> ToolCall:
    """Return a call without what belongs to one run only: its id and what came back."""
    return ToolCall(name=call.name, args={} if call.args is MISSING else call.args)


def _says(part: str, turn: InvocationResult) -> bool:
    """Return whether something happened: an empty list where none stands would be no change."""
    held = {
        "reply": turn.actual_output,
        "tool_calls": turn.actual_tool_calls,
        "node_order": turn.node_visits,
    }
    return _is_given(held[part])


def _is_given(value: object) -> bool:
    return value is not MISSING and value not in (None, "", (), [], {})


def _with_criteria(
    lens: EvalSetLens,
    tree: JsonValue,
    case: str,
    turn: InvocationResult,
    refs: Sequence[str],
) -> JsonValue:
    criteria = _criteria(lens, get(tree, case))
    met = lens.criteria_met(criteria, turn)
    missing = next((ref for ref in refs if ref not in met), None)
    if missing is not None:
        raise FormatError(
            f"What happened does not say what {missing} should expect",
            hint="Open the case and write it there.",
        )
    new = {**criteria, **{ref: met[ref] for ref in refs}}
    return lens.put_field(tree, case, "case", CRITERIA, new)


def _criteria(lens: EvalSetLens, raw: JsonValue | Missing) -> Mapping[str, JsonValue]:
    if not isinstance(raw, dict) or not any(f.name == CRITERIA for f in lens.case_fields):
        return {}
    found = lens.field("case", CRITERIA).lens.get(raw)
    return found if isinstance(found, dict) else {}


def _value(
    lens: EvalSetLens, tree: JsonValue, pointer: str, part: str, turn: InvocationResult
) -> object:
    raw = get(tree, pointer)
    field = lens.field("invocation", FIELDS[part])
    held = field.lens.get(raw) if isinstance(raw, dict) else MISSING
    if part == "reply":
        return _reply(field.editor, held, turn)
    if part == "node_order":
        return list(turn.node_visits or ())
    old = list(held) if isinstance(held, tuple) else []
    return tuple(_merged(call, old) for call in turn.actual_tool_calls or ())


def _reply(editor: Editor, held: object, turn: InvocationResult) -> JsonValue:
    """Return the reply that came, of named values those that were expected before."""
    came = None if turn.actual_output is MISSING else turn.actual_output
    if isinstance(came, dict) and isinstance(held, dict) and held:
        shared = {name: came[name] for name in held if name in came}
        came = shared or came
    if editor is Editor.OBJECT and not isinstance(came, dict):
        names = list(held) if isinstance(held, dict) else []
        return {names[0] if len(names) == 1 else "content": came}
    return fitted(editor, came)


def _merged(call: ToolCall, old: list[ToolCall]) -> ToolCall:
    """Return a call as the file's own of the same name, with the arguments that were used."""
    for known in old:
        if known.name == call.name:
            old.remove(known)
            return known.model_copy(update={"args": call.args})
    return fresh(call)
