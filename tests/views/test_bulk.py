"""Edits of many cases as steps of a draft: what they say, what they change, what Undo brings."""

import pytest

from evalcore.bulk import Search
from evalcore.errors import FormatError
from evalcore.jsontree import MISSING
from evalcore.views import bulk, caseops
from evalcore.views.replacing import found_words, times
from tests.views.builders import case, ids, sheet_of, turn


@pytest.fixture
def sheet(tmp_path):
    return sheet_of(
        tmp_path,
        case("a", turn("Flight to Lisbon", "Lisbon it is", ("fly", {"to": "Lisbon"})), tags=["x"]),
        case("b", turn("lisbon"), turn("two")),
        case("c", tags=["x", "y"]),
    )


def some(sheet, letters):
    return [name for name in sheet.names() if sheet.title(name) in letters]


def tags(sheet):
    return [raw.get("tags") for raw in sheet.cases]


def test_a_tag_edit_counts_and_names_only_what_it_changes(sheet):
    edit = bulk.tag_edit(sheet, ["x"], [])
    cases = some(sheet, "abc")
    assert bulk.effect(sheet, cases, edit) == 1
    bulk.do(sheet, cases, edit, 1)
    assert tags(sheet) == [["x"], ["x"], ["x", "y"]]
    assert sheet.draft.undo_label == "Add tag x in 1 case"


def test_adding_and_removing_tags_is_one_step(sheet):
    edit = bulk.tag_edit(sheet, ["new"], ["x", "y"])
    bulk.do(sheet, some(sheet, "ac"), edit)
    assert tags(sheet) == [["new"], None, ["new"]]
    assert sheet.draft.undo() == "Add tag new, remove tags x, y in 2 cases"
    assert tags(sheet) == [["x"], None, ["x", "y"]]


def test_a_field_is_set_and_taken_out_in_one_step_each(sheet):
    chosen = bulk.fields_by_label(sheet.lens)["App"]
    cases = some(sheet, "ab")
    bulk.do(sheet, cases, bulk.set_edit(sheet, chosen, "shop"))
    assert [raw.get("session_input") for raw in sheet.cases][:2] == [{"app_name": "shop"}] * 2
    assert "session_input" not in sheet.cases[2]
    assert sheet.draft.undo_label == "Set App to “shop” in 2 cases"
    take_out = bulk.set_edit(sheet, chosen, MISSING)
    assert bulk.effect(sheet, some(sheet, "abc"), take_out) == 2
    bulk.do(sheet, cases, take_out)
    assert sheet.draft.undo_label == "Take App out of 2 cases"


@pytest.mark.parametrize(
    ("to", "order", "label"),
    [
        (bulk.TOP, "cab", "Move 1 case to the top"),
        ("b", "acb", "Move 1 case before b"),
    ],
)
def test_cases_move_and_keep_their_handles(sheet, to, order, label):
    (c,) = some(sheet, "c")
    target = to if to == bulk.TOP else some(sheet, to)[0]
    bulk.do(sheet, [c], bulk.move_edit(sheet, target))
    assert "".join(ids(sheet)) == order
    assert sheet.title(c) == "c"
    assert sheet.draft.undo_label == label


def test_copies_are_handed_back(sheet):
    copies = bulk.duplicate(sheet, some(sheet, "ac"))
    assert [sheet.title(name) for name in copies] == ["a_copy", "c_copy"]
    assert ids(sheet) == ["a", "a_copy", "b", "c", "c_copy"]
    sheet.draft.undo()
    assert ids(sheet) == ["a", "b", "c"]


def test_cases_that_are_gone_are_left_out(sheet):
    cases = some(sheet, "abc")
    caseops.delete_cases(sheet, [cases[1]])
    assert bulk.effect(sheet, cases, bulk.tag_edit(sheet, ["new"], [])) == 2


@pytest.mark.parametrize(
    ("label", "typed", "value"),
    [
        ("App", "shop", "shop"),
        ("Created", "2026-12-01 14:30", 1796135400.0),
        ("Tags", ("a", "b"), ["a", "b"]),
    ],
)
def test_what_is_typed_becomes_a_value_of_the_field(sheet, label, typed, value):
    assert bulk.value_of(bulk.fields_by_label(sheet.lens)[label], typed) == value


def test_a_moment_that_is_none_is_refused(sheet):
    chosen = bulk.fields_by_label(sheet.lens)["Created"]
    with pytest.raises(FormatError, match="no date and time"):
        bulk.value_of(chosen, "soon")


def test_tags_of_some_cases_are_counted(sheet):
    assert bulk.tags_of_cases(sheet, some(sheet, "bc")) == {"x": 1, "y": 1}


def test_hits_are_listed_with_words_before_and_after(sheet):
    found = sheet.seeker.find(Search("lisbon"), "Porto")
    rows = [sheet.seeker.row(found, at) for at in range(len(found.hits))]
    assert [(r.title, r.where) for r in rows] == [
        ("a", "turn 1: user says"),
        ("a", "turn 1: expected tool calls"),
        ("a", "turn 1: expected reply"),
        ("b", "turn 1: user says"),
    ]
    first = [(p.kind, p.text) for p in rows[0].pieces]
    assert first == [("same", "Flight to "), ("removed", "Lisbon"), ("added", "Porto")]
    assert found_words(found.hits) == "4 times in 4 fields of 2 cases"


def test_a_hit_left_out_stays_and_the_rest_is_one_step(sheet):
    found = sheet.seeker.find(Search("lisbon"), "Porto")
    assert sheet.seeker.replace(found, {found.keys[1]}) == 3
    said = str(sheet.cases[0])
    assert "Flight to Porto" in said
    assert "{'to': 'Lisbon'}" in said
    assert sheet.draft.undo() == "Replace “lisbon” by “Porto” 3 times"
    assert "Porto" not in str(sheet.cases)


def test_a_text_is_deleted_where_nothing_replaces_it(sheet):
    found = sheet.seeker.find(Search("Flight to "), "")
    assert sheet.seeker.replace(found) == 1
    assert sheet.draft.undo_label == "Delete “Flight to” 1 time"


def test_only_some_cases_are_searched(sheet):
    found = sheet.seeker.find(Search("lisbon"), "", some(sheet, "b"))
    assert times(found.hits) == 1


def test_what_was_found_before_an_edit_is_not_replaced_after_it(sheet):
    found = sheet.seeker.find(Search("lisbon"), "Porto")
    caseops.delete_cases(sheet, some(sheet, "a"))
    with pytest.raises(FormatError, match="changed meanwhile"):
        sheet.seeker.replace(found)
    assert times(sheet.seeker.find(Search("lisbon"), "Porto").hits) == 1
