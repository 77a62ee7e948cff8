"""Numbers as people read them: scores that never look equal when they are not, honest rates."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor, isfinite, sqrt

Z95 = 1.959963984540054
"""The two-sided 95 % point of the normal distribution."""


def wilson(passed: float, total: float, z: float = Z95) -> tuple[float, float]:
    """Return Wilson's interval for a share, both ends within 0–1; (0, 1) where nothing was counted.

    ``passed`` may be fractional: a rate over repeats is judged on the number of distinct cases.
    """
    if total <= 0:
        return 0.0, 1.0
    share = passed / total
    weight = 1 + z * z / total
    centre = (share + z * z / (2 * total)) / weight
    half = z / weight * sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    low = 0.0 if passed <= 0 else max(0.0, centre - half)
    high = 1.0 if passed >= total else min(1.0, centre + half)
    return low, high


@dataclass(frozen=True, slots=True)
class Rate:
    """How many of those that got a verdict passed.

    ``independent`` is the number that the interval rests on: distinct cases, not their repeats.
    """

    passed: int
    judged: int
    independent: int

    @property
    def share(self) -> float | None:
        """Return the share that passed, None where none was judged: that is no 0 %."""
        return self.passed / self.judged if self.judged else None

    @property
    def interval(self) -> tuple[float, float]:
        """Return Wilson's 95 % interval of the share."""
        share = self.share
        return (0.0, 1.0) if share is None else wilson(share * self.independent, self.independent)

    @property
    def percent(self) -> str:
        """Return ``84.2 %``, or ``–`` where there is no rate."""
        return "–" if self.share is None else percent(self.passed, self.judged)

    def __str__(self) -> str:
        """Return ``84.2 % (101 of 120)``."""
        return f"{self.percent} ({count(self.passed)} of {count(self.judged)})"

    @property
    def interval_text(self) -> str:
        """Return ``95 % interval 76.6–89.6 % (Wilson)``, or why there is none."""
        if self.share is None:
            return "nothing was judged, so there is no rate"
        low, high = (f"{100 * end:.1f}" for end in self.interval)
        return f"95 % interval {low}–{high} % (Wilson)"


def percent(part: int, whole: int) -> str:
    """Return a percentage with one decimal, or more where it would read as all or none."""
    if part in (0, whole):
        return f"{100 * part // whole} %"
    digits = 1
    while f"{100 * part / whole:.{digits}f}" in (f"{0:.{digits}f}", f"{100:.{digits}f}"):
        digits += 1
    return f"{100 * part / whole:.{digits}f} %"


def count(number: int) -> str:
    """Return a whole number with separated thousands."""
    return f"{number:,}"


def score(value: float | None, beside: float | None = None) -> str:
    """Return a score with two decimals, more where it would look equal to ``beside`` and is not.

    Whole numbers from 10 on are written without decimals. None is ``–``.
    """
    if value is None:
        return "–"
    if not isfinite(value):
        return "NaN" if value != value else ("∞" if value > 0 else "−∞")
    for digits in range(2, 17):
        shown = _fixed(value, digits)
        if beside is None or value == beside or shown != _fixed(beside, digits):
            return shown
    return repr(value)


def cut(value: float | None) -> str:
    """Return a score in two decimals, cut towards its neighbour so that 0.999 never reads 1.00."""
    if value is None or not isfinite(value):
        return score(value)
    whole = round(value)
    if value == whole or _fixed(value, 2) != _fixed(float(whole), 2):
        return _fixed(value, 2)
    nearer = floor if value < whole else ceil
    return f"{nearer(value * 100) / 100:.2f}"


def seconds(value: float | None) -> str:
    """Return a duration as ``320 ms``, ``4.1 s`` or ``3 min 20 s``; None is ``–``."""
    if value is None or not isfinite(value):
        return "–"
    if value < 1:
        return f"{value * 1000:.0f} ms"
    if value < 60:
        return f"{value:.1f} s"
    minutes, rest = divmod(round(value), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    return f"{minutes // 60} h {minutes % 60} min"


def size(number: int) -> str:
    """Return a number of bytes or characters as ``812``, ``3.4 k`` or ``5.0 M``."""
    if number < 1000:
        return str(number)
    return f"{number / 1000:.1f} k" if number < 1_000_000 else f"{number / 1_000_000:.1f} M"


def _fixed(value: float, digits: int) -> str:
    if digits == 2 and value == int(value) and abs(value) >= 10:
        return f"{int(value):,}"
    return f"{value:.{digits}f}"
