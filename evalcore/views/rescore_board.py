"""The scorings of one run that a user looks at: as the files have it, and as the plan has it.

What a plan leaves as it was is not scored again, and a pass mark that moves scores only the cases
whose numbers lie in between.
"""

from __future__ import annotations

import json
from collections import Counter, OrderedDict
from collections.abc import Sequence, Set
from dataclasses import dataclass, field
from threading import Lock
from typing import Final

from evalcore.evaluators.base import Sample
from evalcore.model import EvalSet
from evalcore.results import CaseResult, Run, Score, Verdict
from evalcore.scoring import (
    Check,
    Comparison,
    Memory,
    Scoring,
    System,
    compare_totals,
    compare_with_stored,
    score,
    system_of,
    whole_scores,
)
from evalcore.scoring.engine import Progress, asked, blocked, sample_of
from evalcore.scoring.joining import Joined, join, match_cases
from evalcore.views.rescore import Material, Plan, checks_for_plan, scoring_of
from evalcore.views.rescore_answers import Answers

FILED: Final = "filed"
KEPT: Final = 8
EDGE: Final = 1e-6
FEW: Final = 0.5
"""Up to this share of the cases are scored one by one; beyond it all at once is faster."""
GIVEN: Final = (0.0, 0.5, 1.0)
"""What 10xGraph gives where there is nothing to compare; such scores also change at these marks."""
Marks = dict[str, tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Scored:
    """One scoring: the checks of a plan, how they were scored, and the run that came of it.

    ``counts`` says by check how many cases came to which verdict.
    """

    checks: tuple[Check, ...]
    scoring: Scoring
    eval_set: EvalSet | None
    run: Run
    counts: dict[str, Counter[Verdict]] = field(default_factory=dict)

    def check(self, ref: str) -> Check | None:
        """Return a check by its ref, None if it was not run."""
        return next((check for check in self.checks if check.ref == ref), None)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a plan comes to beside what the files say, which is without the user's changes."""

    before: Scored
    after: Scored


class Board:
    """Scores one run for one user. Safe to use from several threads: none waits for another."""

    def __init__(self, material: Material) -> None:
        self.material = material
        self.answers = Answers(material)
        self._memory = Memory()
        self._kept: OrderedDict[str, Scored] = OrderedDict()
        self._left: tuple[str, int] = ("", 0)
        self._stored: tuple[Comparison, ...] | None = None
        self._draft: tuple[EvalSet | None, int] = (None, 0)
        self._places: tuple[EvalSet | None, list[int | None]] = (None, [])
        self._lock = Lock()

    @property
    def memory(self) -> Memory:
        """Return what is remembered of scores, so that nothing is computed twice."""
        return self._memory

    def outcome(
        self, plan: Plan, draft: EvalSet | None = None, progress: Progress | None = None
    ) -> Outcome:
        """Return what a plan comes to; ``draft`` is the set as its author has edited it.

        ``progress`` is told how many cases are scored, of how many, once for each scoring that is
        not known yet; an exception that it raises ends the work, and what is known stays.
        Raises EvaldeskError where a parameter of the plan is not usable.
        """
        before = self.before(progress)
        if plan.is_empty and draft is None and not self.answers.version:
            return Outcome(before, before)
        return Outcome(before, self._after(before, plan, draft, progress))

    def before(self, progress: Progress | None = None) -> Scored:
        """Return the run scored as the files have it, with what judges said when it ran."""
        with self._lock:
            known = self._kept.get(FILED)
        if known is not None:
            return known
        checks = checks_for_plan(self.material, Plan())
        how = scoring_of(self.material, Plan())
        eval_set = self.material.eval_set
        run = score(self.material.run, eval_set, checks, how, self._memory, progress)
        return self._keep(FILED, Scored(checks, how, eval_set, run, _counts(run)))

    def differences(self) -> tuple[Comparison, ...]:
        """Return where the stored scores and verdicts are not those that the files give."""
        if self._stored is None:
            before = self.before()
            refs = {check.ref for check in before.checks} | {""}
            compared = compare_with_stored(self.material.run, before.run)
            totals = compare_totals(self.material.run, before.run)
            differing = (c for c in compared if c.kind == "differs" and c.evaluator in refs)
            self._stored = (*differing, *(c for c in totals if c.kind == "differs"))
        return self._stored

    def one(self, scored: Scored, place: int) -> CaseResult:
        """Return one case of a scoring with every detail as its pass marks have it."""
        if place >= len(self.material.run.cases):
            return scored.run.cases[place]
        run, eval_set = self._only(place, scored.eval_set)
        return score(run, eval_set, scored.checks, scored.scoring, self._memory).cases[0]

    def joined(self, scored: Scored, place: int) -> Joined | None:
        """Return a result with what is expected of it, None for a case that was not run."""
        if place >= len(self.material.run.cases):
            return None
        run, eval_set = self._only(place, scored.eval_set)
        return join(run, eval_set, self._system, scored.scoring.expectations)[0]

    def sample(self, scored: Scored, place: int, check: Check) -> Sample | None:
        """Return what a check gets of a case, None where it is not run on it."""
        joined = self.joined(scored, place)
        if joined is None or blocked(self._system, joined):
            return None
        found = asked(self._system, (check,), joined)
        return sample_of(check, joined, found[0][1]) if found else None

    def calls_left(self, scored: Scored) -> int:
        """Return how many questions judges would be asked that they have not answered yet."""
        judged = [check for check in scored.checks if check.is_judged]
        if not judged:
            return 0
        key, known = self._key(judged, None, scored.eval_set), self._left
        if known[0] != key:
            self._left = known = key, self.answers.left(judged, scored.eval_set)
        return known[1]

    def take_answers(self, of: Run, scored: Scored) -> int:
        """Take over what judges said in a scoring that asked them; return how many failed."""
        failed = self.answers.take(of, scored.checks, scored.eval_set, self._memory)
        with self._lock:
            for key in [key for key in self._kept if key != FILED]:
                del self._kept[key]
        return failed

    @property
    def _system(self) -> System:
        return system_of(self.material.project.eval_set.format_id)

    def _after(
        self, before: Scored, plan: Plan, draft: EvalSet | None, progress: Progress | None
    ) -> Scored:
        checks = checks_for_plan(self.material, plan)
        how = scoring_of(self.material, plan)
        eval_set = self.material.eval_set if draft is None else draft
        key = self._key(checks, how, eval_set)
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
            near = next(reversed(self._kept.values()))
        run = None
        if near is not before or not self.answers.version:
            run = self._moved(near, checks, how, eval_set, progress)
        if run is None:
            run = score(self.material.run, eval_set, checks, how, self._memory, progress)
        return self._keep(key, Scored(checks, how, eval_set, run, _counts(run)))

    def _keep(self, key: str, scored: Scored) -> Scored:
        """Keep a scoring; where another thread was faster, its own is the one that counts."""
        with self._lock:
            scored = self._kept.setdefault(key, scored)
            while len(self._kept) > KEPT:
                del self._kept[next(name for name in self._kept if name != FILED)]
        return scored

    def _moved(
        self,
        near: Scored,
        checks: tuple[Check, ...],
        how: Scoring,
        eval_set: EvalSet | None,
        progress: Progress | None,
    ) -> Run | None:
        """Return a scoring that differs from another in pass marks, None where more differs."""
        if near.eval_set is not eval_set or not _is_same_but_marks(near.checks, checks):
            return None
        marks = _moved_marks(near, checks, how)
        crossed = {
            ref
            for ref, (low, high) in marks.items()
            if self.material.project.eval_set.format_id == "tenxgraph"
            and any(low <= given <= high for given in GIVEN)
        }
        results = len(self.material.run.cases)
        touched = [
            place
            for place, case in enumerate(near.run.cases[:results])
            if _is_touched(case, marks, crossed)
        ]
        if len(touched) > FEW * results:
            return None
        cases = list(near.run.cases)
        for done, place in enumerate(touched, 1):
            run, only = self._only(place, eval_set)
            cases[place] = score(run, only, checks, how, self._memory).cases[0]
            if progress is not None:
                progress(done, len(touched))
        return near.run.model_copy(update={"cases": tuple(cases)})

    def _only(self, place: int, eval_set: EvalSet | None) -> tuple[Run, EvalSet | None]:
        """Return a run of one result and a set of its one case."""
        run = self.material.run.model_copy(update={"cases": (self.material.run.cases[place],)})
        if eval_set is None:
            return run, None
        of, places = self._places
        if of is not eval_set:
            places = match_cases(self.material.run, eval_set)
            self._places = eval_set, places
        at = places[place]
        cases = () if at is None else (eval_set.cases[at],)
        return run, eval_set.model_copy(update={"cases": cases})

    def _key(self, checks: Sequence[Check], how: Scoring | None, eval_set: EvalSet | None) -> str:
        """Return a text that two scorings share only if they come to the same."""
        number = 0
        if eval_set is not self.material.eval_set:
            with self._lock:
                if eval_set is not self._draft[0]:
                    self._draft = eval_set, self._draft[1] + 1
                number = self._draft[1]
        settings = [c.settings_but_mark if how is None else c.settings for c in checks]
        marks = None if how is None else (how.pass_mark, sorted(how.pass_marks.items()))
        own = [[c.ref, dict(c.by_case)] for c in checks if c.by_case]
        return json.dumps([number, self.answers.version, settings, marks, own])


def _counts(run: Run) -> dict[str, Counter[Verdict]]:
    counts: dict[str, Counter[Verdict]] = {}
    for case in run.cases:
        for found in whole_scores(case):
            if found.verdict is not None and not found.informational:
                counts.setdefault(found.evaluator, Counter())[found.verdict] += 1
    return counts


def _is_same_but_marks(old: Sequence[Check], new: Sequence[Check]) -> bool:
    return len(old) == len(new) and all(
        a.ref == b.ref and a.settings_but_mark == b.settings_but_mark and a.by_case == b.by_case
        for a, b in zip(old, new, strict=True)
    )


def _moved_marks(near: Scored, checks: Sequence[Check], how: Scoring) -> Marks:
    """Return, by check, the native numbers between which a pass mark has moved."""
    marks: Marks = {}
    for old, new in zip(near.checks, checks, strict=True):
        before, after = _mark(old, near.scoring), _mark(new, how)
        if before is not None and after is not None and before != after:
            low, high = sorted((before, after))
            marks[new.ref] = low - EDGE, high + EDGE
    return marks


def _mark(check: Check, how: Scoring) -> float | None:
    """Return a check's own pass mark, else the user's on the check's scale."""
    if check.mark is not None:
        return check.mark
    mark = how.pass_marks.get(check.ref, how.pass_mark)
    if mark is None or check.evaluator is None:
        return mark
    scale = check.evaluator.scale
    return scale.worst + mark * (scale.best - scale.worst)


def _is_touched(case: CaseResult, marks: Marks, crossed: Set[str]) -> bool:
    return any(
        _lies_between(score, marks) or (score.evaluator in crossed and score.native in GIVEN)
        for scores in (case.scores, *(turn.scores for turn in case.invocations))
        for score in scores
    )


def _lies_between(score: Score, marks: Marks) -> bool:
    pair = marks.get(score.evaluator)
    return pair is not None and score.native is not None and pair[0] <= score.native <= pair[1]
