"""What an edit changed, as JSON that leads from the old tree to the new one."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.drafts.delta import delta, patched
from evalcore.drafts.records import line, read_lines
from evalcore.jsondoc import JsonDocument
from evalcore.jsontree import JsonValue, move, put, same
from tests.strategies import CONTAINERS, VALUES


def carried(old: JsonValue, new: JsonValue) -> JsonValue:
    """Return what the delta, written down and read again, makes of the old value."""
    (record,) = read_lines(line({"d": delta(old, new)})).records
    return patched(old, record["d"])


@given(VALUES, VALUES)
def test_a_delta_leads_from_any_value_to_any_other(old: JsonValue, new: JsonValue):
    assert same(carried(old, new), new)


@given(CONTAINERS)
def test_there_is_no_delta_between_equal_values(value: JsonValue):
    assert delta(value, json.loads(json.dumps(value))) is None or not _is_plain(value)
    assert delta(value, value) is None


def _is_plain(value: JsonValue) -> bool:
    return same(json.loads(json.dumps(value)), value)


@given(st.lists(CONTAINERS, max_size=6), st.data())
def test_items_keep_their_identity_however_a_list_is_put_together(items: list, data):
    order = data.draw(st.permutations(range(len(items))))
    kept = [items[at] for at in order[: data.draw(st.integers(0, len(items)))]]
    new = [{"new": 1}, *kept] if data.draw(st.booleans()) else kept
    found = carried(items, new)
    assert same(found, new)
    known = {id(item) for item in items}
    assert sum(id(item) in known for item in found) >= len(kept) - sum(not i for i in kept)


CASES = [{"id": f"c{i}", "n": 1.50, "turns": [{"says": f"hello {i}"}]} for i in range(50)]
SMALL = 120


@pytest.mark.parametrize(
    "change",
    [
        lambda t: put(t, "/cases/7/turns/0/says", "hi"),
        lambda t: put(t, "/cases/7", {**t["cases"][7], "note": "x"}),
        lambda t: put(t, "/cases/7", {"note": "first", **t["cases"][7]}),
        lambda t: move(t, "/cases", 0, 49),
        lambda t: move(t, "/cases", 30, 3),
        lambda t: {**t, "cases": [*t["cases"][:5], *t["cases"][6:]]},
        lambda t: {**t, "cases": [*t["cases"][:6], {**t["cases"][5], "id": "n"}, *t["cases"][6:]]},
        lambda t: put(t, "/cases/7/turns", [*t["cases"][7]["turns"], {"says": "and?"}]),
        lambda t: {key: t[key] for key in reversed(t)},
    ],
)
def test_a_delta_is_as_small_as_the_edit(change):
    tree = {"name": "s", "cases": CASES}
    assert len(line({"d": delta(tree, change(tree))})) < SMALL
    assert same(carried(tree, change(tree)), change(tree))


def test_a_copied_case_read_back_is_written_with_the_spelling_of_its_original():
    document = JsonDocument.parse(b'{"cases": [{"id": "a", "n": 1.50, "t": ["x", 2.0e1]}]}')
    (case,) = document.value["cases"]
    tree = put(document.value, "/cases/1", {**case, "id": "b"})
    found = carried(document.value, tree)
    assert document.render(found) == document.render(tree)
    assert document.render(found).count(b"1.50") == 2


@pytest.mark.parametrize(
    ("value", "change"),
    [
        ([1], ["i", [[1, ["=", 2]]]]),
        ([1], ["l", [[0, 2]]]),
        ([1], ["l", [[-1, 1]]]),
        ({"a": 1}, ["k", {}, ["b"]]),
        ({"a": 1}, ["o", [["b"]]]),
        ("text", ["k", {}, []]),
        ({"a": 1}, ["?", 1]),
        ({"a": 1}, []),
    ],
)
def test_a_delta_of_another_tree_is_refused(value: JsonValue, change: list):
    with pytest.raises((LookupError, TypeError, ValueError)):
        patched(value, change)
