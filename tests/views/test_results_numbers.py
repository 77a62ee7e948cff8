import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.views import numbers
from evalcore.views.numbers import Rate, percent, score, seconds, wilson


@pytest.mark.parametrize(
    ("passed", "total", "low", "high"),
    [
        (18, 20, 0.6990, 0.9721),
        (20, 20, 0.8389, 1.0),
        (0, 20, 0.0, 0.1611),
        (45, 50, 0.7864, 0.9565),
        (90, 100, 0.8256, 0.9448),
        (425, 500, 0.8160, 0.8786),
        (0, 0, 0.0, 1.0),
    ],
)
def test_wilson_gives_the_published_interval(passed, total, low, high):
    assert wilson(passed, total) == pytest.approx((low, high), abs=5e-5)


@given(st.integers(1, 10_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_interval_holds_the_share_and_stays_within_all_and_none(counts):
    passed, total = counts
    low, high = wilson(passed, total)
    assert 0 <= low <= passed / total <= high <= 1


@pytest.mark.parametrize(
    ("part", "whole", "text"),
    [
        (101, 120, "84.2 %"),
        (0, 7, "0 %"),
        (7, 7, "100 %"),
        (9999, 10_000, "99.99 %"),
        (1, 100_000, "0.001 %"),
        (1, 3, "33.3 %"),
    ],
)
def test_a_percentage_never_reads_as_all_or_none_when_it_is_not(part, whole, text):
    assert percent(part, whole) == text


def test_a_rate_names_its_denominator_and_its_interval():
    rate = Rate(18, 20, 20)
    assert str(rate) == "90.0 % (18 of 20)"
    assert rate.interval_text == "95 % interval 69.9–97.2 % (Wilson)"


def test_nothing_judged_is_no_rate_rather_than_zero():
    rate = Rate(0, 0, 0)
    assert (rate.share, rate.percent) == (None, "–")
    assert "no rate" in rate.interval_text


def test_repeats_do_not_narrow_the_interval():
    assert Rate(90, 100, 20).interval == pytest.approx(wilson(18, 20))


@pytest.mark.parametrize(
    ("value", "beside", "text"),
    [
        (0.799, 0.8, "0.799"),
        (0.7999999999999999, 0.8, "0.7999999999999999"),
        (0.8, 0.8, "0.80"),
        (0.5, None, "0.50"),
        (85.0, 85.3, "85"),
        (0.9999, 1.0, "0.9999"),
        (None, 0.8, "–"),
        (float("nan"), 0.8, "NaN"),
        (float("-inf"), None, "−∞"),
        (1234.0, None, "1,234"),
    ],
)
def test_a_score_has_the_digits_that_tell_it_from_its_threshold(value, beside, text):
    assert score(value, beside) == text


@given(st.floats(0, 1), st.floats(0, 1))
def test_two_different_scores_never_look_equal(a, b):
    assert (score(a, b) == score(b, a)) == (a == b)


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "–"), (0.32, "320 ms"), (4.1, "4.1 s"), (200, "3 min 20 s"), (7260, "2 h 1 min")],
)
def test_durations_read_in_the_unit_that_fits(value, text):
    assert seconds(value) == text


@pytest.mark.parametrize(("number", "text"), [(812, "812"), (3400, "3.4 k"), (5_000_000, "5.0 M")])
def test_sizes_are_short(number, text):
    assert numbers.size(number) == text
