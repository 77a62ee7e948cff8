"""What was said on the way to a turn's final reply, in either shape of ``intermediate_data``."""

from __future__ import annotations

from typing import Any

from evalcore.errors import FormatError
from evalcore.formats.adk.calls import EVENTS, is_recorded
from evalcore.formats.adk.content import (
    CONTENT,
    INTERMEDIATE_DATA,
    INTERMEDIATE_RESPONSES,
    PARTS,
    has_text_part,
    text_of,
    with_text,
    without_text,
)
from evalcore.formats.adk.fields import both
from evalcore.formats.adk.recorded import new_event
from evalcore.formats.aligned import aligned
from evalcore.formats.lenses import At, Lens, Spelling
from evalcore.jsontree import MISSING, JsonArray, JsonObject, JsonValue, Missing, same

SCHEMA = {
    "type": "array",
    "items": {
        "type": "object",
        "title": "Message",
        "properties": {
            "author": {
                "type": "string",
                "description": "The agent that says it.",
                "default": "agent",
            },
            "text": {"type": "string", "x-multiline": True},
        },
        "required": ["author", "text"],
        "additionalProperties": False,
    },
}
LISTED = At(INTERMEDIATE_DATA, INTERMEDIATE_RESPONSES, prune=True)
AUTHOR = At(both("author"))
SAID = At(CONTENT)


class SaidOnTheWay(Lens):
    """The messages as a list of objects with an author and a text.

    Hand-written turns list pairs of an author and parts; recorded ones have an event for each. An
    edit changes the texts where they lie; parts that are no text, and what else is no message,
    stay.
    """

    def get(self, raw: JsonValue) -> Any:
        """Return the messages; MISSING where there is no list, anything odd as it stands."""
        found = self.json(raw).get(raw)
        if not isinstance(found, list):
            return found
        return [_read(item) for item in found if _is_message(item)]

    def put(self, raw: JsonValue, value: Any, style: Spelling) -> JsonValue:
        """Write the messages in the shape that the invocation has; MISSING takes all out."""
        if same(self.get(raw), value):
            return raw
        at = self.json(raw)
        if not is_recorded(raw) and (value is MISSING or value is None):
            return at.put(raw, value, style)
        wanted = _checked([] if value is MISSING else value)
        found = at.get(raw)
        items = found if isinstance(found, list) else []
        recorded = is_recorded(raw)
        return at.put(raw, _merged(items, wanted, recorded=recorded), style)

    def where(self, raw: JsonValue) -> str:
        """Return the pointer of the list of pairs or of events."""
        return self.json(raw).where(raw)

    def has_place(self, raw: JsonValue) -> bool:
        """Return whether there is a place for the list."""
        return self.json(raw).has_place(raw)

    def json(self, raw: JsonValue) -> At:
        """Return the lens of the list of pairs or of events as it stands."""
        return EVENTS if is_recorded(raw) else LISTED


def _is_message(item: JsonValue) -> bool:
    if isinstance(item, list):
        return len(item) == 2 and isinstance(item[0], str) and isinstance(item[1], list)
    author = AUTHOR.get(item)
    content = SAID.get(item)
    return (author is MISSING or isinstance(author, str)) and has_text_part(content)


def _read(item: JsonValue) -> JsonObject:
    if isinstance(item, list):
        return {"author": item[0], "text": text_of({"parts": item[1]})}
    author = AUTHOR.get(item)
    return {"author": author if isinstance(author, str) else "", "text": text_of(SAID.get(item))}


def _checked(value: Any) -> list[JsonObject]:
    if isinstance(value, list) and all(
        isinstance(m, dict)
        and set(m) == {"author", "text"}
        and all(isinstance(t, str) for t in m.values())
        for m in value
    ):
        return value
    raise FormatError("Each message on the way has an author and a text, and nothing else")


def _merged(items: JsonArray, wanted: list[JsonObject], *, recorded: bool) -> JsonArray:
    """Return the items with the messages among them replaced by ``wanted``, in order."""
    held = [item for item in items if _is_message(item)]
    old: list[JsonValue] = [_read(item) for item in held]
    new = list(wanted)
    places = aligned(old, [*new])
    written: dict[int, JsonArray] = {}
    early: JsonArray = []
    last = -1
    for message, place in zip(new, places, strict=True):
        if place is not None:
            last = place
        item = None if place is None else held[place]
        made = _written(item, message, items, recorded=recorded)
        (written.setdefault(last, []) if last >= 0 else early).append(made)
    result: JsonArray = list(early) if held else []
    at = 0
    for item in items:
        if not _is_message(item):
            result.append(item)
            continue
        result += written.get(at, _rest_of(item))
        at += 1
    return result if held else [*result, *early]


def _written(
    item: JsonValue, message: JsonObject, items: JsonArray, *, recorded: bool
) -> JsonValue:
    author, text = str(message["author"]), str(message["text"])
    if item is None:
        parts: JsonObject = {"text": text}
        return new_event(items, [parts], author) if recorded else [author, [parts]]
    if item is not None and same(_read(item), message):
        return item
    if isinstance(item, list):
        content = with_text({"parts": item[1]}, text)
        return [author, content[PARTS.spellings[0]] if isinstance(content, dict) else item[1]]
    said = SAID.get(item)
    edited = SAID.put(item, with_text(said, text), "snake") if isinstance(said, dict) else item
    before: JsonValue | Missing = AUTHOR.get(edited)
    return edited if before is MISSING and not author else AUTHOR.put(edited, author, "snake")


def _rest_of(item: JsonValue) -> JsonArray:
    """Return what stays of a message that was deleted: its other parts, if it has any."""
    if isinstance(item, list):
        return []
    content = SAID.get(item)
    rest = without_text(content) if isinstance(content, dict) else None
    return [] if rest is None else [SAID.put(item, rest, "snake")]
