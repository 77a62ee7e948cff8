"""What a stored score or case of a 10xGraph report really says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from evalcore.jsontree import JsonArray, JsonObject, JsonValue, Missing, get, join

NO_JUDGE: Final = "No LLM provider available"
"""The reasoning that 10xGraph writes when a judge has no key, no SDK, fails, or talks nonsense."""
CAPTURE_LOST: Final = (
    "No reply and no visited node: most likely the recording failed, not the agent."
)

_SKIPPED: Final[Mapping[str, str]] = {
    "No response to evaluate": "the agent's reply is empty, and 10xGraph gives that 1.0",
    "No expected response to compare": "no reply was expected, and 10xGraph gives that 1.0",
    "No expected response defined": "no reply was expected, so nothing was compared",
    "No rubrics configured": "the config has no rubrics, and 10xGraph gives that 1.0",
    "No keywords specified": "the config has no keywords, and 10xGraph gives that 1.0",
    "No goals defined — skipping evaluation": "there are no goals, and 10xGraph gives that 1.0",
}

LISTS = {"results": None}
"""Where the many results of a report lie."""


def results_of(value: JsonValue) -> Iterator[tuple[str, JsonObject]]:
    """Yield (pointer, case result) of every result that is an object."""
    results = value.get("results") if isinstance(value, dict) else None
    for index, raw in enumerate(results if isinstance(results, list) else ()):
        if isinstance(raw, dict):
            yield join("/results", index), raw


def scores_of(case: JsonObject) -> Iterator[tuple[str, JsonObject]]:
    """Yield (pointer relative to the case, score) of every score that is an object."""
    scores = case.get("criterion_results")
    for index, raw in enumerate(scores if isinstance(scores, list) else ()):
        if isinstance(raw, dict):
            yield join("/criterion_results", index), raw


def items_of(raw: JsonObject, name: str) -> JsonArray:
    """Return the list under ``name``, [] where there is none."""
    found = raw.get(name)
    return found if isinstance(found, list) else []


def stored_status(case: JsonObject) -> str:
    """Return what 10xGraph calls a case: ``error``, ``passed``, ``failed``, "" if unreadable."""
    if case.get("error") is not None:
        return "error"
    passed = as_flag(case.get("passed"))
    return "" if passed is None else "passed" if passed else "failed"


def not_judged(score: JsonObject) -> str:
    """Return why a score is no judgement, "" where it is one.

    10xGraph stores such scores as 0.5 or 1.0 like any other.
    """
    details = score.get("details")
    if score.get("error") is not None or not isinstance(details, dict):
        return ""
    note = details.get("note")
    if isinstance(note, str):
        return _SKIPPED.get(note, "")
    reasonings = items_of(details, "reasonings") or [details.get("reasoning")]
    unreached = sum(text == NO_JUDGE for text in reasonings)
    if not unreached:
        return ""
    if is_given(details):
        return "no judge model could be reached, and 10xGraph gives that 0.5"
    return (
        f"for {unreached} of {len(reasonings)} samples no judge model could be reached, "
        "and 10xGraph counts each as 0.5"
    )


def is_given(details: JsonValue | Missing) -> bool:
    """Return whether the number with these details was given without judging anything."""
    if not isinstance(details, dict):
        return False
    if isinstance(details.get("note"), str):
        return details["note"] in _SKIPPED
    reasonings = items_of(details, "reasonings") or [details.get("reasoning")]
    return all(text == NO_JUDGE for text in reasonings)


def is_capture_lost(case: JsonObject) -> bool:
    """Return whether a case has run and yet neither a reply nor a visited node was recorded.

    A report that leaves the reply or the nodes out altogether says nothing either way.
    """
    return (
        case.get("error") is None
        and case.get("actual_response") == ""
        and case.get("node_visits") == []
        and not any(
            as_text(get(turn, "/agent_response")) for turn in items_of(case, "turn_results")
        )
    )


def as_flag(value: JsonValue) -> bool | None:
    """Return true or false as 10xGraph reads it, None for what it would refuse."""
    if isinstance(value, str):
        lowered = value.lower()
        if lowered in ("true", "t", "yes", "y", "on", "1"):
            return True
        return False if lowered in ("false", "f", "no", "n", "off", "0") else None
    return bool(value) if value in (0, 1) else None


def as_number(value: object) -> float | None:
    """Return a number as 10xGraph reads it, None for what it would refuse; NaN stays NaN."""
    if not isinstance(value, (int, float, str)):
        return None
    try:
        return float(value)
    except (ValueError, OverflowError):
        return None


def as_text(value: object) -> str:
    """Return text, "" for anything else."""
    return value if isinstance(value, str) else ""
