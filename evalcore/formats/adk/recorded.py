"""Editing tool calls that a run recorded as parts of events."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from evalcore.formats.adk.content import (
    CALL_PARTS,
    CONTENT,
    FUNCTION_CALL,
    INTERMEDIATE_DATA,
    INVOCATION_EVENTS,
    PARTS,
    ROLE,
    get_object,
    tool_call,
)
from evalcore.formats.lenses import At, Spelling, style_of
from evalcore.jsontree import (
    MISSING,
    JsonArray,
    JsonObject,
    JsonValue,
    get,
    join,
    put,
    same,
    split,
)
from evalcore.model import ToolCall

EVENTS = At(INTERMEDIATE_DATA, INVOCATION_EVENTS)


def with_calls(
    raw: JsonValue, slots: Sequence[str], calls: Sequence[ToolCall], style: Spelling
) -> JsonValue:
    """Return an invocation whose recorded calls are ``calls``.

    ``slots`` are the pointers of the calls that are there. Calls that stay fill, in their new
    order, the slots of those that stay; a new call follows the one before it, in its own part.
    """
    spelled = style_of(EVENTS.get(raw), style)
    calls = _distinct(calls)
    staying = {call.origin for call in calls} & set(slots)
    open_slots = [slot for slot in slots if slot in staying]
    filled: dict[str, list[JsonObject]] = {slot: [] for slot in slots}
    early: list[JsonObject] = []
    at = -1
    for call in calls:
        if call.origin in staying:
            at += 1
        written = _function_call(raw, call, spelled)
        (filled[open_slots[at]] if at >= 0 else early).append(written)
    if early and open_slots:
        filled[open_slots[0]] = [*early, *filled[open_slots[0]]]
        early = []
    edited = _rewritten(raw, filled, {slot: get_object(raw, slot) for slot in slots}, spelled)
    return _appended(edited, early, spelled) if early else edited


def _distinct(calls: Sequence[ToolCall]) -> list[ToolCall]:
    """Return the calls with each origin used once: a second call from one slot is a new one."""
    used: set[str] = set()
    result = []
    for call in calls:
        result.append(call.model_copy(update={"origin": ""}) if call.origin in used else call)
        used.add(call.origin)
    return result


def _function_call(raw: JsonValue, call: ToolCall, style: Spelling) -> JsonObject:
    item = get_object(raw, call.origin) if call.origin else {}
    before = tool_call({n: lens.get(item) for n, lens in CALL_PARTS.items()}, call.origin)
    written: JsonValue = item
    for name, lens in CALL_PARTS.items():
        wanted = getattr(call, name)
        if not (item and same(getattr(before, name), wanted)) and not (not item and wanted is None):
            written = lens.put(written, MISSING if wanted is None else wanted, style)
    return written if isinstance(written, dict) else {}


def _rewritten(
    raw: JsonValue,
    filled: dict[str, list[JsonObject]],
    old: dict[str, JsonObject],
    style: Spelling,
) -> JsonValue:
    """Return ``raw`` with each slot's part replaced by the parts for the calls it now holds."""
    by_parts: dict[str, list[str]] = {}
    for slot in filled:
        by_parts.setdefault(join("", *split(slot)[:-2]), []).append(slot)
    for parts_pointer, here in by_parts.items():
        if all(len(filled[s]) == 1 and filled[s][0] is old[s] for s in here):
            continue
        parts = get(raw, parts_pointer)
        by_index = {int(split(slot)[-2]): slot for slot in here}
        new: JsonArray = []
        for index, part in enumerate(parts if isinstance(parts, list) else ()):
            held = by_index.get(index)
            new += [part] if held is None else _parts_for(part, filled[held], style)
        raw = put(raw, parts_pointer, new)
    return _without_emptied_events(raw, by_parts)


def _parts_for(
    part: JsonValue, calls: Sequence[JsonObject], style: Spelling
) -> Iterable[JsonValue]:
    fields = part if isinstance(part, dict) else {}
    name = FUNCTION_CALL.choose(fields, style)
    if calls:
        more: list[JsonValue] = [{name: call} for call in calls[1:]]
        return [{**fields, name: calls[0]}, *more]
    rest = {key: v for key, v in fields.items() if key != name}
    return [rest] if any(v is not None for v in rest.values()) else []


def _without_emptied_events(raw: JsonValue, touched: Iterable[str]) -> JsonValue:
    """Drop the events that held nothing but calls which are gone."""
    emptied = {int(split(p)[-3]) for p in touched if get(raw, p) == []}
    events = EVENTS.get(raw)
    if not emptied or not isinstance(events, list):
        return raw
    return EVENTS.put(raw, [e for i, e in enumerate(events) if i not in emptied], "snake")


def _appended(raw: JsonValue, calls: Sequence[JsonObject], style: Spelling) -> JsonValue:
    """Return ``raw`` with one more event that makes ``calls``, by the author of the others."""
    found = EVENTS.get(raw)
    events = found if isinstance(found, list) else []
    authors = [e["author"] for e in events if isinstance(e, dict) and "author" in e]
    name = FUNCTION_CALL.choose({}, style)
    content: JsonObject = {PARTS.spellings[0]: [{name: call} for call in calls]}
    content[ROLE.spellings[0]] = "model"
    event: JsonObject = {
        "author": authors[-1] if authors else "agent",
        CONTENT.spellings[0]: content,
    }
    return EVENTS.put(raw, [*events, event], style)
