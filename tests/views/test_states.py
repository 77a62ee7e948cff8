"""Absent, null, empty and a value: told apart, and each can be chosen."""

import pytest

from evalcore.formats import built_in
from evalcore.formats.lenses import Editor
from evalcore.jsontree import MISSING
from evalcore.views.schema import spec_of
from evalcore.views.states import (
    State,
    choices,
    chosen,
    empty_of,
    empty_of_field,
    said,
    state_of,
)


@pytest.mark.parametrize(
    ("value", "state", "words"),
    [
        (MISSING, State.ABSENT, "not in the file"),
        (None, State.NULL, "nothing (null)"),
        ("", State.EMPTY, "empty text"),
        ([], State.EMPTY, "empty list"),
        ((), State.EMPTY, "empty list"),
        ({}, State.EMPTY, "no values"),
        (0, State.VALUE, ""),
        (False, State.VALUE, ""),
        ("x", State.VALUE, ""),
    ],
)
def test_the_four_states_are_told_apart(value, state, words):
    assert state_of(value) is state
    assert said(value) == words


@pytest.mark.parametrize(
    ("value", "empty", "offered"),
    [
        ("x", "", ["absent", "empty", "null"]),
        ("", "", ["absent", "null"]),
        (MISSING, "", ["empty", "null"]),
        (None, [], ["absent", "empty"]),
        (5, MISSING, ["absent", "null"]),
    ],
)
def test_every_other_state_can_be_chosen(value, empty, offered):
    options = choices(value, empty)
    assert list(options) == offered
    for option in options:
        assert state_of(chosen(option, empty)) == option


@pytest.mark.parametrize(
    ("schema", "empty"),
    [
        ({"type": "string"}, ""),
        ({"type": "array"}, []),
        ({"type": "object"}, {}),
        ({"type": "number"}, MISSING),
        ({"anyOf": [{"type": "integer"}, {"type": "object"}]}, {}),
    ],
)
def test_what_is_empty_depends_on_the_schema(schema, empty):
    assert empty_of(spec_of(schema)) == empty


def test_every_field_that_can_be_empty_says_how():
    plain = (Editor.NUMBER, Editor.FLAG, Editor.JSON, Editor.MOCKS)
    for format_ in built_in():
        lens = format_.eval_sets
        for level in ("set", "case", "invocation"):
            for field in lens.fields(level):
                found = empty_of_field(field)
                assert (found is MISSING) == (field.editor in plain), field.name
                assert found is MISSING or state_of(found) is State.EMPTY
