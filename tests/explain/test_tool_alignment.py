from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.explain.tool_alignment import Match, align, align_names
from evalcore.model import ToolCall


def calls(text):
    """Read "find(a=1) book" as two calls; a bare name says nothing about arguments."""
    found = []
    for word in text.split():
        name, _, rest = word.rstrip(")").partition("(")
        given = dict(pair.split("=") for pair in rest.split(",") if pair)
        found.append(ToolCall(name=name, args=given) if "(" in word else ToolCall(name=name))
    return found


def steps(expected, actual):
    return [(str(p.match), p.expected_step, p.actual_step) for p in align(expected, actual)]


@pytest.mark.parametrize(
    ("expected", "actual", "rows"),
    [
        ("a() b()", "a() b()", [("matched", 1, 1), ("matched", 2, 2)]),
        ("a() b()", "a()", [("matched", 1, 1), ("missing", 2, None)]),
        ("a()", "x() a()", [("extra", None, 1), ("matched", 1, 2)]),
        ("a(s=1)", "a(s=2)", [("arguments", 1, 1)]),
        ("a(s=1)", "b(s=1)", [("missing", 1, None), ("extra", None, 1)]),
        ("a() b()", "b() a()", [("moved", 1, 2), ("matched", 2, 1)]),
        ("a() b(s=1)", "b(s=2) a()", [("matched", 1, 2), ("arguments", 2, 1)]),
        (
            "a() b(s=1) c()",
            "b(s=2) x() b(s=1) a() c()",
            [
                ("moved", 1, 4),
                ("extra", None, 1),
                ("extra", None, 2),
                ("matched", 2, 3),
                ("matched", 3, 5),
            ],
        ),
        ("a(s=1,t=1)", "a(s=9,t=9) a(s=1,t=2)", [("extra", None, 1), ("arguments", 1, 2)]),
        ("a", "a(s=1)", [("matched", 1, 1)]),
        ("", "", []),
    ],
)
def test_calls_are_lined_up_by_the_cheapest_edit(expected, actual, rows):
    assert steps(calls(expected), calls(actual)) == rows


_CALLS = st.lists(
    st.builds(ToolCall, name=st.sampled_from("ab"), args=st.sampled_from([{}, {"x": 1}, {"x": 2}])),
    max_size=6,
)


@given(_CALLS, _CALLS)
def test_every_call_appears_exactly_once_on_its_side(expected, actual):
    pairs = align(expected, actual)
    left = sorted(p.expected_step for p in pairs if p.expected_step)
    right = sorted(p.actual_step for p in pairs if p.actual_step)
    assert left == list(range(1, len(expected) + 1))
    assert right == list(range(1, len(actual) + 1))


@given(_CALLS)
def test_equal_calls_all_match(given_calls):
    assert all(p.match is Match.MATCHED for p in align(given_calls, list(given_calls)))


def test_thousands_of_calls_are_lined_up_in_bounded_time():
    started = process_time()
    many = [ToolCall(name="f", args={"n": i}) for i in range(3000)]
    other = [ToolCall(name="f", args={"n": -i}) for i in range(3000)]
    assert len(align(many, other)) >= 3000
    assert process_time() - started < 10


@pytest.mark.parametrize(
    ("expected", "actual", "rows"),
    [
        (["a", "b"], ["a", "b"], [("a", "a"), ("b", "b")]),
        (["a", "b"], ["a", "x", "b"], [("a", "a"), (None, "x"), ("b", "b")]),
        (["a"], ["b"], [("a", None), (None, "b")]),
    ],
)
def test_node_orders_stand_side_by_side(expected, actual, rows):
    assert list(align_names(expected, actual)) == rows
