"""Scores of a text line by line: lines are paired by place, and the score is their mean."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from evalcore.errors import EvaldeskError
from evalcore.evaluators.base import Evaluator, Outcome
from evalcore.judges import JudgeError
from evalcore.results import Score, Verdict


class UnusableAnswer(JudgeError):
    """A judge answered, and UiPath cannot read a score from the answer."""


def split_lines(text: str, delimiter: str) -> list[str]:
    """Return the lines that are not blank. Raises EvaldeskError for an empty delimiter."""
    if not delimiter:
        raise EvaldeskError("Nothing stands between lines", hint="Name a delimiter.")
    return [line for line in text.split(delimiter) if line.strip()]


def mean_of_lines(
    evaluator: Evaluator,
    expected: Sequence[str],
    actual: Sequence[str],
    compare: Callable[[str, str], Score],
) -> Outcome:
    """Return the mean score of lines paired by place, the shorter side filled up with "".

    A line that cannot be scored counts as 0, as in UiPath, and a caution says how many do. Raises
    JudgeError if a judge gives no answer: that says nothing about a line.
    """
    count = max(len(expected), len(actual))
    lines = []
    for place in range(count):
        want = expected[place] if place < len(expected) else ""
        have = actual[place] if place < len(actual) else ""
        scored = _scored(evaluator, want, have, compare)
        lines.append(scored.model_copy(update={"line": place + 1}))
    mean = sum(line.native or 0.0 for line in lines) / count if count else 0.0
    cautions = [*_cautions(lines), *_line_ends(expected, actual)]
    overall = evaluator.score(mean, f"Mean of {count} lines.", cautions=cautions)
    return Outcome(overall=overall, lines=tuple(lines))


def _scored(
    evaluator: Evaluator, want: str, have: str, compare: Callable[[str, str], Score]
) -> Score:
    try:
        return compare(want, have)
    except EvaldeskError as error:
        if isinstance(error, JudgeError) and not isinstance(error, UnusableAnswer):
            raise
        failed = evaluator.score(None, f"Line “{have}” has no score: {error.message}.")
        return failed.model_copy(update={"verdict": Verdict.ERROR})


def _cautions(lines: Sequence[Score]) -> list[str]:
    if not lines:
        return ["There are no lines on either side: that scores 0."]
    failed = sum(line.verdict is Verdict.ERROR for line in lines)
    texts = [f"{failed} of {len(lines)} lines have no score; UiPath counts each as 0."]
    return texts if failed else []


def _line_ends(expected: Sequence[str], actual: Sequence[str]) -> list[str]:
    """Say where lines differ in their ends alone: what is split at LF keeps a CR before it."""
    pairs = zip(expected, actual, strict=False)
    odd = sum(want != have and want.rstrip("\r") == have.rstrip("\r") for want, have in pairs)
    return [f"Lines that differ only in how they end, CRLF or LF: {odd}."] if odd else []
