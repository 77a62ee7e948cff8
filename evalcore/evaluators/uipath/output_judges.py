"""UiPath's coded judges of the output."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from evalcore.evaluators.base import Need, Params
from evalcore.evaluators.uipath import prompts
from evalcore.evaluators.uipath.base import ComparesOutput, OutputParams
from evalcore.evaluators.uipath.coded_judges import CodedJudge, CodedJudgeParams
from evalcore.evaluators.uipath.values import as_text, is_blank
from evalcore.jsontree import JsonValue
from evalcore.results import Score


class OutputJudgeParams(OutputParams, CodedJudgeParams):
    """Parameters of the judges of the output."""

    prompt: str = Field(
        prompts.OUTPUT_PROMPT,
        title="Prompt",
        description="{{ActualOutput}} and {{ExpectedOutput}} are filled in.",
    )


class StrictJudgeParams(OutputJudgeParams):
    """Parameters of the strict judge of JSON."""

    prompt: str = Field(
        prompts.STRICT_PROMPT,
        title="Prompt",
        description="{{ActualOutput}} and {{ExpectedOutput}} are filled in.",
    )


class OutputJudge(ComparesOutput, CodedJudge):
    """A judge that compares the output, or a field of it, with the expected one."""

    needs = frozenset({Need.OUTPUT, Need.JUDGE})
    params: OutputJudgeParams
    params_type: ClassVar[type[Params]] = OutputJudgeParams
    compared = ("ActualOutput", "ExpectedOutput")

    def compare(self, expected: JsonValue, actual: JsonValue) -> Score:
        """Ask how alike the two values are; both are shown as Python writes them."""
        cautions = (
            ["Nothing is expected, so there is little to judge."] if is_blank(expected) else []
        )
        values = {"ActualOutput": as_text(actual), "ExpectedOutput": as_text(expected)}
        return self.judged(values, cautions)


class SemanticSimilarity(OutputJudge):
    """``uipath-llm-judge-output-semantic-similarity``: a judge of meaning."""

    kind = "uipath-llm-judge-output-semantic-similarity"
    label = "Judge: same meaning"
    help = "Does the output mean what is expected?"
    system = prompts.OUTPUT_SYSTEM


class StrictJsonSimilarity(OutputJudge):
    """``uipath-llm-judge-output-strict-json-similarity``: a judge that takes points off by key."""

    kind = "uipath-llm-judge-output-strict-json-similarity"
    label = "Judge: same JSON"
    help = "Does the output have the expected keys and values?"
    params_type: ClassVar[type[Params]] = StrictJudgeParams
    params: StrictJudgeParams
    system = prompts.STRICT_SYSTEM
