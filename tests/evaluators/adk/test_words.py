"""Response match: how words are found and counted."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.evaluators.measures.rouge import adk_rouge1, adk_tokens
from tests.evaluators.adk.cases import check, sample, turn

TEXTS = st.text(max_size=60)
WORDS = st.lists(st.text("abcdeé東ก ", min_size=1, max_size=6), max_size=12)
EQUAL = pytest.approx


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", []),
        ("...!", []),
        ("👍🎉", []),
        ("The cats sat", ["the", "cat", "sat"]),
        ("running runs", ["run", "run"]),
        ("was", ["was"]),
        ("don't", ["don", "t"]),
        ("1,000", ["1", "000"]),
        ("snake_case", ["snake", "case"]),
        ("ÉCOLES écoles", ["écoles", "écoles"]),
        ("ＷＩＤＥ", ["wide"]),
        ("cafe\u0301", ["café"]),
        ("Straße", ["straße"]),
        ("東京tower", ["東", "京", "tower"]),
        ("한국어", ["한", "국", "어"]),
        ("ข้าว", ["ข้", "า", "ว"]),
        ("par\u00adcel", ["par", "cel"]),
        ("a\u200db", ["a", "b"]),
        ("\U00020000\U00020001", ["\U00020000\U00020001"]),
    ],
)
def test_words_are_those_that_adk_counts(text, tokens):
    assert adk_tokens(text) == tokens


@given(TEXTS, TEXTS)
def test_overlap_is_within_0_and_1(expected, actual):
    assert all(0 <= share <= 1 for share in adk_rouge1(expected, actual))


@given(TEXTS)
def test_a_text_with_words_overlaps_itself_fully(text):
    assert adk_rouge1(text, text).f1 == (1.0 if adk_tokens(text) else 0.0)


@given(TEXTS, TEXTS)
def test_swapping_the_texts_swaps_precision_and_recall(left, right):
    one, other = adk_rouge1(left, right), adk_rouge1(right, left)
    assert (one.precision, one.recall) == (other.recall, other.precision)
    assert one.f1 == EQUAL(other.f1, abs=1e-12)


@given(WORDS, WORDS, st.randoms())
def test_the_order_of_words_does_not_count(expected, actual, rng: random.Random):
    shuffled = rng.sample(actual, len(actual))
    before = adk_rouge1(" ".join(expected), " ".join(actual))
    assert adk_rouge1(" ".join(expected), " ".join(shuffled)) == before


@given(WORDS, WORDS)
def test_a_word_repeated_more_often_than_expected_does_not_count_again(expected, actual):
    text = " ".join(expected)
    assert adk_rouge1(text, " ".join(actual + actual)).recall <= 1


@pytest.mark.parametrize(
    ("expected", "actual", "caution"),
    [
        ("", "Monday", "expected reply is empty"),
        ("   ", "", "expected reply is empty"),
        ("👍", "👍", "no words"),
        ("dog bites man", "man bites dog", "another order"),
        ("a university", "a universe", "one stem"),
        ("It is open today", "It is not open today", "says “not”"),
        ("Oh, it isn't open today, sorry", "Oh, it is open today, sorry", "says “not”"),
    ],
)
def test_a_misleading_score_carries_a_caution(expected, actual, caution):
    scored = check("response_match_score", 0.7).evaluate(sample(turn(expected, actual)))
    assert [caution in text for text in scored.turns[0].cautions] == [True]


@pytest.mark.parametrize(
    ("expected", "actual"),
    [("On Monday", "On Monday!"), ("On Monday", "Tuesday"), ("It is not", "on"), ("a b", "")],
)
def test_a_plain_score_carries_no_caution(expected, actual):
    scored = check("response_match_score", 0.8).evaluate(sample(turn(expected, actual)))
    assert scored.turns[0].cautions == ()


def test_the_reason_tells_precision_and_recall():
    scored = check("response_match_score", 0.5).evaluate(sample(turn("a b c d", "a b")))
    assert scored.turns[0].reason == (
        "100.0% of the reply's words are expected, 50.0% of the expected words are there."
    )


def test_a_score_that_fails_by_rounding_says_so():
    mark = 0.8000000000000003
    one = turn("one two three four five", "one two three four six")
    overall = check("response_match_score", mark).evaluate(sample(one)).overall
    assert overall.verdict == "failed"
    assert overall.cautions == (
        "Fails by rounding alone: 0.8000000000000002 is just below 0.8000000000000003.",
    )


def test_a_pass_tells_of_the_turns_that_fail():
    both = sample(turn("yes", "yes"), turn("yes", "no"))
    overall = check("response_match_score", 0.5).evaluate(both).overall
    assert (overall.native, overall.verdict) == (0.5, "passed")
    assert overall.cautions == ("Passes although 1 of 2 turns fail.",)


@pytest.mark.parametrize(
    ("mark", "caution"),
    [(0, "every score passes"), (-1, "every score passes"), (1.5, "No score reaches")],
)
def test_a_pass_mark_outside_the_scale_is_told(mark, caution):
    overall = check("response_match_score", mark).evaluate(sample(turn("a", "a"))).overall
    assert caution in overall.cautions[0]
