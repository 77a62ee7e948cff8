"""Low-code checks that compute: equals, JSON similarity, CSV columns."""

import pytest

from evalcore.errors import EvaldeskError
from evalcore.evaluators.uipath.base import CriteriaError
from evalcore.results import PERCENT
from tests.evaluators.uipath.data import legacy, outcome, score

EQUALS, SIMILAR, CSV = 1, 6, 10


def both(output):
    return {"expectedOutput": output, "expectedAgentBehavior": ""}


@pytest.mark.parametrize(
    ("key", "expected", "output", "native"),
    [
        ("*", {"b": 2, "a": [1]}, {"a": [1.0], "b": 2}, 100),
        ("*", {"a": "Hi"}, {"a": "hi"}, 0),
        ("*", {"a": True}, {"a": 1}, 0),
        ("*", {"a": "5"}, {"a": 5}, 0),
        ("*", {"a": "\u00e9"}, {"a": "e\u0301"}, 0),
        ("a.b[0]", {"a": {"b": [1]}}, {"a": {"b": [1, 2]}}, 100),
        ("", {"a": 1}, {"a": 1}, 100),
        ("a", "x", {"a": "x"}, 0),
        ("a", "x", "x", 100),
    ],
)
def test_equals_compares_canonical_json(key, expected, output, native):
    found = score(legacy(0, EQUALS, targetOutputKey=key), both(expected), output)
    assert (found.native, found.scale, found.value) == (native, PERCENT, native / 100)


@pytest.mark.parametrize(
    ("expected", "output"),
    [({"a": 1}, {"b": 2}), ({"q": 1}, {"b": 2}), ({"a": 1}, {"q": 2})],
)
def test_equals_passes_where_the_field_is_missing_and_says_so(expected, output):
    found = score(legacy(0, EQUALS, targetOutputKey="q"), both(expected), output)
    assert found.native == 100
    assert "is missing" in found.cautions[0]


@pytest.mark.parametrize(
    ("expected", "output", "native"),
    [({"a": 1}, {"q": 1}, 100), ({"q": 1}, {"a": 1}, 0), ("x", {"q": 1}, 100)],
)
def test_similarity_takes_a_missing_field_for_nothing(expected, output, native):
    found = score(legacy(0, SIMILAR, targetOutputKey="q"), both(expected), output)
    assert found.native == native
    assert "is missing on one side" in found.cautions[0]


def test_a_text_that_is_no_path_is_an_error():
    for number in (EQUALS, SIMILAR):
        with pytest.raises(EvaldeskError):
            score(legacy(0, number, targetOutputKey="."), both({"a": 1}), {"a": 1})


@pytest.mark.parametrize("criterion", [None, {}, {"expectedOutput": {}}])
def test_an_expectation_must_state_output_and_behaviour(criterion):
    with pytest.raises(CriteriaError):
        score(legacy(0, EQUALS), criterion, {"a": 1})


def test_without_an_expectation_of_its_own_the_cases_is_taken():
    assert score(legacy(0, EQUALS), output={"a": 1}, expected={"a": 1}).native == 100
    with pytest.raises(EvaldeskError, match="no expected output"):
        score(legacy(0, EQUALS), output={"a": 1})


def table(expected, actual, columns="Name,Age", **config):
    check = legacy(0, CSV, targetSubOutputKey=columns, **{"targetOutputKey": "d", **config})
    return outcome(check, both({"d": expected}), {"d": actual})


@pytest.mark.parametrize(
    ("expected", "actual", "columns", "native"),
    [
        ("Name,Age\nAnn,30\nBo,1", "age,NAME\n 30 ,Ann\nCy,2", " Name , Age ,", 100),
        ("Name,Age\nAnn,30", "Name,Age\nann,30", "Name,Age", 0),
        ("Name,Age\nAnn,30", "Name,Age\nann,30", "Age", 100),
        ('Name\n"Ann, B"', 'Name,Age\n"Ann, B",4', "Name", 100),
        ("Name,Name\n1,2", "Name\n2", "name", 100),
        ("Name,Age\nAnn", "Name,Age\nAnn,", "Age", 100),
    ],
)
def test_columns_compare_the_first_row(expected, actual, columns, native):
    assert table(expected, actual, columns).overall.native == native


def test_columns_say_that_further_rows_are_not_compared():
    assert "2 more are not" in table("Name\na\nb\nc", "Name\na", "Name").overall.cautions[0]


@pytest.mark.parametrize(
    ("actual", "columns"),
    [
        ("Name,Age", "Name"),
        ("Name\nAnn", "Age"),
        (" Name\nAnn", "Name"),
        ("", "Name"),
        (" \n", "Name"),
        ({"content": 5}, "Name"),
        ("Name\nAnn", ","),
        ("\nName\nAnn", "Name"),
    ],
)
def test_a_table_without_the_row_or_the_column_is_an_error(actual, columns):
    with pytest.raises(EvaldeskError):
        table("Name,Age\nAnn,30", actual, columns)


def test_a_table_may_be_the_content_of_an_object():
    check = legacy(0, CSV, targetSubOutputKey="x")
    assert score(check, both({"content": "x\n1"}), "X\n1").native == 100


def test_the_field_of_a_table_is_a_plain_name():
    nested = {"a": {"b": "x\n1"}}
    check = legacy(0, CSV, targetSubOutputKey="x", targetOutputKey="a.b")
    with pytest.raises(EvaldeskError):
        score(check, both(nested), nested)


def test_rows_by_line_each_get_the_header_and_missing_rows_count_as_zero():
    found = table("Name\na\nb\nc", "Name\na\nX", "Name", lineByLineEvaluation=True)
    assert [line.native for line in found.lines] == [100, 0, None]
    assert found.overall.native == pytest.approx(1 / 3)
    assert "1 of 3 lines have no score" in found.overall.cautions[0]


@pytest.mark.parametrize("actual", ["", " \n "])
def test_a_table_without_lines_fails_the_case_by_line(actual):
    with pytest.raises(CriteriaError):
        table("Name\na", actual, "Name", lineByLineEvaluation=True)


def test_no_columns_are_refused():
    with pytest.raises(EvaldeskError, match="no column"):
        legacy(0, CSV, targetSubOutputKey="  ")
