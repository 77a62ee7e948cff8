"""What UiPath's coded judges have in common: one question, a score in hundredths."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from pydantic import Field

from evalcore.evaluators.base import JudgedEvaluator, Sample
from evalcore.evaluators.uipath.base import CodedParams
from evalcore.evaluators.uipath.judging import (
    ANSWER_TOOL,
    JudgeParams,
    answer_cautions,
    answer_limit,
    completed,
    count_calls,
    fill,
    messages,
    prompt_cautions,
    read_answer,
    tag_cautions,
    unit_score,
)
from evalcore.judges import JudgeRequest
from evalcore.results import Score


class CodedJudgeParams(CodedParams, JudgeParams):
    """Parameters of every coded judge."""

    prompt: str = Field("", title="Prompt", description="What the judge is asked.")
    model: str = Field("", title="Model", description="The judge. UiPath fails without one.")
    temperature: float = Field(
        0.0, title="Temperature", description="0 answers the same way most often; more varies more."
    )
    max_tokens: int | None = Field(None, title="Longest answer", description="In tokens.")


class CodedJudge(JudgedEvaluator):
    """A judge of coded agents. ``system`` is what it is told before any prompt."""

    params: CodedJudgeParams
    system: ClassVar[str]
    compared: ClassVar[tuple[str, str]]
    """The placeholders of what there is and what is expected: appended where missing."""

    def calls(self, sample: Sample) -> int:
        """Return one call, or one per line; none where the case cannot be scored."""
        return count_calls(self, sample)

    def judged(self, values: Mapping[str, str], cautions: Sequence[str] = ()) -> Score:
        """Ask about one pair of texts; ``values`` fill the placeholders, in UiPath's order."""
        params, (actual, expected) = self.params, self.compared
        prompt = completed(params.prompt, actual, expected)
        filled = fill(prompt, values, literal=params.literal_data)
        answer = read_answer(
            self.ask(
                JudgeRequest(
                    model=params.model,
                    messages=messages(self.system, filled.text),
                    temperature=params.temperature,
                    max_tokens=answer_limit(params.model, params.max_tokens),
                    tool=ANSWER_TOOL,
                )
            )
        )
        return self.score(
            unit_score(answer),
            answer.justification,
            cautions=[
                *cautions,
                *([] if params.model else ["No model is named: UiPath's own run fails."]),
                *prompt_cautions(params.prompt, filled, literal=params.literal_data),
                *tag_cautions(prompt, [*values.values()]),
                *answer_cautions(answer),
            ],
            details={
                "expected": values[expected],
                "actual": values[actual],
                "justification": answer.justification,
            },
        )
