"""Checks of the output: what is compared, what it scores, and what the score hides."""

import pytest

from evalcore.errors import EvaldeskError
from evalcore.evaluators.uipath.base import CriteriaError
from evalcore.evaluators.uipath.values import InvalidPath, PathError, is_blank, resolve, with_floats
from tests.evaluators.uipath.data import coded, expecting, sample, score

EXACT = "exact-match"


@pytest.mark.parametrize(
    ("config", "expected", "output", "native"),
    [
        ({}, {"a": 1}, {"a": 1.0}, 1),
        ({}, {"a": 1}, {"a": True}, 1),
        ({}, {"a": "1"}, {"a": 1}, 0),
        ({"targetOutputKey": "a"}, {"a": "1.0"}, {"a": 1}, 1),
        ({"targetOutputKey": "a"}, {"a": "1"}, {"a": 1}, 0),
        ({"targetOutputKey": "a"}, {"a": "TRUE"}, {"a": True}, 1),
        ({"targetOutputKey": "a"}, {"a": "none"}, {"a": None}, 1),
        ({"targetOutputKey": "a"}, {"a": "É"}, {"a": "é"}, 1),
        ({"targetOutputKey": "a"}, {"a": "STRASSE"}, {"a": "straße"}, 0),
        ({"targetOutputKey": "a", "caseSensitive": True}, {"a": "X"}, {"a": "x"}, 0),
        ({"targetOutputKey": "a", "ignoreCase": False}, {"a": "X"}, {"a": "x"}, 1),
        ({"targetOutputKey": "a"}, {"a": "x "}, {"a": "x"}, 0),
        ({}, {"a": "X"}, {"a": "x"}, 0),
        ({}, {"a": [1, 2]}, {"a": [2, 1]}, 0),
        ({}, {"a": 1, "b": 2}, {"b": 2, "a": 1}, 1),
        ({"negated": True}, {"a": 1}, {"a": 2}, 1),
        ({"targetOutputKey": ["a", "b.c"]}, {"a": 1, "b": {"c": 2}}, {"a": 1, "b": {"c": 2}}, 1),
        ({"targetOutputKey": ["*"]}, {"a": 1}, {"a": 1}, 1),
        ({"targetOutputKey": []}, {"a": 1}, {"a": 2}, 1),
        ({"targetOutputKey": "n"}, '{"n": 3}', {"n": 3}, 1),
        ({}, '{"n": 3}', {"n": 3}, 0),
    ],
)
def test_exact_match_compares_texts_and_values_as_python_does(config, expected, output, native):
    assert score(coded(EXACT, **config), expecting(expected), output).native == native


@pytest.mark.parametrize(
    ("config", "expected", "output"),
    [
        ({"targetOutputKey": "b"}, {"b": 1}, {"a": 1}),
        ({"targetOutputKey": "b", "negated": True}, {"b": 1}, {"a": 1}),
        ({"targetOutputKey": "b"}, {"a": 1}, {"b": 1}),
        ({"targetOutputKey": "a"}, "no JSON", {"a": 1}),
        ({"targetOutputKey": ["a"]}, {"a": 1}, "text"),
        ({"targetOutputKey": ["a"]}, "[1]", {"a": 1}),
        ({"targetOutputKey": ""}, {"a": 1}, {"a": 1}),
        ({}, {"a": 1}, {"a": 10**400}),
        ({}, {"a": "x"}, "urn:uipath:cas:file:orchestrator:12-ab"),
    ],
)
def test_what_cannot_be_compared_is_an_error_and_no_score(config, expected, output):
    with pytest.raises(EvaldeskError) as error:
        score(coded(EXACT, **config), expecting(expected), output)
    assert not isinstance(error.value, CriteriaError)


def test_a_run_without_an_output_is_an_error():
    with pytest.raises(EvaldeskError, match="no output"):
        score(coded(EXACT), expecting({"a": 1}))


@pytest.mark.parametrize(
    ("config", "expected", "output", "words"),
    [
        ({"targetOutputKey": "a"}, {"a": "8"}, {"a": 8}, "“8” is compared with “8.0”"),
        ({}, {"a": "X"}, {"a": "x"}, "Only upper and lower case differ"),
        ({}, {"a": 1}, {"a": 1, "b": 2}, "['b'] is not in the expected one"),
        ({}, '{"a": 1}', {"a": 1}, "not read as JSON"),
        ({}, {"a": True}, {"a": 1}, "True and 1 count as equal"),
        ({"targetOutputKey": "a"}, {"a": "x\r"}, {"a": "x"}, "line ends"),
        ({"targetOutputKey": []}, {"a": 1}, {"a": 2}, "No field is named"),
        ({}, {"a": 2**53}, {"a": 2**53 + 1}, "lose their last digits"),
    ],
)
def test_exact_match_says_what_its_number_hides(config, expected, output, words):
    found = score(coded(EXACT, **config), expecting(expected), output)
    assert words in " ".join(found.cautions)


def test_an_ordinary_match_has_no_caution():
    assert score(coded(EXACT), expecting({"a": 1}), {"a": 1}).cautions == ()


@pytest.mark.parametrize(
    ("config", "text", "output", "native", "words"),
    [
        ({}, "PARIS", "in Paris", 1, ""),
        ({"caseSensitive": True}, "PARIS", "in Paris", 0, ""),
        ({"negated": True}, "rome", "in Paris", 1, ""),
        ({"targetOutputKey": "n"}, "0", {"n": 7}, 1, "“7.0”"),
        ({"targetOutputKey": "n"}, "on", {"n": None}, 1, "“None”"),
        ({}, '"n"', {"n": 1}, 0, "single quotes"),
        ({}, "'N': 1.0", {"n": 1}, 1, ""),
        ({}, "", {"n": 1}, 1, "found in anything"),
    ],
)
def test_contains_searches_the_python_text_of_values(config, text, output, native, words):
    found = score(coded("contains", **config), {"searchText": text}, output)
    assert found.native == native
    assert words in " ".join(found.cautions)
    assert bool(found.cautions) is bool(words)


@pytest.mark.parametrize(
    ("expected", "output", "native"),
    [
        ({"a": 100}, {"a": 90}, 0.9),
        ({"a": 90}, {"a": 100}, 8 / 9),
        ({"a": 1}, {"a": 9}, 0),
        ({"a": 0}, {"a": 1e-12}, 1),
        ({"a": 0}, {"a": 1e-11}, 0),
        ({"a": "kitten"}, {"a": "sitting"}, 1 - 3 / 7),
        ({"a": True}, {"a": 1}, 0),
        ({"a": None}, {}, 0),
        ({"a": [1, 2]}, {"a": [1, 2, 3]}, 1),
        ({"a": {"b": 1, "c": 2}, "d": 3}, {"a": [1, 2], "d": 3}, 1 / 3),
        ({"a": float("nan")}, {"a": 5}, 1),
    ],
)
def test_json_similarity_is_the_mean_likeness_of_expected_leaves(expected, output, native):
    found = score(coded("json-similarity"), expecting(expected), output)
    assert found.native == pytest.approx(native, abs=1e-12)


@pytest.mark.parametrize("expected", [{}, {"a": {}}, {"a": []}])
def test_json_similarity_to_nothing_is_full_and_says_so(expected):
    found = score(coded("json-similarity"), expecting(expected), {"a": "boom"})
    assert found.native == 1
    assert "Nothing is expected" in found.cautions[0]


def test_a_stated_expectation_wins_over_the_cases_own_and_that_over_the_default():
    check = coded(EXACT, defaultEvaluationCriteria=expecting({"a": "default"}))
    for criterion, own, matches in [
        (expecting({"a": "stated"}), {"a": "own"}, "stated"),
        ({"other": 1}, {"a": "own"}, "own"),
        (None, {"a": "own"}, "own"),
        ({}, None, "default"),
        (None, None, "default"),
        ({"expected_output": {"a": "stated"}}, {"a": "own"}, "own"),
    ]:
        assert score(check, criterion, {"a": matches}, expected=own).native == 1


@pytest.mark.parametrize(
    ("config", "criterion", "own"),
    [
        ({}, None, None),
        ({}, {}, None),
        ({}, {"searchText": "x"}, None),
        ({}, {"expectedOutput": None}, {"a": 1}),
        ({}, {"expectedOutput": 5}, None),
    ],
)
def test_an_unusable_expectation_fails_the_case(config, criterion, own):
    with pytest.raises(CriteriaError):
        score(coded(EXACT, **config), criterion, {"a": 1}, expected=own)


@pytest.mark.parametrize(
    ("value", "path", "found"),
    [
        ({"a": {"b": [1, [2]]}}, "a.b[1][0]", 2),
        ({"a": 1}, "..a.", 1),
        ({"a": {"0": 1}}, "a.0", 1),
        ([5], "[0]", 5),
        ("x", "*", "x"),
    ],
)
def test_a_path_leads_through_keys_and_indexes(value, path, found):
    assert resolve(value, path) == found


@pytest.mark.parametrize(
    ("value", "path", "error"),
    [
        ({"a": 1}, "b", PathError),
        ({"a": [1]}, "a[1]", PathError),
        ({"a": [1]}, "a[-1]", PathError),
        ({"a": [1]}, "a.0", PathError),
        ({"a.b": 1}, "a.b", PathError),
        ({"a": 1}, "", InvalidPath),
        ({"a": 1}, ".", InvalidPath),
    ],
)
def test_a_path_that_leads_nowhere_is_an_error(value, path, error):
    with pytest.raises(error):
        resolve(value, path)


def test_floats_stand_for_whole_numbers_but_not_for_truth():
    assert repr(with_floats({"a": [1, True, "1"]})) == "{'a': [1.0, True, '1']}"


@pytest.mark.parametrize(
    ("value", "blank"),
    [
        (None, True),
        (" \n", True),
        ({}, True),
        ([], True),
        ({"a": "", "b": " "}, True),
        ({"a": "", "b": None}, False),
        ([""], False),
        (0, False),
        (False, False),
    ],
)
def test_blank_is_null_or_nothing_but_blank_texts(value, blank):
    assert is_blank(value) is blank


def test_details_hold_both_sides_as_they_are_compared():
    assert score(coded("contains"), {"searchText": "A"}, "BA").details == {
        "expected": "a",
        "actual": "ba",
    }


def test_evaluate_does_not_change_the_sample():
    given = sample(expecting({"a": [1]}), {"a": [1]})
    before = given.model_dump()
    coded(EXACT).evaluate(given)
    assert given.model_dump() == before
