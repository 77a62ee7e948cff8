"""Greedy matching by each system's rules, against plain restatements of them."""

import math
from operator import eq

from hypothesis import given
from hypothesis import strategies as st

from evalcore.evaluators.measures.sequences import longest_common_subsequence
from evalcore.evaluators.measures.sums import mean, summed
from evalcore.evaluators.measures.trajectory import (
    contained_in_any_order,
    contained_in_order,
    equal_throughout,
    matches_by_place,
    prefix_in_order,
    taken_in_any_order,
)

items = st.lists(st.sampled_from("abc"), max_size=6)


def same(left, right):
    return left == right


@given(items, items)
def test_taking_equal_items_is_the_same_by_value_and_by_function(expected, actual):
    taken = taken_in_any_order(expected, actual, eq)
    assert taken == taken_in_any_order(expected, actual, same)
    assert taken == sum(min(expected.count(c), actual.count(c)) for c in set(expected))


def test_each_item_takes_the_first_that_it_matches_even_if_another_needs_it():
    def match(expected, actual):
        return expected in ("any", actual)

    assert taken_in_any_order(["any", "a"], ["a", "b"], match) == 1
    assert taken_in_any_order(["a", "any"], ["a", "b"], match) == 2


@given(items, items)
def test_a_prefix_in_order_ends_at_the_first_item_that_is_missing(expected, actual):
    found = prefix_in_order(expected, actual, same)
    assert contained_in_order(expected[:found], actual) is not None
    if found < len(expected):
        assert contained_in_order(expected[: found + 1], actual) is None


@given(items, items)
def test_places_match_one_by_one(expected, actual):
    pairs = zip(expected, actual, strict=False)
    assert matches_by_place(expected, actual, same) == sum(a == b for a, b in pairs)


@given(items, items)
def test_the_stricter_rule_implies_the_looser_one(expected, actual):
    in_order = contained_in_order(expected, actual)
    if equal_throughout(expected, actual) is not None:
        assert in_order is not None
    if in_order is not None:
        assert list(in_order) == expected
        assert contained_in_any_order(expected, actual) is not None


@given(items, items)
def test_all_are_contained_exactly_if_all_can_be_taken(expected, actual):
    contained = contained_in_any_order(expected, actual)
    assert (contained is not None) == (taken_in_any_order(expected, actual, eq) == len(expected))


@given(items, items)
def test_a_common_subsequence_is_one_of_both_sides_and_as_long_either_way(expected, actual):
    found = longest_common_subsequence(expected, actual, same)
    assert contained_in_order(found, expected) is not None
    assert contained_in_order(found, actual) is not None
    assert len(found) == len(longest_common_subsequence(actual, expected, same))
    assert len(found) >= prefix_in_order(expected, actual, same)


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=20))
def test_sums_keep_what_rounding_loses(numbers):
    assert math.isclose(summed(numbers), math.fsum(numbers), rel_tol=1e-15, abs_tol=1e-9)
    assert min(numbers) - 1e-9 <= mean(numbers) <= max(numbers) + 1e-9


def test_ten_tenths_are_one():
    assert summed([0.1] * 10) == 1.0
    assert summed([1e100, 1.0, -1e100]) == 1.0
    assert summed([math.inf, 1.0]) == math.inf
    assert summed([]) == 0.0
