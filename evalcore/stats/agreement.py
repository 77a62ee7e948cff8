"""How well a judge, or a second reviewer, agrees with a person."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

from evalcore.stats.intervals import RESAMPLES, SEED


@dataclass(frozen=True, slots=True)
class Agreement:
    """Two raters on the same items.

    ``table`` counts the pairs (first, second). ``kappa`` is None where chance alone would agree
    fully, so that nothing can be said; its interval is a bootstrap over the items.
    """

    n: int
    rate: float | None
    kappa: float | None
    kappa_low: float | None
    kappa_high: float | None
    table: Mapping[tuple[Hashable, Hashable], int]


def agreement(first: Sequence[Hashable], second: Sequence[Hashable]) -> Agreement:
    """Return the raw agreement and Cohen's kappa (1960) of two raters."""
    if len(first) != len(second):
        raise ValueError("Both raters must rate the same items")
    pairs = list(zip(first, second, strict=True))
    if not pairs:
        return Agreement(0, None, None, None, None, {})
    labels = {label: code for code, label in enumerate(dict.fromkeys([*first, *second]))}
    codes = [(labels[a], labels[b]) for a, b in pairs]
    low, high = _kappa_interval(codes, len(labels))
    rate = sum(a == b for a, b in pairs) / len(pairs)
    return Agreement(len(pairs), rate, _kappa(codes), low, high, Counter(pairs))


def _kappa(codes: Sequence[tuple[int, int]]) -> float | None:
    n = len(codes)
    seen = sum(a == b for a, b in codes) / n
    first, second = Counter(a for a, _ in codes), Counter(b for _, b in codes)
    chance = sum(first[label] * second[label] for label in first) / (n * n)
    return None if chance == 1 else (seen - chance) / (1 - chance)


def _kappa_interval(codes: list[tuple[int, int]], labels: int) -> tuple[float | None, float | None]:
    import numpy as np

    n = len(codes)
    if n < 2:
        return None, None
    cells = np.array([a * labels + b for a, b in codes])
    shares = np.bincount(cells, minlength=labels * labels) / n
    generator = np.random.default_rng(SEED)
    tables = generator.multinomial(n, shares, size=RESAMPLES).reshape(-1, labels, labels) / n
    seen = np.trace(tables, axis1=1, axis2=2)
    chance = (tables.sum(axis=2) * tables.sum(axis=1)).sum(axis=1)
    usable = chance < 1
    if not usable.any():
        return None, None
    kappas = (seen[usable] - chance[usable]) / (1 - chance[usable])
    low, high = np.quantile(kappas, [0.025, 0.975])
    return float(low), float(high)


def krippendorff_alpha(ratings: Sequence[Sequence[Hashable | None]]) -> float | None:
    """Return Krippendorff's alpha (2011) for labels without order, any raters, gaps allowed.

    One sequence of ratings for each item, None where a rater gave none. None where no item has two
    ratings, or all ratings are the same.
    """
    usable = [[r for r in item if r is not None] for item in ratings]
    usable = [item for item in usable if len(item) > 1]
    total = sum(len(item) for item in usable)
    if total == 0:
        return None
    overall = Counter(label for item in usable for label in item)
    expected = total * total - sum(count * count for count in overall.values())
    if expected == 0:
        return None
    seen = 0.0
    for item in usable:
        counts = Counter(item)
        seen += (len(item) ** 2 - sum(c * c for c in counts.values())) / (len(item) - 1)
    return 1 - (total - 1) * seen / expected


def corrected_rate(judged: float, sensitivity: float, specificity: float) -> float | None:
    """Return the pass rate behind a judge's (Rogan and Gladen 1978), cut to 0–1.

    ``sensitivity`` is the share of true passes that the judge passes, ``specificity`` that of true
    failures that it fails. None for a judge no better than chance.
    """
    power = sensitivity + specificity - 1
    if power <= 0:
        return None
    return min(1.0, max(0.0, (judged + specificity - 1) / power))
