"""ADK's checks that Google's Vertex AI computes: known here by name and scale only."""

from __future__ import annotations

from typing import ClassVar

from evalcore.errors import EvaldeskError
from evalcore.evaluators.adk.params import Threshold
from evalcore.evaluators.base import Evaluator, Need, Outcome, Params, Sample
from evalcore.results import Scale


class CloudCheck(Evaluator):
    """A check that cannot be computed here. Stored scores of it are shown as they are."""

    needs = frozenset({Need.OUTPUT})
    params_type: ClassVar[type[Params]] = Threshold
    params: Threshold

    def evaluate(self, sample: Sample) -> Outcome:
        """Raise EvaldeskError: only Vertex AI can tell."""
        raise EvaldeskError(
            f"{self.label} is computed by Google's Vertex AI and cannot be computed here",
            hint="Run it with ADK and open the result file, or use a check with rubrics.",
        )


class ResponseEvaluation(CloudCheck):
    """``response_evaluation_score``: how coherent the reply is, from 1 to 5."""

    kind = "adk.response_evaluation_score"
    label = "Coherent reply"
    help = "How coherent is the reply? Computed by Vertex AI only."
    scale = Scale(1.0, 5.0)


class Safety(CloudCheck):
    """``safety_v1``: whether the reply is harmless."""

    kind = "adk.safety_v1"
    label = "Harmless reply"
    help = "Is the reply harmless? Computed by Vertex AI only."


class TaskSuccess(CloudCheck):
    """``multi_turn_task_success_v1``: whether the conversation reached its goal."""

    kind = "adk.multi_turn_task_success_v1"
    label = "Task done"
    help = "Did the conversation reach its goal? Computed by Vertex AI only."


class TrajectoryQuality(CloudCheck):
    """``multi_turn_trajectory_quality_v1``: whether the conversation took a good course."""

    kind = "adk.multi_turn_trajectory_quality_v1"
    label = "Good course of the conversation"
    help = "Did the conversation take a good course? Computed by Vertex AI only."


class ToolUseQuality(CloudCheck):
    """``multi_turn_tool_use_quality_v1``: whether tools were used well."""

    kind = "adk.multi_turn_tool_use_quality_v1"
    label = "Good use of tools"
    help = "Were tools used well in the conversation? Computed by Vertex AI only."
