"""The criteria of 10xGraph: what its config files, its results and its older releases call them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

DEFAULT_THRESHOLD: Final = 0.8
"""What a criterion written without a threshold gets, whatever its factory method would give."""
DEFAULT_JUDGE: Final = "gemini-2.5-flash"
MATCH_TYPES: Final = ("EXACT", "IN_ORDER", "ANY_ORDER")


@dataclass(frozen=True, slots=True)
class Criterion:
    """One built-in criterion.

    ``key`` is its name in a config file ("" where it exists in Python code only), ``result`` its
    name in results. ``factory`` is the threshold that the package's own helper gives it.
    ``reads`` are the settings that it looks at besides its threshold.
    """

    key: str
    result: str
    label: str
    description: str
    factory: float = DEFAULT_THRESHOLD
    judged: bool = False
    reads: tuple[str, ...] = ()
    older: tuple[str, ...] = ()


_JUDGE = ("judge_model", "num_samples", "api_style")

CRITERIA: Final = (
    Criterion(
        "tool_name_match",
        "tool_name_match_score",
        "Tool names",
        "Share of the expected tool names that were called, in any order.",
        factory=1.0,
    ),
    Criterion(
        "trajectory",
        "tool_trajectory_avg_score",
        "Tool trajectory",
        "Share of the expected tool calls that were made; extra calls at the end are free.",
        factory=1.0,
        reads=("match_type", "check_args"),
        older=("trajectory_match",),
    ),
    Criterion(
        "node_order",
        "node_order_score",
        "Node order",
        "Share of the expected graph nodes that were visited.",
        factory=1.0,
        reads=("match_type",),
        older=("node_order_match_score",),
    ),
    Criterion(
        "response_match",
        "response_match_score",
        "Response match",
        "A judge compares the last reply with the last expected reply.",
        judged=True,
        reads=_JUDGE,
    ),
    Criterion(
        "rouge_match",
        "rouge_match",
        "Word overlap",
        "Overlap of the sets of words of the last reply and the last expected reply.",
        factory=0.5,
    ),
    Criterion(
        "contains_keywords",
        "contains_keywords",
        "Keywords",
        "Share of the config's keywords that the last reply contains.",
        factory=1.0,
        reads=("keywords",),
    ),
    Criterion(
        "llm_judge",
        "final_response_match_v2",
        "Judge",
        "A judge compares the last reply with the last expected reply.",
        judged=True,
        reads=_JUDGE,
    ),
    Criterion(
        "rubric_based",
        "rubric_based_final_response_quality_v1",
        "Rubrics",
        "A judge gives the last reply one score against all rubrics together.",
        judged=True,
        reads=(*_JUDGE, "rubrics"),
        older=("rubric_based_score",),
    ),
    Criterion(
        "factual_accuracy",
        "factual_accuracy_v1",
        "Factual accuracy",
        "A judge checks the last reply against the expected reply or the reference facts.",
        judged=True,
        reads=_JUDGE,
        older=("factual_accuracy_score",),
    ),
    Criterion(
        "hallucination",
        "hallucinations_v1",
        "Groundedness",
        "A judge checks the last reply against tool results and the case's context.",
        judged=True,
        reads=_JUDGE,
    ),
    Criterion(
        "safety",
        "safety_v1",
        "Safety",
        "A judge looks for harmful content in the last reply.",
        judged=True,
        reads=_JUDGE,
        older=("safety_score",),
    ),
    Criterion(
        "simulation_goals",
        "simulation_goals",
        "Simulation goals",
        "A judge decides which goals a simulated conversation reached.",
        judged=True,
        reads=("judge_model", "api_style"),
        older=("simulation_goals_match", "conversation_goals"),
    ),
)

CODE_ONLY: Final = (
    Criterion("", "exact_match", "Exact match", "The last reply equals the expected one."),
    Criterion("", "composite_criterion", "Composite", "Several criteria, all or any of them."),
    Criterion("", "weighted_criterion", "Weighted", "A weighted mean of several criteria."),
    Criterion("", "simulation_completed", "Simulation completed", "The simulation came to an end."),
)
"""Criteria that no config file can switch on."""

BY_KEY: Final[Mapping[str, Criterion]] = {c.key: c for c in CRITERIA}
BY_RESULT: Final[Mapping[str, Criterion]] = {c.result: c for c in (*CRITERIA, *CODE_ONLY)}
OLD_NAMES: Final[Mapping[str, str]] = {
    name: c.key for c in CRITERIA for name in (c.result, *c.older) if name != c.key
}
"""Names that older releases, and the package's own examples, use for config keys."""


def named(name: str) -> Criterion | None:
    """Return the criterion that a config key, a result name or an older name means."""
    return BY_KEY.get(name) or BY_RESULT.get(name) or BY_KEY.get(OLD_NAMES.get(name, ""))
