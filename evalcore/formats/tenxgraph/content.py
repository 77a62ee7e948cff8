"""Lenses for 10xGraph's messages, whose content is text or a list of blocks, and its tool calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

from evalcore.errors import FormatError
from evalcore.formats.attachments import attachment
from evalcore.formats.lenses import At, Lens, Listed, Records, Spelling, exactly
from evalcore.formats.tenxgraph.messages import block_text, blocks_of, is_text_block, text_of
from evalcore.jsontree import MISSING, JsonArray, JsonObject, JsonValue, Missing, join, same
from evalcore.model import ToolCall


def new_message(role: str, text: str, *, full: bool) -> JsonObject:
    """Return a message; ``full`` writes the empty metadata that 10xGraph itself writes."""
    message: JsonObject = {"role": role, "content": text}
    return {**message, "metadata": {}} if full else message


def with_text(message: JsonObject, text: str) -> JsonObject:
    """Return a message that reads as ``text``, changing only the blocks that the edit reaches."""
    if text_of(message) == text and isinstance(message.get("content"), (str, list)):
        return message
    content = message.get("content")
    return {**message, "content": _edited(content, text) if isinstance(content, list) else text}


def _edited(blocks: JsonArray, text: str) -> JsonArray:
    places = [index for index, block in enumerate(blocks) if is_text_block(block)]
    if not places:
        return [{"type": "text", "text": text}, *blocks]
    texts = [block_text(blocks[index]) for index in places]
    before, after, middle = _reach_of_edit(texts, text)
    first, *emptied = places[before : len(places) - after]
    result: JsonArray = []
    for index, block in enumerate(blocks):
        if not isinstance(block, dict) or index not in (first, *emptied):
            result.append(block)
        elif index == first:
            result.append({**block, "text": middle})
        elif block.get("type", "text") != "text":
            result.append({name: v for name, v in block.items() if name != "text"})
    return result


def _reach_of_edit(texts: Sequence[str], new: str) -> tuple[int, int, str]:
    """Return how many texts before and after an edit stay, and the text between them."""
    before, after, rest = 0, 0, new
    while before < len(texts) - 1 and rest.startswith(texts[before] + " "):
        rest = rest[len(texts[before]) + 1 :]
        before += 1
    while after < len(texts) - 1 - before and rest.endswith(" " + texts[-1 - after]):
        rest = rest[: -len(texts[-1 - after]) - 1]
        after += 1
    return before, after, rest


def _block_words(block: JsonValue) -> str:
    """Return what a block is; its content may lie in a member called like its type."""
    fields = block if isinstance(block, dict) else {}
    kind = fields.get("type")
    said = kind if isinstance(kind, str) and kind else "block"
    inner = next(
        (
            fields[n]
            for n in (said, "source", "media", "image_url")
            if isinstance(fields.get(n), dict)
        ),
        block,
    )
    return attachment(said.replace("_", " "), inner)


class MessageText(Lens):
    """The text of one message; its role, metadata and other blocks stay as they are.

    An absent message is MISSING, a null one None; both differ from a message that says nothing. A
    message that 10xGraph would refuse is shown as it stands, and an edit makes a proper one of it.
    """

    def __init__(self, name: str, role: str) -> None:
        self.at = At(exactly(name))
        self.role = role

    def get(self, raw: JsonValue) -> JsonValue | Missing:
        """Return the text."""
        message = self.at.get(raw)
        if not isinstance(message, dict):
            return message
        content = message.get("content", MISSING)
        return text_of(message) if isinstance(content, (str, list)) else content

    def put(self, raw: JsonValue, value: JsonValue | Missing, style: Spelling) -> JsonValue:
        """Write the text into the message, or make the message; None and MISSING replace it."""
        if same(self.get(raw), value):
            return raw
        if value is MISSING or value is None:
            return self.at.put(raw, value, style)
        if not isinstance(value, str):
            raise FormatError(f"A message must be text, not {type(value).__name__}")
        message = self.at.get(raw)
        if isinstance(message, dict):
            return self.at.put(raw, with_text(message, value), style)
        return self.at.put(raw, new_message(self.role, value, full=_is_full(raw)), style)

    def beside(self, raw: JsonValue) -> tuple[str, ...]:
        """Return what the blocks that are no text hold."""
        blocks = blocks_of(self.at.get(raw))
        return tuple(_block_words(b) for b in blocks if not is_text_block(b))

    def json(self, raw: JsonValue) -> Lens:
        """Return the lens of the whole message."""
        return self.at

    def where(self, raw: JsonValue) -> str:
        """Return the pointer of the text, of the first text block, or of the message."""
        base, message = self.at.where(raw), self.at.get(raw)
        if not isinstance(message, dict) or "content" not in message:
            return base
        content = message["content"]
        for index, block in enumerate(content if isinstance(content, list) else ()):
            if isinstance(block, dict) and "text" in block:
                return join(base, "content", index, "text")
        return join(base, "content")


class MessageTexts(Listed):
    """A list of messages as a list of their texts; a kept text keeps its whole message."""

    parts: Mapping[str, Lens] = {
        "role": At(exactly("role")),
        "metadata": At(exactly("metadata")),
    }

    def __init__(self, name: str, role: str) -> None:
        self.at = At(exactly(name))
        self.role = role

    def get(self, raw: JsonValue) -> JsonValue | Missing:
        """Return the texts; what is no list comes back as it stands."""
        messages = self.at.get(raw)
        return [text_of(m) for m in messages] if isinstance(messages, list) else messages

    def put(self, raw: JsonValue, value: JsonValue | Missing, style: Spelling) -> JsonValue:
        """Write the texts, each into the message that it came from where that can be told."""
        if same(self.get(raw), value):
            return raw
        if value is MISSING or value is None:
            return self.at.put(raw, value, style)
        if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
            raise FormatError("The messages on the way must be a list of texts")
        found = self.at.get(raw)
        old = found if isinstance(found, list) else []
        texts = [text for text in value if isinstance(text, str)]
        return self.at.put(raw, self._merged(raw, old, texts), style)

    def where(self, raw: JsonValue) -> str:
        """Return the pointer of the list."""
        return self.at.where(raw)

    def item_at(self, raw: JsonValue, index: int) -> str:
        """Return the pointer of a message."""
        return join(self.at.where(raw), index)

    def json(self, raw: JsonValue) -> Lens:
        """Return the lens of the messages as they stand."""
        return self.at

    def _merged(self, raw: JsonValue, old: JsonArray, texts: Sequence[str]) -> JsonArray:
        merged: JsonArray = []
        for text, source in zip(texts, _sources([text_of(m) for m in old], texts), strict=True):
            message = None if source is None else old[source]
            if source is not None and text_of(message) == text:
                merged.append(message)
            elif isinstance(message, dict):
                merged.append(with_text(message, text))
            else:
                merged.append(new_message(self.role, text, full=_is_full(raw)))
        return merged


def _sources(old: Sequence[str], new: Sequence[str]) -> list[int | None]:
    """Return, for each new text, the index of the old one whose message it takes.

    A text that stays or is moved takes its own; one that is changed in its place that of the place;
    a second one of the same text is a copy.
    """
    found: dict[int, int] = {}
    changed: list[tuple[int, range]] = []
    for kind, start, stop, first, last in SequenceMatcher(
        a=old, b=new, autojunk=False
    ).get_opcodes():
        if kind == "equal":
            found.update(zip(range(first, last), range(start, stop), strict=True))
        else:
            changed += [(at, range(start, stop)) for at in range(first, last)]
    free = [at for at in range(len(old)) if at not in found.values()]
    for wanted in ("moved", "changed"):
        for at, place in changed:
            fits = [f for f in free if (old[f] == new[at] if wanted == "moved" else f in place)]
            if at not in found and fits:
                found[at] = fits[0]
                free.remove(fits[0])
    copies = {text: at for at, text in reversed(list(enumerate(old)))}
    return [found.get(at, copies.get(text)) for at, text in enumerate(new)]


def _is_full(turn: JsonValue) -> bool:
    """Return whether a turn's messages carry the metadata that 10xGraph itself always writes."""
    user = turn.get("user_content") if isinstance(turn, dict) else None
    return not isinstance(user, dict) or "metadata" in user


CALL_PARTS: Mapping[str, Lens] = {
    "name": At(exactly("name")),
    "args": At(exactly("args")),
    "id": At(exactly("call_id")),
    "result": At(exactly("result")),
}


def tool_call(values: Mapping[str, Any], origin: str) -> ToolCall:
    """Return a tool call; a name or id that is no text is shown as text."""
    name, call_id = values["name"], values["id"]
    return ToolCall(
        name="" if name is MISSING or name is None else str(name),
        args=values["args"],
        id=None if call_id is MISSING or call_id is None else str(call_id),
        result=values["result"],
        origin=origin,
    )


def tool_calls_at(name: str) -> Records:
    """Return the lens of a list of tool calls."""
    return Records(At(exactly(name)), tool_call, CALL_PARTS)
