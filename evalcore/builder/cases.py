"""One case as a program describes it, written into any format without losing a part."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from evalcore.convert.carry import home
from evalcore.errors import FormatError
from evalcore.formats.lenses import Editor, Spelling
from evalcore.jsontree import MISSING, JsonObject, JsonValue, get, put
from evalcore.model import ToolCall

if TYPE_CHECKING:
    from evalcore.formats.evalset import EvalSetLens, Level

NOTES_OF: Final = "tenxgraph"
"""The format in whose terms notes are kept: the one that has most of the parts of a case."""
Tool: TypeAlias = str | ToolCall | Mapping[str, Any]
"""A tool call: its name alone, or with ``args`` and perhaps ``id`` and ``result``."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What the user says in one turn, and what is expected of it.

    ``expected`` is None where nothing is expected; an empty text stays an empty text. ``query`` and
    ``expected`` are objects where the target takes and gives values by name. ``more`` has further
    fields of a turn by their canonical names.
    """

    query: JsonValue
    expected: JsonValue = None
    tools: Sequence[Tool] = ()
    node_order: Sequence[str] = ()
    more: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Case:
    """One scenario. ``id`` may be None until it is added to a set, which then makes one up.

    ``more`` has further fields of a case by their canonical names: ``metadata``, ``session.state``,
    ``expected_behavior``, ``simulate_tools`` and so on, as far as the format has them. ``notes``
    are values that its system does not read but keeps, by their pointer in a case of 10xGraph, as a
    conversion with ``--carry`` keeps them.
    """

    turns: tuple[Turn, ...]
    id: str | None = None
    name: str | None = None
    description: str | None = None
    tags: Sequence[str] = ()
    more: Mapping[str, Any] = field(default_factory=dict)
    notes: Mapping[str, JsonValue] = field(default_factory=dict)

    def tagged(self, *tags: str) -> Case:
        """Return the case with more tags."""
        return replace(self, tags=tuple(dict.fromkeys((*self.tags, *tags))))


def single_turn(
    query: JsonValue,
    expected: JsonValue = None,
    *,
    case_id: str | None = None,
    expected_tools: Sequence[Tool] = (),
    expected_node_order: Sequence[str] = (),
    name: str | None = None,
    description: str | None = None,
    tags: Sequence[str] = (),
    **more: Any,
) -> Case:
    """Return a case of one turn; ``more`` are fields of the case, by their canonical names."""
    turn = Turn(query, expected, tuple(expected_tools), tuple(expected_node_order))
    return Case((turn,), case_id, name, description, tuple(tags), more)


def multi_turn(
    conversation: Sequence[Turn | Sequence[JsonValue]],
    *,
    case_id: str | None = None,
    expected_tools: Sequence[Tool] = (),
    name: str | None = None,
    description: str | None = None,
    tags: Sequence[str] = (),
    **more: Any,
) -> Case:
    """Return a case of several turns, each a ``Turn`` or a pair of query and expected reply.

    ``expected_tools`` belong to the first turn, as in 10xGraph's builder; give ``Turn`` objects
    with tools of their own to say more. Raises FormatError for a turn that is neither.
    """
    turns = [_turn(item, number) for number, item in enumerate(conversation, 1)]
    if not turns:
        raise FormatError("A conversation has at least one turn")
    if expected_tools:
        turns[0] = replace(turns[0], tools=(*turns[0].tools, *expected_tools))
    return Case(tuple(turns), case_id, name, description, tuple(tags), more)


def _turn(item: Turn | Sequence[JsonValue], number: int) -> Turn:
    if isinstance(item, Turn):
        return item
    if isinstance(item, str) or len(item) != 2:
        raise FormatError(
            f"Turn {number} is no pair of query and expected reply: {item!r}",
            hint='Write ("what the user says", "what is expected"), or a Turn.',
        )
    return Turn(item[0], item[1])


def write_case(
    lens: EvalSetLens, tree: JsonValue, case: Case, label: str, now: datetime
) -> JsonValue:
    """Return a new case of a set, in its format and spelling; a case without turns has none.

    Raises FormatError for a part that the format has no place for: nothing is left out silently.
    Cases that are ``fitted`` to the format have their parts where it has a place.
    """
    raw = lens.blank_case(tree, label, now)
    if lens.has_turns and not case.turns:
        raw = lens.with_simulated_user(raw)
    style = lens.style_at(raw, tree)
    for name, value in _case_values(case):
        raw = _put(lens, raw, _level(lens, name), name, value, style)
    if case.notes:
        raw = _with_notes(lens.read_header(tree).format_id, raw, case.notes)
    if not lens.has_turns or not case.turns:
        for turn in case.turns:
            raw = _with_turn(lens, raw, turn, style, tree)
        return raw
    where = lens.invocations_pointer(raw)
    blank = lens.blank_invocation(raw)
    turns: JsonValue = [_with_turn(lens, blank, turn, style, tree) for turn in case.turns]
    return put(raw, where, turns)


def _case_values(case: Case) -> Iterator[tuple[str, Any]]:
    stated = {"name": case.name, "description": case.description}
    yield from ((name, value) for name, value in stated.items() if value is not None)
    if case.tags:
        yield "tags", list(case.tags)
    yield from case.more.items()


def _with_turn(
    lens: EvalSetLens, raw: JsonValue, turn: Turn, style: Spelling, tree: JsonValue
) -> JsonValue:
    raw = _put(lens, raw, "invocation", "input", _fitted(lens, "input", turn.query, tree), style)
    if turn.expected is not None:
        wanted = _fitted(lens, "expected_output", turn.expected, tree)
        raw = _put(lens, raw, "invocation", "expected_output", wanted, style)
    if turn.tools:
        calls = tuple(call_of(tool) for tool in turn.tools)
        raw = _put(lens, raw, "invocation", "tool_calls", calls, style)
        raw = _with_results(lens, raw, calls, style)
    if turn.node_order:
        raw = _put(lens, raw, "invocation", "node_order", list(turn.node_order), style)
    for name, value in turn.more.items():
        raw = _put(lens, raw, "invocation", name, value, style)
    return raw


def _with_results(
    lens: EvalSetLens, raw: JsonValue, calls: Sequence[ToolCall], style: Spelling
) -> JsonValue:
    """Return a turn with the answers of tools, where they lie beside the calls."""
    known = lens.field("invocation", "tool_calls").extra.get("parts", "").split()
    answers: list[JsonValue] = []
    for call in calls if "result" not in known else ():
        if call.result is not MISSING:
            is_object = isinstance(call.result, dict)
            answer: JsonValue = call.result if is_object else {"result": call.result}
            named: JsonObject = {"id": call.id} if call.id is not None else {}
            answers.append({**named, "name": call.name, "response": answer})
    return _put(lens, raw, "invocation", "tool_results", answers, style) if answers else raw


def _with_notes(format_id: str, raw: JsonValue, notes: Mapping[str, JsonValue]) -> JsonValue:
    room = home(format_id, NOTES_OF, True)
    if room is None:
        named = ", ".join(pointer.rpartition("/")[2] for pointer in notes)
        raise FormatError(f"A case of this format has no {named.replace('_', ' ')}")
    above = room.rpartition("/")[0]
    if above and get(raw, above) is MISSING:
        raw = put(raw, above, {})
    return put(raw, room, dict(notes))


def _level(lens: EvalSetLens, name: str) -> Level:
    """Return whose field a name is: a case of one turn has those of its turn, too."""
    is_case = any(f.name == name for f in lens.case_fields)
    return "case" if is_case or lens.has_turns else "invocation"


def _put(
    lens: EvalSetLens, raw: JsonValue, level: Level, name: str, value: Any, style: Spelling
) -> JsonValue:
    try:
        field = lens.field(level, name)
    except FormatError as error:
        plain = name.replace("_", " ").replace(".", " ")
        raise FormatError(
            f"A {'turn' if level == 'invocation' else 'case'} of this format has no {plain}",
            hint=error.hint,
        ) from error
    if field.read_only:
        raise FormatError(f"{field.label} is written by the system itself and cannot be given")
    return field.lens.put(raw, value, style)


def _fitted(lens: EvalSetLens, name: str, value: JsonValue, tree: JsonValue) -> JsonValue:
    """Return a text as the one member of an object where the format holds named values.

    The name is the one that the set's cases use, else ``input`` or ``content``.
    """
    field = lens.field("invocation", name)
    holds_names = field.editor in (Editor.OBJECT, Editor.FORM)
    if not holds_names or isinstance(value, (dict, list)) or value is None:
        return value
    names = set()
    for raw in lens.raw_cases(tree):
        held = field.lens.get(raw) if isinstance(raw, dict) else MISSING
        if isinstance(held, dict):
            names |= set(held)
    usual = "input" if name == "input" else "content"
    return {names.pop() if len(names) == 1 else usual: value}


def call_of(tool: Tool) -> ToolCall:
    """Return a tool as a call. Raises FormatError for one without a name or with odd members."""
    if isinstance(tool, ToolCall):
        return tool
    if isinstance(tool, str):
        return ToolCall(name=tool, args={})
    name = tool.get("name")
    if not isinstance(name, str):
        raise FormatError(f"A tool call has no name: {dict(tool)!r}", hint='Write {"name": …}.')
    unknown = set(tool) - {"name", "args", "id", "result"}
    if unknown:
        listed = ", ".join(sorted(unknown))
        raise FormatError(f"A tool call has no {listed}", hint="It has name, args, id and result.")
    call_id = tool.get("id")
    return ToolCall(
        name=name,
        args=tool.get("args", {}),
        id=call_id if isinstance(call_id, str) else None,
        result=tool.get("result", MISSING),
    )


def kept_of(lens: EvalSetLens, new: JsonValue, old: JsonValue) -> JsonValue:
    """Return a new version of a case with what its system wrote into the old one.

    Those are the fields that nobody edits, such as GUIDs and times, and the time of creation, so
    that writing a set again by the same program changes nothing.
    """
    if not isinstance(old, dict) or not isinstance(new, dict):
        return new
    for known in lens.case_fields:
        if known.read_only or known.name == "created_at":
            held = known.lens.get(old)
            if held is not MISSING and known.lens.get(new) is not MISSING:
                new = known.lens.put(new, held, lens.style_at(new, old))
    relative = lens.invocations_pointer(new)
    turns, before = get(new, relative) if relative else [], get(old, relative) if relative else []
    if isinstance(turns, list) and isinstance(before, list):
        pairs = zip(turns, before, strict=False)
        kept = [_kept_turn(lens, turn, was) for turn, was in pairs] + turns[len(before) :]
        return put(new, relative, kept) if relative else new
    return new


def _kept_turn(lens: EvalSetLens, new: JsonValue, old: JsonValue) -> JsonValue:
    for known in lens.invocation_fields:
        if known.name in ("invocation_id", "creation_timestamp") and isinstance(old, dict):
            held = known.lens.get(old)
            if held is not MISSING and isinstance(new, dict):
                new = known.lens.put(new, held, lens.style_at(new, old))
    return new
