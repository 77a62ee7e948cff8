"""Two runs on the same cases: what is paired is compared pair by pair."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from evalcore.stats.intervals import Interval, bootstrap_ends, cluster_totals


@dataclass(frozen=True, slots=True)
class PairedCounts:
    """How pairs of verdicts fall: both passed, only the new run, only the old one, neither."""

    both: int
    fixed: int
    broke: int
    neither: int

    @property
    def n(self) -> int:
        """Return the number of pairs."""
        return self.both + self.fixed + self.broke + self.neither

    @property
    def difference(self) -> float:
        """Return how much higher the new run's pass rate is; 0 where there are no pairs."""
        return (self.fixed - self.broke) / self.n if self.n else 0.0

    @property
    def discordance(self) -> float:
        """Return the share of pairs whose verdicts differ."""
        return (self.fixed + self.broke) / self.n if self.n else 0.0


def mcnemar(fixed: int, broke: int, *, mid_p: bool = False) -> float:
    """Return the two-sided p of ``fixed`` against ``broke`` if both were equally likely.

    The exact binomial test (McNemar 1947); ``mid_p`` counts the observed table half (Fagerland,
    Lydersen and Laake 2013). 1 where no verdict differs.
    """
    if fixed < 0 or broke < 0:
        raise ValueError("Counts cannot be negative")
    m, least = fixed + broke, min(fixed, broke)
    if m == 0:
        return 1.0
    from scipy.stats import binom

    both_tails = 2 * float(binom.cdf(least, m, 0.5))
    return min(1.0, both_tails - float(binom.pmf(least, m, 0.5)) if mid_p else both_tails)


def newcombe_paired(counts: PairedCounts, level: float = 0.95) -> Interval:
    """Return the interval of the difference of two paired rates (Newcombe 1998, method 10).

    Square-and-add of the two Wilson intervals, with the correlation of the pairs corrected for
    continuity.
    """
    method = "Newcombe, paired"
    n = counts.n
    if n == 0:
        return Interval(None, None, None, 0, method, level)
    from scipy.special import ndtri

    z = float(ndtri((1 + level) / 2))
    new, old = counts.both + counts.fixed, counts.both + counts.broke
    p, q = new / n, old / n
    low_p, high_p = _wilson(new, n, z)
    low_q, high_q = _wilson(old, n, z)
    phi = _correlation(counts)
    below = (p - low_p) ** 2 - 2 * phi * (p - low_p) * (high_q - q) + (high_q - q) ** 2
    above = (high_p - p) ** 2 - 2 * phi * (high_p - p) * (q - low_q) + (q - low_q) ** 2
    difference = p - q
    low = difference - math.sqrt(max(0.0, below))
    high = difference + math.sqrt(max(0.0, above))
    return Interval(difference, max(-1.0, low), min(1.0, high), n, method, level)


def _wilson(passed: int, n: int, z: float) -> tuple[float, float]:
    p, square = passed / n, z * z
    centre = (p + square / (2 * n)) / (1 + square / n)
    half = z / (1 + square / n) * math.sqrt(p * (1 - p) / n + square / (4 * n * n))
    return max(0.0, centre - half), min(1.0, centre + half)


def _correlation(counts: PairedCounts) -> float:
    """Return the phi coefficient of the 2×2 table; where positive it is lowered by n/2."""
    a, b, c, d = counts.both, counts.fixed, counts.broke, counts.neither
    below = (a + b) * (c + d) * (a + c) * (b + d)
    if below == 0:
        return 0.0
    crossed = a * d - b * c
    if crossed > 0:
        return max(crossed - counts.n / 2, 0.0) / math.sqrt(below)
    return crossed / math.sqrt(below)


def paired_rate(counts: PairedCounts, level: float = 0.95) -> tuple[Interval, float]:
    """Return the difference of two pass rates with its interval, and McNemar's exact p."""
    return newcombe_paired(counts, level), mcnemar(counts.fixed, counts.broke)


@dataclass(frozen=True, slots=True)
class PairedMean:
    """The mean difference of paired scores: new minus old, with a bootstrap interval.

    ``p`` is that of a sign-flip test: how often a random exchange of old and new within the pairs
    (or within whole clusters) gives a mean at least as far from 0.
    """

    interval: Interval
    p: float | None


def paired_mean(
    old: Sequence[float],
    new: Sequence[float],
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
) -> PairedMean:
    """Compare graded scores of the same cases; ``clusters`` names each pair's conversation.

    Average the repeats of a case first: repeats are no pairs of their own.
    """
    if len(old) != len(new):
        raise ValueError("Both sides must score the same cases")
    differences = [b - a for a, b in zip(old, new, strict=True)]
    method = "paired bootstrap" + (" over clusters" if clusters is not None else "")
    if not differences:
        return PairedMean(Interval(None, None, None, 0, method, level), None)
    mean = math.fsum(differences) / len(differences)
    sums, counts = cluster_totals(differences, clusters)
    if len(sums) < 2:
        return PairedMean(Interval(mean, None, None, len(sums), method, level), None)
    low, high = bootstrap_ends(sums, counts, level)
    interval = Interval(mean, low, high, len(sums), method, level)
    return PairedMean(interval, _sign_flip_p([float(s) for s in sums]))


def normal_mean(mean: float, spread: float, n: int, level: float = 0.95) -> PairedMean:
    """Return the same for so many pairs that their mean is as good as normal.

    ``spread`` is the standard deviation of the differences, of a sample.
    """
    from scipy.special import ndtr, ndtri

    error = spread / math.sqrt(n)
    half = float(ndtri((1 + level) / 2)) * error
    interval = Interval(mean, mean - half, mean + half, n, "normal, paired", level)
    if error == 0:
        return PairedMean(interval, 1.0 if mean == 0 else 0.0)
    return PairedMean(interval, 2 * float(ndtr(-abs(mean) / error)))


def _sign_flip_p(sums: Sequence[float], exact_up_to: int = 12, draws: int = 4_000) -> float:
    """Return the two-sided p of a sum under random signs: exactly for few, else by fixed draws."""
    import numpy as np

    from evalcore.stats.intervals import SEED

    moved = np.array([s for s in sums if s != 0.0])
    if len(moved) == 0:
        return 1.0
    seen = abs(moved.sum()) * (1 - 1e-12)
    if len(moved) <= exact_up_to:
        patterns = (np.arange(2 ** len(moved))[:, None] >> np.arange(len(moved))) & 1
        return float(np.mean(np.abs((1 - 2 * patterns) @ moved) >= seen))
    generator = np.random.default_rng(SEED)
    hits, block, done = 0, max(1, 4_000_000 // len(moved)), 0
    while done < draws:
        size = min(block, draws - done)
        signs = 1 - 2 * generator.integers(0, 2, (size, len(moved)), dtype=np.int8)
        hits += int(np.count_nonzero(np.abs(signs @ moved) >= seen))
        done += size
    return (hits + 1) / (draws + 1)
