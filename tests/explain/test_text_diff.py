from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.explain.text_diff import diff_words


def marked(pieces):
    return "".join(p.text if p.kind == "same" else f"[{p.text}]" for p in pieces)


@pytest.mark.parametrize(
    ("expected", "actual", "left", "right"),
    [
        ("same text", "same text", "same text", "same text"),
        ("seats 14A and 14B", "seats 14A and 15C", "seats 14A and [14B]", "seats 14A and [15C]"),
        ("Your booking is ok", "A trip is ok", "[Your booking] is ok", "[A trip] is ok"),
        ("costs 5", "costs 5.", "costs 5", "costs 5[.]"),
        ("shelf 635.6 TOM", "shelf 635.9 TOM", "shelf [635.6] TOM", "shelf [635.9] TOM"),
        ("an e-mail", "an e-mailed", "an [e-mail]", "an [e-mailed]"),
        ("", "new", "", "[new]"),
        ("gone", "", "[gone]", ""),
        ("a b", "a  b", "a[ ]b", "a[  ]b"),
    ],
)
def test_words_that_differ_are_marked(expected, actual, left, right):
    found = diff_words(expected, actual)
    assert (marked(found.expected), marked(found.actual)) == (left, right)


@given(st.text("ab ,\n", max_size=40), st.text("ab ,\n", max_size=40))
def test_the_pieces_of_a_side_are_its_text(expected, actual):
    found = diff_words(expected, actual)
    assert "".join(p.text for p in found.expected) == expected
    assert "".join(p.text for p in found.actual) == actual
    assert found.is_same == (expected == actual)
    same = [[p.text for p in side if p.kind == "same"] for side in (found.expected, found.actual)]
    assert "".join(same[0]) == "".join(same[1])


def test_a_difference_in_spaces_alone_is_called_that():
    assert diff_words("a b\n", "a b").is_space_only
    assert not diff_words("a b", "a c").is_space_only
    assert not diff_words("a", "a").is_space_only


@pytest.mark.parametrize(
    ("expected", "actual", "grain"),
    [
        ("a b", "a c", "word"),
        (
            "\n".join(f"w{i} x" for i in range(3000)),
            "\n".join(f"v{i} x" for i in range(3000)),
            "line",
        ),
        ("ab " * 900_000, "ba " * 900_000, "block"),
        ("x" * 5_000_000, "x" * 4_999_999 + "y", "word"),
    ],
    ids=["short", "many lines", "many words", "one long word"],
)
def test_long_texts_are_compared_more_coarsely_in_bounded_time(expected, actual, grain):
    started = process_time()
    found = diff_words(expected, actual)
    assert found.grain == grain
    assert "".join(p.text for p in found.actual) == actual
    assert process_time() - started < 10
