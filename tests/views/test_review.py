"""The lines that saving would change, and the two sides of a conflict in words."""

import pytest

from evalcore.changes.words import plain_text
from evalcore.drafts import Conflict
from evalcore.errors import FormatError
from evalcore.jsontree import MISSING
from evalcore.saving.diff import diff_lines
from evalcore.views.review import (
    changed_fields,
    conflict_title,
    diff_rows,
    side_fields,
    side_words,
    unusable,
)
from tests.views.builders import case, sheet_of, turn


@pytest.fixture
def sheet(tmp_path):
    return sheet_of(tmp_path, case("a"), case("b", turn("one"), turn("two")), case("c"))


def test_a_turn_that_moved_down_is_compared_with_itself(sheet):
    with_ids = [{**turn(text), "invocation_id": text} for text in ("one", "two")]
    new = [{**turn("none"), "invocation_id": "none"}, {**with_ids[0], **turn("one!")}, with_ids[1]]
    before, after = ({**case("b"), "conversation": turns} for turns in (with_ids, new))
    assert changed_fields(sheet.lens, before, after) == ("turn 1 added", "turn 2: user says")


def test_a_change_that_no_field_shows_is_still_said(sheet):
    old = case("a")
    assert changed_fields(sheet.lens, old, {**old, "of_another_tool": 1}) == ("other parts",)


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
    (line,) = side_fields(sheet, both, both.mine)[0].lines
    assert plain_text(line) == "turn 1: expected reply ok -> mine"
    gone = Conflict("case:b0:a", "a", "", base, MISSING, disk)
    assert side_fields(sheet, gone, gone.mine) == ()
    assert side_words(sheet, gone, gone.mine) == "deleted"
    new = Conflict("case:d0:a", "a", "", MISSING, mine, disk)
    assert side_words(sheet, new, new.mine) == "added"
    around = Conflict("at:/name", None, "/name", "a", "b", "c")
    assert side_words(sheet, around, "b") == "changed"
    assert conflict_title(around) == "Set: name"
    assert conflict_title(both) == "Case a"


def test_text_that_cannot_be_used_is_told_with_its_case(sheet):
    def refuse() -> None:
        raise FormatError("This is no number")

    name = sheet.names()[1]
    sheet.commit(f"{sheet.draft.path}|{name}|amount", "forty", refuse)
    sheet.commit(f"{sheet.draft.path}|version", "x", refuse)
    sheet.commit(f"{sheet.draft.path}|{name}|raw", "{", refuse)
    found = [(one.case, one.typed, one.is_whole) for one in unusable(sheet)]
    assert found == [(name, "forty", False), (None, "x", False), (name, "{", True)]
    assert {str(one.error) for one in unusable(sheet)} == {"This is no number"}
