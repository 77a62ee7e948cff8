"""What a review shows of a draft: every change in words, each of which can be dropped."""

from datetime import UTC, datetime, timedelta

import pytest

from evalcore.changes.words import plain_text
from evalcore.drafts import HistoryStep
from evalcore.errors import FormatError
from evalcore.history import Commit
from evalcore.views import caseops
from evalcore.views.changes import changes_view, draft_changes, drop_field, version_options
from evalcore.views.history import BEFORE_ALL, button_words, step_rows
from tests.views.builders import case, sheet_of, turn

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


@pytest.fixture
def sheet(tmp_path):
    return sheet_of(tmp_path, case("a"), case("b", turn("one"), turn("two")), case("c"))


def lines(case_view):
    return [plain_text(line, "→") for field in case_view.fields for line in field.lines]


def said(sheet):
    return [(c.glyph, c.title, c.what, lines(c)) for c in draft_changes(sheet.draft).cases]


def test_an_unchanged_set_has_no_changes(sheet):
    assert draft_changes(sheet.draft).is_empty


def test_an_edit_names_its_turn_and_field(sheet):
    b = sheet.names()[1]
    sheet.put((b, sheet.turns(b)[1]), "expected_output", "new", "key")
    assert said(sheet) == [("±", "b", "edited", ["turn 2: expected reply ok → new"])]


def test_what_happened_to_each_case_is_said(sheet):
    a, _b, c = sheet.names()
    caseops.rename_case(sheet, a, "z")
    caseops.add_case(sheet, "d", after=c)
    caseops.delete_cases(sheet, [c])
    assert [(glyph, title, what) for glyph, title, what, _lines in said(sheet)] == [
        ("±", "z", "edited, renamed from a"),
        ("−", "c", "deleted"),
        ("+", "d", "added"),
    ]


def test_a_move_is_said(sheet):
    caseops.move_case(sheet, sheet.names()[0], 1)
    assert [what for _g, _t, what, _l in said(sheet)] == ["moved from place 1 to 2"]


def test_turns_that_came_and_went_are_said(sheet):
    b = sheet.names()[1]
    caseops.add_turn(sheet, b)
    assert len(lines(draft_changes(sheet.draft).cases[0])) == 1
    caseops.delete_turn(sheet, b, sheet.turns(b)[0])
    assert said(sheet)[0][3][0] == "turn 1: removed one"


def test_dropping_a_case_leaves_the_others(sheet):
    a, b, _c = sheet.names()
    for name in (a, b):
        sheet.put((name, sheet.turns(name)[0]), "expected_output", "new", name)
    sheet.draft.revert_case(draft_changes(sheet.draft).cases[0].change)
    assert [title for _g, title, _w, _l in said(sheet)] == ["b"]


def test_dropping_a_field_leaves_the_others_and_can_be_undone(sheet):
    a = sheet.names()[0]
    place = (a, sheet.turns(a)[0])
    sheet.put(place, "expected_output", "new", "1")
    sheet.put(place, "input", "hello?", "2")
    (view,) = draft_changes(sheet.draft).cases
    drop_field(sheet.draft, view.change, view.fields[1].key)
    assert said(sheet)[0][3] == ["turn 1: user says hello from a → hello?"]
    assert sheet.draft.undo() == "Drop the edit of turn 1: expected reply"
    assert len(said(sheet)[0][3]) == 2


def test_a_detail_of_the_set_is_dropped_alone(sheet):
    sheet.put((), "name", "New", "1")
    sheet.put((), "description", "Words", "2")
    view = draft_changes(sheet.draft)
    assert [field.label for field in view.around] == ["name", "description"]
    drop_field(sheet.draft, None, view.around[0].key)
    assert [field.label for field in draft_changes(sheet.draft).around] == ["description"]


def test_an_edit_that_is_gone_is_not_dropped_twice(sheet):
    a = sheet.names()[0]
    sheet.put((a, sheet.turns(a)[0]), "expected_output", "new", "1")
    (view,) = draft_changes(sheet.draft).cases
    drop_field(sheet.draft, view.change, view.fields[0].key)
    with pytest.raises(FormatError, match="gone already"):
        drop_field(sheet.draft, view.change, view.fields[0].key)


def test_many_cases_are_shown_in_part(tmp_path):
    sheet = sheet_of(tmp_path, *(case(f"c{n}") for n in range(130)))
    for name in sheet.names():
        sheet.put((name, sheet.turns(name)[0]), "expected_output", "new", name)
    view = draft_changes(sheet.draft)
    assert (len(view.cases), view.more) == (100, 30)


def test_an_older_version_is_compared_with_the_draft(sheet):
    old = {"eval_set_id": "s", "eval_cases": [case("a"), case("gone")]}
    found = changes_view(old, sheet.tree, sheet.lens)
    assert [(c.glyph, c.title) for c in found.cases] == [("−", "gone"), ("+", "b"), ("+", "c")]


def test_versions_are_named_by_time_and_subject():
    made = [
        Commit("a" * 40, NOW - timedelta(hours=3), "Fix replies", "x.json"),
        Commit("b" * 40, NOW - timedelta(days=9), "Begin", "x.json"),
    ]
    assert version_options(made, NOW) == {
        "": "The file as you opened it",
        "a" * 40: "Last commit · 3 h ago · Fix replies",
        "b" * 40: "bbbbbbbb · 9 days ago · Begin",
    }


def test_steps_are_listed_latest_first_with_where_one_is():
    at = NOW.timestamp()
    steps = [
        HistoryStep("Add case", at - 3600, True),
        HistoryStep("Edit id", at - 60, True),
        HistoryStep("Delete case", at, False),
    ]
    rows = [(r.done, r.label, r.when, r.is_now, r.is_undone) for r in step_rows(steps, NOW)]
    assert rows == [
        (3, "Delete case", "just now", False, True),
        (2, "Edit id", "1 min ago", True, False),
        (1, "Add case", "60 min ago", False, False),
        (0, BEFORE_ALL, "", False, False),
    ]


@pytest.mark.parametrize(
    ("label", "words"),
    [
        (None, ("Undo", "Nothing to undo")),
        ("Edit expected reply", ("Undo", "Undo: Edit expected reply")),
        (
            "Drop the edits of refund_over_limit_needs_a_person",
            ("Undo", "Undo: Drop the edits of refund_over_limit_needs_a_person"),
        ),
    ],
)
def test_buttons_name_what_they_undo_in_their_help(label, words):
    assert button_words("Undo", label) == words
