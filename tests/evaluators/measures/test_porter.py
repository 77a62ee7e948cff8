"""The stemmer: a word for every rule of its steps, and what no word may do to it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.evaluators.measures.porter import IRREGULAR, stem

RULES = {
    "plurals": {
        "caresses": "caress",
        "ponies": "poni",
        "caress": "caress",
        "cats": "cat",
        "ties": "tie",
    },
    "past and gerund": {
        "feed": "feed",
        "agreed": "agre",
        "plastered": "plaster",
        "bled": "bled",
        "motoring": "motor",
        "sing": "sing",
        "conflated": "conflat",
        "troubled": "troubl",
        "sized": "size",
        "hopping": "hop",
        "falling": "fall",
        "hissing": "hiss",
        "filing": "file",
        "died": "die",
        "spied": "spi",
    },
    "final y": {"happy": "happi", "sky": "sky", "enjoy": "enjoy", "say": "say"},
    "double endings": {
        "relational": "relat",
        "conditional": "condit",
        "valenci": "valenc",
        "digitizer": "digit",
        "conformabli": "conform",
        "radicalli": "radic",
        "differentli": "differ",
        "analogousli": "analog",
        "vietnamization": "vietnam",
        "operator": "oper",
        "feudalism": "feudal",
        "decisiveness": "decis",
        "hopefulness": "hope",
        "sensibiliti": "sensibl",
        "hopefulli": "hope",
        "geologi": "geolog",
    },
    "long endings": {
        "triplicate": "triplic",
        "formative": "form",
        "formalize": "formal",
        "electriciti": "electr",
        "hopeful": "hope",
        "goodness": "good",
    },
    "last endings": {
        "revival": "reviv",
        "allowance": "allow",
        "airliner": "airlin",
        "adjustable": "adjust",
        "replacement": "replac",
        "adjustment": "adjust",
        "dependent": "depend",
        "adoption": "adopt",
        "communion": "communion",
        "homologou": "homolog",
        "activate": "activ",
        "bowdlerize": "bowdler",
    },
    "final e and ll": {
        "probate": "probat",
        "rate": "rate",
        "cease": "ceas",
        "controlling": "control",
        "roll": "roll",
    },
    "short": {"": "", "a": "a", "is": "is", "as": "as"},
}
WORDS = [(rule, word, root) for rule, words in RULES.items() for word, root in words.items()]
letters = st.text("abcdefghijklmnopqrstuvwxyz", max_size=14)


@pytest.mark.parametrize(("rule", "word", "root"), WORDS)
def test_each_ending_is_treated_by_its_rule(rule, word, root):
    assert stem(word) == root


@pytest.mark.parametrize(("word", "root"), IRREGULAR.items())
def test_irregular_words_have_stems_of_their_own(word, root):
    assert stem(word) == root


@given(letters)
def test_a_stem_is_never_longer_than_the_word_and_begins_like_it(word):
    found = stem(word)
    assert len(found) <= max(len(word), 2)
    assert found[:1] == word[:1]


@given(letters.filter(lambda word: len(word) <= 2))
def test_words_of_one_or_two_letters_stay(word):
    assert stem(word) == word


@given(st.text("0123456789", min_size=3, max_size=9))
def test_numbers_stay(word):
    assert stem(word) == word
