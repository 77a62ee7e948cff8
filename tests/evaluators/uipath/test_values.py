"""Numbers as UiPath compares them: as floats, without copies that have floats in place of them."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from evalcore.errors import EvaldeskError
from evalcore.evaluators.measures.similarity import json_likeness
from evalcore.evaluators.uipath.values import check_numbers, with_floats
from tests.evaluators.uipath.data import coded, expecting, score

LARGEST = int(1.7976931348623157e308)
numbers = st.integers() | st.integers(2**52, 2**54) | st.integers(2**63 - 2, 2**64 + 2)
scalars = numbers | st.floats() | st.booleans() | st.none() | st.text(max_size=3)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner),
    max_leaves=10,
)


@given(values, values)
@example([2**53 + 1, 2**64, -0.0], [2**53 + 2, 2**64 + 1, 0])
def test_whole_numbers_are_as_alike_as_the_floats_nearest_to_them(expected, actual):
    as_floats = json_likeness(with_floats(expected), with_floats(actual))
    assert repr(json_likeness(expected, actual)) == repr(as_floats)


@given(
    st.dictionaries(st.sampled_from("abc"), values), st.dictionaries(st.sampled_from("abc"), values)
)
def test_what_similarity_says_shows_floats(expected, actual):
    found = score(coded("json-similarity"), expecting(expected), actual)
    assert found.details["expected"] == str(with_floats(expected))
    assert found.details["actual"] == str(with_floats(actual))


@pytest.mark.parametrize(
    "value",
    [
        LARGEST,
        {"a": [LARGEST]},
        -LARGEST,
        2**64,
        2**80,
        "\ud800",
        {"\ud800": 1},
        float("nan"),
        None,
    ],
)
def test_numbers_that_floats_can_be_are_taken(value):
    with_floats(value)
    check_numbers(value)


@pytest.mark.parametrize("value", [10**309, {"a": [-(10**309)]}, ["\ud800", 10**309]])
def test_numbers_beyond_floats_are_refused_wherever_they_are(value):
    for look in (with_floats, check_numbers):
        with pytest.raises(EvaldeskError, match="too large"):
            look(value)
    for expected, actual in (({"a": value}, {}), ({}, {"a": value})):
        with pytest.raises(EvaldeskError, match="too large"):
            score(coded("json-similarity"), expecting(expected), actual)
