"""What Evaldesk's own checks have in common: a pass mark, turns, and parameters per case."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar, Literal

from pydantic import ConfigDict, Field, ValidationError

from evalcore.errors import EvaldeskError
from evalcore.evaluators.base import Evaluator, Outcome, Params, Sample, Turn
from evalcore.jsontree import MISSING
from evalcore.model import first_fault
from evalcore.results import Score, Verdict

Turns = Literal["each", "last"]


class OwnParams(Params):
    """Parameters of every check of ours. Unknown ones are refused: nobody else writes them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    threshold: float = Field(
        1.0, ge=0, le=1, title="Pass mark", description="Scores from here on pass (0 to 1)."
    )


class TurnParams(OwnParams):
    """Parameters of a check that looks at turns."""

    turns: Turns = Field(
        "each",
        title="Which turns",
        description="each: the score is the mean of all turns. last: only the last turn counts.",
    )


class OwnEvaluator(Evaluator):
    """A check of ours. What a case says of it replaces single parameters for that case."""

    params: OwnParams
    params_type: ClassVar[type[Params]] = OwnParams

    def evaluate(self, sample: Sample) -> Outcome:
        """Score the case. Raises EvaldeskError for parameters of the case that do not fit."""
        return self.for_case(sample).measure(sample)

    @abstractmethod
    def measure(self, sample: Sample) -> Outcome:
        """Return the scores of a case, by this check's own parameters alone."""

    def for_case(self, sample: Sample) -> OwnEvaluator:
        """Return the check with what the case says in place of its own parameters."""
        if sample.criterion is MISSING or sample.criterion is None:
            return self
        if not isinstance(sample.criterion, dict):
            raise EvaldeskError(
                f"What the case says of {self.name} is no object of parameters",
                hint="Write the parameters that differ for this case, by their names.",
            )
        try:
            merged = {**self.params.model_dump(), **sample.criterion}
            return type(self)(type(self.params).model_validate(merged), self.name)
        except ValidationError as error:
            said = first_fault(error, "its parameters")
            raise EvaldeskError(f"{self.name}, for this case: {said}") from error


class TurnEvaluator(OwnEvaluator):
    """A check of each turn, or of the last; the case's score is the mean of those scored."""

    params: TurnParams
    params_type: ClassVar[type[Params]] = TurnParams

    def measure(self, sample: Sample) -> Outcome:
        """Score the turns; turns that expect nothing have no score, and do not count."""
        if not sample.turns:
            return Outcome(overall=self.score(None, "There are no turns."))
        if self.params.turns == "last":
            only = self.turn(sample.turns[-1])
            waiting = self.score(None, "Only the last turn counts.")
            turns = (*(waiting for _ in sample.turns[:-1]), only)
            return Outcome(overall=only, turns=turns)
        return self.over(tuple(self.turn(turn) for turn in sample.turns))

    @abstractmethod
    def turn(self, turn: Turn) -> Score:
        """Return the score of one turn."""

    def over(self, turns: Sequence[Score]) -> Outcome:
        """Return the mean of the turns that have a score; the one turn itself if there is one."""
        if len(turns) == 1:
            return Outcome(overall=turns[0], turns=tuple(turns))
        scored = [turn.native for turn in turns if turn.native is not None]
        if not scored:
            return Outcome(overall=self.score(None, turns[0].reason), turns=tuple(turns))
        failing = sum(turn.verdict is Verdict.FAILED for turn in turns)
        overall = self.passing(
            sum(scored) / len(scored), f"Mean of {len(scored)} of {len(turns)} turns."
        )
        if overall.verdict is Verdict.PASSED and failing:
            caution = f"Passes although {failing} of {len(turns)} turns fail."
            overall = overall.model_copy(update={"cautions": (caution,)})
        return Outcome(overall=overall, turns=tuple(turns))

    def passing(self, native: float, reason: str, cautions: Sequence[str] = ()) -> Score:
        """Return a score that passes from the pass mark on."""
        return self.score(native, reason, threshold=self.params.threshold, cautions=cautions)
