"""Which files are 10xGraph's, by what is in them.

Its names follow Google ADK's, so the turns decide (``formats.families``).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import PurePath
from typing import Final, Literal

from evalcore.formats.base import Detection, Kind
from evalcore.formats.families import (
    ADK_CASE,
    ADK_SET,
    CASES_LOOKED_AT,
    SHARED_CRITERIA,
    Side,
    sides_of_turn,
)
from evalcore.formats.marks import SET_KEYS, Owner, belongs_to_another, is_named
from evalcore.formats.tenxgraph.names import BY_KEY, OLD_NAMES
from evalcore.jsontree import JsonObject, JsonValue

FORMAT_ID: Final = "tenxgraph"
CONFIG_FILES: Final = "*eval*config*.json"
PROJECT_FILES: Final = ("10xgraph.json", "agentflow.json")

_ONLY_OURS: Final = frozenset(OLD_NAMES) - SHARED_CRITERIA
_SETTINGS: Final = frozenset(
    {"judge_model", "num_samples", "keywords", "check_args", "enabled", "api_style"}
)
_PLAIN_WORDS: Final = frozenset(
    {
        "trajectory",
        "trajectory_match",
        "llm_judge",
        "rubric_based",
        "factual_accuracy",
        "hallucination",
        "safety",
        "exact_match",
    }
)
"""Names of criteria that anybody might give to theirs."""

Evidence = Literal["tenxgraph", "adk", "both", "none"]


def recognise(value: JsonValue, path: PurePath) -> Detection | None:
    """Return what a file is to 10xGraph, None if it is nothing to it."""
    if not isinstance(value, dict):
        return None
    found = _report(value) or _config(value, path) or _eval_set(value)
    own: tuple[Owner, ...] = (FORMAT_ID, "shared")
    if path.name in PROJECT_FILES and (found is None or found.confidence == "maybe"):
        confidence: Literal["sure", "maybe"] = "sure" if "agent" in value else "maybe"
        reason = f"{path.name} is 10xGraph's project file"
        found, own = _found(Kind.PROJECT, confidence, reason), (FORMAT_ID,)
    foreign = found is not None and belongs_to_another(value, *own)
    return replace(found, confidence="maybe") if found and foreign else found


def _found(kind: Kind, confidence: Literal["sure", "maybe"], reason: str) -> Detection:
    return Detection(FORMAT_ID, kind, confidence, reason)


def _report(value: JsonObject) -> Detection | None:
    results, summary = value.get("results"), value.get("summary")
    if not isinstance(results, list):
        return None
    first = results[0] if results else None
    if isinstance(first, dict) and "eval_id" in first and "passed" in first:
        return _found(Kind.RESULT, "sure", "its results have eval_id and passed")
    if isinstance(first, dict) and "criterion_results" in first:
        return _found(Kind.RESULT, "sure", "its results have criterion_results")
    if isinstance(summary, dict) and "pass_rate" in summary and "eval_set_id" in value:
        return _found(Kind.RESULT, "sure", "it has results and a summary with a pass_rate")
    if "eval_set_id" in value and "config_used" in value:
        return _found(Kind.RESULT, "sure", "it has results and config_used")
    return None


def _config(value: JsonObject, path: PurePath) -> Detection | None:
    criteria = value.get("criteria")
    ours = {"max_concurrency", "mock_mode"} & value.keys()
    if isinstance(value.get("reporter"), dict):
        ours.add("reporter")
    if not isinstance(criteria, dict):
        is_config = len(ours) > 1 and "eval_cases" not in value
        return _found(Kind.CRITERIA, "maybe", "it has a config's settings") if is_config else None
    name = next((n for n in criteria if n in BY_KEY), None)
    name = name or next((n for n in criteria if n in _ONLY_OURS), None)
    if name is not None:
        return _criteria(value, criteria, name, bool(ours) or is_named(path, CONFIG_FILES))
    if ours:
        sure = not SET_KEYS & value.keys()
        return _found(
            Kind.CRITERIA, "sure" if sure else "maybe", f"it has criteria and {min(ours)}"
        )
    if any(isinstance(c, dict) and _SETTINGS & c.keys() for c in criteria.values()):
        return _found(Kind.CRITERIA, "maybe", "its criteria have 10xGraph's settings")
    return None


def _criteria(value: JsonObject, criteria: JsonObject, name: str, marked: bool) -> Detection | None:
    """Return what criteria are of which one has a name of 10xGraph's.

    Some of these names are plain words, which other files use too: without another mark, criteria
    of one such name are only possible, and none if what they hold is not as 10xGraph has it.
    """
    named = [n for n in criteria if n in BY_KEY or n in _ONLY_OURS]
    if not marked and len(named) == 1 and name in _PLAIN_WORDS:
        settings = criteria[name]
        if not _is_criterion(settings):
            return None
        marked = isinstance(settings, dict) and bool(_SETTINGS & settings.keys())
    else:
        marked = True
    foreign = {"custom_metrics", "customMetrics"} & value.keys()
    shared = set() if name in BY_KEY else SHARED_CRITERIA & criteria.keys()
    plain = criteria[name] is None or isinstance(criteria[name], dict)
    sure = marked and plain and not foreign and not shared and not SET_KEYS & value.keys()
    return _found(Kind.CRITERIA, "sure" if sure else "maybe", f"its criteria have {name}")


def _is_criterion(settings: JsonValue) -> bool:
    """Return whether a value may be what is set for a criterion, rightly or nearly so."""
    if isinstance(settings, dict):
        return not settings or "threshold" in settings or bool(_SETTINGS & settings.keys())
    return settings is None or type(settings) in (int, float)


def _eval_set(value: JsonObject) -> Detection | None:
    evidence = _evidence(value)
    if evidence == "adk":
        return None
    if evidence == "both":
        return _found(Kind.EVAL_SET, "maybe", "some of its turns have content, some have parts")
    if evidence == "tenxgraph":
        if "eval_cases" in value:
            return _found(Kind.EVAL_SET, "sure", "its turns have content or expected_… keys")
        return _found(Kind.EVAL_SET, "sure", "its turns are 10xGraph's, under another key")
    if ADK_SET & value.keys():
        return None
    if "eval_cases" in value:
        if "metadata" in value or any("metadata" in c for c in _cases(value)):
            return _found(Kind.EVAL_SET, "sure", "it has eval_cases and metadata")
        return _found(Kind.EVAL_SET, "maybe", "it has eval_cases")
    if "eval_set_id" in value and "metadata" in value:
        return _found(Kind.EVAL_SET, "maybe", "it has eval_set_id and metadata")
    return None


def _cases(value: JsonObject) -> Iterator[JsonObject]:
    cases = value.get("eval_cases", value.get("cases"))
    listed = cases if isinstance(cases, list) else ()
    return (case for case in islice(listed, CASES_LOOKED_AT) if isinstance(case, dict))


def _evidence(value: JsonObject) -> Evidence:
    seen: set[Side] = set()
    for case in _cases(value):
        if ADK_CASE & case.keys():
            seen.add("adk")
        turns = case.get("conversation")
        for turn in turns if isinstance(turns, list) else ():
            if isinstance(turn, dict):
                seen |= sides_of_turn(turn)
        if len(seen) == 2:
            return "both"
    return "adk" if "adk" in seen else "tenxgraph" if seen else "none"
