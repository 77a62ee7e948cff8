"""What changes when a threshold, a match mode or an expectation does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evalcore.results import CaseResult, Run, Score, Verdict
from evalcore.scoring.aggregates import label_of, whole_scores


@dataclass(frozen=True, slots=True)
class Flip:
    """One verdict that differs between two scorings of the same results.

    ``place`` is that of the result in the run. ``evaluator`` is "" for the verdict of the case, and
    ``turn`` counts from 0, None for all of a case. ``reason`` is the later score's.
    """

    place: int
    case: str
    evaluator: str
    name: str
    turn: int | None
    before: Verdict | None
    after: Verdict | None
    value_before: float | None = None
    value_after: float | None = None
    reason: str = ""

    @property
    def is_better(self) -> bool:
        """Whether it passes now."""
        return self.after is Verdict.PASSED


def flips(before: Run, after: Run) -> tuple[Flip, ...]:
    """Return every verdict that changed, of cases first, then of their checks and turns.

    Results are compared by place: both runs are scorings of the same results. Checks that only one
    of them has are left out.
    """
    found: list[Flip] = []
    for place, (old, new) in enumerate(zip(before.cases, after.cases, strict=False)):
        if old is not new:
            found += _of_case(place, old, new)
    return tuple(found)


def _of_case(place: int, old: CaseResult, new: CaseResult) -> Iterator[Flip]:
    label = label_of(new)
    if old.verdict is not new.verdict:
        notes = " ".join(new.notes)
        yield Flip(place, label, "", "", None, old.verdict, new.verdict, reason=notes)
    known = {score.evaluator: score for score in whole_scores(old)}
    yield from _of_scores(place, label, None, known, whole_scores(new))
    if not new.scores:
        return
    for index, (a, b) in enumerate(zip(old.invocations, new.invocations, strict=False)):
        known = {score.evaluator: score for score in a.scores if score.line is None}
        own = tuple(score for score in b.scores if score.line is None)
        yield from _of_scores(place, label, index, known, own)


def _of_scores(
    place: int, label: str, turn: int | None, known: dict[str, Score], scores: tuple[Score, ...]
) -> Iterator[Flip]:
    for score in scores:
        old = known.get(score.evaluator)
        if old is not None and old.verdict is not score.verdict:
            yield Flip(
                place=place,
                case=label,
                evaluator=score.evaluator,
                name=score.evaluator_name,
                turn=turn,
                before=old.verdict,
                after=score.verdict,
                value_before=old.native,
                value_after=score.native,
                reason=score.reason,
            )
