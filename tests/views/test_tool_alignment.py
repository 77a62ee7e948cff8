from evalcore.explain.tool_alignment import align
from evalcore.model import ToolCall
from evalcore.views.tool_alignment import differing


def test_the_differing_argument_is_named_with_both_values():
    (pair,) = align(
        [ToolCall(name="book", args={"seats": ["14A", "14B"], "meal": None})],
        [ToolCall(name="book", args={"seats": ["14A", "15C"], "n": 1})],
    )
    assert differing(pair) == (
        'seats[1]: expected "14B", got "15C"; meal: expected null, not given; '
        "n: not expected, got 1"
    )


def test_a_number_given_as_text_is_called_another_type():
    (pair,) = align([ToolCall(name="f", args={"n": 8})], [ToolCall(name="f", args={"n": "8"})])
    assert differing(pair) == 'n: expected 8, got "8" (another type)'
