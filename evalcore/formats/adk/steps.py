"""The events of an ADK invocation: what the agents said, which tools they called, what came back.

Newer files list the events themselves; older ones list the calls, their responses and what was said
meanwhile apart from each other, without saying in which order.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite

from evalcore.formats.adk.fields import both, member, objects
from evalcore.formats.adk.result_checks import number_of
from evalcore.formats.adk.turn_traps import (
    ARGS,
    CONTENT,
    EVENTS,
    FUNCTION_CALL,
    INTERMEDIATE_DATA,
    NAME,
    PARTS,
    TEXT,
    THOUGHT,
    TOOL_USES,
    text_of,
)
from evalcore.formats.steps import Step
from evalcore.jsontree import MISSING, JsonObject, JsonValue, Missing

AUTHOR = both("author")
RESPONSE = both("response")
FUNCTION_RESPONSE = both("function_response")
USAGE = both("usage_metadata")
TOTAL = both("total_token_count")
TIME = both("timestamp")


def steps_of(trace: JsonValue | Missing) -> Iterator[Step]:
    """Yield the events of an invocation, from the user's message to the reply."""
    said = text_of(_or_none(member(trace, both("user_content"))))
    if said:
        yield Step("user", "user", said)
    data = member(trace, INTERMEDIATE_DATA)
    for _, event in objects(data, EVENTS, ""):
        yield from _event(event)
    for _, call in objects(data, TOOL_USES, ""):
        yield _call(call)
    for _, response in objects(data, both("tool_responses"), ""):
        yield _response(response)
    reply = text_of(_or_none(member(trace, both("final_response"))))
    if reply:
        yield Step("agent", "final reply", reply)


def _event(event: JsonObject) -> Iterator[Step]:
    author, time = _text(member(event, AUTHOR)) or "agent", _number(member(event, TIME))
    tokens = _number(member(_or_none(member(event, USAGE)), TOTAL))
    parts = list(objects(member(event, CONTENT), PARTS, ""))
    for index, (_, part) in enumerate(parts):
        cost = int(tokens) if tokens is not None and not index else None
        call, back = member(part, FUNCTION_CALL), member(part, FUNCTION_RESPONSE)
        if isinstance(call, dict):
            yield _call(call, author, time, cost)
        elif isinstance(back, dict):
            yield _response(back, time)
        else:
            said = _text(member(part, TEXT))
            thought = member(part, THOUGHT) is True
            rest = part if not said else {}
            name = f"{author}, thinking" if thought else author
            yield Step("agent", name, said, start_s=time, tokens=cost, details=rest)
    if not parts:
        yield Step("agent", author, start_s=time, details=event)


def _call(
    call: JsonObject, author: str = "", time: float | None = None, tokens: int | None = None
) -> Step:
    name = _text(member(call, NAME)) or "a tool without a name"
    args = member(call, ARGS)
    said = f"called by {author}" if author else ""
    return Step("tool", name, said, 1, time, tokens=tokens, details=args)


def _response(response: JsonObject, time: float | None = None) -> Step:
    name = _text(member(response, NAME)) or "a tool"
    found = member(response, RESPONSE)
    failed = isinstance(found, dict) and "error" in found
    return Step("result", name, "", 1, time, failed=failed, details=found)


def _text(value: JsonValue | Missing) -> str:
    return value if isinstance(value, str) else ""


def _or_none(value: JsonValue | Missing) -> JsonValue:
    return None if value is MISSING else value


def _number(value: JsonValue | Missing) -> float | None:
    found = number_of(value)
    return found if found is not None and isfinite(found) else None
