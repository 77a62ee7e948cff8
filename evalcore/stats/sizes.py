"""How many cases a difference needs, and how small a difference a set can show."""

from __future__ import annotations

import math


def _z(probability: float) -> float:
    from scipy.special import ndtri

    return float(ndtri(probability))


def cases_for_paired_difference(
    discordance: float, difference: float, alpha: float = 0.05, power: float = 0.8
) -> int | None:
    """Return how many paired cases show a difference of pass rates with the given power.

    ``discordance`` is the share of cases whose verdicts differ, ``difference`` fixed minus broke
    as a share of all. None where there is no difference to show. Rounded up.
    """
    gap = abs(difference)
    if gap == 0 or discordance < gap:
        return None
    z_alpha, z_beta = _z(1 - alpha / 2), _z(power)
    root = z_alpha * math.sqrt(discordance) + z_beta * math.sqrt(discordance - gap * gap)
    return math.ceil(root * root / (gap * gap))


def cases_per_arm(first: float, second: float, alpha: float = 0.05, power: float = 0.8) -> int:
    """Return how many cases each of two unpaired runs needs to tell two pass rates apart.

    Raises ValueError if they are the same.
    """
    if first == second:
        raise ValueError("Equal rates cannot be told apart by any number of cases")
    mean = (first + second) / 2
    pooled = math.sqrt(2 * mean * (1 - mean))
    apart = math.sqrt(first * (1 - first) + second * (1 - second))
    root = _z(1 - alpha / 2) * pooled + _z(power) * apart
    return math.ceil(root * root / (first - second) ** 2)


def detectable_difference(
    n: int, discordance: float = 0.2, alpha: float = 0.05, power: float = 0.8
) -> float | None:
    """Return the smallest difference of pass rates that ``n`` paired cases can show.

    The share of cases that change their verdict is taken as ``discordance``, or as the difference
    itself where that is larger. None where even a change of every case could not be shown.
    """
    if n < 1:
        return None
    z_alpha, z_beta = _z(1 - alpha / 2), _z(power)

    def shows(gap: float) -> bool:
        share = max(discordance, gap)
        needed = z_alpha * math.sqrt(share) + z_beta * math.sqrt(max(0.0, share - gap * gap))
        return gap * math.sqrt(n) >= needed

    if not shows(1.0):
        return None
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if shows(middle) else (middle, high)
    return high
