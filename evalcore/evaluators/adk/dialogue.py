"""What a judge is told of an agent and of a whole conversation."""

from __future__ import annotations

from collections.abc import Sequence

from evalcore.errors import EvaldeskError
from evalcore.evaluators.adk.base import input_text, text
from evalcore.evaluators.adk.recording import Recording, declared_tools, recording, step_of
from evalcore.evaluators.base import Turn
from evalcore.jsontree import JsonArray, JsonObject


def instructions_of(record: Recording) -> str:
    """Return what the agent that acted first was told, else the first agent that is recorded.

    Raises EvaldeskError if the one that acted first is not among the recorded agents.
    """
    if record.agents is None:
        return ""
    author = record.events[0].author if record.events else None
    name = author or next(iter(record.agents), None)
    if name is not None and name not in record.agents:
        raise EvaldeskError(
            f"The agent {name!r} acted, and its instructions are not recorded",
            hint="ADK does not evaluate such a turn either: only LLM agents record instructions.",
        )
    return record.agents[name].instructions if name is not None else ""


def conversation(turns: Sequence[Turn]) -> JsonObject:
    """Return the turns of a conversation as a judge is told of them."""
    lines: JsonArray = []
    instructions: JsonObject = {}
    tools: JsonObject = {}
    for number, turn in enumerate(turns, 1):
        record = recording(turn.actual)
        for name, agent in (record.agents or {}).items():
            instructions.setdefault(name, agent.instructions)
        tools |= declared_tools(record.agents)
        lines.append({"turn": number, "user": input_text(turn)})
        for event in record.events:
            step = step_of(event)
            if step:
                lines.append({"turn": number, "by": event.author, **step})
        reply = text(turn.actual.actual_output)
        if reply:
            lines.append({"turn": number, "reply": reply})
    return {"instructions": instructions, "tools": tools, "conversation": lines}
