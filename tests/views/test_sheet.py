"""A set on the desk: places survive edits, text that does not fit is kept, problems follow."""

import pytest

from evalcore.errors import FormatError
from evalcore.jsontree import MISSING, get
from evalcore.views import caseops
from tests.views.builders import case, ids, sheet_of, turn


@pytest.fixture
def sheet(tmp_path):
    return sheet_of(tmp_path, case("a"), case("b", turn("one"), turn("two")), case("c"))


def names(sheet):
    return dict(zip("abc", sheet.names(), strict=True))


def test_a_place_follows_its_case_when_one_before_it_goes(sheet):
    b = names(sheet)["b"]
    caseops.delete_cases(sheet, [names(sheet)["a"]])
    assert sheet.pointer((b,)) == "/eval_cases/0"
    assert sheet.title(b) == "b"


def test_a_place_follows_its_turn_when_turns_swap(sheet):
    b = names(sheet)["b"]
    first, second = sheet.turns(b)
    caseops.move_turn(sheet, b, second, -1)
    assert sheet.turns(b) == [second, first]
    assert sheet.pointer((b, first)) == "/eval_cases/1/conversation/1"


def test_a_place_that_is_gone_says_so(sheet):
    b = names(sheet)["b"]
    gone = sheet.turns(b)[0]
    caseops.delete_turn(sheet, b, gone)
    with pytest.raises(FormatError, match="gone"):
        sheet.pointer((b, gone))
    caseops.delete_cases(sheet, [b])
    with pytest.raises(FormatError, match="gone"):
        sheet.pointer((b,))


def test_undoing_a_rename_keeps_the_place(sheet):
    b = names(sheet)["b"]
    caseops.rename_case(sheet, b, "other")
    sheet.draft.undo()
    assert sheet.title(b) == "b"


def test_a_field_is_written_where_the_place_is_now(sheet):
    b = names(sheet)["b"]
    second = sheet.turns(b)[1]
    caseops.move_case(sheet, b, -1)
    sheet.put((b, second), "expected_output", "new", "key")
    text = get(sheet.tree, "/eval_cases/0/conversation/1/final_response/parts/0/text")
    assert text == "new"


def test_two_edits_of_one_field_are_one_step_back(sheet):
    place = (names(sheet)["a"], sheet.turns(names(sheet)["a"])[0])
    sheet.put(place, "input", "x", "key")
    sheet.put(place, "input", "xy", "key")
    sheet.draft.undo()
    assert not sheet.draft.is_dirty


def test_text_that_cannot_be_used_is_kept_beside_its_error(sheet):
    a = names(sheet)["a"]
    kept = sheet.commit("field", "b", lambda: sheet.put((a,), "id", "b", "field"))
    assert not kept
    assert sheet.pending["field"].typed == "b"
    assert "already a case called" in str(sheet.pending["field"].error)
    assert not sheet.draft.is_dirty
    assert sheet.commit("field", "new", lambda: sheet.put((a,), "id", "new", "field"))
    assert "field" not in sheet.pending


def test_a_removed_field_is_missing(sheet):
    place = (names(sheet)["a"], sheet.turns(names(sheet)["a"])[0])
    sheet.put(place, "expected_output", MISSING, "key")
    assert "final_response" not in sheet.raw(place)


def test_links_name_cases_by_id_or_by_number(tmp_path):
    sheet = sheet_of(tmp_path, case("a"), case("twice"), case("twice"), {"conversation": []})
    a, first, second, unnamed = sheet.names()
    links = [sheet.link_of(n) for n in (a, first, second, unnamed)]
    assert links == ["a", "twice", "#3", "#4"]
    assert [sheet.case_at(link) for link in links] == sheet.names()
    assert sheet.case_at("nobody") is None
    assert sheet.case_at("#9") is None
    assert sheet.case_at(None) is None


def test_problems_are_those_of_the_draft(tmp_path):
    sheet = sheet_of(tmp_path, case("a"), case("b"))
    assert sheet.problems().of_case(1) == ()
    place = (sheet.names()[1], sheet.turns(sheet.names()[1])[0])
    sheet.put(place, "expected_output", "", "key")
    assert [p.code for p in sheet.problems().of_case(1)]


def test_a_new_case_stands_behind_the_open_one_and_may_be_undone(sheet):
    new = caseops.add_case(sheet, after=names(sheet)["a"])
    assert ids(sheet) == ["a", "new_case", "b", "c"]
    assert sheet.index_of(new) == 1
    sheet.draft.undo()
    assert ids(sheet) == ["a", "b", "c"]


def test_a_copy_gets_a_free_id(sheet):
    a = names(sheet)["a"]
    caseops.duplicate_case(sheet, a)
    caseops.duplicate_case(sheet, a)
    assert len(set(ids(sheet))) == 5
    assert ids(sheet)[:3] == ["a", "a_copy_2", "a_copy"]


def test_deleting_many_is_one_step_and_tells_the_nearest_that_is_left(sheet):
    before = names(sheet)
    nearest = caseops.delete_cases(sheet, [before["a"], before["b"]])
    assert nearest == before["c"]
    sheet.draft.undo()
    assert ids(sheet) == ["a", "b", "c"]


def test_deleting_what_is_gone_already_changes_nothing(sheet):
    assert caseops.delete_cases(sheet, ["nobody"]) is None
    assert not sheet.draft.is_dirty


@pytest.mark.parametrize(("name", "step"), [("a", -1), ("c", 1)])
def test_a_case_at_the_end_does_not_move_further(sheet, name, step):
    assert not caseops.move_case(sheet, names(sheet)[name], step)


@pytest.mark.parametrize("name", ["", "   "])
def test_a_case_is_not_renamed_to_nothing(sheet, name):
    with pytest.raises(FormatError, match="needs a name"):
        caseops.rename_case(sheet, names(sheet)["a"], name)
