"""What saving would change, in words."""

import pytest

from evalcore.drafts import Conflict
from evalcore.jsontree import MISSING
from evalcore.saving.diff import diff_lines
from evalcore.views import caseops
from evalcore.views.review import (
    change_views,
    changed_fields,
    conflict_title,
    diff_rows,
    side_words,
)
from tests.views.builders import case, sheet_of, turn


@pytest.fixture
def sheet(tmp_path):
    return sheet_of(tmp_path, case("a"), case("b", turn("one"), turn("two")), case("c"))


def said(sheet):
    return [(v.title, v.what, v.parts) for v in change_views(sheet)]


def test_an_unchanged_set_has_no_changes(sheet):
    assert said(sheet) == []


def test_an_edit_names_its_turn_and_field(sheet):
    b = sheet.names()[1]
    sheet.put((b, sheet.turns(b)[1]), "expected_output", "new", "key")
    assert said(sheet) == [("b", "edited", ("turn 2: expected reply",))]


def test_what_happened_to_each_case_is_said(sheet):
    a, _b, c = sheet.names()
    caseops.rename_case(sheet, a, "z")
    caseops.add_case(sheet, "d", after=c)
    caseops.delete_cases(sheet, [c])
    assert said(sheet) == [
        ("z", "edited", ("renamed from a",)),
        ("c", "deleted", ()),
        ("d", "added", ()),
    ]


def test_a_move_is_said(sheet):
    caseops.move_case(sheet, sheet.names()[0], 1)
    assert [what for _, what, _ in said(sheet)] == ["moved"]


def test_turns_that_came_went_and_moved_are_said(sheet):
    b = sheet.names()[1]
    caseops.add_turn(sheet, b)
    assert said(sheet)[0][2] == ("turn 3 added",)
    caseops.delete_turn(sheet, b, sheet.turns(b)[0])
    assert said(sheet)[0][2] == ("turn 1 deleted", "turn 2 added")


def test_a_turn_that_moved_down_is_compared_with_itself(sheet):
    with_ids = [{**turn(text), "invocation_id": text} for text in ("one", "two")]
    new = [{**turn("none"), "invocation_id": "none"}, {**with_ids[0], **turn("one!")}, with_ids[1]]
    before, after = ({**case("b"), "conversation": turns} for turns in (with_ids, new))
    assert changed_fields(sheet.lens, before, after) == ("turn 1 added", "turn 2: user says")


def test_a_change_that_no_field_shows_is_still_said(sheet):
    old = case("a")
    assert changed_fields(sheet.lens, old, {**old, "of_another_tool": 1}) == ("other parts",)


def test_dropping_a_case_leaves_the_others(sheet):
    a, b, _c = sheet.names()
    for name in (a, b):
        sheet.put((name, sheet.turns(name)[0]), "expected_output", "new", name)
    sheet.draft.revert_case(change_views(sheet)[0].change)
    assert [title for title, _, _ in said(sheet)] == ["b"]


def test_diff_rows_carry_both_line_numbers_and_a_heading():
    rows, left = diff_rows(diff_lines(b"a\nb\nc\n", b"a\nx\nc\n"))
    assert rows == [
        ("gap", "", "", "from line 1"),
        ("same", "1", "1", "a"),
        ("removed", "2", "", "b"),
        ("added", "", "2", "x"),
        ("same", "3", "3", "c"),
    ]
    assert left == 0


def test_a_long_diff_says_how_much_is_left_out():
    old = b"".join(b"%d\n" % n for n in range(400))
    rows, left = diff_rows(diff_lines(old, b""), limit=100)
    assert len(rows) == 101
    assert left == 300


def test_a_missing_line_ending_is_said():
    rows, _left = diff_rows(diff_lines(b"a\n", b"a"))
    assert rows[-1][3] == "a  (no line ending)"


def test_each_side_of_a_conflict_says_what_it_did(sheet):
    base = case("a", turn("hi", "ok"))
    mine, disk = case("a", turn("hi", "mine")), case("a", turn("hello", "ok"))
    both = Conflict("case:b0:a", "a", "", base, mine, disk)
    assert side_words(sheet, both, both.mine) == "turn 1: expected reply"
    assert side_words(sheet, both, both.disk) == "turn 1: user says"
    gone = Conflict("case:b0:a", "a", "", base, MISSING, disk)
    assert side_words(sheet, gone, gone.mine) == "deleted"
    new = Conflict("case:d0:a", "a", "", MISSING, mine, disk)
    assert side_words(sheet, new, new.mine) == "added"
    around = Conflict("at:/name", None, "/name", "a", "b", "c")
    assert side_words(sheet, around, "b") == "changed"
    assert conflict_title(around) == "Set: name"
    assert conflict_title(both) == "Case a"
