"""How ADK makes one score of several answers of a judge, and one of several turns."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import mean
from typing import NamedTuple


class RubricVerdict(NamedTuple):
    """What one sample, or a vote, says of one rubric; None for no answer."""

    rubric_id: str
    score: float | None
    rationale: str = ""


def majority(samples: Sequence[float | None]) -> float | None:
    """Return 1.0 if more samples say yes than no, 0.0 on a tie, None if none says either."""
    yes, no = samples.count(1.0), samples.count(0.0)
    return None if not yes and not no else 1.0 if yes > no else 0.0


def rubric_votes(samples: Sequence[Sequence[RubricVerdict]]) -> list[RubricVerdict]:
    """Return the majority for each rubric, in the order in which they first occur.

    A tie is a no, and so is any number but 1.0; the first of the winning verdicts stands for all.
    """
    by_rubric: dict[str, list[RubricVerdict]] = {}
    for sample in samples:
        for verdict in sample:
            by_rubric.setdefault(verdict.rubric_id, []).append(verdict)
    return [_winner(verdicts) for verdicts in by_rubric.values()]


def _winner(verdicts: Sequence[RubricVerdict]) -> RubricVerdict:
    yes = [v for v in verdicts if v.score == 1.0]
    no = [v for v in verdicts if v.score is not None and v.score != 1.0]
    if not yes and not no:
        return verdicts[0]
    return yes[0] if len(yes) > len(no) else no[0]


def rubric_mean(verdicts: Sequence[RubricVerdict]) -> float | None:
    """Return the mean of the verdicts that have a score, None without any."""
    scores = [v.score for v in verdicts if v.score is not None]
    return mean(scores) if scores else None


def rubric_means(turns: Sequence[Sequence[RubricVerdict]]) -> dict[str, float | None]:
    """Return the mean of each rubric over the turns that have a verdict on it."""
    by_rubric: dict[str, list[RubricVerdict]] = {}
    for turn in turns:
        for verdict in turn:
            by_rubric.setdefault(verdict.rubric_id, []).append(verdict)
    return {rubric_id: rubric_mean(found) for rubric_id, found in by_rubric.items()}


def pooled(turns: Sequence[Sequence[RubricVerdict]]) -> float | None:
    """Return the mean of all verdicts of all turns: a turn with more rubrics weighs more."""
    return rubric_mean([verdict for turn in turns for verdict in turn])


def simulator_share(turns: Sequence[float | None], threshold: float) -> float | None:
    """Return the share of all turns that pass; turns without a score do not. None without turns."""
    if not turns:
        return None
    return sum(score for score in turns if score is not None and score >= threshold) / len(turns)
