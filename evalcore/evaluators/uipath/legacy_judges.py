"""UiPath's low-code judges: no system prompt, no temperature, a score of 0–100 as it comes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from pydantic import Field, field_validator

from evalcore.errors import EvaldeskError
from evalcore.evaluators.base import JudgedEvaluator, Need, Outcome, Params, Sample
from evalcore.evaluators.uipath.base import validated
from evalcore.evaluators.uipath.judging import (
    ANSWER_TOOL,
    JudgeParams,
    answer_cautions,
    completed,
    count_calls,
    fill,
    messages,
    percent_score,
    placeholder,
    prompt_cautions,
    read_answer,
    tag_cautions,
)
from evalcore.evaluators.uipath.legacy import (
    LegacyCriteria,
    LegacyEvaluator,
    LegacyParams,
    part,
)
from evalcore.evaluators.uipath.spans import all_calls, has_spans, history
from evalcore.evaluators.uipath.trajectory_judges import NO_HISTORY
from evalcore.evaluators.uipath.values import as_text, is_blank
from evalcore.formats._uipath.prompts import placeholders
from evalcore.jsontree import MISSING, JsonValue
from evalcore.judges import JudgeRequest
from evalcore.results import PERCENT, Score

SAME_AS_AGENT = "same-as-agent"


class LegacyJudgeParams(LegacyParams, JudgeParams):
    """Parameters of every low-code judge."""

    prompt: str = Field(title="Prompt", description="What the judge is asked.")
    model: str = Field(SAME_AS_AGENT, title="Model", description="The judge.")
    agent_model: str = Field("", title="The agent's model", description="Stands for same-as-agent.")


class TrajectoryPromptParams(LegacyJudgeParams):
    """Parameters of the low-code judge of what an agent did."""

    @field_validator("prompt")
    @classmethod
    def _has_both(cls, value: str) -> str:
        for name in LegacyTrajectoryJudge.filled:
            if placeholder(name) not in value:
                raise ValueError(f"the prompt has no {placeholder(name)}")
        return value


class LegacyJudge(JudgedEvaluator):
    """A low-code judge."""

    params: LegacyJudgeParams
    scale = PERCENT

    def calls(self, sample: Sample) -> int:
        """Return one call, or one per line; none where the case cannot be scored."""
        return count_calls(self, sample)

    def judged(self, prompt: str, values: Mapping[str, str], cautions: Sequence[str]) -> Score:
        """Ask about one pair of texts; ``values`` fill the placeholders, in UiPath's order."""
        params = self.params
        filled = fill(prompt, values, literal=params.literal_data)
        request = JudgeRequest(
            model=self.model(), messages=messages("", filled.text), tool=ANSWER_TOOL
        )
        answer = read_answer(self.ask(request))
        return self.score(
            percent_score(answer),
            answer.justification,
            cautions=[
                *cautions,
                *prompt_cautions(params.prompt, filled, literal=params.literal_data),
                *tag_cautions(prompt, [*values.values()]),
                *answer_cautions(answer),
            ],
            details=answer.justification,
        )

    def model(self) -> str:
        """Return the judge's model; raises EvaldeskError where the agent's is not known."""
        if self.params.model != SAME_AS_AGENT:
            return self.params.model
        if not self.params.agent_model:
            raise EvaldeskError(
                "The judge is to be the agent's own model, and that is not known",
                hint="Name a model in the evaluator, or in the settings of agent.json.",
            )
        return self.params.agent_model


class LegacyOutputJudge(LegacyEvaluator, LegacyJudge):
    """Category 1, of any type: a judge that compares the output with the expected one."""

    kind = "uipath.legacy_llm_judge"
    label = "Judge (low-code)"
    help = "How well does the output match the expected one?"
    needs = frozenset({Need.OUTPUT, Need.JUDGE})
    params: LegacyJudgeParams
    params_type: ClassVar[type[Params]] = LegacyJudgeParams

    def compare(self, expected: JsonValue, actual: JsonValue) -> Score:
        """Ask how alike the two are; numbers stay as they are written.

        Raises EvaldeskError where nothing is expected.
        """
        want, have = self.target(expected), self.target(actual)
        if is_blank(want):
            raise EvaldeskError(
                "The expected output is empty", hint="State what the output should be."
            )
        values = {"ActualOutput": as_text(have), "ExpectedOutput": as_text(want)}
        key = self.params.key
        missing = [side for side in (expected, actual) if part(side, key) is MISSING]
        cautions = [f"“{key}” is missing on one side, so all of it was sent."] if missing else []
        prompt = completed(self.params.prompt, "ActualOutput", "ExpectedOutput")
        return self.judged(prompt, values, cautions)

    def target(self, side: JsonValue) -> JsonValue:
        """Return the target field of a side, or all of it where it has none."""
        found = part(side, self.params.key)
        whole: JsonValue = side if found is MISSING else found
        return whole


class LegacyTrajectoryJudge(LegacyJudge):
    """Category 3: a judge of what an agent did, by the case's own expected behaviour."""

    kind = "uipath.legacy_trajectory_judge"
    label = "Judge: behaviour (low-code)"
    help = "Did the agent do what is described?"
    needs = frozenset({Need.TOOL_CALLS, Need.JUDGE})
    params: TrajectoryPromptParams
    params_type: ClassVar[type[Params]] = TrajectoryPromptParams
    filled: ClassVar[tuple[str, str]] = ("ExpectedAgentBehavior", "AgentRunHistory")

    def evaluate(self, sample: Sample) -> Outcome:
        """Ask how well the calls match; raises EvaldeskError where no behaviour is expected."""
        cautions = []
        if sample.criterion is not MISSING:
            stated = validated(LegacyCriteria, sample.criterion).expected_agent_behavior
            if stated != behavior_of(sample):
                cautions.append("The case's own behaviour is judged, not the one stated here.")
        behavior = behavior_of(sample)
        if is_blank(behavior):
            raise EvaldeskError(
                "The case describes no expected behaviour", hint="Say what the agent should do."
            )
        seen = history(all_calls(sample)) if has_spans(sample) else "[]"
        if seen in ("", "[]"):
            cautions.append(NO_HISTORY)
        prompt = self.params.prompt
        unfilled = [name for name in placeholders(prompt) if name not in self.filled]
        if unfilled:
            cautions.append(f"UiPath sends {unfilled} to the judge unfilled.")
        values = {"ExpectedAgentBehavior": behavior, "AgentRunHistory": seen}
        return Outcome(overall=self.judged(prompt, values, cautions))


def behavior_of(sample: Sample) -> str:
    """Return the behaviour that a case describes, "" for none."""
    turn = sample.turns[-1].expected if sample.turns else None
    return (turn.expected_behavior or "") if turn is not None else ""
