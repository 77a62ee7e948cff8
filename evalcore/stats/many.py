"""Corrections for many comparisons at once."""

from __future__ import annotations

from collections.abc import Sequence


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Return adjusted p values that bound the chance of any false finding (Holm 1979).

    In the order of the input; each at most 1, and never smaller than what it was.
    """
    count = len(p_values)
    order = sorted(range(count), key=lambda i: p_values[i])
    adjusted = [0.0] * count
    highest = 0.0
    for rank, index in enumerate(order):
        highest = max(highest, min(1.0, (count - rank) * p_values[index]))
        adjusted[index] = highest
    return tuple(adjusted)


def benjamini_hochberg(p_values: Sequence[float]) -> tuple[float, ...]:
    """Return adjusted p values that bound the share of false findings (1995); for exploring."""
    if not p_values:
        return ()
    from scipy.stats import false_discovery_control

    return tuple(float(p) for p in false_discovery_control(list(p_values)))
