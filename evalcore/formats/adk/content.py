"""Lenses for what ADK takes from the Gemini API: contents made of parts, and calls of functions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from evalcore.errors import FormatError
from evalcore.formats.adk.fields import both
from evalcore.formats.attachments import attachment
from evalcore.formats.lenses import At, Key, Lens, Records, Spelling
from evalcore.jsontree import (
    MISSING,
    JsonArray,
    JsonObject,
    JsonValue,
    Missing,
    join,
    put,
    same,
)
from evalcore.model import Rubric

PARTS = both("parts")
TEXT = both("text")
ROLE = both("role")
FUNCTION_CALL = both("function_call")
FUNCTION_RESPONSE = both("function_response")
TOOL_RESPONSES = both("tool_responses")
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


def _part_words(content: JsonValue | Missing) -> Iterator[str]:
    parts = At(PARTS).get(content) if isinstance(content, dict) else MISSING
    for part in parts if isinstance(parts, list) else ():
        for name, value in part.items() if isinstance(part, dict) else ():
            kind = name if "_" in name else re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
            if kind in ("text", "thought", "thought_signature") or value in (None, {}):
                continue
            yield _part_said(kind, value)


def _part_said(kind: str, value: JsonValue) -> str:
    called = value.get("name") if isinstance(value, dict) else None
    if kind == "function_call":
        return f"call of “{called}”"
    if kind == "function_response":
        return f"answer of “{called}”"
    return attachment(_PART_KINDS.get(kind, kind.replace("_", " ")), value)


_PART_KINDS = {"inline_data": "data", "file_data": "file", "executable_code": "code"}


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
        return self.at.put(raw, with_text(content, value), style)

    def where(self, raw: JsonValue) -> str:
        """Return the pointer of the first text part, or of the content."""
        base = self.at.where(raw)
        content = self.at.get(raw)
        first = next(text_parts(content), None)
        if first is None or not isinstance(content, dict):
            return base
        return join(base, PARTS.choose(content, "snake"), first[0], "text")

    def beside(self, raw: JsonValue) -> tuple[str, ...]:
        """Return what the parts that are no text hold."""
        return tuple(_part_words(self.at.get(raw)))

    def json(self, raw: JsonValue) -> Lens:
        """Return the lens of the whole content."""
        return self.at

    def _new(self, raw: JsonValue, text: str) -> JsonObject:
        """Return a content with its keys in the order that the other contents here have."""
        parts: JsonObject = {"parts": [{"text": text}]}
        role: JsonObject = {"role": self.role}
        siblings = raw.values() if isinstance(raw, dict) else ()
        role_first = any(isinstance(s, dict) and next(iter(s), "") == "role" for s in siblings)
        return {**role, **parts} if role_first else {**parts, **role}


def has_text_part(content: JsonValue | Missing) -> bool:
    """Return whether a content has a part for text, be it empty."""
    parts = At(PARTS).get(content) if isinstance(content, dict) else MISSING
    items = parts if isinstance(parts, list) else []
    return any(isinstance(p, dict) and isinstance(p.get("text"), str) for p in items)


def without_text(content: JsonObject) -> JsonObject | None:
    """Return a content without its texts, None if nothing is left of it.

    What only says something of a text, that it is a thought or who signed it, goes with the text.
    """
    name = PARTS.choose(content, "snake")
    parts = content.get(name)
    kept: JsonArray = []
    for part in parts if isinstance(parts, list) else ():
        if not isinstance(part, dict) or "text" not in part:
            kept.append(part)
        elif any(key not in _OF_A_TEXT and v is not None for key, v in part.items()):
            kept.append({key: v for key, v in part.items() if key != "text"})
    return {**content, name: kept} if kept else None


_OF_A_TEXT = ("text", "thought", "thought_signature", "thoughtSignature")


def with_text(content: JsonObject, text: str) -> JsonValue:
    """Return a content with another text; only the parts that the edit reaches change."""
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
    "text": At(both("rubric_content"), both("text_property"), prune=True),
    "description": At(both("description")),
    "type": At(both("type")),
}


def rubrics_at(*keys: Key) -> Records:
    """Return the lens of a list of rubrics."""
    return Records(At(*keys), rubric, RUBRIC_PARTS)
