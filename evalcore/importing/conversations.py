"""Conversations in the shapes that chat tools write, turned into a row for each turn.

A turn is what the user says and all that follows until the user speaks again: the last text of the
assistant is the expected reply, earlier ones are messages on the way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from evalcore.errors import FormatError
from evalcore.exporting.calls import calls_from, plain_calls
from evalcore.importing.source import Items
from evalcore.jsontree import MISSING, JsonObject, JsonValue, Missing

ID_KEYS = ("id", "conversation_id", "conversationId", "session_id", "thread_id", "case_id", "name")
MESSAGE_KEYS = ("messages", "conversation", "conversations", "history", "turns")
CONTENT_KEYS = ("content", "text", "value", "parts", "message")
_USER = frozenset({"user", "human", "customer"})
_ASSISTANT = frozenset({"assistant", "gpt", "model", "ai", "bot", "agent", "chatgpt"})
_TOOL = frozenset({"tool", "function", "observation"})
_SYSTEM = frozenset({"system", "developer"})


@dataclass(slots=True)
class Turn:
    """One turn as it is put together from messages."""

    says: list[str] = field(default_factory=list)
    replies: list[str] = field(default_factory=list)
    calls: list[JsonObject] = field(default_factory=list)

    def row(self) -> dict[str, JsonValue | Missing]:
        """Return the turn's columns."""
        return {
            "input": "\n".join(self.says) if self.says else MISSING,
            "expected_output": self.replies[-1] if self.replies else MISSING,
            "tool_calls": list(self.calls) if self.calls else MISSING,
            "intermediate_responses": list(self.replies[:-1]) if len(self.replies) > 1 else MISSING,
        }


def is_message(value: JsonValue) -> bool:
    """Return whether a value is one message: who speaks, and something said or called."""
    return isinstance(value, dict) and role_of(value) != "" and _content(value) is not MISSING


def is_messages(value: JsonValue | Missing) -> bool:
    """Return whether a value is a list of messages."""
    return isinstance(value, list) and bool(value) and all(map(is_message, value))


def is_pair(value: JsonValue) -> bool:
    """Return whether a value is one exchange ``{"user": …, "assistant": …}``."""
    return isinstance(value, dict) and isinstance(value.get("user"), str) and "assistant" in value


def is_pairs(value: JsonValue | Missing) -> bool:
    """Return whether a value is a list of exchanges."""
    return isinstance(value, list) and bool(value) and all(map(is_pair, value))


def role_of(message: Mapping[str, JsonValue]) -> str:
    """Return who speaks: user, assistant, tool or system; "" if that is not said."""
    found = message.get("role", message.get("from", message.get("sender")))
    name = found.strip().lower() if isinstance(found, str) else ""
    if name in _USER:
        return "user"
    if name in _ASSISTANT:
        return "assistant"
    return "tool" if name in _TOOL else "system" if name in _SYSTEM else ""


def messages_in(record: JsonValue) -> list[JsonValue] | None:
    """Return the messages of a conversation, which is a list of them or an object with one."""
    if is_messages(record):
        return record if isinstance(record, list) else None
    if isinstance(record, dict):
        for name in MESSAGE_KEYS:
            found = record.get(name)
            if isinstance(found, list) and is_messages(found):
                return found
    return None


def pairs_in(record: JsonValue) -> list[JsonValue] | None:
    """Return the exchanges of a conversation, which is a list of them or an object with one."""
    inner = record
    if isinstance(record, dict):
        inner = next((record[name] for name in MESSAGE_KEYS if is_pairs(record.get(name))), None)
    return inner if isinstance(inner, list) and is_pairs(inner) else None


def add_conversation(
    items: Items, number: int, record: JsonValue, messages: Sequence[JsonValue], name: str
) -> None:
    """Add the turns of a conversation, under its own id or ``name``."""
    turns = turns_of(messages, items)
    if not turns:
        items.refuse(number, "Nobody speaks as the user in this conversation")
    shared = _shared(record)
    for index, turn in enumerate(turns):
        items.add(number, {"id": _id(record, name), "turn": index + 1, **turn.row(), **shared})
        shared = {}


def add_pairs(
    items: Items, number: int, record: JsonValue, pairs: Sequence[JsonValue], name: str
) -> None:
    """Add the turns of a conversation that is a list of exchanges."""
    shared = _shared(record)
    for index, pair in enumerate(pairs):
        said = pair if isinstance(pair, dict) else {}
        reply = said.get("assistant")
        rest = {k: v for k, v in said.items() if k not in ("user", "assistant")}
        row = {"input": said.get("user"), "expected_output": MISSING if reply is None else reply}
        items.add(number, {"id": _id(record, name), "turn": index + 1, **row, **rest, **shared})
        shared = {}


def turns_of(messages: Sequence[JsonValue], items: Items) -> list[Turn]:
    """Return the turns of a list of messages; what finds no place in them is noted."""
    turns: list[Turn] = []
    for message in messages:
        if not isinstance(message, dict):
            continue
        role = role_of(message)
        if role == "user":
            if not turns or turns[-1].replies or turns[-1].calls:
                turns.append(Turn())
            turns[-1].says.append(text_of(message, items))
        elif role == "system":
            items.note("A system message was left out")
        elif not turns:
            items.note("A message before the user's first one was left out")
        elif role == "tool":
            _answer(turns[-1], message, items)
        else:
            _reply(turns[-1], message, items)
    return turns


def text_of(message: Mapping[str, JsonValue], items: Items) -> str:
    """Return what a message says; parts that are no text are noted."""
    content = _content(message)
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts: list[str] = []
    for part in parts:
        found = part.get("text") if isinstance(part, dict) else part
        if isinstance(found, str):
            texts.append(found)
        elif not (isinstance(part, dict) and _call_part(part)):
            items.note("A part of a message that is no text was left out")
    return "\n".join(texts)


def _reply(turn: Turn, message: Mapping[str, JsonValue], items: Items) -> None:
    said = text_of(message, items)
    if said:
        turn.replies.append(said)
    listed = message.get("tool_calls", message.get("toolCalls"))
    calls = list(listed) if isinstance(listed, list) else []
    if isinstance(message.get("function_call"), dict):
        calls.append(message["function_call"])
    content = _content(message)
    parts = content if isinstance(content, list) else []
    calls += (call for part in parts if isinstance(part, dict) and (call := _call_part(part)))
    turn.calls += (call for item in calls if (call := _call(item)) is not None)


def _call_part(part: Mapping[str, JsonValue]) -> JsonValue:
    if part.get("type") in ("tool_use", "function_call"):
        return dict(part)
    found = part.get("functionCall", part.get("function_call"))
    return found if isinstance(found, dict) else None


def _call(item: JsonValue) -> JsonObject | None:
    try:
        (call,) = plain_calls(calls_from([item]))
    except FormatError:
        return None
    return call if isinstance(call, dict) else None


def _answer(turn: Turn, message: Mapping[str, JsonValue], items: Items) -> None:
    """Give a tool's answer to the call that it is for: by id, else by name, else the last."""
    wanted, name = message.get("tool_call_id"), message.get("name")
    open_calls = [call for call in turn.calls if "result" not in call]
    found = next((c for c in open_calls if wanted and c.get("id") == wanted), None)
    found = found or next((c for c in open_calls if name and c.get("name") == name), None)
    if found is None and not wanted and open_calls:
        found = open_calls[0]
    if found is None:
        items.note("An answer of a tool that nobody called was left out")
        return
    found["result"] = text_of(message, items)


def _content(message: Mapping[str, JsonValue]) -> JsonValue | Missing:
    for name in CONTENT_KEYS:
        if name in message:
            return message[name]
    calls = ("tool_calls", "toolCalls", "function_call")
    return None if any(name in message for name in calls) else MISSING


def _id(record: JsonValue, name: str) -> JsonValue:
    if isinstance(record, dict):
        for key in ID_KEYS:
            found = record.get(key)
            if isinstance(found, (str, int)) and not isinstance(found, bool) and found != "":
                return str(found)
    return name


def _shared(record: JsonValue) -> dict[str, JsonValue | Missing]:
    """Return what a record says besides its conversation, for the case's first row."""
    if not isinstance(record, dict):
        return {}
    taken = {*MESSAGE_KEYS, *ID_KEYS, "role", "content", "tools", "functions"}
    return {name: value for name, value in record.items() if name not in taken}
