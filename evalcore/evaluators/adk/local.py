"""ADK's checks that compute: tool trajectory and response match."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

from pydantic import Field, field_validator

from evalcore.errors import EvaldeskError
from evalcore.evaluators.base import Evaluator, Need, Outcome, Params, Sample, Turn
from evalcore.evaluators.measures.rouge import adk_rouge1
from evalcore.evaluators.measures.trajectory import (
    contained_in_any_order,
    contained_in_order,
    equal_throughout,
)
from evalcore.jsontree import MISSING
from evalcore.model import Invocation, ToolCall
from evalcore.results import Score

MatchType = Literal["EXACT", "IN_ORDER", "ANY_ORDER"]
MATCH_TYPES: tuple[MatchType, ...] = ("EXACT", "IN_ORDER", "ANY_ORDER")


class Threshold(Params):
    """Parameters of a check that has a pass mark and nothing else."""

    threshold: float = Field(1.0, title="Pass mark", description="Scores from here on pass.")


class TrajectoryParams(Threshold):
    """Parameters of the tool trajectory."""

    match_type: MatchType = Field(
        "EXACT",
        title="Calls must match",
        description="EXACT: these calls and no others. IN_ORDER and ANY_ORDER: others are free.",
        alias="matchType",
    )
    ignore_args: bool = Field(
        False,
        title="Ignore arguments",
        description="Compare the names of the tools only.",
        alias="ignoreArgs",
    )

    @field_validator("match_type", mode="before")
    @classmethod
    def _as_adk_reads_it(cls, value: object) -> object:
        """Take names in any case, with spaces or dashes, and their numbers."""
        if isinstance(value, str):
            return value.strip().upper().replace("-", "_").replace(" ", "_")
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 3:
            return MATCH_TYPES[value]
        return value


class PerTurn(Evaluator):
    """A check of each turn whose overall score is the mean of the turns that were scored."""

    params: Threshold

    def evaluate(self, sample: Sample) -> Outcome:
        """Score each turn, then the case."""
        turns = tuple(self.turn(turn) for turn in sample.turns)
        scored = [t.native for t in turns if t.native is not None]
        mean = sum(scored) / len(scored) if scored else None
        reason = f"Mean of {len(scored)} of {len(turns)} turns." if turns else "There are no turns."
        overall = self.score(mean, reason, threshold=self.params.threshold)
        return Outcome(overall=overall, turns=turns)

    def turn(self, turn: Turn) -> Score:
        """Return the score of one turn; raises EvaldeskError if nothing is expected of it."""
        raise EvaldeskError(f"{self.label} scores cases, not turns")


class ToolTrajectory(PerTurn):
    """``tool_trajectory_avg_score``: 1 for a turn whose calls match, else 0."""

    kind = "adk.tool_trajectory_avg_score"
    label = "Tool trajectory"
    help = "Were the expected tools called, with the expected arguments?"
    needs = frozenset({Need.TOOL_CALLS})
    params_type: ClassVar[type[Params]] = TrajectoryParams
    params: TrajectoryParams

    def turn(self, turn: Turn) -> Score:
        """Compare names and whole arguments; ids and answers do not count."""
        wanted, made = expected_of(turn).tool_calls, turn.actual.actual_tool_calls or ()
        rules = {
            "EXACT": equal_throughout,
            "IN_ORDER": contained_in_order,
            "ANY_ORDER": contained_in_any_order,
        }
        passed = rules[self.params.match_type](wanted, made, self._match)
        free = not wanted and bool(made) and self.params.match_type != "EXACT"
        return self.score(
            1.0 if passed else 0.0,
            f"Expected {_names(wanted)}, got {_names(made)} ({self.params.match_type}).",
            threshold=self.params.threshold,
            cautions=["Nothing is expected here, so any calls pass."] if free else (),
        )

    def _match(self, expected: ToolCall, actual: ToolCall) -> bool:
        if expected.name != actual.name:
            return False
        return self.params.ignore_args or arguments(expected) == arguments(actual)


class ResponseMatch(PerTurn):
    """``response_match_score``: ROUGE-1 F1 of the reply against the expected one."""

    kind = "adk.response_match_score"
    label = "Response match"
    help = "How many words do the reply and the expected reply share?"
    needs = frozenset({Need.OUTPUT})
    params_type: ClassVar[type[Params]] = Threshold

    def turn(self, turn: Turn) -> Score:
        """Compare the words of both replies; a reply that is absent has none."""
        expected, actual = text(expected_of(turn).expected_output), text(turn.actual.actual_output)
        found = adk_rouge1(expected, actual)
        cautions = [] if expected.strip() else ["The expected reply is empty: that scores 0."]
        return self.score(
            found.f1,
            f"Precision {found.precision:.3f}, recall {found.recall:.3f} of the words.",
            threshold=self.params.threshold,
            cautions=cautions,
        )


def expected_of(turn: Turn) -> Invocation:
    """Return the expected side of a turn; raises EvaldeskError where there is none."""
    if turn.expected is None:
        raise EvaldeskError(
            "This check compares with an expected turn, and the case has none",
            hint="Cases with a simulated user have no expected turns.",
        )
    return turn.expected


def arguments(call: ToolCall) -> object:
    """Return a call's arguments as ADK compares them: absent and null are alike, {} is not."""
    return None if call.args is MISSING else call.args


def text(value: object) -> str:
    """Return a reply as text; absent and null are ""."""
    return value if isinstance(value, str) else ""


def _names(calls: Sequence[ToolCall]) -> str:
    return ", ".join(call.name for call in calls) or "no calls"
