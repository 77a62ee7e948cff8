"""What repeats of one case tell: pass@k, pass^k, and whether it flakes."""

from __future__ import annotations

from collections.abc import Iterable
from math import comb


def pass_at_k(passed: int, n: int, k: int) -> float | None:
    """Return the chance that at least one of ``k`` of a case's ``n`` repeats passes.

    1 - C(n - passed, k) / C(n, k), without bias (Chen and others 2021); None where fewer than
    ``k`` repeats were made, for nothing is known then.
    """
    return 1 - comb(n - passed, k) / comb(n, k) if _defined(passed, n, k) else None


def pass_hat_k(passed: int, n: int, k: int) -> float | None:
    """Return the chance that all of ``k`` of a case's ``n`` repeats pass, known as pass^k.

    C(passed, k) / C(n, k) (Yao and others 2024); the power of the rate would be too high. None
    where fewer than ``k`` repeats were made.
    """
    return comb(passed, k) / comb(n, k) if _defined(passed, n, k) else None


def mean_over_cases(values: Iterable[float | None]) -> float | None:
    """Return the mean over the cases that have a value, None if none has."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def is_flaky(passed: int, n: int) -> bool:
    """Return whether some of the repeats passed and some did not."""
    return 0 < passed < n


def _defined(passed: int, n: int, k: int) -> bool:
    if k < 1 or not 0 <= passed <= n:
        raise ValueError(f"{passed} of {n} repeats with k = {k} makes no sense")
    return n >= k
