"""What scores come to: of a case, and of a run, by its system's rule and by the user's marks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from evalcore.evaluators.adk import verdicts as adk_verdicts
from evalcore.evaluators.base import Evaluator
from evalcore.evaluators.tenxgraph import totals as tenxgraph_totals
from evalcore.evaluators.uipath import totals as uipath_totals
from evalcore.results import CaseResult, Run, Score, Verdict
from evalcore.scoring.checks import Check
from evalcore.scoring.running import is_open
from evalcore.scoring.systems import CaseOutcome, Harnest, System, TenXGraph, UiPath, system_of

OF_SCORES = (Verdict.ERROR, Verdict.FAILED, Verdict.PASSED, Verdict.NOT_EVALUATED)
"""The first of these among the scores of a case decides: what is not evaluated spoils no pass."""
OF_CASES = (Verdict.ERROR, Verdict.FAILED, Verdict.NOT_EVALUATED, Verdict.PASSED)
"""The first of these among the cases of a run decides: a pass means that every case passed."""


class RunOutcome(NamedTuple):
    """What a run comes to.

    ``verdict`` is ours: passed if every case is, and there is one. ``theirs`` says in words what
    the system itself makes of these scores, with its exit code where it has one of its own.
    """

    verdict: Verdict
    theirs: tuple[str, ...] = ()
    exit_code: int | None = None


def case_outcome(
    system: System, scores: Sequence[Score], own: Sequence[Score], problem: str = ""
) -> CaseOutcome:
    """Return what a case comes to: by its system's rule, and then by checks of our own.

    A check of ours that fails or ends in an error fails a case that its system would pass, and
    says so. ``problem`` is why the case failed before it could be scored.
    """
    if problem:
        return CaseOutcome(Verdict.ERROR)
    found = system.verdict(scores)
    ours = _first(OF_SCORES, (score.verdict for score in own if not score.informational))
    if ours is None or ours is Verdict.NOT_EVALUATED:
        return found
    if not scores or found.verdict is Verdict.NOT_EVALUATED:
        return found._replace(verdict=ours)
    if ours is Verdict.PASSED or found.verdict in (ours, Verdict.ERROR):
        return found
    names = [score.evaluator_name for score in own if score.verdict is ours]
    note = f"{system.label} would not say so: {', '.join(names)} is a check of Evaldesk's own."
    return found._replace(verdict=ours, notes=(*found.notes, note))


def marked(
    score: Score, system: System, everywhere: float | None, by_name: Mapping[str, float]
) -> Score:
    """Return a score with the verdict of the user's mark, where its system gives none.

    Marks are on 0–1; the mark for this check wins over the one for all.
    """
    if system.has_pass_rule or score.verdict is not None or score.informational:
        return score
    names = (score.evaluator.casefold(), score.evaluator_name.casefold())
    mark = next((m for name, m in by_name.items() if name.casefold() in names), everywhere)
    if mark is None or score.value is None or score.scale is None:
        return score
    native = score.scale.worst + mark * (score.scale.best - score.scale.worst)
    verdict = Verdict.PASSED if score.value >= mark else Verdict.FAILED
    return score.model_copy(update={"verdict": verdict, "threshold": native})


def run_outcome(run: Run, checks: Sequence[Check] = ()) -> RunOutcome:
    """Return what a scored run comes to, ours and theirs.

    What the system itself says of a case is open where a check was not run here, as a judge that
    was not asked, and no other check settles it.
    """
    verdicts = [case.verdict for case in run.cases]
    worst = _first(OF_CASES, verdicts)
    ours = Verdict.NOT_EVALUATED if worst is None or None in verdicts else worst
    system = system_of(run.format_id)
    if isinstance(system, Harnest):
        return _of_harnest(run, ours, checks)
    if isinstance(system, TenXGraph):
        return _of_tenxgraph(run, ours, checks)
    if isinstance(system, UiPath):
        evaluators = [check.evaluator for check in checks if check.evaluator and not check.is_own]
        return _of_uipath(run, ours, evaluators, checks)
    return _of_adk(run, ours, checks)


def _of_adk(run: Run, ours: Verdict, checks: Sequence[Check]) -> RunOutcome:
    passed = sum(case.verdict is Verdict.PASSED for case in run.cases)
    failed = len(run.cases) - passed
    told = f"adk eval: {passed} passed, {failed} failed; what is not evaluated counts as failed."
    waiting = [
        case
        for case in run.cases
        if case.error is None
        and case.verdict is not Verdict.FAILED
        and any(is_open(score, checks) for score in case.scores)
    ]
    return RunOutcome(ours, (told, *_open(len(waiting))), None if waiting else int(failed > 0))


def _of_harnest(run: Run, ours: Verdict, checks: Sequence[Check]) -> RunOutcome:
    """Return both verdicts of Harnest: that of its result file, and that of its exit code."""
    statuses = (_harnest_status(case) for case in run.cases)
    written = adk_verdicts.harnest_set_verdict(statuses)
    known = [_without_open(case, checks) for case in run.cases]
    ended = adk_verdicts.harnest_exit_verdict(known)
    waiting = sum(found is not case for found, case in zip(known, run.cases, strict=True))
    theirs = [f"The result file says {written.value.replace('_', ' ')}."]
    theirs += [f"Counts as a failure: {line}." for line in ended.failures]
    theirs += _open(waiting)
    is_told = not waiting or ended.code != 0
    if is_told and (ended.code == 0) != (written is Verdict.PASSED):
        theirs.append(
            f"The command exits with {ended.code} all the same: it judges each check anew, by the "
            "mean of its turns."
        )
    return RunOutcome(ours, tuple(theirs), ended.code if is_told else None)


def _without_open(case: CaseResult, checks: Sequence[Check]) -> CaseResult:
    """Return a case without the scores that its system may have and this run has not."""
    known = tuple(score for score in case.scores if not is_open(score, checks))
    return case if len(known) == len(case.scores) else case.model_copy(update={"scores": known})


def _open(count: int) -> tuple[str, ...]:
    if not count:
        return ()
    verb = "case hangs" if count == 1 else "cases hang"
    return (f"{count} {verb} on checks that were not run here.",)


def _harnest_status(case: CaseResult) -> Verdict:
    """Return the status that a result file gives a case: it has no word for an error."""
    if case.verdict is Verdict.ERROR:
        return Verdict.FAILED
    return case.verdict or Verdict.NOT_EVALUATED


def _of_tenxgraph(run: Run, ours: Verdict, checks: Sequence[Check]) -> RunOutcome:
    crashed = [case for case in run.cases if case.error is not None]
    passed = sum(
        case.error is None and all(map(tenxgraph_totals.passes, case.scores)) for case in run.cases
    )
    total = len(run.cases)
    rate = passed / total if total else 0.0
    told = f"10xGraph: {passed} of {total} cases passed ({rate:.0%}), {len(crashed)} crashed."
    waiting = sum(case.error is None and _may_pass(case.scores, checks) for case in run.cases)
    return RunOutcome(ours, (told, *_open(waiting)))


def _may_pass(scores: Sequence[Score], checks: Sequence[Check]) -> bool:
    """Return whether a case of 10xGraph is open: no score fails, and some are not known."""
    known = [score for score in scores if not is_open(score, checks)]
    return len(known) < len(scores) and all(map(tenxgraph_totals.passes, known))


def _of_uipath(
    run: Run, ours: Verdict, evaluators: Sequence[Evaluator], checks: Sequence[Check]
) -> RunOutcome:
    names = {check.ref: check.evaluator.name for check in checks if check.evaluator}
    rows = [
        uipath_totals.row_of(
            case.name or case.case_id or case.origin,
            score.model_copy(update={"evaluator": names[score.evaluator]}),
        )
        for case in run.cases
        for turn in case.invocations
        for score in turn.scores
        if score.evaluator in names and names[score.evaluator] in {e.name for e in evaluators}
    ]
    if not rows:
        return RunOutcome(ours, ("UiPath: no scores.",), 0)
    found = uipath_totals.totals(rows, evaluators)
    told = (
        f"UiPath: {found.final:.6g} over all, errors counted as 0; it exits with 0 whatever it is."
    )
    return RunOutcome(ours, (told, *found.cautions), 0)


def _first(order: Sequence[Verdict], verdicts: Iterable[Verdict | None]) -> Verdict | None:
    found = {verdict for verdict in verdicts if verdict is not None}
    return next((verdict for verdict in order if verdict in found), None)
