"""What 10xGraph's checks have in common: one number for a whole case, against one threshold.

Expected calls and nodes of all turns are put together, as are those made. The reply judged is that
of the last turn; the expected one is that of the last turn that has any, which may be an earlier
turn.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from pydantic import Field

from evalcore.errors import EvaldeskError
from evalcore.evaluators.base import Evaluator, Outcome, Params, Sample
from evalcore.jsontree import MISSING
from evalcore.model import MaybeJson, ToolCall
from evalcore.results import Score, Verdict

NEAR = 1e-9
"""How far below the threshold a score is still only there by rounding."""


class Criterion(Params):
    """Parameters that every check of 10xGraph has."""

    threshold: float = Field(0.8, title="Pass mark", description="Scores from here on pass.")


class Measured(NamedTuple):
    """A number, why it is that, and what it hides.

    ``given`` is the least that 10xGraph gives to any run where there is nothing to compare or to
    judge, None where it does compare or judge.
    """

    value: float
    reason: str
    cautions: Sequence[str] = ()
    given: float | None = None
    details: MaybeJson = MISSING


class WholeCase(Evaluator):
    """A check that gives one number for a case."""

    params: Criterion
    params_type: ClassVar[type[Params]] = Criterion

    def evaluate(self, sample: Sample) -> Outcome:
        """Score the case."""
        return Outcome(overall=self.scored(self.measure(sample)))

    def measure(self, sample: Sample) -> Measured:
        """Return the number and its reason. Raises EvaldeskError where there can be none."""
        raise TypeError(f"{type(self).__name__} does not say how it measures")

    def scored(self, found: Measured) -> Score:
        """Return the score of a number.

        A pass that 10xGraph would give to any run is none: it is not evaluated, has no value, and
        keeps the native number.
        """
        threshold = self.params.threshold
        cautions = [*found.cautions]
        if not 0 <= threshold <= 1:
            cautions.append(f"The pass mark {threshold:g} is outside 0–1.")
        if 0 < threshold - found.value <= NEAR:
            cautions.append(f"It is below the pass mark {threshold:g} by rounding alone.")
        is_free = found.given is not None and found.given >= threshold
        if is_free:
            cautions.append(f"10xGraph gives {found.value:g} and a pass for this.")
        score = self.score(
            found.value,
            found.reason,
            threshold=threshold,
            cautions=cautions,
            details=found.details,
        )
        if not is_free:
            return score
        return score.model_copy(update={"verdict": Verdict.NOT_EVALUATED, "value": None})


class Reply(NamedTuple):
    """An expected reply; ``turn`` is the index of the turn that it is taken from."""

    text: str
    turn: int


def expected_calls(sample: Sample) -> list[ToolCall]:
    """Return the expected calls of all turns."""
    return [c for t in sample.turns if t.expected for c in t.expected.tool_calls]


def actual_calls(sample: Sample) -> list[ToolCall]:
    """Return the calls made in all turns. Raises EvaldeskError if none were recorded."""
    recorded = [turn.actual.actual_tool_calls for turn in sample.turns]
    if recorded and all(calls is None for calls in recorded):
        raise EvaldeskError("The run does not hold the tool calls", hint="Record them in the run.")
    return [call for calls in recorded for call in calls or ()]


def expected_nodes(sample: Sample) -> list[str]:
    """Return the expected nodes of all turns."""
    return [node for t in sample.turns if t.expected for node in t.expected.node_order]


def visited_nodes(sample: Sample) -> list[str]:
    """Return the nodes visited in all turns. Raises EvaldeskError if none were recorded."""
    recorded = [turn.actual.node_visits for turn in sample.turns]
    if recorded and all(nodes is None for nodes in recorded):
        raise EvaldeskError("The run does not hold the visited nodes", hint="Record them.")
    return [node for nodes in recorded for node in nodes or ()]


def final_reply(sample: Sample) -> str:
    """Return the reply of the last turn. Raises EvaldeskError if it was not recorded."""
    if not sample.turns:
        return ""
    output = sample.turns[-1].actual.actual_output
    if output is MISSING:
        raise EvaldeskError("The run does not hold the reply of the last turn")
    return as_text(output)


def expected_reply(sample: Sample) -> Reply:
    """Return the expected reply of the last turn that has one, "" if none has."""
    for index in range(len(sample.turns) - 1, -1, -1):
        expected = sample.turns[index].expected
        output = expected.expected_output if expected else MISSING
        if output is not MISSING and output is not None:
            return Reply(as_text(output), index)
    return Reply("", len(sample.turns) - 1)


def question(sample: Sample) -> str:
    """Return the first thing that the user says, whichever turn's reply is looked at."""
    if not sample.turns:
        return ""
    first = sample.turns[0]
    stated = first.expected.input if first.expected else MISSING
    return as_text(first.actual.input if stated is MISSING else stated)


def as_text(value: MaybeJson) -> str:
    """Return text as it is and anything else as JSON; nothing is ""."""
    if isinstance(value, str):
        return value
    if value is MISSING or value is None:
        return ""
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
