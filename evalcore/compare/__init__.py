"""Runs held against each other, case by case, and over time.

pair = compare(store.open(baseline), store.open(other))
pair.sentence(); pair.counts; pair.page(PairQuery(outcomes=frozenset([Outcome.BROKE])))
"""

from evalcore.compare.banners import Banner
from evalcore.compare.judging import JudgeReport, Label, Labels, judge_reports, labels_of
from evalcore.compare.noise import noise_bands
from evalcore.compare.outcomes import Outcome
from evalcore.compare.pair import MetricChange, Pair, PairLine, Side, compare
from evalcore.compare.querying import PairQuery
from evalcore.compare.several import LETTERS, MOST_RUNS, Comparison, compare_all
from evalcore.compare.slices import SliceChange, SliceChanges, slice_changes, slice_names
from evalcore.compare.steadiness import CaseStory, Steadiness, steadiness
from evalcore.compare.trends import SteadyCheck, by_set, set_of_run, steady_checks

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
    "by_set",
    "compare",
    "compare_all",
    "judge_reports",
    "labels_of",
    "noise_bands",
    "set_of_run",
    "slice_changes",
    "slice_names",
    "steadiness",
    "steady_checks",
]
