"""Reading and editing low-code eval sets: who makes ids and times, and when."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from evalcore.errors import FormatError
from evalcore.formats._uipath.ids import fold_guid, is_guid, timestamp
from evalcore.formats.uipath_lowcode.evalset import LENS
from evalcore.jsontree import MISSING
from tests.fields import get_field
from tests.formats.uipath.data import CASE_GUID, SET_GUID, lowcode_case, lowcode_set

NOW = datetime(2026, 3, 4, 5, 6, 7, 89_000, tzinfo=UTC)
WRITTEN = "2026-03-04T05:06:07.089Z"
OLD = "2026-03-01T09:00:00.000Z"


def test_a_case_is_read_with_its_one_invocation():
    value = lowcode_set(
        lowcode_case(
            simulateTools=True,
            toolsToSimulate=[{"name": "find"}],
            simulateInput=False,
            conversationalInputs={"currentUserPrompt": {"text": "hi"}},
        )
    )
    eval_set = LENS.read(value)
    assert (eval_set.id, eval_set.name) == (SET_GUID, "Refunds")
    assert [r.ref for r in eval_set.evaluator_refs] == ["e"]
    case = eval_set.cases[0]
    assert (case.id, case.name) == (CASE_GUID, "late refund")
    assert case.mocking == {"simulate_tools": True, "tools_to_simulate": ["find"]}
    assert case.input_mocking == {"simulate_input": False}
    (turn,) = case.invocations
    assert turn.input == {"order": "A-17"}
    assert turn.expected_output == {"decision": "refund"}
    assert turn.expected_behavior == "Looks the order up, then refunds it."


def test_evaluator_configs_are_not_read():
    value = lowcode_set(evaluatorRefs=["a"], evaluatorConfigs=["b"])
    assert [r.ref for r in LENS.read(value).evaluator_refs] == ["a"]
    assert get_field(LENS, value, "", "set", "evaluator_refs") == ["a"]


def test_a_case_without_simulation_has_no_mocking():
    case = LENS.read(lowcode_set(lowcode_case())).cases[0]
    assert case.mocking is MISSING
    assert case.input_mocking is MISSING


def test_people_name_a_case_and_its_id_is_made():
    value = lowcode_set(lowcode_case(source="manual"))
    added = LENS.add_case(value, "first refund", NOW)["evaluations"][1]
    assert is_guid(added.pop("id"))
    assert added == {
        "name": "first refund",
        "inputs": {},
        "expectedOutput": {},
        "expectedAgentBehavior": "",
        "evalSetId": SET_GUID,
        "createdAt": WRITTEN,
        "updatedAt": WRITTEN,
    }


def test_a_new_case_is_spelled_like_the_others():
    snake = {"id": CASE_GUID, "name": "a", "inputs": {}, "expected_output": {}}
    added = LENS.add_case({**lowcode_set(), "evaluations": [snake]}, "b", NOW)["evaluations"][1]
    assert set(added) == {
        "id",
        "name",
        "inputs",
        "expected_output",
        "expected_agent_behavior",
        "eval_set_id",
        "created_at",
        "updated_at",
    }


def test_a_name_is_given_once():
    value = lowcode_set(lowcode_case())
    with pytest.raises(FormatError, match="late refund"):
        LENS.add_case(value, "late refund", NOW)
    assert LENS.fresh_case_id(value, "late refund") == "late refund_2"
    assert LENS.case_label(value["evaluations"][0]) == "late refund"
    assert LENS.case_id(value["evaluations"][0]) == CASE_GUID


def test_renaming_keeps_the_id_and_the_times():
    renamed = LENS.rename_case(lowcode_set(lowcode_case()), 0, "early refund")
    assert renamed["evaluations"][0] == lowcode_case(name="early refund")


def test_a_copy_gets_an_id_and_times_of_its_own_and_no_source():
    case = lowcode_case(source="debugRun", evalSetId="elsewhere", tags=["a"])
    copy = LENS.duplicate_case(lowcode_set(case), 0, "again", NOW)["evaluations"][1]
    assert is_guid(copy["id"]) and copy["id"] != CASE_GUID
    kept = {k: v for k, v in case.items() if k != "source"}
    times = {"createdAt": WRITTEN, "updatedAt": WRITTEN}
    assert copy == {**kept, **times, "id": copy["id"], "name": "again", "evalSetId": SET_GUID}


def test_an_edit_moves_no_time():
    value = lowcode_set(lowcode_case())
    edited = LENS.put_field(value, "/evaluations/0", "invocation", "expected_output", {"a": 1})
    assert edited["updatedAt"] == edited["evaluations"][0]["updatedAt"] == OLD


def test_times_move_when_asked():
    value = lowcode_set(lowcode_case(), lowcode_case(id="other", name="other"))
    touched = LENS.touch(value, [1], NOW)
    assert touched["updatedAt"] == touched["evaluations"][1]["updatedAt"] == WRITTEN
    assert touched["evaluations"][0] is value["evaluations"][0]
    assert touched["createdAt"] == OLD


@pytest.mark.parametrize("name", ["id", "source", "eval_set_id", "created_at", "updated_at"])
def test_what_uipath_writes_cannot_be_edited(name):
    with pytest.raises(FormatError, match="cannot be edited"):
        LENS.put_field(lowcode_set(lowcode_case()), "/evaluations/0", "case", name, "x")


def test_a_new_set_has_its_own_id_and_the_name_of_its_file():
    value = LENS.blank_set("refunds", "Refunds", NOW)
    assert is_guid(value["id"])
    assert (value["fileName"], value["name"]) == ("refunds.json", "Refunds")
    assert value["createdAt"] == value["updatedAt"] == WRITTEN
    assert value["evaluations"] == []


def test_opening_makes_up_nothing():
    value = lowcode_set({"name": "a", "inputs": {}})
    assert LENS.read(value).cases[0].id is None
    for field in LENS.case_fields:
        got = get_field(LENS, value, "/evaluations/0", "case", field.name)
        if not field.read_only:
            put = LENS.put_field(value, "/evaluations/0", "case", field.name, got)
            assert put is value


@pytest.mark.parametrize(
    ("moment", "written"),
    [
        (NOW, WRITTEN),
        (NOW.replace(tzinfo=None), WRITTEN),
        (NOW.astimezone(timezone(timedelta(hours=2))), WRITTEN),
        (NOW.replace(microsecond=0), "2026-03-04T05:06:07.000Z"),
    ],
)
def test_times_are_written_in_utc_with_milliseconds(moment, written):
    assert timestamp(moment) == written


def test_only_guids_compare_without_case():
    assert fold_guid(CASE_GUID.upper()) == CASE_GUID
    assert fold_guid("Case-1") == "Case-1"
    assert LENS.join_key(CASE_GUID.upper()) == CASE_GUID
