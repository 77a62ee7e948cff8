"""What a score, a turn, a case and a run come to: by the file's rule or by the user's mark."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from evalcore.results import CaseResult, InvocationResult, Run, Score, Verdict

GLYPHS: Final = {
    Verdict.PASSED: "✓",
    Verdict.FAILED: "✗",
    Verdict.ERROR: "!",
    Verdict.NOT_EVALUATED: "○",
}
WORDS: Final = {
    Verdict.PASSED: "passed",
    Verdict.FAILED: "failed",
    Verdict.ERROR: "error",
    Verdict.NOT_EVALUATED: "not evaluated",
}
WORST_FIRST: Final = (Verdict.ERROR, Verdict.FAILED, Verdict.NOT_EVALUATED, Verdict.PASSED)
NEAR: Final = 0.05
"""A passed score this close to its threshold, as a share of its scale, is called near."""


@dataclass(frozen=True, slots=True)
class PassMark:
    """The user's own pass mark on 0–1, for systems whose files say no verdict.

    Until it is set, it is the one that ADK and 10xGraph take for a reply when none is configured.
    """

    value: float = 0.8


USUAL_MARK: Final = PassMark()


def said(verdict: Verdict | None) -> str:
    """Return glyph and word: ``✗ failed``; ``· n/a`` for what has no verdict of its own."""
    return "· n/a" if verdict is None else f"{GLYPHS[verdict]} {WORDS[verdict]}"


def counted(verdict: Verdict, number: int) -> str:
    """Return ``3 failed``, ``1 error`` or ``2 errors``."""
    word = "errors" if verdict is Verdict.ERROR and number != 1 else WORDS[verdict]
    return f"{number:,} {word}"


def of_score(score: Score, mark: PassMark = USUAL_MARK) -> Verdict | None:
    """Return a score's verdict; None for an informational one.

    The file's verdict stands. Without one, the user's mark decides on the normalised value; a score
    with no value, or on an unknown scale, is not evaluated.
    """
    if score.informational:
        return None
    if score.verdict is not None:
        return score.verdict
    if score.value is None:
        return Verdict.NOT_EVALUATED
    return Verdict.PASSED if score.value >= mark.value else Verdict.FAILED


def together(verdicts: Iterable[Verdict | None]) -> Verdict | None:
    """Return what several verdicts come to: an error, else a failure, else a pass, else neither.

    What was not evaluated does not spoil a pass, as in every system read here; None if no verdict
    is given at all.
    """
    found = {verdict for verdict in verdicts if verdict is not None}
    for verdict in (Verdict.ERROR, Verdict.FAILED, Verdict.PASSED, Verdict.NOT_EVALUATED):
        if verdict in found:
            return verdict
    return None


def of_turn(turn: InvocationResult, mark: PassMark = USUAL_MARK) -> Verdict | None:
    """Return a turn's verdict, None where no check looks at single turns."""
    if turn.error:
        return Verdict.ERROR
    return together(of_score(score, mark) for score in turn.scores)


def recount(case: CaseResult, mark: PassMark = USUAL_MARK) -> Verdict:
    """Return what a case's own scores come to, whatever the file says of the case.

    Scores of the whole case decide where there are any, else those of its turns.
    """
    if case.error:
        return Verdict.ERROR
    whole = together(of_score(score, mark) for score in case.scores)
    if whole is None:
        whole = together(of_turn(turn, mark) for turn in case.invocations)
    return whole or Verdict.NOT_EVALUATED


def of_case(case: CaseResult, mark: PassMark = USUAL_MARK) -> Verdict:
    """Return a case's verdict: the file's where it has one, else the recount."""
    return case.verdict if case.verdict is not None else recount(case, mark)


def of_run(run: Run, mark: PassMark = USUAL_MARK) -> Verdict:
    """Return what a run's cases come to; a run that crashed or holds an error is an error.

    It passed only if every case was evaluated and passed.
    """
    if run.error:
        return Verdict.ERROR
    found = {of_case(case, mark) for case in run.cases}
    return next((v for v in WORST_FIRST if v in found), Verdict.NOT_EVALUATED)


def as_verdict(word: str) -> Verdict | None:
    """Return the verdict that a file's own word names, None for a word that is none of them."""
    plain = word.strip().casefold().replace("-", "_").replace(" ", "_")
    plain = plain.rsplit(".", 1)[-1]
    known = {"pass": "passed", "fail": "failed", "success": "passed", "failure": "failed"}
    plain = known.get(plain, plain)
    return Verdict(plain) if plain in set(Verdict) else None


def is_near(score: Score, verdict: Verdict | None, mark: PassMark = USUAL_MARK) -> bool:
    """Return whether a passed score lies just above its threshold and could still be better.

    A full score is never near, even where the threshold is a full score too.
    """
    if verdict is not Verdict.PASSED or score.value is None or score.value >= 1.0:
        return False
    edge = mark.value
    if score.threshold is not None:
        edge = score.scale.normalise(score.threshold) if score.scale else score.threshold
    elif score.verdict is not None:
        return False
    return score.value - edge < NEAR
