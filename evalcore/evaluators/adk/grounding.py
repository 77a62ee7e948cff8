"""Which texts of a turn are checked for support, and the context of each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from evalcore.evaluators.adk.base import text
from evalcore.evaluators.adk.recording import Event, Recording, declared_tools, recording, step_of
from evalcore.jsontree import JsonArray, JsonObject
from evalcore.results import InvocationResult


class Claim(NamedTuple):
    """A text of the agent, and what it could know when it said so."""

    text: str
    context: JsonObject


def claims(turn: InvocationResult, *, on_the_way: bool) -> list[Claim]:
    """Return the final reply, after every text on the way if asked for; empty texts are none.

    A text on the way is seen against the events before it, and the sources of its own event.
    """
    record = recording(turn)
    found = list(_on_the_way(turn, record)) if on_the_way else []
    reply = text(turn.actual_output)
    if reply:
        found.append(Claim(reply, _context(turn, record, record.events)))
    return found


def _on_the_way(turn: InvocationResult, record: Recording) -> list[Claim]:
    found = []
    for place, event in enumerate(record.events):
        before = [*record.events[:place]]
        if event.grounding:
            before.append(Event(event.author, grounding=event.grounding))
        if event.texts:
            context = _context(turn, record, before)
            found += [Claim(said, context) for said in event.texts]
    return found


def _context(turn: InvocationResult, record: Recording, events: Sequence[Event]) -> JsonObject:
    agents = record.agents or {}
    steps: JsonArray = [step for event in events if (step := step_of(event))]
    return {
        "instructions": {name: a.instructions for name, a in agents.items() if a.instructions},
        "user": text(turn.input),
        "tools": declared_tools(record.agents),
        "grounding": [event.grounding for event in events if event.grounding],
        "steps": steps,
    }
