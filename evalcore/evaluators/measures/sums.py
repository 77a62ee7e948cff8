"""Sums to the last bit, whatever Python this runs on."""

import math
from collections.abc import Iterable


def summed(numbers: Iterable[float]) -> float:
    """Return the sum as Python's own ``sum`` gives it for floats from 3.12 on.

    It carries what rounding loses (Neumaier's method). Earlier releases add plainly, which can end
    in another last bit and so on the other side of a threshold.
    """
    total = lost = 0.0
    for number in map(float, numbers):
        both = total + number
        if abs(total) >= abs(number):
            lost += (total - both) + number
        else:
            lost += (number - both) + total
        total = both
    return total + lost if lost and math.isfinite(lost) else total


def mean(numbers: Iterable[float]) -> float:
    """Return the plain mean of at least one number, summed as ``summed`` does."""
    values = tuple(numbers)
    return summed(values) / len(values)
