"""Runs held against each other, case by case, and over time.

pair = compare(store.open(baseline), store.open(other))
pair.sentence(); pair.counts; pair.page(PairQuery(outcomes=frozenset([Outcome.BROKE])))
"""

from evalcore.compare.banners import Banner, banners, lettered
from evalcore.compare.costs import cost_changes
from evalcore.compare.judging import JudgeReport, Label, Labels, judge_reports, labels_of
from evalcore.compare.noise import noise_bands
from evalcore.compare.outcomes import Outcome
from evalcore.compare.pair import MetricChange, Pair, PairLine, Side, compare
from evalcore.compare.querying import PairQuery, address_of
from evalcore.compare.several import LETTERS, MOST_RUNS, Comparison, compare_all
from evalcore.compare.slices import SliceChange, SliceChanges, slice_changes, slice_names
from evalcore.compare.steadiness import CaseStory, Steadiness, steadiness
from evalcore.compare.steady_checks import SteadyCheck, steady_checks

__all__ = [
    "LETTERS",
    "MOST_RUNS",
    "Banner",
    "CaseStory",
    "Comparison",
    "JudgeReport",
    "Label",
    "Labels",
    "MetricChange",
    "Outcome",
    "Pair",
    "PairLine",
    "PairQuery",
    "Side",
    "SliceChange",
    "SliceChanges",
    "Steadiness",
    "SteadyCheck",
    "address_of",
    "banners",
    "compare",
    "compare_all",
    "cost_changes",
    "judge_reports",
    "labels_of",
    "lettered",
    "noise_bands",
    "slice_changes",
    "slice_names",
    "steadiness",
    "steady_checks",
]
