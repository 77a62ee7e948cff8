"""What is written of a case result is what is read again."""

import json
import math

import pytest
from hypothesis import given

from evalcore.jsontree import MISSING
from evalcore.results import Remarks, Score
from evalcore.store.documents import dump, load, utf8
from tests.store.builders import ANY_CASES, case, score, turn


@given(ANY_CASES)
def test_a_case_result_is_read_as_it_was_written(result):
    assert repr(load(dump(result))) == repr(result)


@given(ANY_CASES)
def test_a_document_is_one_line_of_ascii(result):
    text = dump(result)
    assert text.isascii()
    assert len(text.splitlines()) == 1


def test_null_and_missing_are_told_apart():
    held = turn(input=None, expected_output=MISSING)
    (read,) = load(dump(case(invocations=(held,)))).invocations
    assert read.input is None
    assert read.expected_output is MISSING


def test_what_is_no_number_stays_what_it_is():
    (read,) = load(dump(case(scores=(score(math.nan, native=-math.inf),)))).scores
    assert math.isnan(read.value)
    assert read.native == -math.inf


def test_integers_of_any_length_are_kept():
    (read,) = load(dump(case(invocations=(turn(input=10**9000),)))).invocations
    assert read.input == 10**9000


def test_remarks_are_worked_out_when_they_are_written():
    lazy = Score("reply", remarks=lambda: Remarks("why", ("careful",), {"n": 1}))
    (read,) = load(dump(case(scores=(lazy,)))).scores
    assert read.remarks == Remarks("why", ("careful",), {"n": 1})


def test_what_has_its_default_value_is_left_out():
    assert json.loads(dump(case())) == {"origin": "/c/a", "case_id": "a"}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "7",
        '"x"',
        "{}",
        '{"a',
        '{"origin": "/", "case_id": 7}',
        '{"origin": "", "case_id": "a", "scores": [3]}',
        '{"invocations": 3}',
        '{"invocations": [3]}',
    ],
)
def test_any_other_text_is_refused_as_such(text):
    with pytest.raises(ValueError):
        load(text)


def test_halves_of_an_emoji_become_their_escapes():
    assert utf8("a\ud83db") == "a\\ud83db"
    assert utf8("schön") == "schön"
