"""Which fields are drawn, offered, and with which editor."""

import pytest

from evalcore.errors import Problem
from evalcore.formats.lenses import At, Editor, Field, exactly
from evalcore.jsontree import MISSING
from evalcore.views.form import fitting, object_view
from tests.views.builders import case, sheet_of


@pytest.mark.parametrize(
    ("editor", "value", "used"),
    [
        (Editor.LINE, "x", Editor.LINE),
        (Editor.LINE, MISSING, Editor.LINE),
        (Editor.LINE, "two\nlines", Editor.LINE),
        (Editor.LINE, None, Editor.LINE),
        (Editor.TEXT, "two\nlines", Editor.TEXT),
        (Editor.TEXT, "windows\r\nlines", Editor.JSON),
        (Editor.TEXT, "\ud83d", Editor.JSON),
        (Editor.TEXT, {"a": 1}, Editor.JSON),
        (Editor.NUMBER, 1.5, Editor.NUMBER),
        (Editor.NUMBER, True, Editor.JSON),
        (Editor.NUMBER, "1", Editor.JSON),
        (Editor.FLAG, False, Editor.FLAG),
        (Editor.FLAG, 0, Editor.JSON),
        (Editor.TAGS, ["a", "b"], Editor.TAGS),
        (Editor.TAGS, ["a", "a"], Editor.NAMES),
        (Editor.TAGS, ["a", 1], Editor.JSON),
        (Editor.NAMES, ["a", "a"], Editor.NAMES),
        (Editor.OBJECT, {"a": 1}, Editor.OBJECT),
        (Editor.OBJECT, {"\ud83d": 1}, Editor.JSON),
        (Editor.OBJECT, [1], Editor.JSON),
        (Editor.CRITERIA, None, Editor.CRITERIA),
        (Editor.TOOL_CALLS, (), Editor.TOOL_CALLS),
    ],
)
def test_an_editor_that_could_not_show_the_value_gives_way(editor, value, used):
    assert fitting(Field("f", "F", At(exactly("f")), editor), value) is used


def names(fields):
    return [getattr(f, "field", f).name for f in fields]


def test_present_and_pinned_fields_are_drawn_and_the_rest_is_offered(tmp_path):
    sheet = sheet_of(tmp_path, case("a", tags=["x"]))
    view = object_view(sheet, (sheet.names()[0],))
    assert "tags" in names(view.fields)
    assert "id" in names(view.fields)
    assert "rubrics" in names(view.offered)
    assert not set(names(view.fields)) & set(names(view.offered))


def test_pinned_fields_cannot_be_taken_away(tmp_path):
    sheet = sheet_of(tmp_path, case("a", tags=["x"]))
    assert names(object_view(sheet, (sheet.names()[0],)).removable) == ["tags"]


def test_problems_stand_at_their_field_and_the_rest_above(tmp_path):
    sheet = sheet_of(tmp_path, case("a", tags=["x"]))
    tag = Problem("warning", "x.tag", "m", pointer="/eval_cases/0/tags/0")
    other = Problem("warning", "x.other", "m", pointer="/eval_cases/0/unknown")
    view = object_view(sheet, (sheet.names()[0],), [tag, other])
    shown = {f.field.name: f.problems for f in view.fields}
    assert shown["tags"] == (tag,)
    assert view.rest == (other,)


def test_a_hidden_fields_problems_are_shown_above(tmp_path):
    sheet = sheet_of(tmp_path, case("a"))
    problem = Problem("warning", "x.id", "m", pointer="/eval_cases/0/eval_id")
    view = object_view(sheet, (sheet.names()[0],), [problem], hidden=("id",))
    assert view.rest == (problem,)


def test_keys_of_two_cases_never_meet(tmp_path):
    sheet = sheet_of(tmp_path, case("a"), case("a"))
    keys = [f.key for name in sheet.names() for f in object_view(sheet, (name,)).fields]
    assert len(keys) == len(set(keys))
