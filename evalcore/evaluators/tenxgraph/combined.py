"""10xGraph's checks made of checks, which exist in its Python code only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

from pydantic import Field

from evalcore.errors import EvaldeskError
from evalcore.evaluators import build
from evalcore.evaluators.base import Evaluator, JudgedEvaluator, Params, Sample
from evalcore.evaluators.tenxgraph.base import Criterion, WholeCase
from evalcore.formats.tenxgraph.names import named
from evalcore.judges import Judge
from evalcore.results import Remarks, Score, Verdict

_KINDS = {
    "exact_match": "tenxgraph.exact_match",
    "composite_criterion": "tenxgraph.composite",
    "weighted_criterion": "tenxgraph.weighted",
}


class PartParams(Params):
    """One check of a combination: a config key or result name, its settings and its weight."""

    criterion: str = Field(title="Check", description="Its name in a config or in results.")
    config: dict[str, Any] = Field(
        default_factory=dict, title="Settings", description="As in a config."
    )
    weight: float = Field(1.0, title="Weight", description="Its share of a weighted mean.")


class CombinedCriterion(Criterion):
    """Parameters of a combination."""

    parts: list[PartParams] = Field(
        default_factory=list, title="Checks", description="The checks that are combined."
    )


class CompositeCriterion(CombinedCriterion):
    """Parameters of a combination by the worst or the best check."""

    require_all: bool = Field(
        True, title="All must pass", description="The lowest score counts; else the highest."
    )


class Part(NamedTuple):
    """A check of a combination, and its weight where weights count."""

    evaluator: Evaluator
    weight: float = 1.0


class Result(NamedTuple):
    """What a part came to: its native number, which is not None, and its score."""

    number: float
    score: Score
    weight: float


class Combined(WholeCase, JudgedEvaluator):
    """A check of other checks. An error of one is an error of all: it is not a zero."""

    needs = frozenset()
    params: CombinedCriterion
    params_type: ClassVar[type[Params]] = CombinedCriterion

    def __init__(
        self,
        params: Params,
        name: str = "",
        judge: Judge | None = None,
        parts: Sequence[Part] | None = None,
    ) -> None:
        super().__init__(params, name, judge)
        self.parts = (
            [Part(_build(part, judge), part.weight) for part in self.params.parts]
            if parts is None
            else list(parts)
        )

    def calls(self, sample: Sample) -> int:
        """Return how often its judges would be asked."""
        judged = (p.evaluator for p in self.parts if isinstance(p.evaluator, JudgedEvaluator))
        return sum(evaluator.calls(sample) for evaluator in judged)

    def measure(self, sample: Sample) -> Score:
        """Score every part and combine the numbers."""
        results = [self._result(part, sample) for part in self.parts]
        value = self.combine(results)
        empty = all(r.score.verdict is Verdict.NOT_EVALUATED for r in results)
        given = value if results and empty else None
        return self.measured(value, lambda: self._remarks(value, results), given=given)

    def _remarks(self, value: float, results: Sequence[Result]) -> Remarks:
        said = "; ".join(f"{r.score.evaluator}: {r.number:g}" for r in results)
        cautions = [f"{r.score.evaluator}: {text}" for r in results for text in r.score.cautions]
        cautions += self._doubts(value, results)
        reason = f"{self.told()} {said or 'No checks are combined'}."
        return Remarks(reason, tuple(cautions), self.details(results))

    def combine(self, results: Sequence[Result]) -> float:
        """Return the number that stands for all."""
        raise TypeError(f"{type(self).__name__} does not say how it combines")

    def told(self) -> str:
        """Return how the numbers were combined."""
        raise TypeError(f"{type(self).__name__} does not say how it combines")

    def details(self, results: Sequence[Result]) -> dict[str, Any]:
        """Return what 10xGraph writes beside the score."""
        raise TypeError(f"{type(self).__name__} does not say how it combines")

    def _result(self, part: Part, sample: Sample) -> Result:
        score = part.evaluator.evaluate(sample).overall
        if score.native is None:
            raise EvaldeskError(f"{self.label}: {score.evaluator} has no score: {score.reason}")
        return Result(score.native, score, part.weight)

    def _doubts(self, value: float, results: Sequence[Result]) -> list[str]:
        """Say where the parts' own verdicts are not what the combination comes to."""
        passes = value >= self.params.threshold
        failed = [r.score.evaluator for r in results if r.score.verdict is Verdict.FAILED]
        if passes and failed:
            return [f"Below their own pass marks, which do not count: {', '.join(failed)}."]
        if results and not passes and not failed:
            return ["Each check passes its own pass mark, which does not count."]
        return []


class Composite(Combined):
    """``composite``: the lowest score of several checks, or the highest."""

    kind = "tenxgraph.composite"
    label = "Composite"
    help = "Do all of these checks pass, or any of them, by one pass mark?"
    params_type: ClassVar[type[Params]] = CompositeCriterion
    params: CompositeCriterion

    def combine(self, results: Sequence[Result]) -> float:
        """Return the lowest or highest number, 0 of none."""
        pick = min if self.params.require_all else max
        return pick((r.number for r in results), default=0.0)

    def told(self) -> str:
        """Name the rule."""
        return "The lowest of" if self.params.require_all else "The highest of"

    def details(self, results: Sequence[Result]) -> dict[str, Any]:
        """Return the parts with their thresholds."""
        parts = [
            {
                "criterion": r.score.evaluator,
                "score": r.number,
                "passed": r.score.threshold is not None and r.number >= r.score.threshold,
                "threshold": r.score.threshold,
            }
            for r in results
        ]
        return {"sub_results": parts, "require_all": self.params.require_all}


class Weighted(Combined):
    """``weighted``: the weighted mean of several checks."""

    kind = "tenxgraph.weighted"
    label = "Weighted mean"
    help = "Does the weighted mean of these checks pass?"

    def combine(self, results: Sequence[Result]) -> float:
        """Return the weighted mean, 0 where the weights come to 0 or less."""
        total = weighted = 0.0
        for result in results:
            weighted += result.number * result.weight
            total += result.weight
        return weighted / total if total > 0 else 0.0

    def told(self) -> str:
        """Name the rule."""
        return "The weighted mean of"

    def details(self, results: Sequence[Result]) -> dict[str, Any]:
        """Return the parts with their weights."""
        parts = [
            {"criterion": r.score.evaluator, "score": r.number, "weight": r.weight} for r in results
        ]
        return {"sub_results": parts}

    def _doubts(self, value: float, results: Sequence[Result]) -> list[str]:
        weights = [r.weight for r in results]
        cautions = super()._doubts(value, results)
        if weights and sum(weights) <= 0:
            cautions.append("The weights come to 0 or less, so the score is 0.")
        elif any(weight < 0 for weight in weights):
            cautions.append("A negative weight turns a good score into a bad one.")
        return cautions


def kind_of(name: str) -> str | None:
    """Return the kind of check that a config key, a result name or an older name means."""
    criterion = named(name)
    if criterion is None:
        return None
    return f"tenxgraph.{criterion.key}" if criterion.key else _KINDS.get(criterion.result)


def _build(part: PartParams, judge: Judge | None) -> Evaluator:
    kind = kind_of(part.criterion)
    criterion = named(part.criterion)
    if kind is None or criterion is None:
        raise EvaldeskError(
            f"There is no check called {part.criterion!r} to combine",
            hint="Use the key of a criterion, such as rouge_match.",
        )
    return build(kind, part.config, criterion.result, judge)
