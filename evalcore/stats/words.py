"""A comparison in one honest sentence."""

from __future__ import annotations

from enum import StrEnum

from evalcore.stats.paired import PairedCounts, paired_rate
from evalcore.stats.sizes import cases_for_paired_difference

TOO_FEW = 5
"""Fewer changed verdicts than these can never be significant at 0.05 in the exact test (6 can)."""


class Outcome(StrEnum):
    """What a comparison comes to."""

    IMPROVED = "improved"
    WORSE = "worse"
    NO_WORSE = "no worse"
    CANT_TELL = "can't tell"
    TOO_FEW = "too few"
    SAME = "same"


def outcome_of(counts: PairedCounts, margin: float | None = None, alpha: float = 0.05) -> Outcome:
    """Return what may be claimed of two paired pass rates.

    A difference counts where the exact test and the interval both say so. With a ``margin``,
    "no worse" is claimed where the lower end of the interval of level 1 - 2·alpha is above minus
    the margin.
    """
    if counts.n == 0:
        return Outcome.TOO_FEW
    interval, p = paired_rate(counts, 1 - alpha)
    low, high = interval.low or 0.0, interval.high or 0.0
    if p < alpha and low > 0:
        return Outcome.IMPROVED
    if p < alpha and high < 0:
        return Outcome.WORSE
    if margin is not None:
        bound = paired_rate(counts, 1 - 2 * alpha)[0].low
        if bound is not None and bound > -margin:
            return Outcome.NO_WORSE
    if counts.fixed + counts.broke == 0:
        return Outcome.SAME
    return Outcome.TOO_FEW if counts.n < TOO_FEW else Outcome.CANT_TELL


def paired_sentence(
    counts: PairedCounts, new: str = "B", margin: float | None = None, alpha: float = 0.05
) -> str:
    """Return the comparison in words: what changed, whether that is enough, what would be."""
    if counts.n == 0:
        return "The runs have no case in common whose verdicts can be compared."
    if counts.fixed + counts.broke == 0:
        said = f"{new} changed no verdict of {_cases(counts.n)}"
        return f"{said}; that is not proof that nothing changed."
    p = paired_rate(counts, 1 - alpha)[1]
    said = f"{new} fixed {counts.fixed:,} and broke {counts.broke:,} of {_cases(counts.n)}"
    outcome = outcome_of(counts, margin, alpha)
    if outcome is Outcome.IMPROVED:
        return f"{said}: an improvement, {p_text(p)}."
    if outcome is Outcome.WORSE:
        return f"{said}: a step back, {p_text(p)}."
    if outcome is Outcome.NO_WORSE and margin is not None:
        return f"{said}: no worse by more than {margin * 100:g} points, {p_text(p)}."
    needed = cases_for_paired_difference(counts.discordance, counts.difference, alpha)
    said += f"; not enough to tell ({p_text(p)})."
    if needed is not None and needed > counts.n:
        said += f" About {needed:,} cases would settle a gap this size."
    return said


def p_text(p: float) -> str:
    """Return a p value for reading: three digits after the point, or that it is below 0.001."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def _cases(n: int) -> str:
    return f"{n:,} case" if n == 1 else f"{n:,} cases"
