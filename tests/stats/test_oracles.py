"""Published or independently computed values that the statistics must reproduce."""

import pytest

from evalcore.stats import (
    PairedCounts,
    cases_for_paired_difference,
    cases_per_arm,
    clustered_mean,
    corrected_rate,
    detectable_difference,
    krippendorff_alpha,
    mcnemar,
    newcombe_paired,
    pass_at_k,
    pass_hat_k,
    rate_interval,
)
from evalcore.stats.intervals import RateMethod


@pytest.mark.parametrize(
    ("passed", "n", "method", "low", "high"),
    [
        (18, 20, "wilson", 0.6990, 0.9721),
        (20, 20, "wilson", 0.8389, 1.0),
        (0, 20, "wilson", 0.0, 0.1611),
        (45, 50, "wilson", 0.7864, 0.9565),
        (90, 100, "wilson", 0.8256, 0.9448),
        (425, 500, "wilson", 0.8160, 0.8786),
        (18, 20, "clopper-pearson", 0.6830, 0.9877),
        (18, 20, "jeffreys", 0.7161, 0.9786),
    ],
)
def test_interval_of_a_rate(
    passed: int, n: int, method: RateMethod, low: float, high: float
) -> None:
    found = rate_interval(passed, n, method)
    assert (found.low, found.high) == (pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))
    assert found.estimate == passed / n


@pytest.mark.parametrize(
    ("fixed", "broke", "exact", "mid"),
    [
        (9, 2, 0.06543, 0.03857),
        (5, 0, 0.06250, 0.03125),
        (6, 0, 0.03125, 0.015625),
        (10, 3, 0.09229, 0.05737),
        (12, 4, 0.07681, 0.04904),
    ],
)
def test_mcnemar(fixed: int, broke: int, exact: float, mid: float) -> None:
    assert mcnemar(fixed, broke) == pytest.approx(exact, abs=5e-6)
    assert mcnemar(fixed, broke, mid_p=True) == pytest.approx(mid, abs=5e-6)


def test_newcombes_paired_interval() -> None:
    found = newcombe_paired(PairedCounts(both=70, fixed=12, broke=4, neither=14))
    assert found.estimate == pytest.approx(0.08)
    assert found.low == pytest.approx(0.00006, abs=5e-6)
    assert found.high == pytest.approx(0.1611, abs=5e-5)


@pytest.mark.parametrize(
    ("passed", "n", "k", "any_passes", "all_pass"),
    [
        (8, 10, 3, 1.0, 0.46667),
        (8, 10, 5, 1.0, 0.22222),
        (6, 8, 4, 1.0, 0.21429),
        (1, 2, 1, 0.5, 0.5),
    ],
)
def test_repeats(passed: int, n: int, k: int, any_passes: float, all_pass: float) -> None:
    assert pass_at_k(passed, n, k) == pytest.approx(any_passes)
    assert pass_hat_k(passed, n, k) == pytest.approx(all_pass, abs=5e-6)


def test_nothing_is_claimed_of_more_repeats_than_were_made() -> None:
    assert pass_at_k(2, 2, 3) is None
    assert pass_hat_k(2, 2, 3) is None


def test_standard_error_of_clusters() -> None:
    found = clustered_mean([1, 1, 1, 0, 0, 1, 0, 0, 1, 1], [0, 0, 0, 1, 1, 1, 2, 2, 3, 3])
    assert found.plain_error == pytest.approx(0.2040, abs=5e-5)
    assert found.standard_error == pytest.approx(0.2356, abs=2e-4)
    assert found.naive_error == pytest.approx(0.1633, abs=5e-5)


@pytest.mark.parametrize(
    ("discordance", "difference", "needed"),
    [(0.2, 0.1, 155), (0.2, 0.05, 626), (0.1, 0.05, 312), (11 / 120, 7 / 120, 210)],
)
def test_paired_cases_needed(discordance: float, difference: float, needed: int) -> None:
    assert cases_for_paired_difference(discordance, difference) == needed


@pytest.mark.parametrize(("first", "second", "needed"), [(0.8, 0.9, 199), (0.85, 0.90, 686)])
def test_unpaired_cases_needed(first: float, second: float, needed: int) -> None:
    assert cases_per_arm(first, second) == needed


def test_smallest_difference_that_a_set_can_show() -> None:
    assert detectable_difference(120) == pytest.approx(0.113, abs=5e-4)
    assert detectable_difference(3) is None


def test_rate_behind_an_imperfect_judge() -> None:
    assert corrected_rate(0.80, 0.95, 0.90) == pytest.approx(0.8235, abs=5e-5)
    assert corrected_rate(0.5, 0.5, 0.5) is None


def test_krippendorffs_alpha_of_his_own_example() -> None:
    """The nominal example of "Computing Krippendorff's Alpha-Reliability" (2011), section C."""
    gap = None
    raters = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, gap, gap, gap],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, gap, 3],
        [gap, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, gap],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, gap],
    ]
    items = list(zip(*raters, strict=True))
    assert krippendorff_alpha(items) == pytest.approx(0.743, abs=5e-4)
