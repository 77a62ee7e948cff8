"""What scores come to in ADK and in Harnest: cases, sets, and the exit code.

A score here may be an ``error`` where ADK says NOT_EVALUATED and leaves the reason in its log: an
exception in a check, a judge that did not answer. ``adk_status`` gives ADK's word; the rules below
treat both alike, as ADK does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import mean
from typing import NamedTuple

from evalcore.results import CaseResult, Score, Verdict

_STATUSES = {
    Verdict.PASSED: "PASSED",
    Verdict.FAILED: "FAILED",
    Verdict.ERROR: "NOT_EVALUATED",
    Verdict.NOT_EVALUATED: "NOT_EVALUATED",
}


class Exit(NamedTuple):
    """How ``harnest test --evals`` ends: 0 or 1, and what it complains of."""

    code: int
    failures: tuple[str, ...]


def adk_status(score: Score) -> str:
    """Return the name of the status that ADK writes for a score."""
    if score.informational:
        return "INFORMATIONAL"
    return "NOT_EVALUATED" if score.verdict is None else _STATUSES[score.verdict]


def case_verdict(scores: Iterable[Score]) -> Verdict:
    """Return the verdict that ADK gives a case for the scores of its checks.

    One failure fails it, else one pass passes it: checks that were not evaluated do not count, so
    ``unscored`` belongs beside a pass.
    """
    statuses = {adk_status(score) for score in scores}
    if "FAILED" in statuses:
        return Verdict.FAILED
    return Verdict.PASSED if "PASSED" in statuses else Verdict.NOT_EVALUATED


def unscored(scores: Iterable[Score]) -> tuple[str, ...]:
    """Return the checks that should have passed or failed and did neither."""
    return tuple(score.evaluator for score in scores if adk_status(score) == "NOT_EVALUATED")


def harnest_set_verdict(cases: Iterable[Verdict]) -> Verdict:
    """Return the status that Harnest writes for a set: passed only if every case is."""
    found = set(cases)
    if Verdict.FAILED in found:
        return Verdict.FAILED
    return Verdict.PASSED if found == {Verdict.PASSED} else Verdict.NOT_EVALUATED


def harnest_exit_verdict(cases: Sequence[CaseResult]) -> Exit:
    """Return how a run ends on the command line, which may differ from what its file says.

    Each check of each case is judged anew by the mean of its turns' scores, whatever its own
    overall score; without any it fails. A crash fails. Nothing at all to judge is a success.
    """
    failures = tuple(line for case in cases for line in _failures(case))
    return Exit(1 if failures else 0, failures)


def _failures(case: CaseResult) -> Iterable[str]:
    name = case.case_id or case.origin
    by_check = {} if case.error is not None else _by_check(case)
    if not by_check:
        if case.verdict in (Verdict.FAILED, Verdict.ERROR):
            yield f"{name}: failed without any score: the run crashed"
        return
    for check, scores in by_check.items():
        known = [score.native for score in scores if score.native is not None]
        mark = scores[0].threshold
        if not known:
            yield f"{name}: {check} was not evaluated"
        elif mark is not None and mean(known) < mark:
            yield f"{name}: {check} is {mean(known):.6g}, expected {mark:g}"


def _by_check(case: CaseResult) -> dict[str, list[Score]]:
    """Return the turns' scores of each check, that of the case for one that has none of turns."""
    found: dict[str, list[Score]] = {}
    for score in (score for turn in case.invocations for score in turn.scores):
        if not score.informational:
            found.setdefault(score.evaluator, []).append(score)
    for score in case.scores if case.invocations else ():
        if not score.informational:
            found.setdefault(score.evaluator, [score])
    return found
