"""Turns are added, copied and moved, and a case changes between turns and a simulated user."""

import pytest

from evalcore.errors import FormatError
from evalcore.views import caseops
from tests.views.builders import case, sheet_of


def said(sheet, name):
    raw = sheet.raw((name,))
    return [t["user_content"]["parts"][0]["text"] for t in raw.get("conversation", [])]


@pytest.fixture
def sheet(tmp_path):
    return sheet_of(tmp_path, case("a"))


def begin(sheet):
    (name,) = sheet.names()
    (turn,) = sheet.turns(name)
    return name, turn


def test_a_turn_is_added_behind_another_and_its_handle_returned(sheet):
    name, turn = begin(sheet)
    caseops.add_turn(sheet, name)
    between = caseops.add_turn(sheet, name, after=turn)
    assert sheet.turns(name).index(between) == 1
    assert sheet.turns(name)[0] == turn


def test_a_copied_turn_follows_the_first_and_has_no_id_of_its_own(sheet):
    name, turn = begin(sheet)
    sheet.put((name, turn), "invocation_id", "t1", "key")
    copy = caseops.duplicate_turn(sheet, name, turn)
    assert sheet.turns(name) == [turn, copy]
    assert "invocation_id" not in sheet.raw((name, copy))
    assert sheet.raw((name, turn))["invocation_id"] == "t1"
    assert said(sheet, name)[0] == said(sheet, name)[1]


def test_a_simulated_user_begins_with_what_the_first_turn_said_and_back(sheet):
    name, _turn = begin(sheet)
    (first,) = said(sheet, name)
    assert not caseops.is_simulated(sheet, name)
    caseops.use_simulated_user(sheet, name)
    raw = sheet.raw((name,))
    assert raw["conversation_scenario"] == {"starting_prompt": first, "conversation_plan": ""}
    assert "conversation" not in raw
    assert caseops.is_simulated(sheet, name)
    caseops.use_turns(sheet, name)
    assert said(sheet, name) == [""]
    assert "conversation_scenario" not in sheet.raw((name,))
    sheet.draft.undo()
    sheet.draft.undo()
    assert said(sheet, name) == [first]


def test_a_format_without_simulated_users_says_so(sheet):
    from evalcore import formats

    lens = formats.by_id("tenxgraph").eval_sets
    with pytest.raises(FormatError, match="no simulated users"):
        lens.with_simulated_user({})
    with pytest.raises(FormatError, match="no simulated users"):
        lens.with_turns({})
