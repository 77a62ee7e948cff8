"""Reading and editing coded eval sets."""

import json
from datetime import UTC, datetime

import pytest

from evalcore.errors import FormatError
from evalcore.formats.lenses import At
from evalcore.formats.uipath_coded.evalset import LENS
from evalcore.jsondoc import JsonDocument
from evalcore.jsontree import MISSING, get
from tests.fields import get_field
from tests.formats.uipath.data import CASE_GUID, coded_case, coded_set

NOW = datetime(2026, 3, 4, 5, 6, 7, 89_000, tzinfo=UTC)
SNAKE = {
    "version": "1.0",
    "id": "s",
    "name": "S",
    "evaluator_refs": ["e"],
    "evaluations": [
        {"id": "a", "name": "A", "inputs": {"orderId": 1}, "evaluation_criterias": {"e": None}}
    ],
}


def refs(value):
    return get_field(LENS, value, "", "set", "evaluator_refs")


def put_refs(value, new):
    return LENS.put_field(value, "", "set", "evaluator_refs", new)


def test_a_case_is_read_with_its_one_invocation():
    value = coded_set(
        coded_case(
            description="d",
            tags=["a", 1],
            expectedOutput={"x": 1},
            expectedAgentBehavior="Looks it up.",
            evaluationCriterias={"e": None},
            mockingStrategy={"type": "mockito", "config": []},
            inputMockingStrategy={"prompt": "p"},
        ),
        evaluatorConfigs=["a", {"ref": "b", "weight": 2}, {"ref": "c"}, {"weight": 1}],
    )
    eval_set = LENS.read(value)
    assert [(r.ref, r.weight) for r in eval_set.evaluator_refs] == [
        ("a", None),
        ("b", 2),
        ("c", None),
    ]
    case = eval_set.cases[0]
    assert (case.id, case.name, case.description, case.tags) == ("c1", "Case c1", "d", ("a",))
    assert case.criteria == {"e": None}
    assert case.mocking == {"type": "mockito", "config": []}
    assert case.input_mocking == {"prompt": "p"}
    (turn,) = case.invocations
    assert (turn.origin, turn.input, turn.expected_output) == ("/evaluations/0", {}, {"x": 1})
    assert turn.expected_behavior == "Looks it up."


def test_a_case_that_is_no_object_is_opaque():
    assert LENS.read(coded_set("x", None)).cases[1].opaque


def test_no_field_is_shown_twice():
    names = [f.name for f in (*LENS.case_fields, *LENS.invocation_fields)]
    assert len(names) == len(set(names))
    places = [f.lens.where({}) for f in (*LENS.case_fields, *LENS.invocation_fields)]
    assert len(places) == len(set(places))


def test_the_refs_are_those_of_the_list_that_uipath_uses():
    assert refs(coded_set(evaluatorRefs=["a"])) == ["a"]
    assert refs(coded_set(evaluatorRefs=["a"], evaluatorConfigs=[])) == ["a"]
    assert refs(coded_set(evaluatorRefs=["a"], evaluatorConfigs=["b", {"ref": "c"}])) == ["b", "c"]
    assert refs({"evaluatorConfigs": []}) == []
    assert refs({}) is MISSING


def test_refs_with_weights_keep_their_shape_when_others_come_and_go():
    value = {"evaluatorConfigs": ["a", {"ref": "b", "weight": 2.5}, {"ref": "c"}]}
    moved = put_refs(value, ["c", "b", "new"])
    assert moved["evaluatorConfigs"] == [{"ref": "c"}, {"ref": "b", "weight": 2.5}, "new"]
    assert put_refs({"evaluatorConfigs": [{"ref": "a"}]}, ["a", "b"]) == {
        "evaluatorConfigs": [{"ref": "a"}, {"ref": "b"}]
    }


def test_no_refs_means_none_in_either_list():
    value = {"evaluatorRefs": ["a"], "evaluatorConfigs": ["b"]}
    assert refs(put_refs(value, [])) == []
    assert put_refs(value, MISSING) == {}


def test_refs_are_added_where_the_set_has_none():
    assert put_refs({"id": "s"}, ["a"]) == {"id": "s", "evaluatorRefs": ["a"]}
    assert put_refs({"evaluatorConfigs": []}, ["a"]) == {"evaluatorConfigs": ["a"]}


def test_a_new_case_is_spelled_like_the_others():
    added = LENS.add_case(SNAKE, "b", NOW)
    assert added["evaluations"][1] == {
        "id": "b",
        "name": "b",
        "inputs": {},
        "evaluation_criterias": {},
    }
    assert "evaluationCriterias" in LENS.add_case(coded_set(), "b", NOW)["evaluations"][0]


def test_a_new_key_is_spelled_like_the_case_and_not_like_its_inputs():
    edited = LENS.put_field(SNAKE, "/evaluations/0", "invocation", "expected_output", {"x": 1})
    assert "expected_output" in edited["evaluations"][0]
    value = coded_set({"id": "a", "name": "A", "inputs": {"order_id": 1}})
    edited = LENS.put_field(value, "/evaluations/0", "case", "criteria", {})
    assert "evaluationCriterias" in edited["evaluations"][0]


def test_the_spelling_that_uipath_reads_is_edited_where_both_are_there():
    value = coded_set(coded_case(expected_output={"old": 1}, expectedOutput={"x": 1}))
    edited = LENS.put_field(value, "/evaluations/0", "invocation", "expected_output", "y")
    assert edited["evaluations"][0]["expectedOutput"] == "y"
    assert edited["evaluations"][0]["expected_output"] == {"old": 1}


def test_a_copy_has_a_name_of_its_own():
    value = coded_set(coded_case("a", name="N"), coded_case("b", name="N (copy)"))
    copied = LENS.duplicate_case(value, 0, "c", NOW)
    assert [(c["id"], c["name"]) for c in copied["evaluations"]] == [
        ("a", "N"),
        ("c", "N (copy 2)"),
        ("b", "N (copy)"),
    ]


def test_guids_are_taken_whatever_their_case():
    value = coded_set(coded_case(CASE_GUID))
    with pytest.raises(FormatError, match="already"):
        LENS.add_case(value, CASE_GUID.upper(), NOW)
    assert LENS.fresh_case_id(value, CASE_GUID.upper()) == f"{CASE_GUID.upper()}_2"
    assert LENS.rename_case(value, 0, CASE_GUID.upper())["evaluations"][0]["id"].isupper()
    assert LENS.add_case(coded_set(coded_case("a")), "A", NOW)


def test_extras_that_uipath_drops_are_kept():
    case = coded_case(purpose="demo", owner={"name": "Ana"})
    edited = LENS.put_field(coded_set(case), "/evaluations/0", "case", "name", "New")
    assert edited["evaluations"][0] == {**case, "name": "New"}


def test_times_move_only_when_asked_and_only_where_they_are():
    value = coded_set(coded_case("a", updatedAt="x"), coded_case("b"), updatedAt="x")
    assert LENS.put_field(value, "/evaluations/0", "case", "name", "N")["updatedAt"] == "x"
    touched = LENS.touch(value, [0, 1], NOW)
    assert touched["updatedAt"] == "2026-03-04T05:06:07.089Z"
    assert touched["evaluations"][0]["updatedAt"] == "2026-03-04T05:06:07.089Z"
    assert "updatedAt" not in touched["evaluations"][1]


def test_nothing_can_be_added_to_a_file_without_a_set():
    with pytest.raises(FormatError, match="no eval set"):
        LENS.add_case([1], "a", NOW)


def test_a_case_has_exactly_one_turn():
    value = coded_set(coded_case())
    with pytest.raises(FormatError, match="exactly one turn"):
        LENS.add_invocation(value, "/evaluations/0")
    with pytest.raises(FormatError, match="exactly one turn"):
        LENS.blank_invocation(value["evaluations"][0])


def test_an_edit_changes_its_own_line_only():
    text = json.dumps(coded_set(coded_case("a"), coded_case("b")), indent=4)
    document = JsonDocument.parse(text.encode())
    edited = LENS.put_field(document.value, "/evaluations/1", "case", "name", "Late refund")
    before, after = text.splitlines(), document.render(edited).decode().splitlines()
    changed = [(old, new) for old, new in zip(before, after, strict=True) if old != new]
    assert changed == [('            "name": "Case b",', '            "name": "Late refund",')]


def test_fields_lie_where_their_lenses_say():
    value = coded_set(coded_case(evaluationCriterias={"e": {}}))
    field = LENS.field("case", "criteria")
    assert isinstance(field.lens, At)
    assert get(value, "/evaluations/0" + field.lens.where(value["evaluations"][0])) == {"e": {}}
