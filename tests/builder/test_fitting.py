"""Where a case of any shape goes in formats that lack a field for one of its parts."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from evalcore.builder import EvalSetBuilder, ToolCall, Turn
from evalcore.convert import planned_file
from evalcore.errors import FormatError
from evalcore.formats import built_in
from evalcore.jsontree import leaves
from evalcore.wiring.blank import coded_evaluator
from evalcore.workspace import Workspace

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
FOLDERS = {
    "uipath_coded": "evaluations/eval-sets/made.json",
    "uipath_lowcode": "evals/eval-sets/made.json",
    "adk": "agent/made.evalset.json",
    "harnest": "evals/made.evalset.json",
    "tenxgraph": "made.json",
}
FORMATS = [f.id for f in built_in()]
CALL = ToolCall(name="get_weather", args={"city": "Oslo"}, result="rain")
CODED = "evaluations/eval-sets/made.json"


def built(to: str) -> EvalSetBuilder:
    """Return a set whose cases use every part that the builder has."""
    return (
        EvalSetBuilder("made", to=to, now=NOW)
        .add_case(
            "Oslo?",
            "Wet.",
            expected_tools=[CALL],
            expected_node_order=["__start__", "MAIN"],
            description="A city in the north",
            metadata={"source": "a ticket"},
            case_id="one",
        )
        .add_multi_turn(
            [("Hello", "Hi!"), Turn("Rome?", "Dry.", tools=["look_up"])],
            expected_tools=["greet"],
            case_id="many",
        )
        .add_tool_test("Bern?", "get_weather", {"city": "Bern"}, case_id="tool")
    )


@pytest.mark.parametrize("to", FORMATS)
def test_every_format_holds_every_part_that_the_builder_has(to, tmp_path: Path):
    place = built(to).save(tmp_path / FOLDERS[to])
    text = place.read_text()
    said = ["Oslo?", "Wet.", "Hello", "Hi!", "Rome?", "Dry.", "Bern?", "Bern", "look_up", "greet"]
    said += ["get_weather", "rain", "Oslo", "__start__", "A city in the north", "a ticket"]
    assert [word for word in said if word not in text] == []
    found = Workspace(tmp_path).examine(FOLDERS[to]).problems
    assert [p.code for p in found if p.severity == "error"] == []


@pytest.mark.parametrize("to", FORMATS)
def test_a_set_with_checks_of_its_own_is_written_the_same_again(to, tmp_path: Path):
    def written() -> dict[str, bytes]:
        built(to).save(tmp_path / FOLDERS[to])
        files = tmp_path.rglob("*.json")
        return {str(file): file.read_bytes() for file in files}

    assert written() == written()


def test_tools_of_a_coded_case_are_criteria_of_an_evaluator_beside_the_set(tmp_path: Path):
    place = built("uipath_coded").save(tmp_path / CODED)
    made = json.loads((tmp_path / "evaluations/evaluators/ExpectedToolCalls.json").read_text())
    assert (made["id"], made["evaluatorTypeId"]) == ("ExpectedToolCalls", "uipath-tool-call-args")
    tree = json.loads(place.read_text())
    assert tree["evaluatorRefs"] == ["ExpectedToolCalls"]
    criteria = tree["evaluations"][0]["evaluationCriterias"]
    calls = [{"name": "get_weather", "args": {"city": "Oslo"}}]
    assert criteria == {"ExpectedToolCalls": {"toolCalls": calls}}


def test_a_coded_conversation_is_a_case_for_each_turn():
    made = built("uipath_coded").build()
    named = {case.id: case.invocations[0].input for case in made.cases}
    assert (named["many"], named["many_turn_2"]) == ({"input": "Hello"}, {"input": "Rome?"})


def test_evaluators_of_the_project_are_used_before_new_ones(tmp_path: Path):
    folder = tmp_path / "evaluations" / "evaluators"
    folder.mkdir(parents=True)
    own = coded_evaluator("uipath-tool-call-args", "Calls", "Calls")
    (folder / "calls.json").write_text(json.dumps(own))
    tree = json.loads(built("uipath_coded").save(tmp_path / CODED).read_text())
    assert tree["evaluatorRefs"] == ["Calls"]
    assert list(tree["evaluations"][0]["evaluationCriterias"]) == ["Calls"]
    assert [file.name for file in folder.iterdir()] == ["calls.json"]


def test_attached_evaluators_score_the_cases_that_tell_them_what_they_expect(tmp_path: Path):
    kinds = {"Order": "uipath-tool-call-order", "Same": "uipath-exact-match"}
    files = [tmp_path / f"{ref}.json" for ref in kinds]
    for file, (ref, kind) in zip(files, kinds.items(), strict=True):
        file.write_text(json.dumps(coded_evaluator(kind, ref, ref)))
    builder = EvalSetBuilder(to="uipath_coded").attach(*files)
    builder.add_case("a", "b", expected_tools=["x", "y"]).add_case("c", "d").add_case("e")
    assert [case.criteria for case in builder.build().cases] == [
        {"Order": {"toolCallsOrder": ["x", "y"]}, "Same": None},
        {"Same": None},
        {},
    ]


def test_a_file_that_is_no_evaluator_cannot_be_attached(tmp_path: Path):
    other = tmp_path / "x.json"
    other.write_text("{}")
    with pytest.raises(FormatError, match="no evaluator of UiPath"):
        EvalSetBuilder(to="uipath_coded").attach(other)
    with pytest.raises(FormatError, match="do not name evaluators"):
        EvalSetBuilder(to="adk").attach(other)


def test_a_new_evaluator_is_not_put_where_its_system_would_not_find_it(tmp_path: Path):
    with pytest.raises(FormatError, match="needs an evaluator"):
        built("uipath_coded").save(tmp_path / "made.json")
    assert list(tmp_path.iterdir()) == []


def test_tools_of_a_low_code_case_are_told_to_its_judge_of_trajectories():
    tree = built("uipath_lowcode").tree
    one, many, _tool = tree["evaluations"]
    told = 'The agent calls get_weather with {"city": "Oslo"}, which returns "rain".'
    assert one["expectedAgentBehavior"] == told
    assert many["expectedAgentBehavior"] == "In turn 1 the agent calls greet."
    asked = many["conversationalInputs"]["currentUserPrompt"]["text"]
    (reply,) = many["conversationalExpectedOutput"]["agentResponse"]
    assert (asked, reply["text"], reply["toolCalls"][0]["name"]) == ("Rome?", "Dry.", "look_up")


@pytest.mark.parametrize("to", ["adk", "harnest"])
def test_behavior_is_a_rubric_about_the_trajectory_where_a_case_has_rubrics(to):
    made = EvalSetBuilder(to=to).add_case("a", expected_behavior="Looks the order up first")
    (rubric,) = made.build().cases[0].rubrics
    assert (rubric.text, rubric.type) == ("Looks the order up first", "TRAJECTORY_QUALITY")


def test_behavior_reaches_coded_judges_of_trajectories():
    made = EvalSetBuilder(to="uipath_coded").add_case("a", "b", expected_behavior="Asks first")
    criteria = made.build().cases[0].criteria
    assert criteria == {"ExpectedBehavior": {"expectedAgentBehavior": "Asks first"}}


@pytest.mark.parametrize("to", ["adk", "uipath_coded", "uipath_lowcode"])
def test_what_is_kept_as_notes_comes_back_when_the_set_is_converted(to, tmp_path: Path):
    built(to).save(tmp_path / FOLDERS[to])
    workspace = Workspace(tmp_path)
    opened = workspace.open(FOLDERS[to])
    back = planned_file(workspace, opened, workspace, "back.json", "tenxgraph").conversion.value
    texts = [value for _path, value in leaves(back)]
    kept = ("A city in the north", "__start__", "a ticket")
    assert [text for text in kept if text not in texts] == []
