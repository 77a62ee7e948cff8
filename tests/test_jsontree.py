"""Pointers, edits that copy only the path, and equality by type and value."""

import copy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore.jsontree import (
    MISSING,
    array_index,
    child,
    get,
    insert,
    is_within,
    join,
    leaves,
    move,
    put,
    same,
    split,
)
from tests.strategies import TEXTS, VALUES

laws = settings(max_examples=100, deadline=None)
TREE = {"a": [1, {"b": None}], "a/b~c": "x", "": {}, "0": []}


def test_missing_is_false_and_not_null():
    assert not MISSING
    assert repr(MISSING) == "MISSING"
    assert MISSING is not None
    assert copy.deepcopy(MISSING) is MISSING


@pytest.mark.parametrize(
    ("pointer", "tokens"),
    [("", ()), ("/", ("",)), ("/a/0", ("a", "0")), ("/a~1b~0c", ("a/b~c",)), ("/~01", ("~1",))],
)
def test_a_pointer_is_its_escaped_tokens(pointer, tokens):
    assert split(pointer) == tokens
    assert join("", *tokens) == pointer


@laws
@given(st.lists(TEXTS))
def test_split_undoes_join(tokens):
    assert split(join("", *tokens)) == tuple(tokens)
    assert join(join("", *tokens), 7) == join("", *tokens, "7")


def test_what_is_no_pointer_is_refused():
    with pytest.raises(ValueError, match="not a JSON pointer: 'a'"):
        split("a")


@pytest.mark.parametrize(
    ("pointer", "ancestor", "expected"),
    [
        ("/a", "", True),
        ("/a/b", "/a", True),
        ("/a", "/a", True),
        ("/ab", "/a", False),
        ("", "/a", False),
    ],
)
def test_within_goes_by_whole_tokens(pointer, ancestor, expected):
    assert is_within(pointer, ancestor) is expected


@pytest.mark.parametrize(
    ("token", "index"),
    [
        *[(0, 0), (12, 12), ("0", 0), ("12", 12)],
        *[(wrong, None) for wrong in (-1, "-1", "", "x", "²", "٣", "9" * 5000)],
    ],
)
def test_an_index_is_a_number_from_0_in_plain_digits(token, index):
    assert array_index(token) == index


@pytest.mark.parametrize(
    ("pointer", "value"),
    [("", TREE), ("/a/0", 1), ("/a/1/b", None), ("/a~1b~0c", "x"), ("/", {}), ("/0", [])]
    + [(missing, MISSING) for missing in ("/x", "/a/2", "/a/-1", "/a/b", "/a/0/x", "/0/0")],
)
def test_get_follows_a_path_or_finds_it_missing(pointer, value):
    assert get(TREE, pointer) == value


def test_scalars_and_missing_have_no_children():
    assert child("text", 0) is MISSING
    assert child(MISSING, "a") is MISSING
    assert get(MISSING, "") is MISSING


@pytest.mark.parametrize(
    ("pointer", "value", "expected"),
    [
        ("", 1, 1),
        ("/a", 2, {"a": 2, "l": [1, 2]}),
        ("/b", 2, {"a": {}, "l": [1, 2], "b": 2}),
        ("/a/b/c", 2, {"a": {"b": {"c": 2}}, "l": [1, 2]}),
        ("/l/0", 9, {"a": {}, "l": [9, 2]}),
        ("/l/2", 9, {"a": {}, "l": [1, 2, 9]}),
        ("/l/0", MISSING, {"a": {}, "l": [2]}),
        ("/a", MISSING, {"l": [1, 2]}),
        ("/x", MISSING, {"a": {}, "l": [1, 2]}),
    ],
)
def test_put_replaces_adds_and_removes(pointer, value, expected):
    tree = {"a": {}, "l": [1, 2]}
    assert same(put(tree, pointer, value), expected)
    assert tree == {"a": {}, "l": [1, 2]}


@pytest.mark.parametrize(
    ("pointer", "value"),
    [
        ("/l/3", 0),
        ("/l/x", 0),
        ("/l/2", MISSING),
        ("/l/0/x", 0),
        ("/l/0/x", MISSING),
        ("", MISSING),
    ],
)
def test_put_refuses_a_place_that_cannot_be(pointer, value):
    with pytest.raises(KeyError):
        put({"l": [1, 2]}, pointer, value)


def test_edits_share_what_they_do_not_touch():
    tree = {"a": {"x": [1]}, "b": {"y": [2]}}
    new = put(tree, "/a/x/0", 3)
    assert new["b"] is tree["b"]
    assert new["a"] is not tree["a"]


@laws
@given(VALUES, VALUES, st.data())
def test_what_was_put_is_what_is_got(tree, value, draw):
    pointer = draw.draw(st.sampled_from([pointer for pointer, _ in leaves(tree)]))
    before = copy.deepcopy(tree)
    new = put(tree, pointer, value)
    assert get(new, pointer) is value
    assert same(put(new, pointer, get(tree, pointer)), tree)
    assert same(tree, before)


def test_insert_makes_room():
    assert insert({"l": [1, 2]}, "/l/1", 9) == {"l": [1, 9, 2]}
    assert insert([1], "/1", 9) == [1, 9]


@pytest.mark.parametrize("pointer", ["/l/3", "/l/-1", "/x/0", "/l/0/0"])
def test_insert_needs_a_place_in_an_array(pointer):
    with pytest.raises(KeyError, match="no place in an array"):
        insert({"l": [1, 2]}, pointer, 9)


@pytest.mark.parametrize(
    ("source", "target", "expected"), [(0, 2, "bca"), (2, 0, "cab"), (1, 1, "abc"), (0, 1, "bac")]
)
def test_move_puts_an_item_at_its_new_index(source, target, expected):
    assert move({"l": [*"abc"]}, "/l", source, target) == {"l": [*expected]}


@pytest.mark.parametrize(("pointer", "source"), [("/l", 3), ("/l", -1), ("/x", 0), ("", 0)])
def test_move_needs_items(pointer, source):
    with pytest.raises(KeyError, match="no items"):
        move({"l": [*"abc"]}, pointer, source, 0)


SCALARS = [None, False, True, 0, 1, 0.0, -0.0, 1.0, "", "1", [], {}]


@pytest.mark.parametrize("left", range(len(SCALARS)))
@pytest.mark.parametrize("right", range(len(SCALARS)))
def test_values_are_the_same_only_by_type_and_value(left, right):
    values = copy.deepcopy(SCALARS[left]), copy.deepcopy(SCALARS[right])
    assert same(*values) is (left == right)
    assert same([values[0]], [values[1]]) is (left == right)
    assert same({"k": values[0]}, {"k": values[1]}) is (left == right)


def test_nan_is_the_same_as_nan_and_key_order_counts():
    assert same(float("nan"), float("nan"))
    assert not same({"a": 1, "b": 2}, {"b": 2, "a": 1})
    assert not same([1], [1, 2])
    assert same(MISSING, MISSING)
    assert not same(MISSING, None)


@laws
@given(VALUES)
def test_a_copy_is_the_same(value):
    assert same(value, copy.deepcopy(value))


def test_leaves_are_scalars_and_empty_containers_in_order():
    assert list(leaves(TREE)) == [
        ("/a/0", 1),
        ("/a/1/b", None),
        ("/a~1b~0c", "x"),
        ("/", {}),
        ("/0", []),
    ]
    assert list(leaves(5)) == [("", 5)]
