"""Intervals of one run's rates and means."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

RateMethod = Literal["wilson", "clopper-pearson", "jeffreys"]
RESAMPLES = 2_000
SEED = 20_260_101
"""The seed of every bootstrap, so that the same results give the same interval everywhere."""


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate with its interval; ``method`` is the name to print beside it.

    ``low`` and ``high`` are None where nothing can be said: no observation, or a single cluster.
    ``n`` is the number of independent units: cases, or clusters where there are some.
    """

    estimate: float | None
    low: float | None
    high: float | None
    n: int
    method: str
    level: float = 0.95


METHOD_NAMES: dict[RateMethod, str] = {
    "wilson": "Wilson",
    "clopper-pearson": "Clopper-Pearson",
    "jeffreys": "Jeffreys",
}


def rate_interval(
    passed: int, n: int, method: RateMethod = "wilson", level: float = 0.95
) -> Interval:
    """Return the interval of a rate of ``passed`` in ``n`` independent cases.

    Wilson (1927) by default; Clopper and Pearson (1934) where the level must be guaranteed; the
    Bayesian interval with Jeffreys' prior, whose ends are 0 and 1 where no or all cases passed
    (Brown, Cai and DasGupta 2001).
    """
    if not 0 <= passed <= n:
        raise ValueError(f"{passed} of {n} is no rate")
    name = METHOD_NAMES[method]
    if n == 0:
        return Interval(None, None, None, 0, name, level)
    if method == "jeffreys":
        low, high = _jeffreys(passed, n, level)
    else:
        from scipy.stats import binomtest

        found = binomtest(passed, n).proportion_ci(
            level, method="wilson" if method == "wilson" else "exact"
        )
        low, high = float(found.low), float(found.high)
    return Interval(passed / n, max(0.0, low), min(1.0, high), n, name, level)


def _jeffreys(passed: int, n: int, level: float) -> tuple[float, float]:
    from scipy.special import betaincinv

    a, b, tail = passed + 0.5, n - passed + 0.5, (1 - level) / 2
    low = 0.0 if passed == 0 else float(betaincinv(a, b, tail))
    high = 1.0 if passed == n else float(betaincinv(a, b, 1 - tail))
    return low, high


@dataclass(frozen=True, slots=True)
class ClusteredMean:
    """A mean and its standard error with and without regard to clusters.

    ``standard_error`` has the factor C/(C-1) for few clusters; ``plain_error`` has it not, and
    ``naive_error`` takes every observation for independent. None where there are too few.
    """

    mean: float
    clusters: int
    standard_error: float | None
    plain_error: float | None
    naive_error: float | None


def clustered_mean(values: Sequence[float], clusters: Sequence[Hashable]) -> ClusteredMean:
    """Return the mean of values that come in clusters (Miller 2024; Cameron and others 2008).

    ``clusters`` names the cluster of each value. Raises ValueError for no values.
    """
    n = len(values)
    if n == 0 or n != len(clusters):
        raise ValueError("There must be as many clusters named as values, and at least one")
    mean = math.fsum(values) / n
    sums: dict[Hashable, float] = {}
    for value, cluster in zip(values, clusters, strict=True):
        sums[cluster] = sums.get(cluster, 0.0) + (value - mean)
    count = len(sums)
    plain = math.sqrt(math.fsum(s * s for s in sums.values())) / n
    squares = math.fsum((value - mean) ** 2 for value in values)
    return ClusteredMean(
        mean=mean,
        clusters=count,
        standard_error=plain * math.sqrt(count / (count - 1)) if count > 1 else None,
        plain_error=plain if count > 1 else None,
        naive_error=math.sqrt(squares / (n * (n - 1))) if n > 1 else None,
    )


def mean_interval(
    values: Sequence[float],
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
) -> Interval:
    """Return the interval of a mean of scores by bootstrap over cases, or over clusters.

    Percentiles of 2,000 resamples with a fixed seed: the same scores give the same interval. Where
    all values are equal the interval is that value alone.
    """
    method = "bootstrap over clusters" if clusters is not None else "bootstrap"
    if not values:
        return Interval(None, None, None, 0, method, level)
    sums, counts = cluster_totals(values, clusters)
    mean = math.fsum(values) / len(values)
    if len(sums) < 2:
        return Interval(mean, None, None, len(sums), method, level)
    low, high = bootstrap_ends(sums, counts, level)
    return Interval(mean, low, high, len(sums), method, level)


def cluster_totals(
    values: Sequence[float], clusters: Sequence[Hashable] | None
) -> tuple[NDArray[float64], NDArray[float64]]:
    """Return the sum and the number of the values of each cluster, as two arrays."""
    import numpy as np

    array = np.asarray(values, dtype=float)
    if clusters is None:
        return array, np.ones(len(array))
    if len(clusters) != len(array):
        raise ValueError("There must be as many clusters named as values")
    codes = {name: code for code, name in enumerate(dict.fromkeys(clusters))}
    of_each = np.fromiter((codes[name] for name in clusters), dtype=np.intp, count=len(clusters))
    sums = np.bincount(of_each, weights=array).astype(np.float64)
    return sums, np.bincount(of_each).astype(np.float64)


def bootstrap_ends(
    sums: NDArray[float64], counts: NDArray[float64], level: float
) -> tuple[float, float]:
    """Return the percentile interval of the mean when whole clusters are drawn again."""
    import numpy as np

    generator = np.random.default_rng(SEED)
    size = len(sums)
    means = np.empty(RESAMPLES)
    # A share of the resamples at a time, so that a large run needs no gigabytes of indices.
    block = max(1, 4_000_000 // size)
    for start in range(0, RESAMPLES, block):
        drawn = generator.integers(0, size, (min(block, RESAMPLES - start), size))
        means[start : start + block] = sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)
