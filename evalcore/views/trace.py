"""What happened inside a case result, step by step, a page of it at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from evalcore.errors import EvaldeskError
from evalcore.formats import by_id
from evalcore.formats.steps import Step
from evalcore.jsontree import MISSING
from evalcore.results import CaseResult, InvocationResult
from evalcore.views.turn_detail import shown
from evalcore.views.values import as_text

PAGE = 200
"""Steps that are shown at once."""
MOST = 100_000
"""Steps that are looked at; a longer trace is cut there."""
DETAILS = 4_000
DEEPEST = 12
"""Deeper steps are not indented further."""


@dataclass(frozen=True, slots=True)
class Line:
    """One step of one turn (from 1). ``at_s`` counts from the first step that says when it was."""

    turn: int
    step: Step
    at_s: float | None = None

    @property
    def depth(self) -> int:
        """Return how far a step is indented."""
        return min(self.step.depth, DEEPEST)

    @property
    def details(self) -> str:
        """Return the rest of the record as text, "" where there is none; the end may be cut."""
        value = self.step.details
        if value is MISSING or value in (None, {}, [], ""):
            return ""
        text = value if isinstance(value, str) else as_text(value)
        return text if len(text) <= DETAILS else f"{text[:DETAILS]}\n… {len(text):,} characters"


@dataclass(frozen=True, slots=True)
class Trace:
    """All steps of a case result. ``length_s`` is None where no step says when it was.

    ``is_recorded`` is False where the system kept no events, so that the steps are those that its
    result tells anyway: tool calls and visited nodes.
    """

    lines: tuple[Line, ...]
    is_recorded: bool
    length_s: float | None = None
    is_cut: bool = False

    def page(self, number: int, text: str = "") -> tuple[tuple[Line, ...], int]:
        """Return the steps of a page (from 1) in which all words occur, and how many do in all."""
        words = text.casefold().split()
        found = [line for line in self.lines if _has(line, words)] if words else self.lines
        start = (max(1, number) - 1) * PAGE
        return tuple(found[start : start + PAGE]), len(found)


def trace_of(case: CaseResult, format_id: str) -> Trace:
    """Return the steps of a case result: those recorded, else those that its turns tell."""
    steps: list[tuple[int, Step]] = []
    is_recorded = is_cut = False
    for turn in case.invocations:
        recorded = list(_recorded(turn, format_id))
        is_recorded = is_recorded or bool(recorded)
        steps += ((turn.index + 1, step) for step in recorded or told(turn))
        if len(steps) > MOST:
            is_cut = True
            break
    starts = [step.start_s for _, step in steps if step.start_s is not None]
    begin = min(starts, default=0.0)
    lines = tuple(
        Line(turn, step, None if step.start_s is None else step.start_s - begin)
        for turn, step in steps[:MOST]
    )
    ends = [line.at_s + (line.step.duration_s or 0.0) for line in lines if line.at_s is not None]
    return Trace(lines, is_recorded, max(ends) if ends else None, is_cut)


def told(turn: InvocationResult) -> Iterator[Step]:
    """Yield the steps that a result tells without a record of events: no order among kinds."""
    said = shown(turn.input)
    if said:
        yield Step("user", "user", said)
    yield from (Step("node", name, "visited") for name in turn.node_visits or ())
    for call in turn.actual_tool_calls or ():
        yield Step("tool", call.name, depth=1, details=call.args)
        if call.result is not MISSING and call.result is not None:
            yield Step("result", call.name, depth=1, details=call.result)
    reply = shown(turn.actual_output)
    if reply:
        yield Step("agent", "reply", reply, duration_s=turn.duration_s)
    if turn.error:
        yield Step("agent", "error", turn.error, failed=True)


def _recorded(turn: InvocationResult, format_id: str) -> Iterable[Step]:
    if turn.trace is MISSING:
        return ()
    try:
        kind = by_id(format_id)
    except (EvaldeskError, KeyError):
        return ()
    steps = list(kind.steps(turn.trace))
    return [*steps, Step("agent", "error", turn.error, failed=True)] if turn.error else steps


def _has(line: Line, words: Iterable[str]) -> bool:
    step = line.step
    text = f"{step.name}\n{step.text}\n{line.details}".casefold()
    return all(word in text for word in words)
