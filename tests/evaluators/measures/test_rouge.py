"""Words and their overlap, as ADK, ``rouge_score`` and 10xGraph count them."""

import unicodedata
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.evaluators.measures import rouge
from evalcore.evaluators.measures.rouge import (
    Overlap,
    adk_rouge1,
    adk_tokens,
    rouge_l,
    rouge_n,
    rouge_score_tokens,
    tenxgraph_overlap,
)

NOTHING, ALL = Overlap(0.0, 0.0, 0.0), Overlap(1.0, 1.0, 1.0)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The cats RUN, running!", ["the", "cat", "run", "run"]),
        ("don't pay 1,000.50", ["don", "t", "pay", "1", "000", "50"]),
        ("", []),
        ("?! 👍 \n", []),
        ("“Cats” – running…", ["cat", "run"]),
        ("東京は晴れ", ["東", "京", "は", "晴", "れ"]),
        ("한국 cats", ["한", "국", "cat"]),
        ("สวัสดี", ["ส", "วั", "ส", "ดี"]),
        ("cafés running", ["cafés", "run"]),
        ("cafe\u0301", ["café"]),
        ("ﬁnding", ["find"]),
        ("\u212aelvin", ["kelvin"]),
        ("İx", ["i\u0307x"]),
        ("soft\u00adhyphen", ["soft", "hyphen"]),
        ("a\u200db", ["a", "b"]),
        ("lone \ud800 surrogate", ["lone", "surrog"]),
        ("flat_case", ["flat", "case"]),
        ("٣ apples", ["٣", "appl"]),
    ],
)
def test_adk_counts_these_words(text, words):
    assert adk_tokens(text) == words


@given(st.text(max_size=40))
def test_adk_counts_composed_and_decomposed_letters_alike(text):
    composed = unicodedata.normalize("NFC", text)
    assert adk_tokens(composed) == adk_tokens(unicodedata.normalize("NFD", composed))


@given(st.text("ab cdé東“–” s.", max_size=30))
def test_signs_that_are_not_ascii_separate_like_blanks(text):
    plain = "".join(" " if c in "“–”." else c for c in text)
    assert adk_tokens(text) == adk_tokens(plain)


words = st.lists(st.sampled_from(["the", "cat", "cats", "no", "café", "東京"]), max_size=9)
texts = words.map(" ".join) | st.text(max_size=12)


@given(texts, texts)
def test_overlap_with_the_sides_exchanged_exchanges_precision_and_recall(left, right):
    there, back = adk_rouge1(left, right), adk_rouge1(right, left)
    assert (there.precision, there.recall) == (back.recall, back.precision)
    assert there.f1 == pytest.approx(back.f1, abs=1e-15)


@given(texts, texts)
def test_overlap_is_a_share_and_between_its_parts(left, right):
    found = adk_rouge1(left, right)
    assert 0 <= found.precision <= 1
    assert 0 <= found.recall <= 1
    low, high = sorted(found[:2])
    assert low - 1e-12 <= found.f1 <= high + 1e-12


@given(texts)
def test_a_text_overlaps_fully_with_itself_if_it_has_words(text):
    assert adk_rouge1(text, text) == (ALL if adk_tokens(text) else NOTHING)


@given(texts, texts)
def test_words_are_counted_as_often_as_both_have_them(left, right):
    a, b = adk_tokens(left), adk_tokens(right)
    common = sum((Counter(a) & Counter(b)).values())
    assert adk_rouge1(left, right) == rouge.overlap(common, len(a), len(b))


@given(texts, st.lists(texts, min_size=2, max_size=3))
def test_a_reference_seen_before_is_not_used_up(reference, replies):
    first = [adk_rouge1(reference, reply) for reply in replies]
    assert [adk_rouge1(reference, reply) for reply in replies] == first


def test_four_of_five_words_give_the_last_digit_that_the_package_gives():
    assert adk_rouge1("a b c d e", "a b c d x").f1 == 0.8000000000000002


@pytest.mark.parametrize(
    ("expected", "actual", "one", "two", "longest"),
    [
        ("the cat sat", "the cat sat", 1.0, 1.0, 1.0),
        ("dog bites man", "man bites dog", 1.0, 0.0, 1 / 3),
        ("a b c d", "a b x d", 0.75, 1 / 3, 0.75),
        ("", "a", 0.0, 0.0, 0.0),
        ("a", "a", 1.0, 0.0, 1.0),
        ("東京", "東京", 0.0, 0.0, 0.0),
        ("running cats", "run cat", 1.0, 1.0, 1.0),
    ],
)
def test_the_classic_family(expected, actual, one, two, longest):
    assert rouge_n(expected, actual, 1).f1 == pytest.approx(one)
    assert rouge_n(expected, actual, 2).f1 == pytest.approx(two)
    assert rouge_l(expected, actual).f1 == pytest.approx(longest)


def test_the_classic_words_are_ascii_only_and_stemmed_unless_told_otherwise():
    assert rouge_score_tokens("Café running 3.5") == ["caf", "run", "3", "5"]
    assert rouge_score_tokens("Café running", stemmed=False) == ["caf", "running"]


@given(texts, texts)
def test_the_longest_common_subsequence_is_no_longer_than_the_words_in_common(left, right):
    assert rouge_l(left, right).f1 <= rouge_n(left, right, 1).f1 + 1e-12


@pytest.mark.parametrize(
    ("expected", "actual", "f1"),
    [
        ("no", "no no no no", 1.0),
        ("get_weather", "get weather", 0.0),
        ("!!!", "???", 1.0),
        ("!!!", "a", 0.0),
        ("a", "!!!", 0.0),
        ("Paris", "The capital of France is Paris.", 2 / 7),
        ("café", "cafe\u0301", 0.0),
    ],
)
def test_10xgraph_compares_sets_of_words(expected, actual, f1):
    assert tenxgraph_overlap(expected, actual).f1 == pytest.approx(f1)
