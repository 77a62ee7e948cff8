"""The tool calls of a turn and what the tools answered, in either shape of ``intermediate_data``.

Hand-written files list them (``tool_uses``, ``tool_responses``); recorded ones scatter them over
the parts of ``invocation_events``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evalcore.errors import FormatError
from evalcore.formats.adk.content import (
    CONTENT,
    FUNCTION_CALL,
    FUNCTION_RESPONSE,
    INTERMEDIATE_DATA,
    INVOCATION_EVENTS,
    PARTS,
    TOOL_RESPONSES,
    TOOL_USES,
)
from evalcore.formats.adk.fields import both
from evalcore.formats.adk.recorded import Wanted, get_object, with_parts
from evalcore.formats.aligned import aligned
from evalcore.formats.lenses import At, Key, Lens, Listed, Records, Spelling, style_of, with_record
from evalcore.jsontree import MISSING, JsonObject, JsonValue, join, same
from evalcore.model import ToolCall

EVENTS = At(INTERMEDIATE_DATA, INVOCATION_EVENTS)

CALL_PARTS: Mapping[str, Lens] = {
    "id": At(both("id")),
    "name": At(both("name")),
    "args": At(both("args")),
}


def tool_call(values: Mapping[str, Any], origin: str) -> ToolCall:
    """Return a function call as a tool call; a name or id that is no text is shown as text."""
    name, call_id = values["name"], values["id"]
    return ToolCall(
        name="" if name is MISSING or name is None else str(name),
        args=values["args"],
        id=None if call_id is MISSING or call_id is None else str(call_id),
        origin=origin,
    )


class _Scattered(Lens):
    """What lies in a list of its own, or, in a recorded turn, in parts of its events."""

    part: Key
    listed: Lens

    def where(self, raw: JsonValue) -> str:
        """Return the pointer of the list or of the events."""
        return EVENTS.where(raw) if is_recorded(raw) else self.listed.where(raw)

    def has_place(self, raw: JsonValue) -> bool:
        """Return whether there is a place for the list."""
        return EVENTS.has_place(raw) if is_recorded(raw) else self.listed.has_place(raw)

    def json(self, raw: JsonValue) -> Lens:
        """Return the lens of the list or of the events as they stand."""
        return EVENTS if is_recorded(raw) else self.listed.json(raw)

    def slots(self, raw: JsonValue) -> list[str]:
        """Return the pointers of all that are in recorded events, in order."""
        base, found = EVENTS.where(raw), EVENTS.get(raw)
        slots: list[str] = []
        for index, event in enumerate(found if isinstance(found, list) else ()):
            at = At(CONTENT, PARTS)
            parts = at.get(event)
            for place, part in enumerate(parts if isinstance(parts, list) else ()):
                name = self.part.find(part)
                if name is not None and isinstance(part, dict) and isinstance(part[name], dict):
                    slots.append(join(join(base, index) + at.where(event), place, name))
        return slots

    def _written(self, raw: JsonValue, wanted: list[Wanted], style: Spelling) -> JsonValue:
        return with_parts(raw, self.part, self.slots(raw), wanted, style)


class ExpectedCalls(_Scattered, Listed):
    """The tool calls of an invocation; ``parts`` are what the API adds while a call is streamed.

    Deleting a recorded call takes its part with it; an added one becomes a part after the call that
    it follows.
    """

    part = FUNCTION_CALL
    parts: Mapping[str, Lens] = {
        "partial_args": At(both("partial_args")),
        "will_continue": At(both("will_continue")),
    }
    listed = Records(At(INTERMEDIATE_DATA, TOOL_USES, prune=True), tool_call, CALL_PARTS)

    def get(self, raw: JsonValue) -> Any:
        """Return the calls in order; MISSING where the invocation records none."""
        if not is_recorded(raw):
            return self.listed.get(raw)
        return tuple(_call(get_object(raw, at), at) for at in self.slots(raw))

    def item_at(self, raw: JsonValue, index: int) -> str:
        """Return the origin of a call."""
        found: str = self.get(raw)[index].origin
        return found

    def put(self, raw: JsonValue, value: Any, style: Spelling) -> JsonValue:
        """Write the calls in the shape that the invocation has; MISSING takes all of them out."""
        if not is_recorded(raw):
            return self.listed.put(raw, value, style)
        calls = () if value is MISSING else value
        if not isinstance(calls, tuple):
            raise FormatError("Recorded tool calls can only be edited one by one", hint=AS_JSON)
        spelled = style_of(EVENTS.get(raw), style)
        return self._written(raw, [_wanted(raw, call, spelled) for call in calls], style)


class ToolResults(_Scattered):
    """What the tools answered, as a list of objects with a name, an id and a response."""

    part = FUNCTION_RESPONSE
    listed = At(INTERMEDIATE_DATA, TOOL_RESPONSES, prune=True)

    def get(self, raw: JsonValue) -> Any:
        """Return the answers in order; MISSING where the invocation records none."""
        if not is_recorded(raw):
            return self.listed.get(raw)
        return [get_object(raw, at) for at in self.slots(raw)]

    def put(self, raw: JsonValue, value: Any, style: Spelling) -> JsonValue:
        """Write the answers in the shape that the invocation has; MISSING takes all of them out."""
        if not is_recorded(raw):
            return self.listed.put(raw, value, style)
        wanted = [] if value is MISSING else value
        if not isinstance(wanted, list) or not all(isinstance(item, dict) for item in wanted):
            raise FormatError("Recorded answers of tools must be a list of groups", hint=AS_JSON)
        slots = self.slots(raw)
        old: list[JsonValue] = [get_object(raw, at) for at in slots]
        if same(old, wanted):
            return raw
        places = aligned(old, wanted)
        kept = [slots[at] if at is not None else "" for at in places]
        return self._written(raw, list(zip(kept, wanted, strict=True)), style)


AS_JSON = "Edit the turn's JSON instead."


def is_recorded(raw: JsonValue) -> bool:
    """Return whether a turn has the shape that runs record."""
    return EVENTS.get(raw) is not MISSING


def _call(item: JsonObject, origin: str) -> ToolCall:
    return tool_call({name: lens.get(item) for name, lens in CALL_PARTS.items()}, origin)


def _wanted(raw: JsonValue, call: ToolCall, style: Spelling) -> Wanted:
    item = get_object(raw, call.origin) if call.origin else {}
    before = _call(item, call.origin) if item else None
    written = with_record(item, call, before, CALL_PARTS, style)
    return call.origin, written if isinstance(written, dict) else {}
