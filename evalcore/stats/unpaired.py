"""Rates of two groups that have no case in common."""

from __future__ import annotations

import math

EXACT_UP_TO = 20_000
"""The most cases for the exact test; with more, the normal approximation is as good."""


def different_rates(passed: int, n: int, passed_else: int, n_else: int) -> float:
    """Return the two-sided p of equal pass rates: Fisher's exact test, for large groups a z-test.

    Raises ValueError for rates that are none.
    """
    if not (0 <= passed <= n and 0 <= passed_else <= n_else):
        raise ValueError(f"{passed} of {n} against {passed_else} of {n_else} is no comparison")
    if not n or not n_else:
        return 1.0
    if n + n_else <= EXACT_UP_TO:
        import numpy as np
        from scipy.stats import fisher_exact

        table = np.array([[passed, n - passed], [passed_else, n_else - passed_else]])
        return float(fisher_exact(table).pvalue)
    pooled = (passed + passed_else) / (n + n_else)
    error = math.sqrt(pooled * (1 - pooled) * (1 / n + 1 / n_else))
    if error == 0:
        return 1.0
    return math.erfc(abs(passed / n - passed_else / n_else) / error / math.sqrt(2))
