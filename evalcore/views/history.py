"""The steps of a draft as a list: where it is now, what was undone, what each button undoes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from evalcore.views.words import ago

if TYPE_CHECKING:
    from evalcore.drafts import HistoryStep

BEFORE_ALL = "Before the first of these steps"


@dataclass(frozen=True, slots=True)
class StepRow:
    """A state that can be gone to: the one after a step, or before all.

    ``done`` is how many steps are done there.
    """

    done: int
    label: str
    when: str
    is_now: bool
    is_undone: bool


def step_rows(history: Sequence[HistoryStep], now: datetime) -> list[StepRow]:
    """Return every state of a draft, the latest first."""
    current = sum(step.is_done for step in history)
    rows = [StepRow(0, BEFORE_ALL, "", current == 0, False)]
    for number, step in enumerate(history, 1):
        when = ago(datetime.fromtimestamp(step.at, UTC), now) if step.at else ""
        rows.append(StepRow(number, step.label, when, number == current, number > current))
    return rows[::-1]


def button_words(verb: str, label: str | None) -> tuple[str, str]:
    """Return what the Undo or Redo button says, and its help, which names the step."""
    if label is None:
        return verb, f"Nothing to {verb.lower()}"
    return verb, f"{verb}: {label}"
