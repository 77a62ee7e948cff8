import pytest

from evalcore.counting import build
from evalcore.jsontree import MISSING
from evalcore.model import ToolCall
from evalcore.views.turn_detail import reply_of, turn_detail
from tests.views.runs import case, run, turn


@pytest.mark.parametrize(
    ("expected", "actual", "note"),
    [
        ("same", "same", "No difference in the text."),
        ("a b", "a  b", "They differ only in spaces or line ends."),
        ("a", "b", ""),
        (MISSING, "b", ""),
        ("a", None, ""),
    ],
)
def test_a_reply_says_what_to_know_about_its_comparison(expected, actual, note):
    assert reply_of(expected, actual).note == note


def test_data_is_compared_by_path_and_text_by_words():
    found = reply_of({"n": 8, "s": "x"}, {"n": "8", "s": "x"})
    assert [(c.path, c.kind) for c in found.changes.changes] == [("n", "type")]
    assert reply_of("a", "b").changes is None
    assert reply_of({"n": 8}, "8").changes is None


def test_a_long_text_is_compared_only_as_far_as_it_is_shown():
    found = reply_of("same " * 100 + "left", "same " * 100 + "right", limit=50)
    assert (found.length, found.note, found.diff.is_same) == (505, "", True)


def test_an_absent_side_is_no_empty_reply():
    assert reply_of(MISSING, None).actual is None
    assert reply_of("", "").expected == ""


def detail(**more):
    (row,) = build(run(case(turns=[turn(**more)]))).rows
    return turn_detail(row.turns[0], None)


def test_calls_and_nodes_that_nobody_expected_are_listed_alone():
    found = detail(actual_tool_calls=(ToolCall(name="t"),), node_visits=("A",))
    assert (found.calls_expected, found.nodes_expected) == (False, False)
    assert [p.actual.name for p in found.pairs] == ["t"]
    assert found.nodes == ((None, "A"),)


def test_expecting_no_call_is_not_the_same_as_expecting_nothing():
    assert detail(expected_tool_calls=(), actual_tool_calls=()).pairs == ()
    assert detail().pairs is None
