"""What changed between two scorings, as lines of a table and as one sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from uuid import UUID

from evalcore import verdicts
from evalcore.results import CaseResult, Run, Score, Verdict
from evalcore.scoring import Flip, flips, label_of, whole_scores
from evalcore.views import numbers
from evalcore.views.rescore_board import Outcome
from evalcore.views.words import plural


@dataclass(frozen=True, slots=True)
class Line:
    """One check of one case result before and after; ``evaluator`` is "" for the case itself.

    ``turn`` counts from 0, None for the whole case. ``stored`` is the file's own verdict of the
    case. ``why`` and ``cautions`` are those of the later score.
    """

    place: int
    title: str
    evaluator: str
    label: str
    turn: int | None
    before: Score | None
    after: Score | None
    verdict_before: Verdict | None
    verdict_after: Verdict | None
    case_before: Verdict | None
    case_after: Verdict | None
    why: str = ""
    cautions: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """A name that no other line of the same table has."""
        return f"{self.place}:{-1 if self.turn is None else self.turn}:{self.evaluator}"

    @property
    def is_flip(self) -> bool:
        """Whether the verdict is another one than before."""
        return self.verdict_before is not self.verdict_after


@dataclass(frozen=True, slots=True)
class Totals:
    """How many case results passed and pass, of how many, and how many verdicts changed.

    ``flipped`` counts cases, ``better`` and ``worse`` those that pass now and that no longer do.
    ``counts`` are the later verdicts, without cases that have none.
    """

    passed_before: int
    passed_after: int
    total: int
    flipped: int
    better: int
    worse: int
    counts: Counter[Verdict] = field(default_factory=Counter)

    @property
    def rate(self) -> str:
        """Return the pass rate in words: of those that passed or failed, and how many did not."""
        passed = self.counts[Verdict.PASSED]
        judged = passed + self.counts[Verdict.FAILED]
        others = (Verdict.ERROR, Verdict.NOT_EVALUATED)
        rest = ", ".join(verdicts.counted(v, self.counts[v]) for v in others if self.counts[v])
        if not judged:
            return f"No case passed or failed: {rest}." if rest else "There is no case."
        told = f"Pass rate {numbers.percent(passed, judged)} ({passed:,} of {judged:,})"
        return f"{told}; not in the rate: {rest}." if rest else f"{told}."

    def text(self, lines: int) -> str:
        """Return it as a sentence, ``12 → 15 passed of 20; 3 flips``; ``lines`` flip below."""
        if self.flipped:
            passed = f"{self.passed_before:,} → {self.passed_after:,} passed of {self.total:,}"
            return f"{passed}; {plural(self.flipped, 'flip')}"
        told = f"no case flips, {plural(lines, 'score')} do" if lines else "no flips"
        if lines == 1:
            told = "no case flips, 1 score does"
        return f"{self.passed_after:,} passed of {self.total:,}; {told}"


def title_of(case: CaseResult) -> str:
    """Return what people call a result: its id, or its name where the id is a bare GUID."""
    if case.name and case.case_id and is_guid(case.case_id):
        return label_of(case.model_copy(update={"case_id": None}))
    return label_of(case)


def is_guid(text: str) -> bool:
    """Return whether a text is a bare GUID, which tells people nothing."""
    try:
        return len(text) == len(str(UUID(text)))
    except ValueError:
        return False


def totals(outcome: Outcome) -> Totals:
    """Return what the change of plan comes to over all cases."""
    pairs = [
        (old.verdict, new.verdict)
        for old, new in zip(outcome.before.run.cases, outcome.after.run.cases, strict=False)
    ]
    passed = Verdict.PASSED
    return Totals(
        passed_before=sum(c.verdict is passed for c in outcome.before.run.cases),
        passed_after=sum(c.verdict is passed for c in outcome.after.run.cases),
        total=len(outcome.after.run.cases),
        flipped=sum(old is not new for old, new in pairs),
        better=sum(new is passed and old is not passed for old, new in pairs),
        worse=sum(old is passed and new is not passed for old, new in pairs),
        counts=Counter(c.verdict for c in outcome.after.run.cases if c.verdict is not None),
    )


def flip_lines(outcome: Outcome) -> list[Line]:
    """Return a line for every check whose verdict changed, those that pass no longer first.

    A case has a line of its own only where none of its checks explains it, a turn only where its
    case has no line of that check.
    """
    found = flips(outcome.before.run, outcome.after.run)
    told = {(f.place, f.evaluator) for f in found if f.evaluator and f.turn is None}
    places = {f.place for f in found if f.evaluator}
    kept = [
        f
        for f in found
        if (f.turn is None or (f.place, f.evaluator) not in told)
        and (f.evaluator or f.place not in places)
    ]
    lines = [_of_flip(flip, outcome) for flip in kept]
    return sorted(lines, key=lambda line: (line.verdict_after is Verdict.PASSED, line.place))


ORDER = (Verdict.FAILED, Verdict.ERROR, Verdict.NOT_EVALUATED, Verdict.PASSED, None)
"""Failures come first: other settings can turn them, which they cannot with a crash."""


def all_lines(outcome: Outcome) -> list[tuple[int, str]]:
    """Return place and check of every score of a whole case.

    Failed cases come first, and within a case what failed. ``line_of`` makes the lines of those
    that are shown.
    """
    ranks = {verdict: rank for rank, verdict in enumerate(ORDER)}
    after = outcome.after.run.cases
    order = sorted(range(len(after)), key=lambda place: ranks[after[place].verdict])
    return [
        (place, score.evaluator)
        for place in order
        for score in sorted(whole_scores(after[place]), key=lambda score: ranks[score.verdict])
        if not score.informational
    ]


def line_of(outcome: Outcome, place: int, evaluator: str) -> Line:
    """Return the line of one check of one case."""
    return _line(outcome, place, evaluator, None)


def _of_flip(flip: Flip, outcome: Outcome) -> Line:
    return _line(outcome, flip.place, flip.evaluator, flip.turn)


def _line(outcome: Outcome, place: int, evaluator: str, turn: int | None) -> Line:
    old, new = _case(outcome.before.run, place), outcome.after.run.cases[place]
    before, after = _score(old, evaluator, turn), _score(new, evaluator, turn)
    shown = after or before
    is_case = not evaluator
    label = shown.evaluator_name or evaluator if shown else "the case as a whole"
    return Line(
        place=place,
        title=title_of(new),
        evaluator=evaluator,
        label=label if turn is None else f"{label}, turn {turn + 1}",
        turn=turn,
        before=before,
        after=after,
        verdict_before=(old.verdict if old else None) if is_case else _verdict(before),
        verdict_after=new.verdict if is_case else _verdict(after),
        case_before=old.verdict if old else None,
        case_after=new.verdict,
        why=" ".join(new.notes) if is_case else (after.reason if after else ""),
        cautions=after.cautions if after else (),
    )


def _case(run: Run, place: int) -> CaseResult | None:
    return run.cases[place] if place < len(run.cases) else None


def _score(case: CaseResult | None, evaluator: str, turn: int | None) -> Score | None:
    if case is None or not evaluator:
        return None
    scores: Sequence[Score] = ()
    if turn is None:
        scores = whole_scores(case)
    elif turn < len(case.invocations):
        scores = case.invocations[turn].scores
    return next((s for s in scores if s.evaluator == evaluator and s.line is None), None)


def _verdict(score: Score | None) -> Verdict | None:
    return score.verdict if score else None
