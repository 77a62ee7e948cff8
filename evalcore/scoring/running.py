"""Running one check on one case: the only place where an exception becomes an error verdict."""

from __future__ import annotations

import traceback
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Lock

from evalcore.errors import EvaldeskError
from evalcore.evaluators.base import (
    Evaluator,
    JudgedEvaluator,
    Need,
    NotApplicable,
    Outcome,
    Sample,
)
from evalcore.evaluators.uipath.base import CriteriaError
from evalcore.formats.adk.score_traps import hidden_turns, mark_cautions
from evalcore.jsontree import MISSING, JsonObject
from evalcore.results import InvocationResult, Score, Verdict
from evalcore.scoring.checks import Check

NOT_ASKED = "A judge decides this, and none was asked."
_NOT_HELD = "The run does not hold"
_NEEDED: dict[Need, tuple[str, Callable[[InvocationResult], bool]]] = {
    Need.OUTPUT: ("the reply", lambda turn: turn.actual_output is MISSING),
    Need.TOOL_CALLS: ("the tool calls", lambda turn: turn.actual_tool_calls is None),
    Need.NODE_VISITS: ("the visited nodes", lambda turn: turn.node_visits is None),
}
_OF_MARKS = (
    "With a pass mark of",
    "No score reaches a pass mark",
    "Fails by rounding alone",
    "It is below the",
    "Passes although",
    "The verdict is not what",
    "The turns average",
)
"""How the cautions begin that are true of one pass mark only."""
KEPT = 200_000
"""How many outcomes are kept for the next time."""


class Poisoned(Exception):
    """What a case expects of one check is unusable, which in UiPath fails the whole case."""


@dataclass(slots=True)
class Memory:
    """Outcomes of earlier scorings, by case and check; equal inputs are not computed twice.

    Safe to share between threads.
    """

    _kept: OrderedDict[tuple[str, str], tuple[Sample, Outcome]] = field(
        default_factory=OrderedDict, repr=False
    )
    _lock: Lock = field(default_factory=Lock, repr=False)

    def find(self, case: str, settings: str, sample: Sample) -> Outcome | None:
        """Return what came of the same check on an equal sample, None if it is not known."""
        with self._lock:
            known = self._kept.get((case, settings))
            if known is None:
                return None
            self._kept.move_to_end((case, settings))
        return known[1] if known[0] == sample else None

    def keep(self, case: str, settings: str, sample: Sample, outcome: Outcome) -> None:
        """Remember an outcome."""
        with self._lock:
            self._kept[case, settings] = (sample, outcome)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)


def evaluate(check: Check, sample: Sample) -> Outcome:
    """Return what a check says of a case.

    What the run did not record is not evaluated, and neither is a case that is none for the check.

    An error of the check is its outcome, with the reason; an unexpected exception keeps its
    traceback in the details. Raises Poisoned where UiPath fails the whole case.
    """
    evaluator = check.evaluator
    if evaluator is None:
        return not_evaluated(check, check.problem)
    lacking = "" if check.reports else _lacking(evaluator, sample)
    if lacking:
        return not_evaluated(check, f"{_NOT_HELD} {lacking}.")
    try:
        return evaluator.evaluate(sample)
    except CriteriaError as error:
        raise Poisoned(f"{check.label}: {error.message}") from error
    except NotApplicable as error:
        return not_evaluated(check, _told(error))
    except EvaldeskError as error:
        return failed(check, _told(error))
    except Exception as error:
        details: JsonObject = {
            "type": type(error).__name__,
            "traceback": "".join(traceback.format_exception(error)),
        }
        return failed(check, f"{type(error).__name__}: {error}", details)


def is_open(score: Score, checks: Sequence[Check]) -> bool:
    """Return whether a check was not run here, so that its system may well say something else.

    That a stored run has no score is no such case, nor that a case is none for the check.
    """
    if score.native is not None or score.verdict is not Verdict.NOT_EVALUATED:
        return False
    problems = {check.problem for check in checks if check.problem}
    return score.reason in (NOT_ASKED, *problems) or score.reason.startswith(_NOT_HELD)


def calls(check: Check, sample: Sample) -> int:
    """Return how often a judged check would ask about a case; 0 where it could not even start."""
    if not isinstance(check.evaluator, JudgedEvaluator) or _lacking(check.evaluator, sample):
        return 0
    try:
        return check.evaluator.calls(sample)
    except EvaldeskError:
        return 0


def failed(check: Check, reason: str, details: JsonObject | None = None) -> Outcome:
    """Return an error: it has no value, and so never counts as a zero."""
    score = _bare(check, reason, Verdict.ERROR)
    if details is not None:
        score = score.model_copy(update={"details": details})
    return Outcome(overall=score)


def not_evaluated(check: Check, reason: str) -> Outcome:
    """Return that nothing was evaluated."""
    return Outcome(overall=_bare(check, reason, Verdict.NOT_EVALUATED))


def rejudged(score: Score, mark: float | None, turns: Sequence[Score] = ()) -> Score:
    """Return a judged score with the verdict that another pass mark gives it.

    A score that is none, an error or not evaluated, keeps its verdict. ``turns`` are the scores of
    the turns, by the new mark, of the case whose score this is.
    """
    if mark is None or score.native is None or score.informational or score.threshold is None:
        return score
    if score.threshold == mark or score.verdict in (Verdict.ERROR, Verdict.NOT_EVALUATED):
        return score
    verdict = Verdict.PASSED if score.native >= mark else Verdict.FAILED
    found = score.model_copy(update={"threshold": mark, "verdict": verdict})
    said = [text for text in score.cautions if not text.startswith(_OF_MARKS)]
    hidden = [text for text in hidden_turns(found, turns) if text.startswith(_OF_MARKS)]
    return found.model_copy(update={"cautions": (*said, *mark_cautions(found), *hidden)})


def rejudged_outcome(outcome: Outcome, mark: float | None) -> Outcome:
    """Return all scores of a judged check with the verdicts that another pass mark gives them."""
    turns = tuple(rejudged(score, mark) for score in outcome.turns)
    several = turns if len(turns) > 1 else ()
    overall = rejudged(outcome.overall, mark, several)
    return Outcome(overall=overall, turns=turns, lines=outcome.lines)


def _bare(check: Check, reason: str, verdict: Verdict) -> Score:
    scale = check.evaluator.scale if check.evaluator else None
    return Score(
        evaluator=check.ref,
        scale=scale,
        verdict=None if check.reports else verdict,
        threshold=check.mark,
        reason=reason,
        informational=check.reports,
    )


def _told(error: EvaldeskError) -> str:
    message = error.message if error.message.endswith((".", "!", "?")) else f"{error.message}."
    return f"{message} {error.hint}" if error.hint else message


def _lacking(evaluator: Evaluator, sample: Sample) -> str:
    """Return what a check needs and a turn does not hold, "" if nothing.

    A turn with a trace is recorded as its own system records it: what is not there did not happen.
    """
    turns = [turn.actual for turn in sample.turns if turn.actual.origin]
    found = [
        words
        for need, (words, is_lacking) in _NEEDED.items()
        if need in evaluator.needs
        and any(turn.trace is MISSING and is_lacking(turn) for turn in turns)
    ]
    return " and ".join(found)
