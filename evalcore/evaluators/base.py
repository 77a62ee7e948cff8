"""What an evaluator is: named parameters, and a score with a reason for one case that was run.

Evaluators are pure: they read no files and call nothing but the judge they are given. An exception
inside one becomes an ``error`` where evaluators are run, never a number.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import ClassVar, NamedTuple

from pydantic import BaseModel, ConfigDict

from evalcore.errors import EvaldeskError
from evalcore.jsontree import MISSING
from evalcore.judges import Judge, JudgeError, JudgeReply, JudgeRequest
from evalcore.model import EvalCase, Invocation, MaybeJson, Model
from evalcore.results import UNIT, InvocationResult, Remarks, Scale, Score, Verdict


class NotApplicable(EvaldeskError):
    """A case holds nothing that a check looks at: it is not evaluated, and that is no error."""


# Reading a member of an enum costs more than the comparison it is for.
PASSED, FAILED = Verdict.PASSED, Verdict.FAILED


class Need(StrEnum):
    """What an evaluator looks at; a run that does not hold it cannot be scored."""

    OUTPUT = "output"
    TOOL_CALLS = "tool_calls"
    NODE_VISITS = "node_visits"
    USAGE = "usage"
    JUDGE = "judge"


class Params(BaseModel):
    """Base of every evaluator's parameters; forms are drawn from the fields.

    Unknown parameters are kept out: a format says so before it builds an evaluator.
    """

    model_config = ConfigDict(frozen=True, extra="ignore", populate_by_name=True)


class Turn(Model):
    """One turn: what the case expects, None if it has no such turn, beside what happened."""

    expected: Invocation | None
    actual: InvocationResult


class Sample(Model):
    """One case that was run, as an evaluator gets it.

    ``criterion`` is what the case expects of this evaluator in particular, where a system has that.
    ``duration_s`` and ``total_tokens`` are those of the whole case, None where not recorded.
    """

    case: EvalCase
    turns: tuple[Turn, ...]
    criterion: MaybeJson = MISSING
    duration_s: float | None = None
    total_tokens: int | None = None


class Outcome(NamedTuple):
    """What an evaluator says of a case: one score for all of it, and one per turn or line.

    ``turns`` and ``lines`` are empty for an evaluator that does not look at them one by one.
    """

    overall: Score
    turns: tuple[Score, ...] = ()
    lines: tuple[Score, ...] = ()


class Evaluator(ABC):
    """One configured check.

    ``kind`` is its id, with the system first (``adk.response_match_score``). ``name`` is what its
    scores are called in results.
    """

    kind: ClassVar[str]
    label: ClassVar[str]
    help: ClassVar[str]
    needs: ClassVar[frozenset[Need]]
    params_type: ClassVar[type[Params]]
    scale: ClassVar[Scale] = UNIT

    def __init__(self, params: Params, name: str = "") -> None:
        self.params = params
        self.name = name or self.kind

    @abstractmethod
    def evaluate(self, sample: Sample) -> Outcome:
        """Return the scores of a case.

        Raises EvaldeskError where it cannot be scored, NotApplicable where it is no case for this.
        """

    def score(
        self,
        native: float | None,
        reason: str,
        *,
        threshold: float | None = None,
        cautions: Sequence[str] = (),
        details: MaybeJson = MISSING,
    ) -> Score:
        """Return a score on this evaluator's scale; None means that nothing was evaluated.

        With a threshold the verdict is ``native >= threshold``, compared as plain floats.
        """
        remarks = Remarks(reason, tuple(cautions), details)
        return self.score_later(native, remarks, threshold=threshold)

    def score_later(
        self,
        native: float | None,
        remarks: Remarks | Callable[[], Remarks],
        *,
        threshold: float | None = None,
    ) -> Score:
        """Return a score as ``score`` does, whose remarks are worked out when they are read.

        ``remarks`` must be pure, and must not raise: what a score refuses is refused before.
        """
        scale = self.scale
        if native is None:
            verdict = Verdict.NOT_EVALUATED
            return Score(self.name, "", None, None, scale, verdict, threshold, remarks=remarks)
        native = float(native)
        value = native if scale is UNIT and 0.0 <= native <= 1.0 else scale.normalise(native)
        passed = None if threshold is None else PASSED if native >= threshold else FAILED
        return Score(self.name, "", value, native, scale, passed, threshold, remarks=remarks)


class JudgedEvaluator(Evaluator):
    """A check that asks a judge. Without one, each of its scores is an error that says so."""

    def __init__(self, params: Params, name: str = "", judge: Judge | None = None) -> None:
        super().__init__(params, name)
        self.judge = judge

    @abstractmethod
    def calls(self, sample: Sample) -> int:
        """Return how many times ``evaluate`` would ask the judge, without asking."""

    def ask(self, request: JudgeRequest) -> JudgeReply:
        """Ask the judge; raises JudgeError if there is none or it gives no answer."""
        if self.judge is None:
            raise JudgeError(
                f"{self.label} needs a judge, and none is configured",
                hint="Set the judge's address and model in the environment.",
            )
        return self.judge.ask(request)


def further_calls(number: int) -> str:
    """Return the caution about calls that a check does not count."""
    return f"{number} further calls are free." if number > 1 else "1 further call is free."
