"""ADK's checks that compute: tool trajectory and response match."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from evalcore.errors import EvaldeskError
from evalcore.evaluators.adk.base import expected_of, over_turns, paired, text
from evalcore.evaluators.adk.cautions import calls_cautions, text_cautions
from evalcore.evaluators.adk.items import Item, items
from evalcore.evaluators.adk.matching import RULES, is_match
from evalcore.evaluators.adk.params import Threshold, TrajectoryParams
from evalcore.evaluators.base import Evaluator, Need, Outcome, Params, Sample, Turn
from evalcore.evaluators.measures.rouge import adk_rouge1
from evalcore.model import ToolCall
from evalcore.results import Remarks, Score

RULE_WORDS = {
    "EXACT": ", no others (EXACT)",
    "IN_ORDER": ", in this order; other calls are free (IN_ORDER)",
    "ANY_ORDER": ", in any order; other calls are free (ANY_ORDER)",
}


class PerTurn(Evaluator):
    """A check of each turn whose overall score is the mean of the turns."""

    params: Threshold

    def evaluate(self, sample: Sample) -> Outcome:
        """Score each turn, then the case. Raises EvaldeskError if the turns do not pair."""
        turns = [self.turn(turn) for turn in paired(sample, required=True)]
        return over_turns(self, turns, self.params.threshold)

    def turn(self, turn: Turn) -> Score:
        """Return the score of one turn; raises EvaldeskError if nothing is expected of it."""
        raise EvaldeskError(f"{self.label} scores cases, not turns")


class ToolTrajectory(PerTurn):
    """``tool_trajectory_avg_score``: 1 for a turn whose calls match, else 0.

    Ids, answers and the order of arguments do not count. Arguments compare as Python compares
    them: 1, 1.0 and true are equal, absent arguments and {} are not, and NaN equals nothing.
    """

    kind = "adk.tool_trajectory_avg_score"
    label = "Tool trajectory"
    help = "Were the expected tools called, with the expected arguments?"
    needs = frozenset({Need.TOOL_CALLS})
    params_type: ClassVar[type[Params]] = TrajectoryParams
    params: TrajectoryParams

    def turn(self, turn: Turn) -> Score:
        """Compare names and whole arguments."""
        params = self.params
        wanted, made = expected_of(turn).tool_calls, turn.actual.actual_tool_calls or ()
        passed = is_match(params.match_type, wanted, made, by_name=params.ignore_args)
        return self.score_later(
            1.0 if passed else 0.0,
            lambda: self._remarks(wanted, made, passed=passed),
            threshold=params.threshold,
        )

    def _remarks(
        self, expected: Sequence[ToolCall], actual: Sequence[ToolCall], *, passed: bool
    ) -> Remarks:
        mode, by_name = self.params.match_type, self.params.ignore_args
        wanted, made = items(expected, by_name=by_name), items(actual, by_name=by_name)
        matched = RULES[mode](wanted, made) if passed else None
        reason = f"Expected {_names(wanted)}; got {_names(made)}{RULE_WORDS[mode]}."
        return Remarks(reason, tuple(calls_cautions(wanted, made, matched, mode)))


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
        found, threshold = adk_rouge1(expected, actual), self.params.threshold
        return self.score_later(
            found.f1,
            lambda: Remarks(
                f"{found.precision:.1%} of the reply's words are expected, "
                f"{found.recall:.1%} of the expected words are there.",
                tuple(text_cautions(expected, actual, found.f1, passed=found.f1 >= threshold)),
            ),
            threshold=threshold,
        )


def _names(calls: Sequence[Item]) -> str:
    return ", ".join([name for name, _ in calls]) or "no calls"
