"""Lenses for what ADK takes from the Gemini API: contents made of parts, and calls of functions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from evalcore.errors import FormatError
from evalcore.formats.adk.fields import both
from evalcore.formats.lenses import At, Key, Lens, Records, Spelling
from evalcore.jsontree import (
    MISSING,
    JsonArray,
    JsonObject,
    JsonValue,
    Missing,
    get,
    join,
    put,
    same,
)
from evalcore.model import Model, Rubric, ToolCall

PARTS = both("parts")
TEXT = both("text")
ROLE = both("role")
FUNCTION_CALL = both("function_call")
CONTENT = both("content")
INTERMEDIATE_DATA = both("intermediate_data")
TOOL_USES = both("tool_uses")
INVOCATION_EVENTS = both("invocation_events")
INTERMEDIATE_RESPONSES = both("intermediate_responses")


def text_of(content: JsonValue | Missing) -> str:
    """Return the text of a content as ADK's metrics see it: its non-empty text parts by lines.

    Thought parts count, as they do for ``response_match_score``; a content that is no object or has
    no text is "".
    """
    return "\n".join(text for _, text in text_parts(content))


def text_parts(content: JsonValue | Missing) -> Iterator[tuple[int, str]]:
    """Yield (index in ``parts``, text) of the parts that have text."""
    parts = At(PARTS).get(content) if isinstance(content, dict) else MISSING
    for index, part in enumerate(parts if isinstance(parts, list) else ()):
        text = part.get("text") if isinstance(part, dict) else None
        if isinstance(text, str) and text:
            yield index, text


def intermediate_texts(raw_turn: JsonValue) -> Iterator[str]:
    """Yield what was said on the way to the final reply, in either shape of a turn's data."""
    for event in _items(At(INTERMEDIATE_DATA, INVOCATION_EVENTS).get(raw_turn)):
        said = text_of(At(CONTENT).get(event))
        if said:
            yield said
    for pair in _items(At(INTERMEDIATE_DATA, INTERMEDIATE_RESPONSES).get(raw_turn)):
        said = text_of({"parts": pair[1]}) if isinstance(pair, list) and len(pair) == 2 else ""
        if said:
            yield said


def _items(value: JsonValue | Missing) -> JsonArray:
    return value if isinstance(value, list) else []


def other_parts(content: JsonValue | Missing) -> list[str]:
    """Return the kinds of the parts that are no plain text, such as ``inline_data``."""
    parts = At(PARTS).get(content) if isinstance(content, dict) else MISSING
    kinds: list[str] = []
    for part in parts if isinstance(parts, list) else ():
        if isinstance(part, dict):
            kinds += [name for name, v in part.items() if name != "text" and v not in (None, {})]
    return kinds


class ContentText(Lens):
    """The text of a content; its other parts, and fields of text parts, stay as they are.

    Where several parts hold text, only those that an edit reaches change: the lines before and
    after it keep their parts.
    """

    def __init__(self, name: Key, role: str) -> None:
        self.at = At(name)
        self.role = role

    def get(self, raw: JsonValue) -> JsonValue | Missing:
        """Return the text; MISSING or null where the content is; an odd content as it stands."""
        content = self.at.get(raw)
        return text_of(content) if isinstance(content, dict) else content

    def put(self, raw: JsonValue, value: JsonValue | Missing, style: Spelling) -> JsonValue:
        """Write the text into the parts that hold it, or make the content."""
        content = self.at.get(raw)
        if value is MISSING or value is None:
            return self.at.put(raw, value, style)
        if same(content, value):
            return raw
        if not isinstance(value, str):
            raise FormatError(f"A message must be text, not {type(value).__name__}")
        if isinstance(content, str):
            return self.at.put(raw, value, style)
        if not isinstance(content, dict):
            return self.at.put(raw, self._new(raw, value), style)
        if text_of(content) == value:
            return raw
        return self.at.put(raw, _with_text(content, value), style)

    def where(self, raw: JsonValue) -> str:
        """Return the pointer of the first text part, or of the content."""
        base = self.at.where(raw)
        content = self.at.get(raw)
        first = next(text_parts(content), None)
        if first is None or not isinstance(content, dict):
            return base
        return join(base, PARTS.choose(content, "snake"), first[0], "text")

    def _new(self, raw: JsonValue, text: str) -> JsonObject:
        """Return a content with its keys in the order that the other contents here have."""
        parts: JsonObject = {"parts": [{"text": text}]}
        role: JsonObject = {"role": self.role}
        siblings = raw.values() if isinstance(raw, dict) else ()
        role_first = any(isinstance(s, dict) and next(iter(s), "") == "role" for s in siblings)
        return {**role, **parts} if role_first else {**parts, **role}


def _with_text(content: JsonObject, text: str) -> JsonValue:
    name = PARTS.choose(content, "snake")
    parts = content.get(name)
    held = list(text_parts(content))
    if not held:
        empty = _first_empty(parts)
        if empty is not None:
            return put(content, join("", name, empty, "text"), text)
        old = parts if isinstance(parts, list) else []
        return put(content, join("", name), [{"text": text}, *old])
    before, after, middle = _reach_of_edit([t for _, t in held], text)
    touched = held[before : len(held) - after]
    changes: dict[int, str | None] = {index: None for index, _ in touched[1:]}
    changes[touched[0][0]] = middle
    return put(content, join("", name), _parts_with(parts, changes))


def _reach_of_edit(texts: Sequence[str], new: str) -> tuple[int, int, str]:
    """Return how many texts before and after an edit stay, and the text between them.

    At least one of ``texts`` is always given up to the edit.
    """
    before, rest = 0, new
    while before < len(texts) - 1 and rest.startswith(texts[before] + "\n"):
        rest = rest[len(texts[before]) + 1 :]
        before += 1
    after = 0
    while after < len(texts) - 1 - before and rest.endswith("\n" + texts[-1 - after]):
        rest = rest[: -len(texts[-1 - after]) - 1]
        after += 1
    # An empty middle part would not be read back, so its neighbour joins the edit.
    if not rest and before + after and new:
        if after:
            after -= 1
            rest = "\n" + texts[len(texts) - 1 - after]
        else:
            before -= 1
            rest = texts[before] + "\n"
    return before, after, rest


def _parts_with(parts: JsonValue | Missing, changes: Mapping[int, str | None]) -> JsonArray:
    """Return the parts with texts replaced; None drops a text, and its part if nothing is left."""
    result: JsonArray = []
    for index, part in enumerate(parts if isinstance(parts, list) else ()):
        if index not in changes or not isinstance(part, dict):
            result.append(part)
            continue
        text = changes[index]
        if text is not None:
            result.append({**part, "text": text})
        elif any(name != "text" and v is not None for name, v in part.items()):
            result.append({name: v for name, v in part.items() if name != "text"})
    return result


def _first_empty(parts: JsonValue | Missing) -> int | None:
    for index, part in enumerate(parts if isinstance(parts, list) else ()):
        if isinstance(part, dict) and part.get("text") == "":
            return index
    return None


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


class ExpectedCalls(Lens):
    """The tool calls of an invocation, in either shape of ``intermediate_data``.

    Hand-written files list them (``tool_uses``); recorded ones scatter them over the parts of
    ``invocation_events``. Deleting a recorded call takes its part with it; an added one becomes a
    part after the call that it follows.
    """

    listed = Records(At(INTERMEDIATE_DATA, TOOL_USES), tool_call, CALL_PARTS)

    def get(self, raw: JsonValue) -> tuple[Model, ...] | Missing:
        """Return the calls in order; MISSING where the invocation records none."""
        if not self._is_recorded(raw):
            return self.listed.get(raw)
        return tuple(
            tool_call({n: lens.get(get_object(raw, at)) for n, lens in CALL_PARTS.items()}, at)
            for at in self.slots(raw)
        )

    def put(self, raw: JsonValue, value: Any, style: Spelling) -> JsonValue:
        """Write the calls in the shape that the invocation has; MISSING takes all of them out."""
        if not self._is_recorded(raw):
            return self.listed.put(raw, value, style)
        from evalcore.formats.adk.recorded import with_calls

        calls = () if value is MISSING else tuple(value)
        return with_calls(raw, self.slots(raw), calls, style)

    def where(self, raw: JsonValue) -> str:
        """Return the pointer of the list of calls or of events."""
        return At(
            INTERMEDIATE_DATA, INVOCATION_EVENTS if self._is_recorded(raw) else TOOL_USES
        ).where(raw)

    def slots(self, raw: JsonValue) -> list[str]:
        """Return the pointers of all function calls in recorded events, in order."""
        events = At(INTERMEDIATE_DATA, INVOCATION_EVENTS)
        base, found = events.where(raw), events.get(raw)
        slots: list[str] = []
        for index, event in enumerate(found if isinstance(found, list) else ()):
            at = At(CONTENT, PARTS)
            parts = at.get(event)
            for place, part in enumerate(parts if isinstance(parts, list) else ()):
                name = FUNCTION_CALL.find(part)
                if name is not None and isinstance(part, dict) and isinstance(part[name], dict):
                    slots.append(join(join(base, index) + at.where(event), place, name))
        return slots

    def _is_recorded(self, raw: JsonValue) -> bool:
        return At(INTERMEDIATE_DATA, INVOCATION_EVENTS).get(raw) is not MISSING


def get_object(raw: JsonValue, pointer: str) -> JsonObject:
    """Return the object at ``pointer``, {} where there is none."""
    found = get(raw, pointer)
    return found if isinstance(found, dict) else {}


def rubric(values: Mapping[str, Any], origin: str) -> Rubric:
    """Return a rubric; absent texts are "" or None."""
    texts = {n: None if v is MISSING or v is None else str(v) for n, v in values.items()}
    return Rubric(
        id=texts["id"] or "",
        text=texts["text"] or "",
        type=texts["type"],
        description=texts["description"],
        origin=origin,
    )


RUBRIC_PARTS: Mapping[str, Lens] = {
    "id": At(both("rubric_id")),
    "text": At(both("rubric_content"), both("text_property")),
    "description": At(both("description")),
    "type": At(both("type")),
}


def rubrics_at(*keys: Key) -> Records:
    """Return the lens of a list of rubrics."""
    return Records(At(*keys), rubric, RUBRIC_PARTS)
