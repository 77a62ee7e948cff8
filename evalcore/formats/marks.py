"""What marks a file as ours when it cannot be parsed: its name, its folder, the keys in its text."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import PurePath

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


def is_named_like_ours(path: PurePath) -> bool:
    """Return whether a file's name or one of its folders is one that eval projects use."""
    if any(fnmatchcase(path.name, pattern) for pattern in NAMES):
        return True
    return any(part in FOLDERS for part in path.parts[:-1])


def holds_our_keys(head: bytes, more: Iterable[str] = ()) -> bool:
    """Return whether the first bytes of a file hold a quoted key of ours, or one of ``more``."""
    return any(f'"{name}"'.encode() in head for name in (*KEYS, *more))
