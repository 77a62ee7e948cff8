"""ADK's check of the simulated user."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from evalcore.evaluators.adk import prompts
from evalcore.evaluators.adk.base import input_text, text
from evalcore.evaluators.adk.judged import AdkJudged
from evalcore.evaluators.adk.params import SimulatorParams
from evalcore.evaluators.adk.parsing import simulator_label
from evalcore.evaluators.adk.votes import simulator_share
from evalcore.evaluators.base import NotApplicable, Outcome, Params, Sample, Turn
from evalcore.formats.adk.score_traps import hidden_turns, mark_cautions
from evalcore.jsontree import MISSING, JsonArray, JsonObject
from evalcore.model import Scenario
from evalcore.results import Score, Verdict


class SimulatorQuality(AdkJudged):
    """``per_turn_user_simulator_quality_v1``: does the simulated user keep to the plan?

    The first message must be the starting prompt; a judge sees the others. Then the judge is asked
    whether the user should stop now; if not, the last turn fails. The case is the share of all
    turns that pass, those without a score counted as not passed.
    """

    kind = "adk.per_turn_user_simulator_quality_v1"
    label = "Simulated user keeps to the plan"
    help = "Does a judge find that the simulated user follows the scenario?"
    params_type: ClassVar[type[Params]] = SimulatorParams
    params: SimulatorParams

    def questions(self, sample: Sample) -> int:
        """One for each turn but the first, and one for the end."""
        scenario_of(sample)
        return len(sample.turns)

    def evaluate(self, sample: Sample) -> Outcome:
        """Judge each turn, then the end. Raises JudgeError at the first answer not given."""
        scenario, turns = scenario_of(sample), sample.turns
        scores = [self.first(turns[0], scenario)]
        for place, turn in enumerate(turns[1:], 1):
            scores.append(self.judge_message(scenario, turns[:place], input_text(turn)))
        end = self.judge_message(scenario, turns, self.params.stop_signal)
        if end.verdict is Verdict.FAILED:
            reason = f"The conversation should not have ended here. {end.reason}"
            scores[-1] = end.model_copy(update={"reason": reason})
        return Outcome(overall=self.overall(scores), turns=tuple(scores))

    def first(self, turn: Turn, scenario: Scenario) -> Score:
        """Compare the first message with the starting prompt, but for white space around it."""
        if turn.actual.input is MISSING or turn.actual.input is None:
            return self.score(None, "The first message is not recorded.")
        same = input_text(turn).strip() == scenario.starting_prompt.strip()
        reason = "The starting prompt." if same else "This is not the starting prompt."
        return self.score(1.0 if same else 0.0, reason, threshold=self.params.threshold)

    def judge_message(self, scenario: Scenario, before: Sequence[Turn], message: str) -> Score:
        """Ask whether a message is what the user should say after some turns."""
        lines: JsonArray = []
        for turn in before:
            lines.append({"user": input_text(turn)})
            reply = text(turn.actual.actual_output)
            if reply:
                lines.append({"agent": reply})
        data: JsonObject = {
            "plan": scenario.plan,
            "persona": None if scenario.persona is MISSING else scenario.persona,
            "stop_signal": self.params.stop_signal,
            "conversation": lines,
            "message": message,
        }
        return self.voted([simulator_label(a) for a in self.answers(prompts.SIMULATOR, data)])

    def overall(self, turns: Sequence[Score]) -> Score:
        """Return the share of turns that pass."""
        mark = self.params.threshold
        passed = sum(turn.verdict is Verdict.PASSED for turn in turns)
        score = self.score(
            simulator_share([turn.native for turn in turns], mark),
            f"{passed} of {len(turns)} turns pass.",
            threshold=mark,
        )
        missing = sum(turn.native is None for turn in turns)
        cautions = [c for c in hidden_turns(score, turns) if "do not count" not in c]
        if missing:
            cautions.insert(0, f"{missing} turns have no score and count as not passed.")
        return score.model_copy(update={"cautions": (*mark_cautions(score), *cautions)})


def scenario_of(sample: Sample) -> Scenario:
    """Return the scenario of a case; raises NotApplicable without one, or without any turns."""
    if sample.case.scenario is None:
        raise NotApplicable(
            "This check is for cases with a simulated user, and this case has written turns"
        )
    if not sample.turns:
        raise NotApplicable("The run has no turns")
    return sample.case.scenario
