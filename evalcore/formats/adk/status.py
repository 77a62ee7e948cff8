"""Verdicts as ADK and Harnest write them: numbers, names, or names in the spelling of Python."""

from __future__ import annotations

from typing import Literal

from evalcore.jsontree import JsonValue, Missing

Status = Literal["passed", "failed", "not_evaluated", "informational"]

STATUSES: tuple[Status, ...] = ("passed", "failed", "not_evaluated", "informational")
"""In ADK's order: 1 is passed."""
_WORDS: dict[str, Status] = {"pass": "passed", "fail": "failed", "success": "passed"}


def status_of(value: JsonValue | Missing) -> Status | None:
    """Return the status that a file's value stands for, None for a value that is none.

    ADK writes 1 to 4; other writers put names in any case, ``EvalStatus.PASSED``, or the number as
    text or with a decimal point.
    """
    if isinstance(value, str):
        word = value.strip().rpartition(".")[2].lower().replace(" ", "_").replace("-", "_")
        if word in STATUSES:
            return word
        if word in _WORDS:
            return _WORDS[word]
        value = _number(value)
    if isinstance(value, (int, float)) and not isinstance(value, bool) and value in (1, 2, 3, 4):
        return STATUSES[int(value) - 1]
    return None


def status_text(value: JsonValue | Missing) -> str:
    """Return a status as people write it: the file's own word, or ADK's name for its number."""
    if isinstance(value, str):
        return value
    status = status_of(value)
    return status.upper() if status else "" if value is None or not value else str(value)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
