"""How alike two values are: the laws of texts and numbers, and leaves that add up."""

import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from evalcore.evaluators.measures.similarity import (
    Likeness,
    json_likeness,
    leaf_likeness,
    likeness_by_leaf,
    number_likeness,
    text_likeness,
)
from evalcore.jsontree import MISSING, get

texts = st.text("abcé🙂", max_size=12)
numbers = st.integers(-(10**30), 10**30) | st.floats()
keys = st.sampled_from(["a", "b", "~/", ""])
json_values = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda values: st.lists(values, max_size=3) | st.dictionaries(keys, values, max_size=3),
    max_leaves=8,
)
NAN, INF = float("nan"), float("inf")


def distance(left: str, right: str) -> int:
    """The textbook's edit distance."""
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        above, row = row, [i]
        for j, b in enumerate(right, 1):
            row.append(min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (a != b)))
    return row[-1]


@given(texts, texts)
def test_texts_are_as_alike_as_their_edit_distance_says(left, right):
    longer = max(len(left), len(right))
    wanted = 1 - distance(left, right) / longer if longer else 1.0
    assert text_likeness(left, right) == pytest.approx(wanted)
    assert text_likeness(left, right) == text_likeness(right, left)
    assert (text_likeness(left, right) == 1) == (left == right)


@given(numbers, numbers)
@example(0, 1e-13)
@example(INF, INF)
@example(NAN, 1)
def test_numbers_are_alike_by_a_share(expected, actual):
    assert 0 <= number_likeness(float(expected), float(actual)) <= 1
    assert number_likeness(float(expected), float(expected)) == 1


@pytest.mark.parametrize(
    ("expected", "actual", "likeness"),
    [
        (100, 90, 0.9),
        (90, 100, 1 - 10 / 90),
        (1, 3, 0.0),
        (-2, 2, 0.0),
        (0, 0.0, 1.0),
        (0, 1e-12, 1.0),
        (0, 2e-12, 0.0),
        (1e-13, 0, 1.0),
        (NAN, NAN, 1.0),
        (NAN, 5, 1.0),
        (INF, INF, 1.0),
        (True, True, 1.0),
        (True, 1, 0.0),
        (1, True, 0.0),
        (None, None, 1.0),
        (None, 0, 0.0),
        (0, None, 0.0),
        ("1", 1, 0.0),
        (1, "1", 0.0),
        ("", "", 1.0),
        ("abcd", "abxd", 0.75),
        ("a", MISSING, 0.0),
        (0, MISSING, 0.0),
        (None, MISSING, 0.0),
        (False, MISSING, 0.0),
        (1, [1], 0.0),
    ],
)
def test_scalars(expected, actual, likeness):
    assert leaf_likeness(expected, actual) == pytest.approx(likeness)
    assert json_likeness(expected, actual).matched == pytest.approx(likeness)


@pytest.mark.parametrize(
    ("expected", "actual", "matched", "total"),
    [
        ({}, {"a": 1}, 0, 0),
        ([], 5, 0, 0),
        ({"a": {}}, {"a": "boom"}, 0, 0),
        ({"a": 1, "b": [1, 2]}, {"a": 1, "b": [1, 2, 3], "c": 4}, 3, 3),
        ({"a": 1, "b": [1, 2]}, {"a": 1}, 1, 3),
        ([1, 2], [2, 1], 0.5, 2),
        ({"a": {"b": 1}}, {"a": [1]}, 0, 1),
        ([1, [2]], {"0": 1}, 0, 2),
        ({"a": 1}, "a", 0, 1),
    ],
)
def test_containers(expected, actual, matched, total):
    assert json_likeness(expected, actual) == pytest.approx((matched, total))


@given(json_values, json_values)
def test_the_whole_is_the_sum_of_the_leaves(expected, actual):
    leaves = list(likeness_by_leaf(expected, actual))
    found = json_likeness(expected, actual)
    assert found.total == len(leaves)
    assert math.isclose(found.matched, sum(leaf.likeness for leaf in leaves), abs_tol=1e-9)
    assert all(0 <= leaf.likeness <= 1 for leaf in leaves)
    assert 0 <= found.share <= 1 + 1e-9


@given(json_values, json_values)
def test_every_leaf_is_where_its_pointer_says(expected, actual):
    for leaf in likeness_by_leaf(expected, actual):
        assert get(expected, leaf.pointer) is leaf.expected
        assert get(actual, leaf.pointer) is leaf.actual


@given(json_values)
def test_a_value_is_fully_alike_to_itself(value):
    found = json_likeness(value, value)
    assert found.matched == found.total
    assert found.share == 1


@given(json_values, st.dictionaries(st.text(max_size=3), json_values, max_size=3))
def test_what_only_the_actual_value_has_is_free(value, more):
    assert json_likeness({"a": value}, {**more, "a": value}).share == 1
    assert json_likeness([value], [value, more]).share == 1


def test_nothing_expected_is_fully_alike_to_anything():
    assert Likeness(0.0, 0.0).share == 1
