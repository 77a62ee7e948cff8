"""UiPath's coded judges of what an agent did."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from evalcore.evaluators.base import Need, Outcome, Params, Sample
from evalcore.evaluators.uipath import prompts
from evalcore.evaluators.uipath.base import CodedEvaluator, Criteria
from evalcore.evaluators.uipath.coded_judges import CodedJudge, CodedJudgeParams
from evalcore.evaluators.uipath.judging import placeholder
from evalcore.evaluators.uipath.spans import all_calls, history
from evalcore.evaluators.uipath.values import as_text
from evalcore.jsontree import MISSING, JsonValue

NO_HISTORY = "The judge is shown tool calls only, and this run has none."


class ExpectedBehavior(Criteria):
    """What the agent should do, in words."""

    expected_agent_behavior: str = Field(
        title="Expected behaviour",
        description="What the agent should do, in words. The judge reads it.",
    )


class TrajectoryParams(CodedJudgeParams):
    """Parameters of the judges of what an agent did."""

    prompt: str = Field(
        prompts.TRAJECTORY_PROMPT,
        title="Prompt",
        description="{{AgentRunHistory}}, {{ExpectedAgentBehavior}}, {{UserOrSyntheticInput}} and "
        "{{SimulationInstructions}} are filled in.",
    )
    simulation_instructions: str = Field(
        "",
        title="How tools were simulated",
        description="UiPath's command line always leaves this empty.",
    )


class SimulationParams(TrajectoryParams):
    """Parameters of the judge of runs with simulated tools."""

    prompt: str = Field(
        prompts.SIMULATION_PROMPT,
        title="Prompt",
        description="As for the judge of behaviour; {{SimulationInstructions}} stays empty.",
    )


class TrajectoryJudge(CodedEvaluator, CodedJudge):
    """A judge that reads the tool calls of a run."""

    needs = frozenset({Need.TOOL_CALLS, Need.JUDGE})
    params: TrajectoryParams
    params_type: ClassVar[type[Params]] = TrajectoryParams
    criteria_type: ClassVar[type[Criteria]] = ExpectedBehavior
    compared = ("AgentRunHistory", "ExpectedAgentBehavior")

    def evaluate(self, sample: Sample) -> Outcome:
        """Ask how well the calls match the behaviour that is expected of this check's case."""
        behavior: str = self.criteria(sample).expected_agent_behavior
        told = self.params.simulation_instructions
        seen = history(all_calls(sample))
        values = {
            "AgentRunHistory": seen,
            "ExpectedAgentBehavior": behavior,
            "UserOrSyntheticInput": as_text(input_of(sample)),
            "SimulationInstructions": told,
        }
        cautions = [] if seen else [NO_HISTORY]
        if not behavior.strip():
            cautions.append("No behaviour is expected, so there is little to judge.")
        if not told and placeholder("SimulationInstructions") in self.params.prompt:
            cautions.append("The judge is not told how tools were simulated: that stays empty.")
        return Outcome(overall=self.judged(values, cautions))


class TrajectorySimilarity(TrajectoryJudge):
    """``uipath-llm-judge-trajectory-similarity``: a judge of what an agent did."""

    kind = "uipath-llm-judge-trajectory-similarity"
    label = "Judge: behaviour"
    help = "Did the agent do what is described?"
    system = prompts.TRAJECTORY_SYSTEM


class SimulatedTrajectory(TrajectoryJudge):
    """``uipath-llm-judge-trajectory-simulation``: the same, of a run with simulated tools."""

    kind = "uipath-llm-judge-trajectory-simulation"
    label = "Judge: behaviour with simulated tools"
    help = "Did the agent do what is described, given what the simulated tools answered?"
    params_type: ClassVar[type[Params]] = SimulationParams
    params: SimulationParams
    system = prompts.SIMULATION_SYSTEM


def input_of(sample: Sample) -> JsonValue:
    """Return what the agent was given: as recorded, or else as the case states it."""
    turn = sample.turns[0] if sample.turns else None
    if turn is not None and turn.actual.input is not MISSING:
        return turn.actual.input
    stated = MISSING if turn is None or turn.expected is None else turn.expected.input
    return {} if stated is MISSING else stated
