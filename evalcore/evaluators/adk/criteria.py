"""From the criteria of a project to checks that can be run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from evalcore.errors import EvaldeskError
from evalcore.evaluators import UnknownEvaluator, build
from evalcore.evaluators.adk.params import MatchType
from evalcore.evaluators.adk.usage import (
    InferenceCallCount,
    InvocationDuration,
    TokenUsage,
    ToolCallCount,
    Usage,
)
from evalcore.evaluators.base import Evaluator
from evalcore.jsontree import JsonObject
from evalcore.judges import Judge
from evalcore.model import Evaluator as Criterion

Policy = Literal["business", "strict"]
POLICIES: dict[str, MatchType] = {"business": "IN_ORDER", "strict": "EXACT"}
"""Harnest's trajectory policies, and the match type that each puts in place of the file's."""
TRAJECTORY = "tool_trajectory_avg_score"
DEFAULTS = {TRAJECTORY: 1.0, "response_match_score": 0.8}
REPORTED: tuple[type[Usage], ...] = (
    ToolCallCount,
    InferenceCallCount,
    TokenUsage,
    InvocationDuration,
)


def default_criteria() -> tuple[Criterion, ...]:
    """Return what applies without a ``test_config.json``; one without criteria means no checks."""
    return tuple(
        Criterion(ref=name, name=name, native_type=name, threshold=mark, config=mark)
        for name, mark in DEFAULTS.items()
    )


def evaluator_of(criterion: Criterion, judge: Judge | None = None) -> Evaluator:
    """Return the check of a criterion, under the name that results use.

    Raises UnknownEvaluator for a custom or unknown metric, EvaldeskError for a criterion that ADK
    refuses too.
    """
    if criterion.native_type == "custom":
        raise UnknownEvaluator(
            f"{criterion.ref} is a function of the project or no metric of ADK: it is not run here",
            hint="Its stored scores are shown as they are.",
        )
    config = _as_object(criterion)
    return build(f"adk.{criterion.native_type}", config, criterion.ref, judge)


def always_reported() -> tuple[Evaluator, ...]:
    """Return the efficiency checks that ADK adds to every run."""
    return tuple(cls(cls.params_type(), cls.kind.removeprefix("adk.")) for cls in REPORTED)


def with_policy(criteria: Iterable[Criterion], policy: str) -> tuple[Criterion, ...]:
    """Return criteria as Harnest runs them under a trajectory policy.

    The trajectory keeps its pass mark and nothing else: what the file says of match type and
    arguments has no effect. Raises EvaldeskError for a policy that is none.
    """
    match = POLICIES.get(policy)
    if match is None:
        raise EvaldeskError(
            f"There is no trajectory policy {policy!r}", hint=f"Use {' or '.join(POLICIES)}."
        )
    return tuple(
        _replaced(criterion, match) if criterion.native_type == TRAJECTORY else criterion
        for criterion in criteria
    )


def _replaced(criterion: Criterion, match: MatchType) -> Criterion:
    config: JsonObject = {"threshold": criterion.threshold, "match_type": match}
    return criterion.model_copy(update={"config": config, "match_mode": match})


def _as_object(criterion: Criterion) -> JsonObject:
    config = criterion.config
    if isinstance(config, dict):
        if config.get("threshold") is None:
            raise EvaldeskError(
                f"{criterion.ref} has no threshold", hint="ADK refuses the file: add one."
            )
        return config
    if isinstance(config, (bool, int, float, str)):
        return {"threshold": config}
    raise EvaldeskError(
        f"{criterion.ref} needs a number or an object with a threshold", hint="Give it one."
    )
