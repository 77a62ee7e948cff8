"""What becomes of single things between formats that hold them in different ways."""

from pathlib import Path
from typing import Any

import pytest

from evalcore.convert import Options, PlannedFile, convert, planned_file
from evalcore.errors import FormatError, WorkspaceError
from evalcore.jsontree import get
from evalcore.model import Evaluator
from evalcore.workspace import Workspace
from tests.convert.samples import ADK, CODED, LOWCODE, NOW, SETS, converted, source_of, target_of


def turn(said: str, reply: str | None = None, *calls: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {"user_content": {"parts": [{"text": said}], "role": "user"}}
    if reply is not None:
        found["final_response"] = {"parts": [{"text": reply}], "role": "model"}
    if calls:
        found["intermediate_data"] = {"tool_uses": list(calls)}
    return found


def adk(*cases: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"eval_set_id": "s", "eval_cases": list(cases), **more}


def case(case_id: str, *turns: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"eval_id": case_id, "conversation": list(turns), **more}


def coded(**case_: Any) -> dict[str, Any]:
    one = {"id": "a", "name": "A", "inputs": {}, "evaluationCriterias": {}, **case_}
    return {"version": "1.0", "id": "s", "name": "S", "evaluations": [one]}


TALK = adk(
    case(
        "talk",
        turn("Hello.", "Hi!"),
        turn("Where is A-1?", "On its way.", {"name": "track", "args": {"id": "A-1"}}),
    )
)


@pytest.mark.parametrize(
    ("said", "inputs"),
    [
        ("Hello.", {"input": "Hello."}),
        ('{"a": 1}', {"a": 1}),
        ("{not json", {"input": "{not json"}),
        ("[1]", {"input": "[1]"}),
        ("", {"input": ""}),
    ],
)
def test_a_text_becomes_named_values(said: str, inputs: dict[str, Any]):
    made: Any = converted(adk(case("a", turn(said))), "adk", "uipath_coded").value
    assert made["evaluations"][0]["inputs"] == inputs


@pytest.mark.parametrize(
    ("inputs", "said"),
    [
        ({"question": "Why?"}, "Why?"),
        ({"amount": 8}, '{"amount": 8}'),
        ({"a": "x", "b": "ü"}, '{"a": "x", "b": "ü"}'),
        ({}, ""),
    ],
)
def test_named_values_become_a_text(inputs: dict[str, Any], said: str):
    made: Any = converted(coded(inputs=inputs), "uipath_coded", "tenxgraph").value
    assert made["eval_cases"][0]["conversation"][0]["user_content"]["content"] == said


def test_named_values_survive_the_way_to_a_text_and_back():
    there: Any = converted(CODED, "uipath_coded", "adk").value
    back: Any = converted(there, "adk", "uipath_coded").value
    assert back["evaluations"][0]["inputs"] == CODED["evaluations"][0]["inputs"]


def test_a_case_with_one_turn_keeps_the_first_and_says_what_it_leaves_out():
    made = converted(TALK, "adk", "uipath_coded")
    value: Any = made.value
    assert [c["inputs"] for c in value["evaluations"]] == [{"input": "Hello."}]
    (left_out,) = (g for g in made.report.groups("lost") if g.title == "Turns after the first")
    assert {"Where is A-1?", "On its way.", "track", "A-1"} <= {f.value for f in left_out.fates}
    assert "a case for each turn" in left_out.hint


def test_each_turn_can_become_a_case_of_its_own():
    made = converted(TALK, "adk", "uipath_coded", split_turns=True)
    value: Any = made.value
    assert [(c["id"], c["name"], c["inputs"]) for c in value["evaluations"]] == [
        ("talk", "talk", {"input": "Hello."}),
        ("talk_turn_2", "talk_turn_2", {"input": "Where is A-1?"}),
    ]
    assert not any(f.value == "On its way." and f.status == "lost" for f in made.report)
    moved = next(f for f in made.report if f.value == "Where is A-1?")
    assert "other turns came before it" in moved.why


def test_several_turns_become_a_conversation_where_a_case_holds_one():
    made = converted(TALK, "adk", "uipath_lowcode")
    value: Any = made.value
    (one,) = value["evaluations"]
    assert one["conversationalInputs"] == {
        "conversationHistory": [
            [{"role": "user", "text": "Hello."}, {"role": "agent", "text": "Hi!"}]
        ],
        "currentUserPrompt": {"role": "user", "text": "Where is A-1?"},
    }
    assert one["conversationalExpectedOutput"] == {
        "agentResponse": [
            {
                "role": "agent",
                "text": "On its way.",
                "toolCalls": [{"name": "track", "arguments": {"id": "A-1"}}],
            }
        ]
    }
    assert one["inputs"] == {}
    assert not made.report.groups("lost") or all(
        f.value == "s" for g in made.report.groups("lost") for f in g.fates
    )
    earlier = next(f for f in made.report if f.value == "Hi!")
    assert earlier.status == "changed" and "not scored" in earlier.why
    assert next(f for f in made.report if f.value == "On its way.").status == "kept"


def test_a_split_conversation_is_scored_turn_by_turn_with_what_came_before():
    value: Any = converted(TALK, "adk", "uipath_lowcode", split_turns=True).value
    talks = [c["conversationalInputs"] for c in value["evaluations"]]
    assert [len(talk["conversationHistory"]) for talk in talks] == [0, 1]
    assert [talk["currentUserPrompt"]["text"] for talk in talks] == ["Hello.", "Where is A-1?"]


def test_a_conversation_goes_to_turns_and_comes_back():
    there: Any = converted(TALK, "adk", "uipath_lowcode").value
    back: Any = converted(there, "uipath_lowcode", "adk").value
    (one,) = back["eval_cases"]
    assert one["eval_id"] == "talk"
    assert one["conversation"] == TALK["eval_cases"][0]["conversation"]


def test_of_a_conversation_the_tested_turn_is_kept_where_there_is_one_turn():
    made = converted(LOWCODE, "uipath_lowcode", "uipath_coded")
    value: Any = made.value
    assert value["evaluations"][1]["inputs"] == {"input": "And now?"}
    assert value["evaluations"][1]["expectedOutput"] == "It is there."


CALL_EVALUATORS = (
    Evaluator(ref="args-1", name="Arguments", native_type="uipath-tool-call-args"),
    Evaluator(ref="order-1", name="Order", native_type="uipath-tool-call-order"),
    Evaluator(ref="exact-1", name="Exact", native_type="uipath-exact-match"),
)


def test_expected_calls_become_criteria_of_the_tool_call_evaluators_at_the_place():
    target = target_of("uipath_coded", CALL_EVALUATORS)
    calls = ({"name": "a", "args": {"x": 1}}, {"name": "b"})
    set_ = adk(case("one", turn("Do it.", None, *calls)), name="S")
    made = convert(source_of(set_, "adk"), target, Options(), NOW)
    value: Any = made.value
    assert value["evaluatorRefs"] == ["args-1", "order-1"]
    assert value["evaluations"][0]["evaluationCriterias"] == {
        "args-1": {"toolCalls": [{"args": {"x": 1}, "name": "a"}, {"args": {}, "name": "b"}]},
        "order-1": {"toolCallsOrder": ["a", "b"]},
    }
    assert not made.report.is_lossy


def test_expected_calls_without_such_an_evaluator_are_lost_with_a_hint():
    made = converted(adk(case("one", turn("Do it.", None, {"name": "a"}))), "adk", "uipath_coded")
    (group,) = made.report.groups("lost")
    assert group.title == "Expected tool calls"
    assert "convert again" in group.hint


def test_what_evaluators_expect_becomes_what_the_case_expects_where_they_agree():
    criteria = {
        "one": {"expectedOutput": {"a": 1}},
        "two": {"expectedOutput": {"a": 1, "b": 2}},
        "three": {"expectedOutput": {"a": 9}},
    }
    set_ = coded(evaluationCriterias=criteria)
    made = converted(set_, "uipath_coded", "uipath_lowcode")
    value: Any = made.value
    assert value["evaluations"][0]["expectedOutput"] == {"a": 1, "b": 2}
    fates = {f.pointer.partition("evaluationCriterias")[2]: f.status for f in made.report}
    assert fates["/one/expectedOutput/a"] == "changed"
    assert fates["/two/expectedOutput/b"] == "changed"
    assert fates["/three/expectedOutput/a"] == "lost"


def test_low_code_switches_and_model_mocks_say_the_same():
    there: Any = converted(LOWCODE, "uipath_lowcode", "uipath_coded").value
    assert there["evaluations"][0]["mockingStrategy"] == {
        "type": "llm",
        "prompt": "There are two invoices.",
        "toolsToSimulate": [{"name": "invoices"}],
    }
    assert there["evaluations"][0]["inputMockingStrategy"] == {"prompt": "An angry customer."}
    assert "mockingStrategy" not in there["evaluations"][1]
    back: Any = converted(there, "uipath_coded", "uipath_lowcode").value
    names = ("simulateTools", "simulationInstructions", "toolsToSimulate", "simulateInput")
    first = LOWCODE["evaluations"][0]
    assert {n: back["evaluations"][0][n] for n in names} == {n: first[n] for n in names}


def test_answers_of_tools_go_to_their_calls_and_back():
    there: Any = converted(ADK, "adk", "tenxgraph").value
    (call,) = there["eval_cases"][0]["conversation"][0]["expected_tool_trajectory"]
    assert call["call_id"] == "c1" and call["result"] == {"state": "moving"}
    back: Any = converted(there, "tenxgraph", "adk").value
    data = back["eval_cases"][0]["conversation"][0]["intermediate_data"]
    assert data["tool_responses"] == [
        {"id": "c1", "name": "track", "response": {"state": "moving"}}
    ]


def test_texts_in_several_pieces_are_joined_and_that_is_said():
    made = converted(ADK, "adk", "tenxgraph")
    pieces = [f for f in made.report if f.value in ("Look at this.", "Where is my parcel?")]
    assert [f.status for f in pieces] == ["changed", "changed"]
    assert {f.why for f in pieces} == {"Several pieces of text became one."}
    image = next(f for f in made.report if f.value == "image/png")
    assert image.status == "lost" and image.title == "Beside “User says”"


def test_cases_get_different_names_where_the_new_format_knows_them_by_name():
    set_ = adk(case("a", turn("x"), name="Same"), case("b", turn("y"), name="Same"))
    made = converted(set_, "adk", "uipath_lowcode")
    value: Any = made.value
    assert [c["name"] for c in value["evaluations"]] == ["Same", "Same_2"]
    renamed = [f for f in made.report if f.status == "changed" and f.value == "Same"]
    assert len(renamed) == 1 and "number" in renamed[0].why


def test_low_code_ids_are_kept_where_they_are_guids_and_made_from_the_names_elsewhere():
    from_coded: Any = converted(CODED, "uipath_coded", "uipath_lowcode").value
    ids = [c["id"] for c in from_coded["evaluations"]]
    assert len(set(ids)) == 2 and all(len(i) == 36 for i in ids)
    assert {c["evalSetId"] for c in from_coded["evaluations"]} == {from_coded["id"]}
    there: Any = converted(LOWCODE, "uipath_lowcode", "uipath_coded").value
    assert [c["id"] for c in there["evaluations"]] == [c["id"] for c in LOWCODE["evaluations"]]


def test_harnest_and_adk_keep_the_file_as_it_is_but_for_the_id():
    for source, target in (("adk", "harnest"), ("harnest", "adk")):
        made = converted(SETS[source], source, target)
        assert not made.report.is_lossy
        assert made.value == {**SETS[source], "eval_set_id": "small"}


def test_what_the_new_system_refuses_is_taken_out_and_named():
    set_ = adk(case("a", turn("x", "y", {"name": "t", "args": [1]})))
    made = converted(set_, "adk", "tenxgraph")
    lost = [f for f in made.report if f.status == "lost"]
    assert [f.value for f in lost] == [1]
    assert "args" in lost[0].why or "object" in lost[0].why


def test_a_case_of_an_unknown_shape_is_left_out_and_named():
    set_ = adk(case("a", turn("x")), {"eval_id": "odd", "conversation": "?"})
    made = converted(set_, "adk", "tenxgraph")
    assert (made.report.cases_before, made.report.cases_after) == (2, 1)
    odd = [f for f in made.report if f.case == "odd"]
    assert [f.status for f in odd] == ["lost", "lost"]
    assert "left out" in odd[0].why


def test_values_without_a_place_are_carried_where_there_is_room():
    made = converted(ADK, "adk", "tenxgraph", carry=True)
    value: Any = made.value
    notes = value["eval_cases"][0]["metadata"]["carried_from_adk"]
    assert notes["/session_input/session_id"] == "s-1"
    assert notes["/conversation/0/rubrics"] == ADK["eval_cases"][0]["conversation"][0]["rubrics"]
    assert not made.report.is_lossy
    assert made.report.counts["carried"] > 5


def test_a_set_has_no_room_for_notes_in_adk_so_they_stay_lost():
    made = converted(SETS["tenxgraph"], "tenxgraph", "adk", carry=True)
    assert {f.pointer for f in made.report if f.status == "lost"} == {"/metadata/reviewed"}
    value: Any = made.value
    assert value["eval_cases"][0]["carried_from_tenxgraph"]["/difficulty"] == 2


@pytest.mark.parametrize(
    ("source", "over", "returns"),
    [
        ("adk", "tenxgraph", ("s-1", "FINAL_RESPONSE_QUALITY", "ben", 1767322802.0)),
        ("adk", "uipath_coded", ("Thanks!", "gold", "i-1", True)),
        ("tenxgraph", "adk", ("MAIN", 2, "There is one at ten.", 9, "desk")),
        ("uipath_coded", "adk", ("pay", "policy", "The usual case.", 7)),
        ("uipath_lowcode", "tenxgraph", ("manual", "There are two invoices.")),
    ],
)
def test_what_was_carried_goes_back_to_where_it_came_from(
    source: str, over: str, returns: tuple[Any, ...]
):
    there = converted(SETS[source], source, over, carry=True)
    back = converted(there.value, over, source)
    notes = [f for f in back.report if f"carried_from_{source}" in f.pointer]
    kept = [f for f in notes if f.status == "kept"]
    for fate in kept:
        assert fate.target is not None
        assert get(SETS[source], fate.target) == fate.value
    assert set(returns) <= {f.value for f in kept if not isinstance(f.value, (dict, list))}


def test_a_note_whose_place_is_taken_stays_where_it_is():
    there: Any = converted(ADK, "adk", "tenxgraph", carry=True).value
    notes = there["eval_cases"][0]["metadata"]["carried_from_adk"]
    notes["/eval_id"] = "other"
    back = converted(there, "tenxgraph", "adk")
    value: Any = back.value
    assert value["eval_cases"][0]["eval_id"] == "two_turns"
    assert value["eval_cases"][0]["session_input"]["session_id"] == "s-1"
    assert next(f for f in back.report if f.value == "other").status == "lost"


def test_an_evaluator_file_and_a_wrong_place_are_refused():
    with pytest.raises(FormatError, match="would not take"):
        target = target_of("harnest")
        elsewhere = type(target)(target.format, target.path.with_name("small.json"))
        convert(source_of(ADK, "adk"), elsewhere)


PROJECT = "uipath_coded/claims_intake"


@pytest.fixture
def desk(tmp_path: Path) -> Workspace:
    import shutil

    from tests.samples import SAMPLES

    return Workspace(Path(shutil.copytree(SAMPLES, tmp_path / "evals")))


def planned(desk: Workspace, source: str, path: str, to: str) -> PlannedFile:
    return planned_file(desk, desk.open(source), desk, path, to)


def test_criteria_are_written_for_the_evaluators_that_lie_at_the_new_place(desk: Workspace):
    path = f"{PROJECT}/evaluations/eval-sets/refunds.json"
    made = planned(desk, "adk/refund_desk/refunds.evalset.json", path, "uipath_coded")
    opened = made.write()
    value: Any = opened.document.value
    assert value["evaluatorRefs"] == ["ToolArgsEvaluator", "ToolOrderEvaluator"]
    assert value["evaluations"][0]["evaluationCriterias"]["ToolOrderEvaluator"] == {
        "toolCallsOrder": ["lookup_order", "issue_refund"]
    }
    errors = [p for p in desk.entry(path).problems if p.severity == "error"]
    assert errors == []
    assert made.conversion.report.checks


def test_a_lone_text_is_called_as_the_agent_calls_its_only_input(desk: Workspace):
    (desk.root / "bot").mkdir()
    (desk.root / "bot" / "entry-points.json").write_text(
        '{"entryPoints": [{"filePath": "main", "type": "agent", "input": {"type": "object",'
        ' "properties": {"question": {"type": "string"}}}, "output": {"type": "object",'
        ' "properties": {"answer": {"type": "string"}}}}]}'
    )
    source = "harnest/library_helper/evals/loans.evalset.json"
    path = "bot/evals/eval-sets/loans.json"
    value: Any = planned(desk, source, path, "uipath_lowcode").conversion.value
    single = [c for c in value["evaluations"] if "conversationalInputs" not in c]
    assert single
    assert {(*c["inputs"], *c["expectedOutput"]) for c in single} <= {
        ("question", "answer"),
        ("question",),
    }


def test_a_file_that_is_there_is_not_written_over(desk: Workspace):
    path = "harnest/library_helper/evals/refunds.evalset.json"
    made = planned(desk, "adk/refund_desk/refunds.evalset.json", path, "harnest")
    made.write()
    before = (desk.root / path).read_bytes()
    with pytest.raises(WorkspaceError, match="already"):
        made.write()
    assert (desk.root / path).read_bytes() == before == made.data()
