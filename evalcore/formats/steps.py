"""What happened inside one turn, as its system recorded it: events, spans, visited nodes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from evalcore.jsontree import MISSING, JsonValue, Missing

StepKind = Literal["user", "agent", "model", "tool", "result", "node", "span"]


@dataclass(frozen=True, slots=True)
class Step:
    """One recorded event.

    ``depth`` is how deep it lies in other steps, 0 for none. ``start_s`` counts from any moment
    that all steps of a turn share. ``details`` is what the record holds besides.
    """

    kind: StepKind
    name: str
    text: str = ""
    depth: int = 0
    start_s: float | None = None
    duration_s: float | None = None
    tokens: int | None = None
    failed: bool = False
    details: JsonValue | Missing = MISSING
