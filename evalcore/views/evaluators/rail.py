"""A pass mark on the real range of a check's scores, with those of the last run behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evalcore.views.words import plural

BINS = 20


@dataclass(frozen=True, slots=True)
class Rail:
    """Where a pass mark lies. ``mark`` is None for a check without one.

    ``bins`` counts the last run's scores in equal parts of the range; the last one holds the best
    score. ``failing_bins`` counts those of them that fail. ``outside`` is whether the mark is
    beyond the range.
    """

    low: float
    high: float
    mark: float | None
    bins: tuple[int, ...] = ()
    total: int = 0
    failing: int = 0
    was: float | None = None
    failed: int = 0
    failing_bins: tuple[int, ...] = ()

    @property
    def place(self) -> float:
        """Return where the mark is, from 0 to 1."""
        share = ((self.mark or 0.0) - self.low) / (self.high - self.low)
        return min(1.0, max(0.0, share))

    @property
    def outside(self) -> str:
        """Return what a mark beyond the range does, "" for one inside it."""
        if self.mark is None:
            return ""
        if self.mark > self.high:
            return f"No score reaches {self.mark:g}: scores go up to {self.high:g}."
        if self.mark <= self.low:
            return f"Every score passes at {self.mark:g}: scores start at {self.low:g}."
        return ""

    @property
    def words(self) -> str:
        """Return what the mark would have done to the last run, "" without a run or a mark."""
        if not self.total or self.mark is None:
            return ""
        told = f"At {self.mark:g}, {self.failing:,} of {plural(self.total, 'score')} fail"
        if self.was is None or self.was == self.mark:
            return f"{told}."
        more = self.failing - self.failed
        change = (
            "as many as" if not more else f"{abs(more):,} {'more' if more > 0 else 'fewer'} than"
        )
        return f"{told}: {change} at {self.was:g}, the mark of that run."


def rail(
    scale: tuple[float, float],
    mark: float | None,
    numbers: Sequence[float] = (),
    was: float | None = None,
) -> Rail:
    """Return a rail; ``numbers`` are the last run's scores and ``was`` its own pass mark."""
    low, high = scale
    bins, failing = ([0] * BINS, [0] * BINS) if numbers else ([], [])
    for number in numbers:
        at = min(BINS - 1, max(0, int((number - low) / (high - low) * BINS)))
        bins[at] += 1
        failing[at] += mark is not None and number < mark
    return Rail(
        low,
        high,
        mark,
        tuple(bins),
        len(numbers),
        sum(n < mark for n in numbers) if mark is not None else 0,
        was,
        sum(n < was for n in numbers) if was is not None else 0,
        tuple(failing),
    )
