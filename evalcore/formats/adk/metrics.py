"""ADK's built-in metrics: what each needs, its score's range, and how its criterion is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Criterion = Literal["plain", "trajectory", "judge", "rubrics", "hallucinations", "simulator"]
RubricType = Literal["FINAL_RESPONSE_QUALITY", "TOOL_USE_QUALITY", "TRAJECTORY_QUALITY"]
RUBRIC_TYPES: tuple[RubricType, ...] = (
    "FINAL_RESPONSE_QUALITY",
    "TOOL_USE_QUALITY",
    "TRAJECTORY_QUALITY",
)
DEFAULT_CRITERIA = {"tool_trajectory_avg_score": 1.0, "response_match_score": 0.8}
"""What applies to a set with no ``test_config.json``."""
DEFAULT_JUDGE = "gemini-2.5-flash"
VERTEX_JUDGE = "Vertex AI evaluation"


@dataclass(frozen=True, slots=True)
class Metric:
    """One built-in metric.

    ``lowest`` and ``highest`` bound the score, None where it has no bounds. ``reference`` metrics
    compare with the expected side and so cannot score a simulated conversation. ``rubric_type`` is
    the type that a case's or turn's rubric needs in order to reach the metric.
    """

    name: str
    title: str
    criterion: Criterion = "plain"
    lowest: float | None = 0.0
    highest: float | None = 1.0
    reference: bool = False
    compares_reply: bool = False
    rubric_type: RubricType | None = None
    backend: Literal["local", "judge", "vertex"] = "local"
    informational: bool = False
    last_turn_only: bool = False

    @property
    def called(self) -> str:
        """Return its name for people, with ADK's own beside it."""
        return f"“{self.title}” ({self.name})"


def _counted(name: str, title: str) -> Metric:
    return Metric(name, title, lowest=None, highest=None, informational=True)


def _conversation(name: str, title: str) -> Metric:
    return Metric(name, title, backend="vertex", last_turn_only=True)


METRICS: dict[str, Metric] = {
    metric.name: metric
    for metric in (
        Metric("tool_trajectory_avg_score", "Tool calls", "trajectory", reference=True),
        Metric(
            "response_match_score", "Reply in the same words", reference=True, compares_reply=True
        ),
        Metric(
            "final_response_match_v2",
            "Reply means the same",
            "judge",
            reference=True,
            compares_reply=True,
            backend="judge",
        ),
        Metric(
            "rubric_based_final_response_quality_v1",
            "Rubrics for the reply",
            "rubrics",
            rubric_type="FINAL_RESPONSE_QUALITY",
            backend="judge",
        ),
        Metric(
            "rubric_based_tool_use_quality_v1",
            "Rubrics for tool use",
            "rubrics",
            rubric_type="TOOL_USE_QUALITY",
            backend="judge",
        ),
        Metric(
            "rubric_based_multi_turn_trajectory_quality_v1",
            "Rubrics for the conversation",
            "rubrics",
            rubric_type="TRAJECTORY_QUALITY",
            backend="judge",
            last_turn_only=True,
        ),
        Metric("hallucinations_v1", "Grounded in the context", "hallucinations", backend="judge"),
        Metric(
            "per_turn_user_simulator_quality_v1",
            "Simulated user keeps to the plan",
            "simulator",
            backend="judge",
        ),
        Metric(
            "response_evaluation_score",
            "Coherent reply",
            lowest=1.0,
            highest=5.0,
            reference=True,
            backend="vertex",
        ),
        Metric("safety_v1", "Harmless reply", backend="vertex"),
        _conversation("multi_turn_task_success_v1", "Task done"),
        _conversation("multi_turn_trajectory_quality_v1", "Good course of the conversation"),
        _conversation("multi_turn_tool_use_quality_v1", "Good use of tools"),
        _counted("tool_call_count_v1", "Tool calls made"),
        _counted("inference_call_count_v1", "Model calls made"),
        _counted("token_usage_v1", "Tokens used"),
        _counted("invocation_duration_v1", "Seconds taken"),
    )
}
MATCH_TYPES = ("EXACT", "IN_ORDER", "ANY_ORDER")
"""Trajectory match types; a file may give their index instead."""


def match_type(value: object) -> str | None:
    """Return the match type that ADK reads from a criterion's value, None if it refuses it.

    Names count in any case, with spaces or dashes for the underscore; so do the numbers 0 to 2.
    """
    if isinstance(value, str):
        name = value.strip().upper().replace("-", "_").replace(" ", "_")
        return name if name in MATCH_TYPES else None
    if isinstance(value, (int, float)) and not isinstance(value, bool) and value in (0, 1, 2):
        return MATCH_TYPES[int(value)]
    return None
