"""ADK's efficiency checks: what a turn used. They report a number and never pass or fail."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from evalcore.errors import EvaldeskError
from evalcore.evaluators.adk.base import plain_mean
from evalcore.evaluators.adk.params import NoCriterion
from evalcore.evaluators.base import Evaluator, Need, Outcome, Params, Sample
from evalcore.jsontree import MISSING, JsonObject
from evalcore.model import MaybeJson
from evalcore.results import InvocationResult, ModelCall, Score

Amounts = dict[str, float | None]
_ADDED = {
    "input_tokens": ("prompt_tokens", "tool_use_tokens"),
    "prompt_tokens": ("prompt_tokens",),
    "cached_tokens": ("cached_tokens",),
    "tool_use_tokens": ("tool_use_tokens",),
    "output_tokens": ("candidates_tokens", "thoughts_tokens"),
    "candidates_tokens": ("candidates_tokens",),
    "reasoning_tokens": ("thoughts_tokens",),
}
"""ADK's token amounts, as sums of what a call reports; the total reported is not looked at."""


class Usage(Evaluator):
    """A check that reports an amount per turn; None for a turn of which it is not known."""

    needs = frozenset({Need.USAGE})
    params_type: ClassVar[type[Params]] = NoCriterion
    params: NoCriterion
    details_key: ClassVar[str] = ""

    def evaluate(self, sample: Sample) -> Outcome:
        """Report each turn and their mean. Raises EvaldeskError if a pass mark is set."""
        if self.params.threshold is not None:
            raise EvaldeskError(
                f"{self.label} reports a number and has no pass mark, but one is set",
                hint="Leave it out of the criteria: ADK reports it with every run anyway.",
            )
        amounts = [self.amounts(turn.actual) for turn in sample.turns]
        turns = tuple(self.report(found) for found in amounts)
        if not turns:
            return Outcome(overall=self.report({}))
        return Outcome(overall=self.report(self.mean(amounts), of=len(turns)), turns=turns)

    @abstractmethod
    def amounts(self, turn: InvocationResult) -> Amounts:
        """Return a turn's amounts, of which the first is the score."""

    def mean(self, amounts: Sequence[Amounts]) -> Amounts:
        """Return the mean of each amount over the turns of which it is known."""
        means: Amounts = {}
        for name in amounts[0]:
            known = [value for found in amounts if (value := found[name]) is not None]
            means[name] = plain_mean(known) if known else None
        return means

    def report(self, amounts: Amounts, *, of: int = 0) -> Score:
        """Return amounts as a score; ``of`` how many turns they are the mean, 0 for one turn."""
        first = next(iter(amounts.values()), None)
        native = None if first is None else float(first)
        details: MaybeJson = MISSING
        if self.details_key and amounts:
            parts: JsonObject = dict(amounts)
            details = {self.details_key: parts}
        mean = f" (mean of {of} turns)" if of > 1 else ""
        return Score(
            evaluator=self.name,
            native=native,
            scale=None,
            reason="Not recorded." if native is None else f"{self.words(amounts)}{mean}.",
            details=details,
            informational=True,
        )

    @abstractmethod
    def words(self, amounts: Amounts) -> str:
        """Return known amounts as a phrase."""


class ToolCallCount(Usage):
    """``tool_call_count_v1``: how many tools a turn called, 0 where nothing is recorded."""

    kind = "adk.tool_call_count_v1"
    label = "Tool calls made"
    help = "How many times did the agent call a tool?"
    needs = frozenset({Need.TOOL_CALLS})

    def amounts(self, turn: InvocationResult) -> Amounts:
        """Count the calls."""
        return {"calls": float(len(turn.actual_tool_calls or ()))}

    def words(self, amounts: Amounts) -> str:
        """Say how many."""
        return f"{amounts['calls']:g} tool calls"


class InferenceCallCount(Usage):
    """``inference_call_count_v1``: how many times a turn asked a model, None where not recorded."""

    kind = "adk.inference_call_count_v1"
    label = "Model calls made"
    help = "How many times did the agent ask a model?"

    def amounts(self, turn: InvocationResult) -> Amounts:
        """Count the calls."""
        return {"calls": None if turn.model_calls is None else float(len(turn.model_calls))}

    def words(self, amounts: Amounts) -> str:
        """Say how many."""
        return f"{amounts['calls']:g} model calls"


class TokenUsage(Usage):
    """``token_usage_v1``: tokens in and out, in all calls of a turn.

    The mean counts a turn that reports nothing as zero, unlike the other efficiency checks.
    """

    kind = "adk.token_usage_v1"
    label = "Tokens used"
    help = "How many tokens did the agent use?"
    details_key = "token_usage_details"

    def amounts(self, turn: InvocationResult) -> Amounts:
        """Add up what the calls report; what none reports is None."""
        calls = turn.model_calls or ()
        found = {name: _total(calls, fields) for name, fields in _ADDED.items()}
        return {"total_tokens": _sum(found["input_tokens"], found["output_tokens"]), **found}

    def mean(self, amounts: Sequence[Amounts]) -> Amounts:
        """Return each sum divided by the number of all turns; None where no turn reports it."""
        means: Amounts = {}
        for name in amounts[0]:
            known = [value for found in amounts if (value := found[name]) is not None]
            means[name] = sum(known) / len(amounts) if known else None
        return means

    def report(self, amounts: Amounts, *, of: int = 0) -> Score:
        """Say that turns without a report count as zero, where there may be some."""
        score = super().report(amounts, of=of)
        counted = of > 1 and score.native is not None
        note = " Turns that report nothing count as 0." if counted else ""
        return score.model_copy(update={"reason": score.reason + note})

    def words(self, amounts: Amounts) -> str:
        """Say how many in and out."""
        into, out = amounts["input_tokens"] or 0, amounts["output_tokens"] or 0
        return f"{amounts['total_tokens']:g} tokens: {into:g} in, {out:g} out"


class InvocationDuration(Usage):
    """``invocation_duration_v1``: seconds of wall time that a turn took, and where they went."""

    kind = "adk.invocation_duration_v1"
    label = "Seconds taken"
    help = "How long did the agent take?"
    details_key = "duration_details"

    def amounts(self, turn: InvocationResult) -> Amounts:
        """Split the time into models, tools and the rest; unknown without the whole."""
        total = turn.duration_s
        model, tool = (
            (None, None) if total is None else (turn.model_duration_s, turn.tool_duration_s)
        )
        rest = None
        if total is not None and model is not None and tool is not None:
            rest = round(max(total - model - tool, 0.0), 3)
        return {
            "total_seconds": total,
            "model_seconds": model,
            "tool_seconds": tool,
            "framework_seconds": rest,
        }

    def mean(self, amounts: Sequence[Amounts]) -> Amounts:
        """Return the means over the turns that were timed, to the millisecond."""
        means = super().mean(amounts)
        return {name: None if v is None else round(v, 3) for name, v in means.items()}

    def words(self, amounts: Amounts) -> str:
        """Say how long, and for what."""
        parts = [("model", "models"), ("tool", "tools"), ("framework", "the rest")]
        known = [
            f"{value:g} for {words}"
            for name, words in parts
            if (value := amounts[f"{name}_seconds"]) is not None
        ]
        split = f" ({', '.join(known)})" if known else ""
        return f"{amounts['total_seconds']:g} s{split}"


def _total(calls: Sequence[ModelCall], fields: Sequence[str]) -> float | None:
    known = [value for c in calls for f in fields if (value := getattr(c, f)) is not None]
    return sum(known) if known else None


def _sum(left: float | None, right: float | None) -> float | None:
    return None if left is None and right is None else (left or 0) + (right or 0)
