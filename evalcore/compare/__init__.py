"""Runs held against each other, case by case.

pair = compare(store.open(baseline), store.open(other))
pair.sentence(); pair.counts; pair.page(PairQuery(outcomes=frozenset([Outcome.BROKE])))
"""

from evalcore.compare.banners import Banner
from evalcore.compare.outcomes import Outcome
from evalcore.compare.pair import MetricChange, Pair, PairLine, PairQuery, Side, compare

__all__ = [
    "Banner",
    "MetricChange",
    "Outcome",
    "Pair",
    "PairLine",
    "PairQuery",
    "Side",
    "compare",
]
