"""What 10xGraph's checks have in common: one number for a whole case, against one threshold.

Expected calls and nodes of all turns are put together, as are those made. The reply judged is that
of the last turn; the expected one is that of the last turn that has any, which may be an earlier
turn.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from itertools import chain
from typing import ClassVar, NamedTuple

from pydantic import Field

from evalcore.errors import EvaldeskError
from evalcore.evaluators.base import Evaluator, Outcome, Params, Sample
from evalcore.jsontree import MISSING
from evalcore.model import MaybeJson, ToolCall
from evalcore.results import Remarks, Score, Verdict

NEAR = 1e-9
"""How far below the threshold a score is still only there by rounding."""


class Criterion(Params):
    """Parameters that every check of 10xGraph has."""

    threshold: float = Field(0.8, title="Pass mark", description="Scores from here on pass.")


class WholeCase(Evaluator):
    """A check that gives one number for a case."""

    params: Criterion
    params_type: ClassVar[type[Params]] = Criterion

    def evaluate(self, sample: Sample) -> Outcome:
        """Score the case."""
        return Outcome(self.measure(sample))

    def measure(self, sample: Sample) -> Score:
        """Return what ``measured`` makes of the case's number.

        Raises EvaldeskError where there can be none.
        """
        raise TypeError(f"{type(self).__name__} does not say how it measures")

    def measured(
        self, value: float, remarks: Callable[[], Remarks], *, given: float | None = None
    ) -> Score:
        """Return the score of a number.

        ``given`` is the least that 10xGraph gives to any run where there is nothing to compare or
        to judge, None where it does compare or judge. A pass that any run would get is none: it is
        not evaluated, has no value, and keeps the native number.
        """
        threshold = self.params.threshold
        is_free = given is not None and given >= threshold
        score = self.score_later(
            value,
            lambda: _marked(remarks(), value, threshold, is_free=is_free),
            threshold=threshold,
        )
        if not is_free:
            return score
        return score.model_copy(update={"verdict": Verdict.NOT_EVALUATED, "value": None})


def _marked(remarks: Remarks, value: float, threshold: float, *, is_free: bool) -> Remarks:
    """Return remarks with what there is to say of the pass mark."""
    cautions = [*remarks.cautions]
    if not 0 <= threshold <= 1:
        cautions.append(f"The pass mark {threshold:g} is outside 0–1.")
    if 0 < threshold - value <= NEAR:
        cautions.append(f"It is below the pass mark {threshold:g} by rounding alone.")
    if is_free:
        cautions.append(f"10xGraph gives {value:g} and a pass for this.")
    return remarks._replace(cautions=tuple(cautions))


class Reply(NamedTuple):
    """An expected reply; ``turn`` is the index of the turn that it is taken from."""

    text: str
    turn: int


def expected_calls(sample: Sample) -> Sequence[ToolCall]:
    """Return the expected calls of all turns."""
    expected = [e.tool_calls for turn in sample.turns if (e := turn.expected) is not None]
    return expected[0] if len(expected) == 1 else [*chain.from_iterable(expected)]


def actual_calls(sample: Sample) -> Sequence[ToolCall]:
    """Return the calls made in all turns. Raises EvaldeskError if none were recorded."""
    turns = sample.turns
    recorded = [c for turn in turns if (c := turn.actual.actual_tool_calls) is not None]
    if turns and not recorded:
        raise EvaldeskError("The run does not hold the tool calls", hint="Record them in the run.")
    return recorded[0] if len(recorded) == 1 else [*chain.from_iterable(recorded)]


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
