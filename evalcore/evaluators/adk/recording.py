"""What ADK recorded of a turn beyond its calls and its reply: agents, events, grounding."""

from __future__ import annotations

from typing import NamedTuple

from pydantic.alias_generators import to_camel

from evalcore.jsontree import MISSING, JsonArray, JsonObject, JsonValue
from evalcore.results import InvocationResult


class Agent(NamedTuple):
    """An agent of the app: what it is told, and the declarations of its tools."""

    instructions: str
    tools: JsonArray


class Event(NamedTuple):
    """One step of a turn, in the order in which it happened."""

    author: str | None
    texts: tuple[str, ...] = ()
    calls: tuple[JsonValue, ...] = ()
    responses: tuple[JsonValue, ...] = ()
    grounding: JsonValue = None


class Recording(NamedTuple):
    """A turn as a judge is told of it. ``agents`` is None where the app was not recorded."""

    agents: dict[str, Agent] | None
    events: tuple[Event, ...]

    @property
    def texts(self) -> tuple[str, ...]:
        """What was said on the way, one text per event that says something."""
        return tuple("\n".join(event.texts) for event in self.events if event.texts)


def recording(turn: InvocationResult) -> Recording:
    """Return what is recorded of a turn; a run of another system has its calls as one event."""
    raw = turn.trace if isinstance(turn.trace, dict) else {}
    found = pick(pick(raw, "intermediate_data"), "invocation_events")
    if isinstance(found, list):
        events = tuple(_event(event) for event in found)
    else:
        events = _from_calls(turn)
    return Recording(_agents(pick(pick(raw, "app_details"), "agent_details")), events)


def calls_of(turn: InvocationResult) -> JsonArray:
    """Return the calls of a turn with what they returned, numbered from 0."""
    steps: JsonArray = []
    for number, call in enumerate(turn.actual_tool_calls or ()):
        args: JsonValue = {} if call.args is MISSING else call.args
        result: JsonValue = None if call.result is MISSING else call.result
        steps.append({"step": number, "tool": call.name, "args": args, "response": result})
    return steps


def pick(raw: JsonValue, name: str) -> JsonValue:
    """Return a member in either spelling, the camelCase one first; None where there is none."""
    if not isinstance(raw, dict):
        return None
    found = raw.get(to_camel(name))
    return raw.get(name) if found is None else found


def _event(raw: JsonValue) -> Event:
    parts = pick(pick(raw, "content"), "parts")
    items = parts if isinstance(parts, list) else []
    texts = [text for part in items if isinstance(text := pick(part, "text"), str) and text]
    author = pick(raw, "author")
    return Event(
        author if isinstance(author, str) else None,
        tuple(texts),
        tuple(call for part in items if (call := pick(part, "function_call"))),
        tuple(response for part in items if (response := pick(part, "function_response"))),
        pick(raw, "grounding_metadata"),
    )


def _from_calls(turn: InvocationResult) -> tuple[Event, ...]:
    steps = calls_of(turn)
    return (Event(None, calls=tuple(steps)),) if steps else ()


def _agents(raw: JsonValue) -> dict[str, Agent] | None:
    if not isinstance(raw, dict):
        return None
    return {name: _agent(details) for name, details in raw.items()}


def _agent(raw: JsonValue) -> Agent:
    instructions, tools = pick(raw, "instructions"), pick(raw, "tool_declarations")
    return Agent(
        instructions if isinstance(instructions, str) else "",
        tools if isinstance(tools, list) else [],
    )


def declared_tools(agents: dict[str, Agent] | None) -> JsonObject:
    """Return the declarations of the tools of each agent that has some."""
    return {name: agent.tools for name, agent in (agents or {}).items() if agent.tools}


def step_of(event: Event) -> JsonObject:
    """Return what was said, called and answered in an event, {} if nothing was."""
    step: JsonObject = {
        "said": "\n".join(event.texts),
        "calls": list(event.calls),
        "outputs": list(event.responses),
    }
    return {name: value for name, value in step.items() if value}
