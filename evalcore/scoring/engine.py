"""Scoring a run: every check on every case, and what the case comes to by its system's rule."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import NamedTuple

from evalcore.evaluators.base import Outcome, Sample
from evalcore.evaluators.uipath.totals import label_numbers, row_of
from evalcore.jsontree import MISSING
from evalcore.judges import CallCount
from evalcore.model import EvalSet, MaybeJson
from evalcore.results import CaseResult, Run, Score, Verdict
from evalcore.scoring import running
from evalcore.scoring.checks import Check
from evalcore.scoring.joining import Expectations, Joined, join
from evalcore.scoring.running import Memory, Poisoned
from evalcore.scoring.systems import NOT_ASKED, CaseOutcome, NotAsked, System, system_of
from evalcore.scoring.verdicts import case_outcome, marked

Progress = Callable[[int, int], None]
STORED = "Not computed here: this is the score stored with the run."


@dataclass(frozen=True, slots=True)
class Scoring:
    """How a run is scored.

    ``pass_mark`` and ``pass_marks`` (by check) are on 0–1, and decide only for systems without a
    pass rule. ``ask`` lets judged checks ask their judge; else their scores are those stored with
    the run, held against the pass mark of today. ``concurrency`` is how many cases are judged at
    once.
    """

    pass_mark: float | None = None
    pass_marks: Mapping[str, float] = field(default_factory=dict)
    ask: bool = False
    expectations: Expectations = "set"
    concurrency: int = 8


def score(
    run: Run,
    eval_set: EvalSet | None,
    checks: Sequence[Check],
    scoring: Scoring | None = None,
    memory: Memory | None = None,
    progress: Progress | None = None,
) -> Run:
    """Return a run with scores computed here, and its verdicts by its system's rule.

    The results are those of ``run`` in its order, then one for each case of the set that it left
    out. The file's own word stays in ``stored_status``. ``progress`` is told how many cases are
    done, of how many, from the thread that called; an exception that it raises ends the scoring.
    """
    scoring = scoring or Scoring()
    format_id = eval_set.format_id if eval_set is not None else run.format_id
    system = system_of(format_id)
    cases = join(run, eval_set, system, scoring.expectations)
    keys = {check.ref: _Key(check.settings, check.settings_but_mark) for check in checks}
    scorer = _Scorer(system, tuple(checks), keys, scoring, memory or Memory())
    scored = []
    for done, case in enumerate(scorer.all(cases), 1):
        scored.append(case)
        if progress is not None:
            progress(done, len(cases))
    return run.model_copy(
        update={
            "format_id": format_id,
            "cases": tuple(scored),
            "dataset_scores": _dataset_scores(system, checks, scored),
            "has_pass_rule": system.has_pass_rule,
            **_set_names(run, eval_set),
        }
    )


def count_judge_calls(
    run: Run,
    eval_set: EvalSet | None,
    checks: Sequence[Check],
    expectations: Expectations = "set",
) -> CallCount:
    """Return how often judges would be asked, before any answer comes from the cache.

    A check that cannot say so for a case asks nothing about it: it would end in an error.
    """
    system = system_of(eval_set.format_id if eval_set is not None else run.format_id)
    counts: dict[str, int] = {}
    for joined in join(run, eval_set, system, expectations):
        if blocked(system, joined):
            continue
        for check, criterion in asked(system, checks, joined):
            if check.is_judged:
                asks = running.calls(check, sample_of(check, joined, criterion))
                counts[check.ref] = counts.get(check.ref, 0) + asks
    return CallCount(sum(counts.values()), counts)


def asked(system: System, checks: Iterable[Check], joined: Joined) -> list[tuple[Check, MaybeJson]]:
    """Return the checks that run on a case, each with what the case expects of it."""
    found: list[tuple[Check, MaybeJson]] = []
    criterion: MaybeJson | NotAsked
    for check in checks:
        if check.is_own:
            stated = check.by_case.get(joined.case.id or "", MISSING)
            criterion = NOT_ASKED if stated is None else stated
        else:
            criterion = system.criterion(check.ref, check.label, joined.case)
        if not isinstance(criterion, NotAsked):
            found.append((check, criterion))
    return found


def sample_of(check: Check, joined: Joined, criterion: MaybeJson) -> Sample:
    """Return what a check gets of a case; ours get the recorded turns only."""
    return joined.sample(criterion, real_turns=check.is_own)


def blocked(system: System, joined: Joined) -> str:
    """Return why a result cannot be scored at all, "" if it can."""
    return (
        "The case was not run."
        if joined.is_missing
        else system.unfinished(joined.result) or system.crashed(joined.result)
    )


class _Key(NamedTuple):
    """What decides the scores of a check, with and without its pass mark."""

    whole: str
    but_mark: str


@dataclass(frozen=True, slots=True)
class _Scorer:
    system: System
    checks: tuple[Check, ...]
    keys: Mapping[str, _Key]
    scoring: Scoring
    memory: Memory

    def all(self, cases: Sequence[Joined]) -> Iterator[CaseResult]:
        """Yield the scored cases in order, several at a time where judges are asked."""
        judged = self.scoring.ask and any(check.is_judged for check in self.checks)
        if not judged or self.scoring.concurrency < 2 or len(cases) < 2:
            yield from map(self.case, cases)
            return
        with ThreadPoolExecutor(self.scoring.concurrency) as pool:
            waiting = [pool.submit(self.case, case) for case in cases]
            try:
                for future in waiting:
                    yield future.result()
            finally:
                for future in waiting:
                    future.cancel()

    def case(self, joined: Joined) -> CaseResult:
        """Return a case with new scores and its verdict."""
        crash = self.system.crashed(joined.result)
        outcomes = self.outcomes(joined)
        whole: dict[bool, list[Score]] = {True: [], False: []}
        for check, outcome in outcomes:
            whole[check.is_own].append(self.marked(outcome.overall))
        found = case_outcome(self.system, whole[False], whole[True], crash)
        if joined.is_missing or self.system.unfinished(joined.result):
            found = CaseOutcome(Verdict.NOT_EVALUATED)
        kept = tuple(note for note in joined.result.notes if joined.is_missing)
        update = {
            "verdict": found.verdict,
            "error": crash or None,
            "notes": (*kept, *joined.notes, *self.system.doubts(joined.result), *found.notes),
            **self.arranged(joined, outcomes),
        }
        return joined.result.model_copy(update=update)

    def outcomes(self, joined: Joined) -> list[tuple[Check, Outcome]]:
        """Return what each check says; one that is poisoned makes all of them errors."""
        found: list[tuple[Check, Outcome]] = []
        checks = asked(self.system, self.checks, joined)
        unscored = blocked(self.system, joined)
        if self.system.crashed(joined.result):
            hit = self.checks if self.system.errors_hit_all else [check for check, _ in checks]
            return [
                (c, _named(c, running.failed(c, unscored), joined)) for c in hit if not c.reports
            ]
        if unscored:
            waiting = [check for check, _ in checks if not check.reports]
            return [
                (check, _named(check, running.not_evaluated(check, unscored), joined))
                for check in waiting
            ]
        try:
            for check, criterion in checks:
                found.append((check, self.outcome(check, joined, criterion)))
        except Poisoned as error:
            told = f"UiPath fails the whole case: {error}"
            return [(c, _named(c, running.failed(c, told), joined)) for c in self.checks]
        return found

    def outcome(self, check: Check, joined: Joined, criterion: MaybeJson) -> Outcome:
        """Return what a check says of a case, from memory where it said so before."""
        sample = sample_of(check, joined, criterion)
        if check.evaluator is None or (check.is_judged and not self.scoring.ask):
            known = self.memory.find(joined.result.origin, self.keys[check.ref].but_mark, sample)
            known = known or _named(check, _stored(self.system, check, joined.result), joined)
            return running.rejudged_outcome(known, check.mark)
        key = self.keys[check.ref]
        settings = key.but_mark if check.is_judged else key.whole
        known = self.memory.find(joined.result.origin, settings, sample)
        if known is None:
            known = _named(check, running.evaluate(check, sample), joined)
            if not (check.is_judged and known.overall.verdict is Verdict.ERROR):
                self.memory.keep(joined.result.origin, settings, sample, known)
        return running.rejudged_outcome(known, check.mark) if check.is_judged else known

    def arranged(
        self, joined: Joined, outcomes: Sequence[tuple[Check, Outcome]]
    ) -> dict[str, object]:
        """Return the scores where result files of this system have them."""
        turns = list(joined.result.invocations)
        of_turn: list[list[Score]] = [[] for _ in turns]
        of_case: list[Score] = []
        at_turn = self.system.home == "turn" and bool(turns)
        for _, outcome in outcomes:
            whole = of_turn[-1] if at_turn else of_case
            whole += [self.marked(score) for score in (outcome.overall, *outcome.lines)]
            if not at_turn and len(outcome.turns) == len(turns):
                for place, score in zip(of_turn, outcome.turns, strict=True):
                    place.append(self.marked(score))
        rescored = tuple(
            turn.model_copy(update={"scores": tuple(scores)})
            for turn, scores in zip(turns, of_turn, strict=True)
        )
        return {"invocations": rescored, "scores": tuple(of_case)}

    def marked(self, score: Score) -> Score:
        """Return a score with the verdict of the user's mark where it needs one."""
        return marked(score, self.system, self.scoring.pass_mark, self.scoring.pass_marks)


def _named(check: Check, outcome: Outcome, joined: Joined) -> Outcome:
    """Return scores under the names by which result files have them."""
    names = {
        "evaluator": check.ref,
        "evaluator_name": check.label,
        "origin": joined.result.origin,
    }
    return Outcome(
        overall=outcome.overall.model_copy(update=names),
        turns=tuple(score.model_copy(update=names) for score in outcome.turns),
        lines=tuple(score.model_copy(update=names) for score in outcome.lines),
    )


def _stored(system: System, check: Check, result: CaseResult) -> Outcome:
    """Return the scores that a run stored for a check, not evaluated where it has none."""
    whole = [score for score in result.scores if score.evaluator == check.ref]
    turns = [
        score
        for turn in result.invocations
        for score in turn.scores
        if score.evaluator == check.ref
    ]
    lines = tuple(score for score in turns if score.line is not None)
    if not whole:
        whole = [score for score in turns if score.line is None]
        turns = []
    if not whole:
        return running.not_evaluated(check, check.problem or running.NOT_ASKED)
    overall, *rest = (_kept(system.kept(score)) for score in (whole[0], *turns))
    return Outcome(overall=overall, turns=tuple(rest), lines=lines)


def _kept(score: Score) -> Score:
    return score.model_copy(update={"cautions": (*score.cautions, STORED)})


def _dataset_scores(
    system: System, checks: Sequence[Check], cases: Iterable[CaseResult]
) -> tuple[Score, ...]:
    """Return the numbers over the whole run that UiPath's exact matches are configured to give."""
    if system.home != "turn":
        return ()
    names = {c.ref: c.evaluator.name for c in checks if c.evaluator and not c.is_own}
    rows = [
        row_of(
            case.name or case.case_id or case.origin,
            score.model_copy(update={"evaluator": names[score.evaluator]}),
        )
        for case in cases
        for turn in case.invocations
        for score in turn.scores
        if score.evaluator in names
    ]
    found = label_numbers(rows, [c.evaluator for c in checks if c.evaluator and not c.is_own])
    return tuple(found.values())


def _set_names(run: Run, eval_set: EvalSet | None) -> dict[str, str | None]:
    if eval_set is None:
        return {}
    return {
        "eval_set_id": run.eval_set_id or eval_set.id,
        "eval_set_name": run.eval_set_name or eval_set.name,
    }
