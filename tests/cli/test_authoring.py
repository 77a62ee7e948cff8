"""`evaldesk set` and `evaldesk case`: sets and cases of every format from the command line."""

import json
import shutil
from pathlib import Path

import pytest

from evalcore.cli import main
from evalcore.workspace import Workspace
from tests.samples import SAMPLES

PROJECTS = {
    "adk": "adk/refund_desk",
    "harnest": "harnest/library_helper",
    "tenxgraph": "tenxgraph/trip_planner",
    "uipath_coded": "uipath_coded/claims_intake",
    "uipath_lowcode": "uipath_lowcode/SupportTriage",
}


@pytest.fixture
def project(tmp_path: Path, request) -> str:
    copied = tmp_path / "project"
    shutil.copytree(SAMPLES / PROJECTS[request.param], copied)
    return str(copied)


def run(*words: str) -> int:
    return main(list(words))


def found(capsys) -> dict:
    return json.loads(capsys.readouterr().out)


def case_of(project: str, path: str, name: str):
    workspace = Workspace(Path(project))
    opened = workspace.open(str(Path(path).relative_to(project)))
    lens = opened.format.lens_for(opened.detection)
    raws = lens.raw_cases(opened.document.value)
    raw = next(raw for raw in raws if lens.case_label(raw) == name)
    return raw, lens.read_case(raw, "")


@pytest.mark.parametrize("project", PROJECTS, indirect=True)
def test_a_set_and_its_cases_come_and_go(project: str, capsys):
    before = sorted(Path(project).rglob("*"))
    assert run("set", "add", "Smoke tests", "--path", project, "--output", "json") == 0
    path = found(capsys)["path"]
    same = ("--set", "Smoke tests", "--path", project, "--output", "json")
    given = ("--inputs", '{"input": "hello"}')
    assert run("case", "add", "greets", *same, *given) == 0
    assert found(capsys)["path"] == path
    assert run("case", "add", "greets too", *same, *given) == 0
    capsys.readouterr()
    assert run("case", "list", *same) == 0
    assert [case["name"] or case["id"] for case in found(capsys)["cases"]] == [
        "greets",
        "greets too",
    ]
    _raw, case = case_of(project, path, "greets")
    assert case.invocations[0].input in ("hello", {"input": "hello"})
    assert run("case", "remove", "greets", *same) == 0
    capsys.readouterr()
    assert run("case", "list", *same) == 0
    assert len(found(capsys)["cases"]) == 1
    assert run("set", "remove", "Smoke tests", "--path", project) == 0
    assert sorted(Path(project).rglob("*")) == before


@pytest.mark.parametrize("project", ["uipath_lowcode"], indirect=True)
def test_every_flag_of_a_low_code_case_lands_in_its_field(project: str, capsys):
    flags = {
        "--inputs": '{"input": "What is the weather in NYC?"}',
        "--expected": '{"content": "Sunny"}',
        "--expected-agent-behavior": "Calls the weather tool",
        "--simulation-instructions": "Be slow",
        "--input-generation-instructions": "Empty texts",
    }
    words = [word for pair in flags.items() for word in pair]
    switches = ("--simulate-input", "--simulate-tools")
    where = ("--set", "Default Evaluation Set", "--path", project, "--output", "json")
    assert run("case", "add", "weather", *words, *switches, *where) == 0
    raw, _case = case_of(project, found(capsys)["path"], "weather")
    expected = {
        "inputs": {"input": "What is the weather in NYC?"},
        "expectedOutput": {"content": "Sunny"},
        "expectedAgentBehavior": "Calls the weather tool",
        "simulationInstructions": "Be slow",
        "inputGenerationInstructions": "Empty texts",
        "simulateInput": True,
        "simulateTools": True,
    }
    assert {name: raw[name] for name in expected} == expected


@pytest.mark.parametrize("project", ["uipath_lowcode"], indirect=True)
def test_the_defaults_of_a_low_code_case(project: str, capsys):
    where = ("--set", "Default Evaluation Set", "--path", project, "--output", "json")
    assert run("case", "add", "bare", "--inputs", "{}", *where) == 0
    raw, _case = case_of(project, found(capsys)["path"], "bare")
    assert raw["expectedOutput"] == {}
    assert (raw["expectedAgentBehavior"], raw["simulateInput"], raw["simulateTools"]) == (
        "",
        False,
        False,
    )


@pytest.mark.parametrize("project", ["uipath_coded"], indirect=True)
def test_a_set_refers_to_all_evaluators_or_to_those_named(project: str, capsys):
    run("set", "add", "all of them", "--path", project, "--output", "json")
    everything = found(capsys)["evaluators"]
    assert len(everything) == 6
    one = everything[0]
    run("set", "add", "one", "--evaluators", one, "--path", project, "--output", "json")
    assert found(capsys)["evaluators"] == [one]
    assert run("set", "add", "bad", "--evaluators", "nobody", "--path", project) == 2
    assert "no evaluator 'nobody'" in capsys.readouterr().err


@pytest.mark.parametrize("project", ["uipath_coded"], indirect=True)
def test_a_coded_case_is_scored_by_each_evaluator_that_knows_what_to_expect(project: str, capsys):
    run("set", "add", "mine", "--path", project, "--output", "json")
    refs = found(capsys)["evaluators"]
    simulated = ("--simulate-tools", "--tools-to-simulate", "look_up", "--simulate-input")
    where = ("--set", "mine", "--path", project, "--output", "json")
    assert run("case", "add", "a", "--inputs", "{}", "--expected", "{}", *simulated, *where) == 0
    said = capsys.readouterr()
    raw, case = case_of(project, json.loads(said.out)["path"], "a")
    assert case.criteria and set(case.criteria.values()) == {None}
    left = [ref for ref in refs if ref not in case.criteria]
    assert left and "will not score it" in said.err
    assert "criteria_missing" not in said.err
    assert raw["mockingStrategy"]["toolsToSimulate"] == [{"name": "look_up"}]
    assert raw["inputMockingStrategy"] == {"prompt": ""}


@pytest.mark.parametrize("project", ["uipath_coded"], indirect=True)
def test_behavior_and_tools_of_a_coded_case_reach_their_evaluators(project: str, capsys):
    run("set", "add", "mine", "--path", project, "--output", "json")
    capsys.readouterr()
    told = ("--expected-agent-behavior", "Asks first", "--expected-tools", "look_up,pay")
    where = ("--set", "mine", "--path", project, "--output", "json")
    assert run("case", "add", "a", "--inputs", "{}", *told, *where) == 0
    raw, case = case_of(project, found(capsys)["path"], "a")
    assert case.criteria["TrajectoryJudgeEvaluator"] == {"expectedAgentBehavior": "Asks first"}
    assert raw["expectedAgentBehavior"] == "Asks first"
    calls = json.dumps(case.criteria)
    assert "look_up" in calls and "pay" in calls


@pytest.mark.parametrize("project", ["uipath_coded"], indirect=True)
def test_an_evaluator_that_a_case_needs_is_taken_from_the_project_or_made(project: str, capsys):
    run("set", "add", "mine", "--evaluators", "DecisionEvaluator", "--path", project)
    folder = Path(project) / "evaluations" / "evaluators"
    for file in folder.glob("*.json"):
        if json.loads(file.read_text())["evaluatorTypeId"].startswith("uipath-tool-call"):
            file.unlink()
    capsys.readouterr()
    where = ("--set", "mine", "--path", project, "--output", "json")
    told = ("--expected-agent-behavior", "Asks first", "--expected-tools", "look_up")
    assert run("case", "add", "a", "--inputs", "{}", *told, *where) == 0
    said = capsys.readouterr()
    _raw, case = case_of(project, json.loads(said.out)["path"], "a")
    assert "evaluators/ExpectedToolCalls.json" in said.err
    assert (folder / "ExpectedToolCalls.json").is_file()
    assert {"TrajectoryJudgeEvaluator", "ExpectedToolCalls"} <= set(case.criteria)


@pytest.mark.parametrize("project", ["adk", "harnest"], indirect=True)
def test_behavior_of_an_adk_case_is_a_rubric(project: str, capsys):
    run("set", "add", "mine", "--path", project, "--output", "json")
    capsys.readouterr()
    where = ("--set", "mine", "--path", project, "--output", "json")
    told = ("--expected-agent-behavior", "Asks first", "--expected-tools", "look_up")
    assert run("case", "add", "a", "--inputs", "Hello", *told, *where) == 0
    _raw, case = case_of(project, found(capsys)["path"], "a")
    assert [(r.text, r.type) for r in case.rubrics] == [("Asks first", "TRAJECTORY_QUALITY")]
    assert [call.name for call in case.invocations[0].tool_calls] == ["look_up"]


@pytest.mark.parametrize("project", ["adk", "harnest"], indirect=True)
def test_a_simulated_input_of_an_adk_case_is_a_simulated_user(project: str, capsys):
    run("set", "add", "mine", "--path", project, "--output", "json")
    capsys.readouterr()
    where = ("--set", "mine", "--path", project, "--output", "json")
    simulated = ("--simulate-input", "--input-generation-instructions", "Wants the money back")
    assert run("case", "add", "a", "--inputs", "Hello", *simulated, *where) == 0
    raw, case = case_of(project, found(capsys)["path"], "a")
    assert (case.scenario.starting_prompt, case.scenario.plan) == ("Hello", "Wants the money back")
    assert "conversation" not in raw


@pytest.mark.parametrize("project", ["uipath_lowcode"], indirect=True)
def test_tools_of_a_low_code_case_are_told_to_its_judge(project: str, capsys):
    where = ("--set", "Default Evaluation Set", "--path", project, "--output", "json")
    told = ("--expected-agent-behavior", "Is polite", "--expected-tools", "look_up,pay")
    assert run("case", "add", "a", "--inputs", "{}", *told, *where) == 0
    raw, _case = case_of(project, found(capsys)["path"], "a")
    expected = "Is polite\nThe agent calls look_up, then pay."
    assert raw["expectedAgentBehavior"] == expected


@pytest.mark.parametrize(
    ("project", "words", "said"),
    [
        ("adk", ("--simulate-tools",), "--simulate-tools has no place in a set of Google ADK"),
        (
            "harnest",
            ("--tools-to-simulate", "a"),
            "Sets of UiPath coded agent, UiPath low-code agent have it",
        ),
        ("adk", ("--simulate-input",), "needs both --simulate-input and --input-gen"),
        ("adk", ("--input-generation-instructions", "x"), "needs both"),
        (
            "adk",
            ("--simulate-input", "--input-generation-instructions", "x", "--expected", "y"),
            "--expected has no place beside --simulate-input",
        ),
        ("tenxgraph", ("--expected-agent-behavior", "x"), "--expected-agent-behavior has no place"),
        ("tenxgraph", ("--simulate-input",), "--simulate-input has no place in a set of 10xGraph"),
        ("tenxgraph", ("--simulation-instructions", "x"), "--simulation-instructions has no place"),
        ("uipath_coded", ("--simulate-tools",), "name each tool"),
        ("uipath_lowcode", ("--expected", "{"), "no JSON"),
        ("uipath_lowcode", ("--expected", "plain"), "no JSON"),
        ("adk", ("--expected", '{"a": 1, "b": 2}'), "the user says one text"),
    ],
    indirect=["project"],
)
def test_what_a_format_cannot_hold_is_refused_and_nothing_written(
    project: str, words: tuple[str, ...], said: str, capsys
):
    run("set", "add", "mine", "--path", project, "--output", "json")
    path = Path(found(capsys)["path"])
    before = path.read_bytes()
    given = ("--inputs", '{"input": "x"}', "--set", "mine", "--path", project)
    assert run("case", "add", "a", *given, *words) == 2
    assert said in capsys.readouterr().err
    assert path.read_bytes() == before


@pytest.mark.parametrize("project", ["adk"], indirect=True)
def test_names_that_are_taken_or_unknown_are_said(project: str, capsys):
    assert run("set", "add", "refunds", "--path", project) == 2
    assert "already a set called 'refunds'" in capsys.readouterr().err
    assert run("case", "list", "--set", "nothing", "--path", project) == 2
    assert "Sets here: " in capsys.readouterr().err
    run("set", "add", "mine", "--path", project)
    assert run("case", "add", "a", "--inputs", "x", "--set", "mine", "--path", project) == 0
    assert run("case", "add", "a", "--inputs", "x", "--set", "mine", "--path", project) == 2
    assert "already a case called 'a'" in capsys.readouterr().err
    assert run("case", "remove", "b", "--set", "mine", "--path", project) == 2
    assert "no case 'b'" in capsys.readouterr().err


def test_an_empty_folder_needs_a_format(tmp_path: Path, capsys):
    assert run("set", "add", "mine", "--path", str(tmp_path)) == 2
    assert "Add --to with one of" in capsys.readouterr().err
    assert run("set", "add", "mine", "--path", str(tmp_path), "--to", "harnest") == 0
    assert (tmp_path / "evals" / "mine.evalset.json").is_file()


@pytest.mark.parametrize("project", ["tenxgraph"], indirect=True)
def test_a_file_outside_the_project_is_refused(project: str, capsys):
    assert run("set", "add", "x", "--file", "../x.json", "--path", project) == 2
    assert "outside" in capsys.readouterr().err


@pytest.mark.parametrize("project", ["uipath_lowcode"], indirect=True)
def test_what_is_wrong_with_a_new_case_is_said_while_it_is_written(project: str, capsys):
    where = ("--set", "Default Evaluation Set", "--path", project)
    assert run("case", "add", "odd", "--inputs", '{"no_such_input": 1}', *where) == 0
    assert "no_such_input" in capsys.readouterr().err
