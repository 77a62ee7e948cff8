"""JSON values as people type them."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.errors import FormatError
from evalcore.jsontree import same
from evalcore.views.values import (
    ValueKind,
    as_text,
    converted,
    is_printable,
    kind_of,
    number_text,
    plain,
    printable,
    read,
    read_number,
)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(JSON)
def test_what_is_shown_as_text_is_read_back_the_same(value):
    assert same(read(as_text(value)), value)


@given(JSON)
def test_any_value_is_shown_in_characters_that_a_browser_takes(value):
    as_text(value).encode("utf-8")
    plain(value).encode("utf-8")


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("5", ValueKind.TEXT),
        (5, ValueKind.NUMBER),
        (0.0, ValueKind.NUMBER),
        (True, ValueKind.FLAG),
        (None, ValueKind.NOTHING),
        ([], ValueKind.LIST),
        ({}, ValueKind.GROUP),
    ],
)
def test_kinds_follow_the_json_type(value, kind):
    assert kind_of(value) is kind
    assert converted(value, kind) is value


@pytest.mark.parametrize(
    ("value", "kind", "becomes"),
    [
        ("12", ValueKind.NUMBER, 12),
        ("1,5", ValueKind.NUMBER, 1.5),
        ("many", ValueKind.NUMBER, 0),
        (12, ValueKind.TEXT, "12"),
        (None, ValueKind.TEXT, ""),
        ({"a": 1}, ValueKind.TEXT, '{"a": 1}'),
        ('{"a": 1}', ValueKind.GROUP, {"a": 1}),
        ("abc", ValueKind.GROUP, {"value": "abc"}),
        ("abc", ValueKind.LIST, ["abc"]),
        ("", ValueKind.LIST, []),
        ("no", ValueKind.FLAG, False),
        ("yes", ValueKind.FLAG, True),
        ([1], ValueKind.NOTHING, None),
    ],
)
def test_changing_the_kind_keeps_what_the_new_kind_can_hold(value, kind, becomes):
    assert same(converted(value, kind), becomes)


@pytest.mark.parametrize(
    ("typed", "number"),
    [("3", 3), ("3.0", 3.0), (" -0.5 ", -0.5), ("0,8", 0.8), (".5", 0.5), ("+2", 2), ("1e3", 1e3)],
)
def test_numbers_are_read_as_people_write_them(typed, number):
    assert same(read_number(typed), number)


@pytest.mark.parametrize("typed", ["", "abc", "1 2 x", "true", '"5"', "1,2,3"])
def test_what_is_no_number_is_refused_with_what_to_write(typed):
    with pytest.raises(FormatError) as refused:
        read_number(typed)
    assert "number such as" in refused.value.hint


def test_a_number_keeps_its_spelling():
    assert (number_text(3), number_text(3.0), number_text(0.1)) == ("3", "3.0", "0.1")


def test_text_that_is_no_json_says_where():
    with pytest.raises(FormatError, match=r"Line 2, column \d+"):
        read('{"a": 1,\n "b" 2}')


def test_nothing_typed_is_refused():
    with pytest.raises(FormatError, match="Nothing is written"):
        read("  \n")


def test_what_is_said_of_typed_text_does_not_speak_of_a_file():
    with pytest.raises(FormatError) as refused:
        read('["a"')
    assert "file" not in refused.value.message + refused.value.hint


def test_half_an_emoji_is_not_editable_as_text_but_survives_as_json():
    half = json.loads('"\\ud83d"')
    assert not is_printable(half)
    assert printable(half) == "\ufffd"
    assert read(as_text(half)) == half
