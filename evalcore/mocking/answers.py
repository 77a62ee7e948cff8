"""A call, what it gets, and what each mock had to do with that."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from evalcore.model import Json, Model


class Effect(StrEnum):
    """What happens at a call."""

    RETURNS = "returns"
    RAISES = "raises"
    SIMULATED = "simulated"
    REAL = "real"
    UNKNOWN = "unknown"


class Answer(Model):
    """What a call gets.

    ``value`` is what is returned. ``error`` is the class that the agent sees raised, ``cause`` the
    class behind it, "" for none. ``rule`` counts the mocks from 0, None where none of them answers;
    ``step`` is the place in its list of answers. ``reason`` says why.
    """

    effect: Effect
    value: Json = None
    error: str = ""
    cause: str = ""
    rule: int | None = None
    step: int | None = None
    reason: str = ""


class Call(Model):
    """One call of a function: arguments by position, and arguments by name."""

    function: str
    args: tuple[Json, ...] = ()
    named: dict[str, Json] = Field(default_factory=dict)


class Standing(StrEnum):
    """What a mock is to a call."""

    ANSWERS = "answers"
    HIDDEN = "hidden"
    """It fits, but a later one does too, and the last one that fits answers."""
    MISFIT = "misfit"
    OTHER = "other"
    """It is for another function."""
    UNKNOWN = "unknown"
    """Whether it fits depends on Python code that the file names."""


class Heard(Model):
    """What one mock, counted from 0, is to a call, and why."""

    rule: int
    standing: Standing
    why: str = ""


class Trial(Model):
    """One call tried: its answer, and what every mock is to it."""

    call: Call
    answer: Answer
    heard: tuple[Heard, ...] = ()
