"""What differs between two JSON values: all of it, and nothing else."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.changes.report import code
from evalcore.changes.values import value_lines
from evalcore.changes.words import line_words, plain_text, shortened, shown
from evalcore.jsontree import JsonValue, leaves, put
from tests.strategies import VALUES

A_LONG = "We will send the parcel to your address in Porto by the end of the week. " * 6


def said(old: JsonValue, new: JsonValue) -> list[str]:
    return [plain_text(line_words(line)) for line in value_lines(old, new, ())]


@pytest.mark.parametrize(
    ("old", "new", "lines"),
    [
        ({"amount": 40}, {"amount": 45}, ["amount 40 -> 45"]),
        ({"n": 8}, {"n": 8.0}, ["n 8 -> 8.0"]),
        ({"n": 8}, {"n": "8"}, ['n 8 -> "8"']),
        ({"n": True}, {"n": "true"}, ['n true -> "true"']),
        ({"n": None}, {}, ["n removed null"]),
        ({}, {"n": None}, ["n added null"]),
        ({"n": None}, {"n": ""}, ["n null -> empty text"]),
        ({"n": []}, {"n": {}}, ["n empty list -> no values"]),
        ({}, {"n": {}}, ["n added: no values"]),
        ({"n": ""}, {}, ["n removed: empty text"]),
        ({"n": "empty list"}, {"n": []}, ['n "empty list" -> empty list']),
        ({"a": {"b": {"c": 1}}}, {"a": {"b": {"c": 2}}}, ["a › b › c 1 -> 2"]),
        (["x", "y"], ["y", "z"], ["- x", "+ z"]),
        (["x", "y", "z"], ["z", "y", "x"], ["reordered: z, y, x"]),
        (["x", "x"], ["x"], ["- x"]),
        ({"t": ["x"]}, {"t": ["y"]}, ["t x -> y"]),
        ({"t": ["x"]}, {"t": ["x", "y"]}, ["t: + y"]),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, ["reordered: b, a"]),
        (
            [{"name": "a", "v": 1}, {"name": "b", "v": 1}],
            [{"name": "b", "v": 2}, {"name": "a", "v": 1}],
            ["b › v 1 -> 2", "reordered: b, a"],
        ),
        ([{"v": 1}], [{"v": 1}, {"v": 3}], ['item 2 added {"v": 3}']),
        ([[1, 2]], [[1, 3]], ["item 1: - 2", "item 1: + 3"]),
        ({"s": "a b"}, {"s": "a  b"}, ["s a b -> a  b"]),
        ({"s": "a"}, {"s": "a "}, ['s a -> "a "']),
        ({"s": "a\u200bb"}, {"s": "ab"}, ["s a\\u200bb -> ab"]),
        ({"s": "one\ntwo"}, {"s": "one"}, ['s "one\\ntwo" -> one']),
    ],
)
def test_what_differs_is_said_in_words(old: JsonValue, new: JsonValue, lines: list[str]):
    assert said(old, new) == lines


def test_a_long_text_is_shown_around_what_changed():
    (line,) = said(A_LONG, A_LONG.replace("Porto", "Braga", 1))
    start, end = "We will send the parcel to your address in ", " by the end of the week. We …"
    assert line == f"{start}[-Porto-]{{+Braga+}}{end}"


def test_a_long_text_that_is_another_one_is_shown_as_both():
    (line,) = said(A_LONG, "Nothing of that is so, whatever you have heard from whomever it was!")
    assert line.startswith("We will send") and "(438 characters) -> Nothing of that" in line


def test_long_texts_that_differ_far_behind_never_look_the_same():
    old, new = (f"{'x' * 500}{end}{'y' * 500}" for end in "ab")
    (line,) = said(old, new)
    left, right = line.split(" -> ")
    assert left != right and len(line) < 300


@given(VALUES)
def test_equal_values_do_not_differ(value: JsonValue):
    assert said(value, value) == []


@given(VALUES, VALUES)
def test_what_differs_never_looks_the_same(old: JsonValue, new: JsonValue):
    for line in value_lines(old, new, ()):
        words = line_words(line)
        if line.kind == "changed" and all(p.kind != "same" for p in words):
            before, after = (
                "".join(p.text for p in words if p.kind == kind) for kind in ("removed", "added")
            )
            assert before != after


@given(VALUES, st.data())
def test_every_leaf_that_changed_is_mentioned(value: JsonValue, data):
    places = [pointer for pointer, _leaf in leaves(value)]
    chosen = data.draw(st.lists(st.sampled_from(places), unique=True, max_size=4))
    new = value
    for number, pointer in enumerate(chosen):
        new = put(new, pointer, f"token {number}")
    mentioned = json.dumps([line.after for line in value_lines(value, new, ()) if line.after])
    for number in range(len(chosen)):
        assert f"token {number}" in mentioned


@given(VALUES, st.data())
def test_every_leaf_that_went_is_mentioned(value: JsonValue, data):
    places = [pointer for pointer, _leaf in leaves(value)]
    chosen = data.draw(st.sampled_from(places))
    marked = put(value, chosen, "token")
    after = put(value, chosen, None) if not chosen else _without(value, chosen)
    mentioned = json.dumps([line.before for line in value_lines(marked, after, ())], default=str)
    assert "token" in mentioned


def _without(value: JsonValue, pointer: str) -> JsonValue:
    from evalcore.jsontree import MISSING

    return put(value, pointer, MISSING)


@given(st.text() | st.text("`a "))
def test_a_code_span_holds_any_text_on_one_line(text: str):
    span = code(text)
    fence = span[: len(span) - len(span.lstrip("`"))]
    inside = span[len(fence) : -len(fence)]
    assert span.endswith(fence) and not inside.startswith("`") and not inside.endswith("`")
    assert len(fence) not in [len(run) for run in re.findall("`+", inside)]
    assert "\n" not in span and inside.strip(" `") == shortened(text).strip(" `")


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("x" * 300, f"{'x' * 79}…{'x' * 20} (300 characters)"),
        ("a\x1b[31mred", "a\\u001b[31mred"),
        (10**5000, f"1{'0' * 78}…{'0' * 20} (5,001 characters)"),
        (float("nan"), "NaN"),
    ],
    ids=["long", "steering", "many digits", "nan"],
)
def test_values_are_shown_short_and_harmless(value: JsonValue, words: str):
    assert shown(value) == words


def test_long_words_that_differ_in_their_middle_never_look_the_same():
    old, new = (f"{A_LONG}{'x' * 200}{letter}{'x' * 200} and {A_LONG}" for letter in "ab")
    (line,) = said(old, new)
    left, right = line.split(" -> ")
    assert left != right


def test_a_rubric_that_comes_or_goes_is_said_in_words():
    from evalcore.changes.fields import field_changes
    from evalcore.formats import by_id

    rubric = {
        "rubric_id": "asks",
        "rubric_content": {"text_property": "Asks for the order number first"},
        "type": "TRAJECTORY_QUALITY",
        "odd": [1],
    }
    fields = by_id("adk").eval_sets.case_fields
    bare, held = {"eval_id": "c"}, {"eval_id": "c", "rubrics": [rubric]}
    for before, after, verb in ((bare, held, "added"), (held, bare, "removed")):
        (change,) = field_changes(fields, before, after, "case", "snake")
        assert [plain_text(line_words(line)) for line in change.lines] == [
            f"rubric asks {verb} Asks for the order number first",
            f"rubric asks: type {verb} TRAJECTORY_QUALITY",
            f"rubric asks: odd {verb} [1]",
        ]
