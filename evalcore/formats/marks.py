"""What marks a file as ours, or as one system's: its name, its folder, the keys in its text."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import PurePath
from typing import Final, Literal

from evalcore.jsontree import JsonValue

NAMES = (
    "*.evalset.json",
    "*.test.json",
    "test_config.json",
    "eval_config.json",
    "*.evalset_result.json",
)
FOLDERS = frozenset({"evals", "evaluations", "eval", "eval-sets", "evaluators", "eval_history"})
KEYS = (
    "eval_set_id",
    "evalSetId",
    "eval_cases",
    "evalCases",
    "eval_case_results",
    "evalCaseResults",
    "evaluatorRefs",
    "evaluatorTypeId",
    "evaluatorConfigs",
    "evaluationCriterias",
    "evaluationSetName",
    "evaluationSetResults",
    "EvalRunResult",
)
Owner = Literal["uipath", "harnest", "adk", "tenxgraph", "shared"]
"""Whose a file is; *shared* keys are those of ADK, Harnest and 10xGraph alike."""
SET_KEYS: Final = frozenset({"eval_cases", "evalCases", "cases"})
"""Keys with which a file of shared keys is a set, whatever criteria lie beside them."""
_OWNERS: Final[tuple[tuple[Owner, type | tuple[type, ...], tuple[str, ...]], ...]] = (
    ("uipath", object, ("evaluationSetResults",)),
    ("harnest", object, ("evalSetResults",)),
    (
        "adk",
        object,
        ("eval_case_results", "evalCaseResults", "eval_set_result_id", "evalSetResultId"),
    ),
    ("tenxgraph", list, ("results",)),
    ("shared", object, ("eval_cases", "evalCases")),
    (
        "uipath",
        object,
        ("evaluatorRefs", "evaluator_refs", "evaluatorConfigs", "evaluator_configs", "evaluations"),
    ),
    ("uipath", object, ("evaluatorTypeId", "evaluatorConfig", "evaluatorSchema", "entryPoints")),
    ("uipath", (int, float), ("category",)),
    ("shared", object, ("cases",)),
    ("shared", dict, ("criteria",)),
)
"""The keys at the top of a file, with the type of what they hold, that show whose it is.

The first one that a file has counts: results before sets, sets before checks.
"""


def is_named(path: PurePath, pattern: str) -> bool:
    """Return whether a file's name fits a pattern in lower case, however the name is written."""
    return fnmatchcase(path.name.lower(), pattern)


def is_named_like_ours(path: PurePath) -> bool:
    """Return whether a file's name or one of its folders is one that eval projects use."""
    if any(is_named(path, pattern) for pattern in NAMES):
        return True
    return any(part in FOLDERS for part in path.parts[:-1])


def holds_our_keys(head: bytes, more: Iterable[str] = ()) -> bool:
    """Return whether the first bytes of a file hold a quoted key of ours, or one of ``more``."""
    return any(f'"{name}"'.encode() in head for name in (*KEYS, *more))


def belongs_to_another(value: JsonValue, *own: Owner) -> bool:
    """Return whether the keys at the top of a parsed file show another system than ``own``.

    Formats that read their file in spite of that must not be sure of it: in a file that mixes the
    keys of several systems, only the one named by the foremost key may be.
    """
    if not isinstance(value, dict):
        return False
    if value.get("kind") == "EvalRunResult":
        return "harnest" not in own
    for owner, kind, names in _OWNERS:
        if any(name in value and isinstance(value[name], kind) for name in names):
            return owner not in own
    return False
