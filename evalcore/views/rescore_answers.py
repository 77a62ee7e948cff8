"""What judges said of a run's cases, kept for as long as the run is looked at."""

from __future__ import annotations

from collections.abc import Sequence

from evalcore.evaluators.base import Outcome, Sample
from evalcore.model import EvalSet
from evalcore.results import CaseResult, Run, Score, Verdict
from evalcore.scoring import Check, Memory, System, system_of, whole_scores
from evalcore.scoring.engine import asked, blocked, sample_of
from evalcore.scoring.joining import Joined, join
from evalcore.scoring.running import calls
from evalcore.views.rescore import Material, Plan, scoring_of


class Answers:
    """The answers of judges; ``version`` counts how often some were taken over.

    ``memory`` keeps no errors, so that a question that failed is asked again.
    """

    def __init__(self, material: Material) -> None:
        self.material = material
        self.memory = Memory()
        self.version = 0

    def left(self, checks: Sequence[Check], eval_set: EvalSet | None) -> int:
        """Return how many questions about a set are not answered yet."""
        judged = [check for check in checks if check.is_judged]
        return sum(
            calls(check, sample)
            for joined in self._joined(eval_set)
            for check, sample in self._samples(judged, joined)
            if self._known(joined, check, sample) is None
        )

    def take(self, of: Run, checks: Sequence[Check], eval_set: EvalSet | None, into: Memory) -> int:
        """Put what judges said in a scoring ``of`` the run into a memory; return what failed.

        An error of a judge stays one there until it is asked again.
        """
        failed = 0
        judged = [check for check in checks if check.is_judged]
        for joined, case in zip(self._joined(eval_set), of.cases, strict=False):
            for check, sample in self._samples(judged, joined):
                known = self._known(joined, check, sample)
                error = None if known is not None else _error(case, check.ref)
                failed += error is not None
                found = Outcome(overall=error) if error is not None else known
                if found is not None:
                    into.keep(joined.result.origin, check.settings_but_mark, sample, found)
        self.version += 1
        return failed

    def _joined(self, eval_set: EvalSet | None) -> tuple[Joined, ...]:
        expectations = scoring_of(self.material, Plan()).expectations
        return join(self.material.run, eval_set, self._system, expectations)

    def _samples(self, judged: Sequence[Check], joined: Joined) -> list[tuple[Check, Sample]]:
        if not judged or blocked(self._system, joined):
            return []
        found = asked(self._system, judged, joined)
        return [(check, sample_of(check, joined, criterion)) for check, criterion in found]

    def _known(self, joined: Joined, check: Check, sample: Sample) -> Outcome | None:
        return self.memory.find(joined.result.origin, check.settings_but_mark, sample)

    @property
    def _system(self) -> System:
        return system_of(self.material.project.eval_set.format_id)


def _error(case: CaseResult, ref: str) -> Score | None:
    return next(
        (s for s in whole_scores(case) if s.evaluator == ref and s.verdict is Verdict.ERROR), None
    )
