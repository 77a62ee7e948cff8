"""Slots find their value again after anything that happened around it."""

import pytest

from evalcore.errors import FormatError
from evalcore.jsontree import MISSING
from evalcore.model import ToolCall
from evalcore.views import parts
from evalcore.views.slots import field_slot, raw_slot, raw_text
from evalcore.views.values import read
from tests.views.builders import case, sheet_of, turn

CALLS = (("look", {"id": "1", "deep": {"a": 1}}), ("pay", {"sum": 5}), ("mail", {}))


@pytest.fixture
def sheet(tmp_path):
    return sheet_of(tmp_path, case("a", turn("hi", "ok", *CALLS)))


@pytest.fixture
def calls(sheet):
    place = (sheet.names()[0], sheet.turns(sheet.names()[0])[0])
    return field_slot(sheet, place, sheet.lens.field("invocation", "tool_calls"))


def tools(slot):
    return [call.name for call in slot.read()]


def test_an_attribute_is_written_on_its_record_and_nowhere_else(calls):
    second = calls.items()[1][0]
    calls.attribute(second, "name").write("charge")
    assert tools(calls) == ["look", "charge", "mail"]


def test_a_record_keeps_its_handle_while_others_go(calls):
    look, pay, mail = (handle for handle, _ in calls.items())
    name_of_mail = calls.attribute(mail, "name")
    calls.at(look, parts.without)
    calls.at(pay, parts.without)
    name_of_mail.write("post")
    assert tools(calls) == ["post"]


def test_a_record_keeps_its_handle_while_it_moves(calls):
    _look, _pay, mail = (handle for handle, _ in calls.items())
    calls.at(mail, lambda v, i: parts.shifted(v, i, -1))
    assert tools(calls) == ["look", "mail", "pay"]
    calls.attribute(mail, "name").write("post")
    assert tools(calls) == ["look", "post", "pay"]


def test_the_slot_of_a_deleted_record_writes_nowhere(calls):
    first = calls.items()[0][0]
    name = calls.attribute(first, "name")
    calls.at(first, parts.without)
    with pytest.raises(FormatError, match="gone"):
        name.write("ghost")
    assert tools(calls) == ["pay", "mail"]


def test_a_copy_is_a_record_of_its_own(calls):
    first = calls.items()[0][0]
    calls.at(first, parts.copied)
    assert tools(calls) == ["look", "look", "pay", "mail"]
    calls.attribute(first, "name").write("seek")
    assert tools(calls) == ["seek", "look", "pay", "mail"]


def test_a_member_keeps_its_handle_when_it_is_renamed(calls):
    args = calls.attribute(calls.items()[0][0], "args")
    (first, _), _deep = args.rows()
    value = args.member(first)
    args.update(lambda old: parts.renamed(old, "id", "order_id"))
    value.write("2")
    assert args.read() == {"order_id": "2", "deep": {"a": 1}}
    assert args.rows()[0] == (first, "order_id")


def test_members_inside_members_are_reached(calls):
    args = calls.attribute(calls.items()[0][0], "args")
    deep = args.member(args.rows()[1][0])
    inner = deep.member(deep.rows()[0][0])
    inner.write([1, 2])
    assert calls.read()[0].args == {"id": "1", "deep": {"a": [1, 2]}}


def test_two_writes_prepared_before_either_keep_both(calls):
    args = calls.attribute(calls.items()[0][0], "args")
    one, other = (args.member(handle) for handle, _ in args.rows())
    one.write("changed")
    other.write("too")
    assert args.read() == {"id": "changed", "deep": "too"}


def test_a_first_call_makes_the_list(tmp_path):
    sheet = sheet_of(tmp_path, {"eval_id": "a", "conversation": [{"user_content": {}}]})
    place = (sheet.names()[0], sheet.turns(sheet.names()[0])[0])
    slot = field_slot(sheet, place, sheet.lens.field("invocation", "tool_calls"))
    assert slot.read() is MISSING
    slot.update(lambda old: (ToolCall(name="new", args={}),))
    assert tools(slot) == ["new"]


def test_what_cannot_be_used_stays_until_it_is_forgotten(calls):
    slot = raw_slot(calls.sheet, (calls.sheet.names()[0],))
    assert not slot.commit("{", lambda _old: read("{"))
    assert slot.pending is not None
    assert slot.pending.typed == "{"
    assert not calls.sheet.draft.is_dirty
    slot.forget()
    assert slot.pending is None


def test_the_text_of_a_case_is_the_files_own_without_its_indentation(calls):
    text = raw_text(calls.sheet, (calls.sheet.names()[0],))
    assert text.startswith('{\n  "eval_id": "a",\n  "conversation": [\n    {\n')
    assert text.endswith("\n}")
    assert read(text) == calls.sheet.cases[0]
