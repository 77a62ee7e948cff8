"""What must hold of the statistics whatever the numbers are."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore.stats import (
    Outcome,
    PairedCounts,
    agreement,
    benjamini_hochberg,
    cases_for_paired_difference,
    detectable_difference,
    holm,
    is_flaky,
    krippendorff_alpha,
    mcnemar,
    mean_interval,
    newcombe_paired,
    normal_mean,
    outcome_of,
    paired_mean,
    paired_sentence,
    pass_at_k,
    pass_hat_k,
    rate_interval,
)
from evalcore.stats.intervals import METHOD_NAMES

counts = st.integers(0, 60)
tables = st.builds(PairedCounts, counts, counts, counts, counts)
scores = st.floats(0, 1)
few_examples = settings(max_examples=25, deadline=None)


@given(counts, counts, st.sampled_from(list(METHOD_NAMES)))
def test_interval_holds_the_rate_and_stays_within_its_range(passed, failed, method):
    found = rate_interval(passed, passed + failed, method)
    if found.estimate is None:
        assert passed + failed == 0
        return
    assert 0 <= found.low <= found.estimate + 1e-12
    assert found.estimate - 1e-12 <= found.high <= 1


@given(counts, counts)
def test_interval_of_passes_mirrors_that_of_failures(passed, failed):
    ours, mirrored = rate_interval(passed, passed + failed), rate_interval(failed, passed + failed)
    if passed + failed:
        assert ours.low == pytest.approx(1 - mirrored.high)


@pytest.mark.parametrize("rate", [0.5, 0.8, 0.95])
@pytest.mark.parametrize("n", [20, 60])
def test_interval_covers_the_truth_about_as_often_as_it_says(rate, n):
    """Wilson's coverage, summed over every outcome, swings around 95 % and never far below."""
    covered = sum(
        math.comb(n, passed) * rate**passed * (1 - rate) ** (n - passed)
        for passed in range(n + 1)
        if (found := rate_interval(passed, n)).low <= rate <= found.high
    )
    assert 0.915 <= covered <= 0.985


def test_guaranteed_interval_covers_at_least_as_often_as_it_says():
    for rate in (0.05, 0.3, 0.5, 0.9, 0.99):
        covered = sum(
            math.comb(25, passed) * rate**passed * (1 - rate) ** (25 - passed)
            for passed in range(26)
            if (found := rate_interval(passed, 25, "clopper-pearson")).low <= rate <= found.high
        )
        assert covered >= 0.95


def test_paired_interval_covers_the_truth_about_as_often_as_it_says():
    import numpy as np

    generator = np.random.default_rng(5)
    shares = [0.6, 0.15, 0.1, 0.15]
    drawn = generator.multinomial(80, shares, size=1500)
    found = [newcombe_paired(PairedCounts(*map(int, row))) for row in drawn]
    covered = sum(interval.low <= 0.05 <= interval.high for interval in found) / len(found)
    assert 0.93 <= covered <= 0.98


def test_bootstrap_over_clusters_covers_where_one_over_turns_would_not():
    import numpy as np

    generator = np.random.default_rng(11)
    clustered = plain = 0
    for _ in range(200):
        level = generator.normal(0.5, 0.2, 40)
        values = np.repeat(level, 6) + generator.normal(0, 0.02, 240)
        names = [int(i) for i in np.repeat(np.arange(40), 6)]
        held = mean_interval(values.tolist(), names)
        loose = mean_interval(values.tolist())
        clustered += held.low <= 0.5 <= held.high
        plain += loose.low <= 0.5 <= loose.high
    assert clustered / 200 >= 0.89
    assert plain / 200 <= 0.75


@few_examples
@given(st.lists(scores, min_size=2, max_size=30))
def test_same_scores_give_the_same_interval_around_their_mean(values):
    found = mean_interval(values)
    assert found == mean_interval(values)
    assert min(values) - 1e-9 <= found.low <= found.high <= max(values) + 1e-9


@given(tables)
def test_comparing_the_other_way_round_mirrors_everything(table):
    other = PairedCounts(table.both, table.broke, table.fixed, table.neither)
    assert mcnemar(table.fixed, table.broke) == mcnemar(other.fixed, other.broke)
    ours, theirs = newcombe_paired(table), newcombe_paired(other)
    if table.n:
        assert ours.low == pytest.approx(-theirs.high)
        assert ours.low - 1e-12 <= ours.estimate <= ours.high + 1e-12
    swapped = {Outcome.IMPROVED: Outcome.WORSE, Outcome.WORSE: Outcome.IMPROVED}
    assert outcome_of(other) == swapped.get(outcome_of(table), outcome_of(table))


@few_examples
@given(st.lists(st.tuples(scores, scores), max_size=20))
def test_scores_compared_the_other_way_round_have_the_same_p(pairs):
    old, new = [a for a, _ in pairs], [b for _, b in pairs]
    forward, back = paired_mean(old, new), paired_mean(new, old)
    assert forward.p == back.p
    if forward.interval.estimate is not None:
        assert forward.interval.estimate == pytest.approx(-back.interval.estimate)


@few_examples
@given(st.lists(st.tuples(scores, scores), min_size=2, max_size=12), st.integers(2, 5))
def test_repeats_of_the_same_cases_never_create_significance(pairs, repeats):
    """Repeats enter as a cluster of their case: copies change neither interval nor p."""
    old, new = [a for a, _ in pairs], [b for _, b in pairs]
    once = paired_mean(old, new, list(range(len(pairs))))
    names = [case for case in range(len(pairs)) for _ in range(repeats)]
    many = paired_mean([old[c] for c in names], [new[c] for c in names], names)
    assert many.p == pytest.approx(once.p)
    assert many.interval.low == pytest.approx(once.interval.low, abs=1e-9)
    assert many.interval.high == pytest.approx(once.interval.high, abs=1e-9)


@given(st.integers(0, 30), st.integers(0, 30), st.integers(1, 40))
def test_any_pass_is_likelier_than_all_pass_and_flaky_is_between(passed, failed, k):
    n = passed + failed
    if not n:
        return
    any_passes, all_pass = pass_at_k(passed, n, k), pass_hat_k(passed, n, k)
    assert (any_passes is None) == (n < k) == (all_pass is None)
    if any_passes is not None:
        assert 0 <= all_pass <= any_passes <= 1
        if not is_flaky(passed, n):
            assert any_passes == all_pass == (1 if passed else 0)


@given(st.lists(st.floats(0, 1), max_size=12))
def test_corrected_p_values_never_get_smaller_and_holm_is_the_stricter(p_values):
    strict, loose = holm(p_values), benjamini_hochberg(p_values)
    for p, held, found in zip(p_values, strict, loose, strict=True):
        assert p - 1e-12 <= found <= held + 1e-12 <= 1 + 1e-9


def test_holm_of_a_textbook_family():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx((0.03, 0.06, 0.06, 0.02))


@given(st.integers(6, 5000), st.floats(0.02, 0.9))
def test_size_and_detectable_difference_agree(n, discordance):
    gap = detectable_difference(n, discordance)
    if gap is not None:
        assert cases_for_paired_difference(max(discordance, gap), gap) <= n + 1


@few_examples
@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), max_size=30))
def test_kappa_is_one_for_full_agreement_and_symmetric(pairs):
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    found, mirrored = agreement(first, second), agreement(second, first)
    assert found.kappa == pytest.approx(mirrored.kappa)
    assert sum(found.table.values()) == len(pairs)
    itself = agreement(first, first)
    assert itself.kappa in (None, 1.0)


def test_kappa_of_a_textbook_table():
    first = ["yes"] * 25 + ["no"] * 25
    second = ["yes"] * 20 + ["no"] * 5 + ["yes"] * 10 + ["no"] * 15
    found = agreement(first, second)
    assert found.rate == pytest.approx(0.7)
    assert found.kappa == pytest.approx(0.4)
    assert found.kappa_low < 0.4 < found.kappa_high


def test_alpha_is_one_where_all_agree_and_nothing_where_none_can_be_compared():
    assert krippendorff_alpha([["a", "a"], ["b", "b", None]]) == 1
    assert krippendorff_alpha([["a"], [None, "b"]]) is None


@pytest.mark.parametrize(
    ("table", "margin", "sentence"),
    [
        (
            PairedCounts(90, 9, 2, 19),
            None,
            "B fixed 9 and broke 2 of 120 cases; not enough to tell (p = 0.065). "
            "About 210 cases would settle a gap this size.",
        ),
        (
            PairedCounts(50, 20, 2, 8),
            None,
            "B fixed 20 and broke 2 of 80 cases: an improvement, p < 0.001.",
        ),
        (
            PairedCounts(50, 1, 12, 8),
            None,
            "B fixed 1 and broke 12 of 71 cases: a step back, p = 0.003.",
        ),
        (
            PairedCounts(400, 4, 3, 93),
            0.02,
            "B fixed 4 and broke 3 of 500 cases: no worse by more than 2 points, p = 1.000.",
        ),
        (
            PairedCounts(3, 0, 0, 1),
            None,
            "B changed no verdict of 4 cases; that is not proof that nothing changed.",
        ),
        (
            PairedCounts(0, 0, 0, 0),
            None,
            "The runs have no case in common whose verdicts can be compared.",
        ),
    ],
)
def test_sentence_claims_no_more_than_the_numbers(table, margin, sentence):
    assert paired_sentence(table, margin=margin) == sentence


def test_many_pairs_are_as_well_told_by_the_normal_approximation():
    import numpy as np

    generator = np.random.default_rng(3)
    old = generator.random(4000)
    new = np.clip(old + generator.normal(0.005, 0.1, 4000), 0, 1)
    drawn = paired_mean(old.tolist(), new.tolist())
    moved = new - old
    told = normal_mean(float(moved.mean()), float(moved.std(ddof=1)), 4000)
    assert told.interval.low == pytest.approx(drawn.interval.low, abs=5e-4)
    assert told.interval.high == pytest.approx(drawn.interval.high, abs=5e-4)
    assert told.p == pytest.approx(drawn.p, abs=0.02)
