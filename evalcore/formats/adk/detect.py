"""Which files are in ADK's schema, by their content and their names.

Three systems share the names ``eval_cases``, ``conversation`` and ``criteria``; the turns tell
ADK's files from 10xGraph's (``formats.families``). Harnest uses ADK's schema and differs by its
folder, which its own package decides.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import PurePath
from typing import Literal

from evalcore.formats.adk.metrics import METRICS
from evalcore.formats.base import Kind
from evalcore.formats.families import (
    ADK_CASE,
    ADK_SET,
    CASES_LOOKED_AT,
    TENXGRAPH_CRITERIA,
    sides_of_turn,
)
from evalcore.formats.marks import SET_KEYS, is_named, is_named_like_ours
from evalcore.formats.shapes import closest
from evalcore.jsontree import JsonObject, JsonValue

SET_FILE = "*.evalset.json"
TEST_FILE = "*.test.json"
RESULT_FILE = "*.evalset_result.json"
CONFIG_FILE = "test_config.json"
OTHER_CONFIG_FILE = "eval_config.json"
_ROW_WITHOUT_KEYS = {"query", "name", "session_input", "initial_session"}
LEGACY_ROW_KEYS = (
    "expected_tool_use",
    "reference",
    "expected_intermediate_agent_responses",
)
CONFIG_KEYS = ("criteria", "custom_metrics", "user_simulator_config", "live_model_config")
_OTHER_CONFIG = {"parallel", "max_concurrency", "timeout", "verbose", "mock_mode", "reporter"}

Family = Literal["adk", "other", "both", "open"]
"""Whose file one is by its content: ADK's schema, 10xGraph's, of both some, of neither any."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What a file is in ADK's schema, and how sure its content is about that."""

    kind: Kind
    sure: bool
    reason: str
    variant: str = ""


def recognise(value: JsonValue, path: PurePath) -> Claim | None:
    """Return what a file is in ADK's schema, None if it is nothing of the kind."""
    return _result(value, path) or _eval_set(value, path) or _config(value, path)


def family_of_set(value: JsonObject) -> Family:
    """Return whose eval set an object is: by its turns, else its cases, else its own keys."""
    cases = list(islice(_objects(value.get("eval_cases", value.get("evalCases"))), CASES_LOOKED_AT))
    turns = [turn for case in cases for turn in _objects(case.get("conversation"))]
    marks = {side for turn in turns for side in sides_of_turn(turn)}
    if "adk" in marks or any(ADK_CASE & case.keys() for case in cases):
        return "adk"
    if marks:
        return "other"
    if ADK_SET & value.keys():
        return "adk"
    if {"metadata", "results"} & value.keys() or any("metadata" in case for case in cases):
        return "other"
    own = ("rubrics", "final_session_state", "creation_timestamp")
    return "adk" if any(key in case for case in cases for key in own) else "open"


def family_of_config(value: JsonObject) -> Family:
    """Return whose criteria file an object is, by the names of its metrics and its other keys."""
    criteria = value.get("criteria")
    names = set(criteria) if isinstance(criteria, dict) else set()
    custom = bool({"custom_metrics", "customMetrics"} & value.keys())
    foreign = bool(names & TENXGRAPH_CRITERIA) and not custom
    ours = custom or bool(names & METRICS.keys()) or "live_model_config" in value
    if _OTHER_CONFIG & value.keys():
        foreign = True
    if ours:
        return "both" if foreign else "adk"
    return "other" if foreign else "open"


def legacy_variant(value: JsonValue) -> str:
    """Return which old list shape a value has: ``legacy_sets``, ``legacy_rows`` or ""."""
    items = list(islice(_objects(value), CASES_LOOKED_AT)) if isinstance(value, list) else []
    if any(isinstance(item.get("data"), list) for item in items):
        return "legacy_sets"
    return "legacy_rows" if any("query" in item for item in items) else ""


def _eval_set(value: JsonValue, path: PurePath) -> Claim | None:
    named = is_named(path, SET_FILE)
    if isinstance(value, list):
        return _legacy(value, path) or (_by_name() if named else None)
    if isinstance(value, dict) and ("eval_cases" in value or "evalCases" in value):
        family = family_of_set(value)
        if family == "other":
            return None
        reason = "it has eval_cases" if family == "open" else "its cases are in ADK's schema"
        return Claim(Kind.EVAL_SET, family == "adk", reason)
    if isinstance(value, dict) and family_of_set(value) == "other":
        return None
    return _by_name() if named else None


def _legacy(value: JsonValue, path: PurePath) -> Claim | None:
    variant = legacy_variant(value)
    if not variant:
        return None
    rows = list(_objects(value))
    if variant == "legacy_sets":
        rows = [row for item in rows for row in _objects(item.get("data"))]
    named = any(is_named(path, pattern) for pattern in (SET_FILE, TEST_FILE))
    certain = named or any(key in row for row in rows for key in LEGACY_ROW_KEYS)
    bare = rows and is_named_like_ours(path) and all(map(_is_bare_query, rows))
    if not certain and not bare:
        return None
    return Claim(Kind.EVAL_SET, certain, "it is a list of queries, as old ADK wrote", variant)


def _is_bare_query(row: JsonObject) -> bool:
    """Return whether a row may be a query with nothing expected: many lists have queries."""
    return isinstance(row.get("query"), str) and row.keys() <= _ROW_WITHOUT_KEYS


def _by_name() -> Claim:
    return Claim(Kind.EVAL_SET, False, f"its name ends in {SET_FILE[1:]}", "odd")


def _config(value: JsonValue, path: PurePath) -> Claim | None:
    if not isinstance(value, dict):
        return None
    named = path.name in (CONFIG_FILE, OTHER_CONFIG_FILE)
    family = family_of_config(value)
    criteria = value.get("criteria")
    if family == "other" or not (named or isinstance(criteria, dict)):
        return None
    if family == "adk":
        alone = not SET_KEYS & value.keys()
        return Claim(Kind.CRITERIA, alone, "its criteria are ADK's metrics")
    if family == "both":
        return Claim(Kind.CRITERIA, False, "some of its criteria are ADK's metrics")
    known = [*CONFIG_KEYS, "customMetrics", "userSimulatorConfig", "liveModelConfig"]
    if named and (not value or any(closest(key, known) for key in value)):
        return Claim(Kind.CRITERIA, "criteria" in value, f"it is called {path.name}")
    if not isinstance(criteria, dict) or not criteria:
        return None
    meant = is_named_like_ours(path) or any(closest(name, list(METRICS)) for name in criteria)
    if meant and all(map(_is_criterion, criteria.values())):
        return Claim(Kind.CRITERIA, False, "its criteria have thresholds")
    return None


def _is_criterion(value: JsonValue) -> bool:
    return isinstance(value, (int, float)) or (isinstance(value, dict) and "threshold" in value)


def _result(value: JsonValue, path: PurePath) -> Claim | None:
    keys = ("eval_case_results", "evalCaseResults", "eval_set_result_id", "evalSetResultId")
    held = [key for key in keys if isinstance(value, dict) and key in value]
    if held and isinstance(value, dict):
        foreign = "kind" in value or "results" in value
        return Claim(Kind.RESULT, not foreign, f"it has {held[0]}")
    if isinstance(value, str) and any(f'"{key}"' in value for key in keys):
        reason = "it is a text that holds a result, as ADK before 1.22 wrote"
        return Claim(Kind.RESULT, True, reason, "double_encoded")
    if is_named(path, RESULT_FILE):
        return Claim(Kind.RESULT, False, f"its name ends in {RESULT_FILE[1:]}", "odd")
    return None


def _objects(value: object) -> Iterator[JsonObject]:
    if isinstance(value, list):
        yield from (item for item in value if isinstance(item, dict))
