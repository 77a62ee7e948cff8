"""What a project tells the forms of its sets."""

import json

import pytest

from evalcore import formats
from evalcore.views import project
from evalcore.views.project import Project, folder_of
from evalcore.workspace import Workspace
from tests.samples import SAMPLES

CODED = "uipath_coded/claims_intake/evaluations/eval-sets/claims.json"
LOWCODE = "uipath_lowcode/SupportTriage/evals/eval-sets/evaluation-set-default.json"
ADK = "adk/refund_desk/refunds.evalset.json"


def of(path: str, format_id: str, root=SAMPLES) -> Project:
    return Project(Workspace(root), path, formats.by_id(format_id).eval_sets)


@pytest.mark.parametrize(
    ("path", "folder"),
    [
        (CODED, "uipath_coded/claims_intake"),
        (ADK, "adk/refund_desk"),
        ("evals/x.evalset.json", ""),
        ("x.json", ""),
    ],
)
def test_the_folder_of_a_project_is_above_those_for_evals(path, folder):
    assert folder_of(path) == folder


def test_entry_points_say_what_a_coded_agent_takes_and_returns():
    schemas = of(CODED, "uipath_coded").schemas
    assert list(schemas["input"]["properties"]) == ["policy", "text", "amount"]
    named, text = schemas["expected_output"]["anyOf"]
    assert "required" not in named and text["type"] == "string"


def test_a_low_code_agent_says_it_where_there_are_no_entry_points(tmp_path):
    sets = tmp_path / "evals" / "eval-sets"
    sets.mkdir(parents=True)
    agent = {"inputSchema": {"type": "object", "properties": {"ticket": {"type": "string"}}}}
    (tmp_path / "agent.json").write_text(json.dumps(agent))
    (sets / "s.json").write_text("{}")
    schemas = of("evals/eval-sets/s.json", "uipath_lowcode", tmp_path).schemas
    assert list(schemas) == ["input"]


def test_several_entry_points_require_what_all_of_them_do(tmp_path):
    def entry(**types):
        members = {n: {"type": t} for n, t in types.items()}
        return {"input": {"type": "object", "properties": members, "required": list(types)}}

    points = {
        "entryPoints": [entry(a="string", b="number"), entry(a="string", b="string", c="null")]
    }
    (tmp_path / "entry-points.json").write_text(json.dumps(points))
    (tmp_path / "evaluations" / "eval-sets").mkdir(parents=True)
    schema = of("evaluations/eval-sets/s.json", "uipath_coded", tmp_path).schemas["input"]
    assert schema["properties"] == {"a": {"type": "string"}, "b": {}, "c": {"type": "null"}}
    assert schema["required"] == ["a", "b"]


def test_tools_are_collected_from_sets_results_and_mocks_of_the_project():
    names = of(ADK, "adk").names
    assert {"lookup_order", "issue_refund", "hand_over"} <= set(names.tools)
    assert "find_trains" not in names.tools
    assert "estimate_damage" in of(CODED, "uipath_coded").names.tools


def test_the_disk_is_looked_at_again_after_a_while(tmp_path, monkeypatch):
    turn = {"user_content": {"parts": []}, "intermediate_data": {"tool_uses": [{"name": "old"}]}}
    value = {"eval_set_id": "s", "eval_cases": [{"eval_id": "c", "conversation": [turn]}]}
    path = tmp_path / "s.evalset.json"
    path.write_text(json.dumps(value))
    found = of("s.evalset.json", "adk", tmp_path)
    assert list(found.names.tools) == ["old"]
    path.write_text(json.dumps(value).replace("old", "newer"))
    assert list(found.names.tools) == ["old"]
    monkeypatch.setattr(project, "FRESH_SECONDS", 0.0)
    assert list(found.names.tools) == ["newer"]
