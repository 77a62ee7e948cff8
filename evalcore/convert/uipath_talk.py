"""The conversations of UiPath's low-code sets as turns, and turns as such conversations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evalcore.convert.portable import Case, Item, Move, Out, Parts, Turn, as_text
from evalcore.jsontree import JsonValue, join

INPUT, OUTPUT = "conversational_input", "conversational_output"
EARLIER = "It became a part of the conversation so far, which is not scored."


def unpack(case: Case) -> None:
    """Replace a case's one turn by those of the conversation that it has, if it has one."""
    only = case.turns[0]
    spoken, wanted = only.items.get(INPUT), only.items.get(OUTPUT)
    turns = _turns(spoken) if spoken is not None else []
    if not turns:
        return
    last = turns[-1]
    if wanted is not None and isinstance(wanted.value, dict):
        _reply(last, _messages(wanted, "agentResponse"))
    rest = {n: i for n, i in only.items.items() if n not in (INPUT, OUTPUT)}
    for name, item in rest.items():
        # Named inputs beside a conversation are read by nobody; empty ones are always there.
        if name != "input" and not (name in last.items and item.value in ({}, None)):
            last.items.setdefault(name, item)
    case.turns = turns
    case.is_conversation = True


def _turns(spoken: Item) -> list[Turn]:
    if not isinstance(spoken.value, dict):
        return []
    turns: list[Turn] = []
    history = spoken.value.get("conversationHistory")
    for index, exchange in enumerate(history if isinstance(history, list) else ()):
        for number, message in enumerate(exchange if isinstance(exchange, list) else ()):
            _add(turns, message, spoken.member("conversationHistory", index, number))
    prompt = spoken.value.get("currentUserPrompt")
    if isinstance(prompt, dict):
        _add(turns, prompt, spoken.member("currentUserPrompt"))
    return turns


def _add(turns: list[Turn], message: JsonValue, item: Item) -> None:
    if not isinstance(message, dict) or not isinstance(message.get("text"), str):
        return
    if message.get("role", "user") == "user":
        turns.append(Turn({"input": _text(item)}))
    elif turns:
        _reply(turns[-1], [item])


def _text(item: Item) -> Item:
    text = item.member("text")
    return text.told_by(*_address(item, "role")) if "role" in item.value else text


def _address(item: Item, name: str) -> list[Any]:
    return [m.source for m in item.member(name).moves]


def _messages(item: Item, name: str) -> list[Item]:
    found = item.value.get(name)
    count = len(found) if isinstance(found, list) else 0
    messages = [item.member(name, index) for index in range(count)]
    return [
        m for m in messages if isinstance(m.value, dict) and isinstance(m.value.get("text"), str)
    ]


def _reply(turn: Turn, messages: Sequence[Item]) -> None:
    """Note what the agent says: the last message is the reply, earlier ones lead to it."""
    for message in messages:
        before = turn.items.pop("expected_output", None)
        if before is not None:
            turn.said = [*(turn.said or []), {"text": before}]
        turn.items["expected_output"] = _text(message)
        calls = message.value.get("toolCalls")
        if isinstance(calls, list):
            made = [_call(message.member("toolCalls", i)) for i in range(len(calls))]
            turn.calls = [*(turn.calls or []), *(call for call in made if call)]


def _call(item: Item) -> Parts:
    if not isinstance(item.value, dict) or not isinstance(item.value.get("name"), str):
        return {}
    parts = {"name": item.member("name")}
    if "arguments" in item.value:
        parts["args"] = item.member("arguments")
    result = item.value.get("result")
    if isinstance(result, dict) and "value" in result and result.get("isError") is not True:
        parts["result"] = item.member("result", "value")
        if "isError" in result:
            told = _address(item.member("result"), "isError")
            parts["result"] = parts["result"].told_by(*told)
    return parts


def pack(case: Case, upto: int, out: Out) -> None:
    """Write the turns up to one as a conversation, of which that turn is what is tested."""
    history: list[list[JsonValue]] = []
    moves: list[Move] = []
    for index, turn in enumerate(case.turns[:upto]):
        exchange: list[JsonValue] = []
        for message in (*_user(turn), *_agent(turn, with_results=True)):
            place = join("", "conversationHistory", index, len(exchange))
            moves += message.explained(EARLIER).within(None, place).moves
            exchange.append(message.value)
        history.append(exchange)
    value: dict[str, JsonValue] = {"conversationHistory": [*history]}
    tested = case.turns[upto]
    prompt = next(iter(_user(tested)), None) or Item({"role": "user", "text": ""}, ())
    value["currentUserPrompt"] = prompt.value
    moves += prompt.within(None, "/currentUserPrompt").moves
    out.give(INPUT, Item(value, tuple(moves)))
    replies = _agent(tested, with_results=False)
    if replies:
        given = [r.within(None, join("", "agentResponse", i)) for i, r in enumerate(replies)]
        spoken: JsonValue = {"agentResponse": [r.value for r in replies]}
        out.give(OUTPUT, Item(spoken, tuple(m for g in given for m in g.moves)))


def _user(turn: Turn) -> list[Item]:
    item = turn.items.get("input")
    if item is None:
        return []
    said = as_text(item)
    text = said.value if isinstance(said.value, str) else ""
    role = [m.source for m in turn.items["input_role"].moves] if "input_role" in turn.items else []
    told = said.told_by(*role) if _is(turn, "input_role", "user") else said
    return [told.within({"role": "user", "text": text}, "/text")]


def _is(turn: Turn, name: str, *words: str) -> bool:
    return name in turn.items and turn.items[name].value in words


def _agent(turn: Turn, *, with_results: bool) -> list[Item]:
    """Return the agent's messages: what it says on the way, then its reply with all its calls."""
    said = [_message(parts["text"], []) for parts in turn.said or [] if "text" in parts]
    reply = turn.items.get("expected_output")
    calls = [_written(call, with_results=with_results) for call in turn.calls or []]
    if reply is None or reply.value is None:
        return [*said, _message(Item("", ()), calls)] if calls else said
    role = turn.items.get("expected_output_role")
    if role is not None and _is(turn, "expected_output_role", "model", "assistant", "agent"):
        reply = reply.told_by(*(m.source for m in role.moves))
    return [*said, _message(as_text(reply), calls)]


def _message(text: Item, calls: list[Item]) -> Item:
    value: dict[str, JsonValue] = {"role": "agent", "text": text.value}
    moves = list(text.within(None, "/text").moves)
    if calls:
        value["toolCalls"] = [call.value for call in calls]
        for index, call in enumerate(calls):
            moves += call.within(None, join("", "toolCalls", index)).moves
    return Item(value, tuple(moves))


def _written(call: Parts, *, with_results: bool) -> Item:
    name, args, result = call.get("name"), call.get("args"), call.get("result")
    value: dict[str, JsonValue] = {
        "name": name.value if name else "",
        "arguments": args.value if args else {},
    }
    moves = [
        *(name.within(None, "/name").moves if name else ()),
        *(args.within(None, "/arguments").moves if args else ()),
    ]
    if with_results:
        value["result"] = {"value": result.value if result else None}
        moves += result.within(None, "/result/value").moves if result else ()
    return Item(value, tuple(moves))
