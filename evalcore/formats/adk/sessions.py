"""Recorded sessions of ADK agents: events put together into turns, as ADK itself does it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from evalcore.formats.adk.content import CONTENT, FUNCTION_CALL, PARTS, text_of
from evalcore.formats.adk.fields import both
from evalcore.formats.lenses import At, exactly
from evalcore.jsontree import MISSING, JsonObject, JsonValue, Missing
from evalcore.model import EvalCase, Invocation, Session, ToolCall

EVENTS = At(both("events"))
AUTHOR = At(both("author"))
INVOCATION_ID = At(both("invocation_id"))
FUNCTION_RESPONSE = both("function_response")
CALL = {name: At(both(name)) for name in ("id", "name", "args")}


@dataclass(slots=True)
class _Turn:
    says: list[str] = field(default_factory=list)
    replies: list[str] = field(default_factory=list)
    calls: list[dict[str, Any]] = field(default_factory=list)


def sessions_in(value: JsonValue) -> list[JsonObject]:
    """Return the sessions in a file: one, a list of them, or one under the key ``session``."""
    if isinstance(value, list):
        found = [session for item in value for session in sessions_in(item)]
        return found if len(found) == len(value) else []
    if isinstance(value, dict) and isinstance(value.get("session"), dict):
        return sessions_in(value["session"])
    events = EVENTS.get(value) if isinstance(value, dict) else MISSING
    if not isinstance(value, dict) or not isinstance(events, list) or not events:
        return []
    return [value] if all(isinstance(AUTHOR.get(event), str) for event in events) else []


def read_session(session: JsonObject) -> EvalCase:
    """Return a session as a case: each turn with the calls that were made and the last text."""
    events = EVENTS.get(session)
    turns: dict[str, _Turn] = {}
    for number, event in enumerate(events if isinstance(events, list) else ()):
        name = INVOCATION_ID.get(event)
        key = name if isinstance(name, str) and name else _open_turn(turns, event, number)
        _record(turns.setdefault(key, _Turn()), event)
    state = At(both("state")).get(session)
    return EvalCase(
        origin="",
        id=_text(At(exactly("id")).get(session)),
        invocations=tuple(_invocation(turn) for turn in turns.values() if turn.says),
        session=Session(
            app_name=_text(At(both("app_name")).get(session)),
            user_id=_text(At(both("user_id")).get(session)),
            state=state if state else MISSING,
        ),
    )


def _open_turn(turns: Mapping[str, _Turn], event: JsonValue, number: int) -> str:
    """Return the turn of an event that names none: what the user says starts one."""
    starts = AUTHOR.get(event) == "user" or not turns
    return f"#{number}" if starts else list(turns)[-1]


def _record(turn: _Turn, event: JsonValue) -> None:
    content = At(CONTENT).get(event)
    if At(both("partial")).get(event) is True:
        # A piece of a streamed text; the whole comes as an event of its own.
        return
    said = text_of(content)
    if said:
        (turn.says if AUTHOR.get(event) == "user" else turn.replies).append(said)
    for part in _parts(content):
        call, answer = FUNCTION_CALL.find(part), FUNCTION_RESPONSE.find(part)
        if call is not None:
            turn.calls.append({n: lens.get(part[call]) for n, lens in CALL.items()})
        elif answer is not None:
            _answer(turn.calls, part[answer])


def _answer(calls: Sequence[dict[str, Any]], answer: JsonValue) -> None:
    got = {name: At(both(name)).get(answer) for name in ("id", "name", "response")}
    waiting = [call for call in calls if "result" not in call]
    by_id = (c for c in waiting if got["id"] not in (MISSING, None) and c["id"] == got["id"])
    found = next(by_id, None) or next((c for c in waiting if c["name"] == got["name"]), None)
    if found is not None:
        found["result"] = got["response"]


def _parts(content: JsonValue | Missing) -> list[JsonObject]:
    parts = At(PARTS).get(content) if isinstance(content, dict) else MISSING
    return [p for p in parts if isinstance(p, dict)] if isinstance(parts, list) else []


def _invocation(turn: _Turn) -> Invocation:
    return Invocation(
        origin="",
        input="\n".join(turn.says),
        expected_output=turn.replies[-1] if turn.replies else MISSING,
        intermediate_responses=tuple(turn.replies[:-1]),
        tool_calls=tuple(
            ToolCall(
                name=_text(call["name"]) or "",
                args=call["args"],
                id=_text(call["id"]),
                result=call.get("result", MISSING),
            )
            for call in turn.calls
        ),
    )


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
