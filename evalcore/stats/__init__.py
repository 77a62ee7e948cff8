"""Statistics for eval results: intervals, repeats, paired comparisons, sizes, agreement.

Every function names its method and source. Counts are of cases, or of whatever unit is drawn
independently: turns of one conversation are a cluster, never so many observations.
"""

from evalcore.stats.agreement import Agreement, agreement, corrected_rate, krippendorff_alpha
from evalcore.stats.intervals import Interval, clustered_mean, mean_interval, rate_interval
from evalcore.stats.many import benjamini_hochberg, holm
from evalcore.stats.paired import (
    PairedCounts,
    PairedMean,
    mcnemar,
    newcombe_paired,
    normal_mean,
    paired_mean,
    paired_rate,
)
from evalcore.stats.repeats import is_flaky, pass_at_k, pass_hat_k
from evalcore.stats.sizes import cases_for_paired_difference, cases_per_arm, detectable_difference
from evalcore.stats.words import Outcome, outcome_of, paired_sentence

__all__ = [
    "Agreement",
    "Interval",
    "Outcome",
    "PairedCounts",
    "PairedMean",
    "agreement",
    "benjamini_hochberg",
    "cases_for_paired_difference",
    "cases_per_arm",
    "clustered_mean",
    "corrected_rate",
    "detectable_difference",
    "holm",
    "is_flaky",
    "krippendorff_alpha",
    "mcnemar",
    "mean_interval",
    "newcombe_paired",
    "normal_mean",
    "outcome_of",
    "paired_mean",
    "paired_rate",
    "paired_sentence",
    "pass_at_k",
    "pass_hat_k",
    "rate_interval",
]
