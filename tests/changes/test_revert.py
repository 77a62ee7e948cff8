"""Dropping the edit of one field gives back just that field."""

from pathlib import Path
from random import Random

import pytest

from evalcore.changes import set_differences
from evalcore.changes.revert import can_drop, without_field
from evalcore.drafts.changes import case_changes
from evalcore.errors import FormatError
from evalcore.formats import by_id
from evalcore.formats.evalset import EvalSetLens
from evalcore.jsontree import JsonValue, get, leaves, put, same
from tests.changes.test_sets import BASE, _found, looked, sets
from tests.views.builders import case, turn

ADK = by_id("adk").eval_sets
TURN = "/eval_cases/1/conversation/1"


def dropped(base: JsonValue, tree: JsonValue, lens: EvalSetLens, name: str) -> JsonValue:
    """Return the tree without the first change of a field of that name."""
    found = set_differences(base, tree, lens)
    for field in found.around:
        if field.name == name:
            return without_field(base, tree, lens, field)
    changes = case_changes(lens.raw_cases(base), lens.raw_cases(tree), lens.case_id)
    for change, diff in zip(changes, found.cases, strict=True):
        for field in diff.fields:
            if field.name == name:
                return without_field(base, tree, lens, field, change)
    raise AssertionError(name)


def test_the_other_fields_stay_as_they_are():
    tree = put(put(BASE, f"{TURN}/user_content/parts/0/text", "TWO"), "/name", "Parcels")
    edited = put(tree, f"{TURN}/final_response/parts/0/text", "no")
    assert dropped(BASE, edited, ADK, "expected_output") == tree
    assert dropped(BASE, tree, ADK, "name") == put(tree, "/name", "Refunds")
    assert dropped(BASE, tree, ADK, "input") == put(BASE, "/name", "Parcels")


def test_tool_calls_come_back_whole():
    calls = f"{TURN}/intermediate_data/tool_uses"
    tree = put(BASE, calls, [{"name": "refund", "args": {"amount": 4}, "note": 1}])
    assert same(dropped(BASE, tree, ADK, "tool_calls"), BASE)


def test_what_no_field_shows_comes_back_alone():
    tree = put(BASE, "/eval_cases/0/odd", 1)
    edited = put(tree, "/eval_cases/0/tags", ["x"])
    assert dropped(BASE, edited, ADK, "") == put(BASE, "/eval_cases/0/tags", ["x"])


@pytest.mark.parametrize("kept", [[], [1], [0], [0, 1, 2]])
def test_a_turn_that_came_or_went_is_taken_back(kept: list[int]):
    turns = [*get(BASE, "/eval_cases/1/conversation"), turn("three", "ok", looked("A-1"))]
    tree = put(BASE, "/eval_cases/1/conversation", [turns[at] for at in kept])
    while not same(tree, BASE):
        tree = dropped(BASE, tree, ADK, "(turn)")


def test_a_turn_that_moved_is_not_dropped_by_itself():
    with_ids = [{**turn(text), "invocation_id": text} for text in ("one", "two")]
    base = {"eval_set_id": "s", "eval_cases": [{**case("b"), "conversation": with_ids}]}
    tree = put(base, "/eval_cases/0/conversation", with_ids[::-1])
    (field,) = set_differences(base, tree, ADK).cases[0].fields
    assert not can_drop(field)
    with pytest.raises(FormatError, match="moved"):
        dropped(base, tree, ADK, "(turn)")


def editable() -> list[Path]:
    """Return the sets that can be edited: drafts of the others hold no edits to drop."""
    return [p for p in sets() if not by_id(_found(p)[1].format_id).lens_for(_found(p)[1]).read_only]


@pytest.mark.parametrize("path", editable(), ids=lambda p: "/".join(p.parts[-3:]))
def test_dropping_every_field_one_by_one_gives_the_file_back(path: Path):
    base, found = _found(path)
    lens = by_id(found.format_id).lens_for(found)
    random = Random(path.name)
    inside = lens.cases_pointer(base) + "/" if lens.raw_cases(base) else "/"
    places = [p for p, _leaf in leaves(base) if p.startswith(inside)]
    for _round in range(6):
        tree = base
        for pointer in random.sample(places, min(4, len(places))):
            tree = put(tree, pointer, random.choice(["new words", 7, 7.5, None, True]))
        _all_dropped(base, tree, lens)


def _all_dropped(base: JsonValue, tree: JsonValue, lens: EvalSetLens) -> None:
    """Drop field by field until only whole cases are left to drop."""
    for _step in range(60):
        names = [f.name for f in set_differences(base, tree, lens).fields() if can_drop(f)]
        if not names:
            break
        tree = dropped(base, tree, lens, names[0])
    kinds = {c.kind for c in set_differences(base, tree, lens).cases}
    assert kinds <= {"added", "removed", "moved"}, set_differences(base, tree, lens)


@pytest.mark.parametrize("odd", ["text", None, 7])
@pytest.mark.parametrize("at", ["/eval_cases/1/conversation/0", "/eval_cases"])
def test_what_stands_where_something_else_belongs_is_taken_back(at: str, odd: JsonValue):
    tree = put(BASE, at, odd)
    found = set_differences(BASE, tree, ADK)
    changes = case_changes(ADK.raw_cases(BASE), ADK.raw_cases(tree), ADK.case_id)
    for field in found.around:
        assert not same(without_field(BASE, tree, ADK, field), tree)
    for change, diff in zip(changes, found.cases, strict=True):
        for field in diff.fields:
            assert same(without_field(BASE, tree, ADK, field, change), BASE)
    assert found.around or any(diff.fields for diff in found.cases)
