"""Parameters of ADK's checks: the criterion objects of ``test_config.json``, in either spelling."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator
from pydantic.alias_generators import to_camel

from evalcore.evaluators.base import Params
from evalcore.jsontree import JsonValue

MatchType = Literal["EXACT", "IN_ORDER", "ANY_ORDER"]
MATCH_TYPES: tuple[MatchType, ...] = ("EXACT", "IN_ORDER", "ANY_ORDER")
DEFAULT_JUDGE = "gemini-2.5-flash"


class AdkParams(Params):
    """Base of every criterion: mistyped names are ignored, as ADK ignores them."""

    model_config = ConfigDict(
        frozen=True, extra="ignore", alias_generator=to_camel, populate_by_name=True
    )


class NoCriterion(AdkParams):
    """Parameters of a check that only reports; ADK refuses to run it with anything configured."""

    threshold: float | None = Field(
        None, title="Pass mark", description="Leave it empty: this check neither passes nor fails."
    )


class Threshold(AdkParams):
    """Parameters of a check that has a pass mark and nothing else."""

    threshold: float = Field(1.0, title="Pass mark", description="Scores from here on pass.")


class TrajectoryParams(Threshold):
    """Parameters of the tool trajectory."""

    match_type: MatchType = Field(
        "EXACT",
        title="Calls must match",
        description="EXACT: these calls and no others. IN_ORDER and ANY_ORDER: others are free.",
    )
    ignore_args: bool = Field(
        False, title="Ignore arguments", description="Compare the names of the tools only."
    )

    @field_validator("match_type", mode="before")
    @classmethod
    def _as_adk_reads_it(cls, value: object) -> object:
        """Take names in any case, with spaces or dashes, and their numbers."""
        if isinstance(value, str):
            return value.strip().upper().replace("-", "_").replace(" ", "_")
        if isinstance(value, (int, float)) and value in (0, 1, 2):
            return MATCH_TYPES[int(value)]
        return value


class Closed(BaseModel):
    """Base of the objects inside a criterion, in which ADK refuses unknown names."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", alias_generator=to_camel, populate_by_name=True
    )


class JudgeOptions(Closed):
    """Which model judges, and how often it is asked.

    ``judge_model_config`` is a Gemini generation config; what other endpoints know too is sent.
    """

    judge_model: str = Field(
        DEFAULT_JUDGE,
        title="Model that judges",
        description="A name that ADK knows, or provider/model.",
    )
    judge_model_config: dict[str, Any] | None = Field(
        None,
        title="Settings of the model",
        description="A Gemini generation config, such as temperature or maxOutputTokens.",
    )
    num_samples: int = Field(
        5, ge=1, title="Questions per turn", description="The majority of the answers decides."
    )
    parallelism_limit: int = Field(
        1, ge=1, title="Questions at a time in ADK", description="Speed only; scores stay the same."
    )


class JudgedParams(Threshold):
    """Parameters of every check that asks a judge."""

    judge_model_options: JudgeOptions = Field(
        default_factory=JudgeOptions,
        title="Judge",
        description="Which model judges, and how often.",
    )


class ReplyParams(JudgedParams):
    """Parameters of a check of the reply that may look at messages before it too."""

    include_intermediate_responses_in_final: bool = Field(
        False,
        title="Judge messages on the way too",
        description="Put what was said before the final reply in front of it.",
    )


class RubricText(Closed):
    """What a rubric states."""

    text_property: str | None = Field(
        None,
        title="Statement",
        description="What should be true, in one sentence. The judge answers yes or no.",
    )


class CriterionRubric(Closed):
    """A rubric of the criterion: it applies to every turn, and needs no type."""

    rubric_id: str = Field(
        title="Id", description="What results call the rubric; once per criterion."
    )
    rubric_content: RubricText = Field(title="Content", description="What the rubric states.")
    description: str | None = Field(
        None, title="Note", description="For people; the judge does not see it."
    )
    type: str | None = Field(
        None,
        title="Type",
        description="Not needed here: a rubric of the criterion always counts, whatever its type.",
        examples=["FINAL_RESPONSE_QUALITY", "TOOL_USE_QUALITY", "TRAJECTORY_QUALITY"],
    )


class RubricParams(ReplyParams):
    """Parameters of the checks that judge rubrics."""

    rubrics: list[CriterionRubric] = Field(
        default_factory=list,
        title="Rubrics for every case",
        description="Statements that a judge checks; cases and turns may add their own.",
    )


class HallucinationParams(JudgedParams):
    """Parameters of the check for claims without support."""

    evaluate_intermediate_nl_responses: bool = Field(
        False, title="Judge messages on the way too", description="Each text on its own."
    )


class SimulatorParams(JudgedParams):
    """Parameters of the check of the simulated user."""

    stop_signal: str = Field(
        "</finished>",
        title="Stop signal",
        description="What the simulated user says when it is done.",
    )


GENERATION_SETTINGS = {
    "top_p": "top_p",
    "seed": "seed",
    "stop_sequences": "stop",
    "presence_penalty": "presence_penalty",
    "frequency_penalty": "frequency_penalty",
}
"""Gemini's generation settings that OpenAI-compatible endpoints have too, by their names there."""


def setting(config: dict[str, Any] | None, name: str) -> JsonValue:
    """Return a generation setting in either spelling, None where it is not set."""
    found: JsonValue = (config or {}).get(to_camel(name))
    return (config or {}).get(name) if found is None else found
