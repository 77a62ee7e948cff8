"""Which files are 10xGraph's, and which only look so."""

from pathlib import Path

import pytest

from evalcore.formats.base import Kind
from evalcore.formats.tenxgraph import FORMAT
from tests.formats.tenxgraph.data import library_set, report, result, turn

ADK_TURN = {"user_content": {"parts": [{"text": "Hi"}], "role": "user"}}
CAMEL_TURN = {"userContent": {"parts": [{"text": "Hi"}]}}


def one_case(case_turn: dict, **more) -> dict:
    return {
        "eval_set_id": "s",
        "eval_cases": [{"eval_id": "a", "conversation": [case_turn]}],
        **more,
    }


def seen(value, name: str = "evals/x.evalset.json"):
    found = FORMAT.detect(value, Path(name))
    return found and (found.kind, found.confidence)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (library_set(), (Kind.EVAL_SET, "sure")),
        (one_case(turn()), (Kind.EVAL_SET, "sure")),
        (one_case({"user_content": {}, "expected_node_order": []}), (Kind.EVAL_SET, "sure")),
        (one_case({"expected_final_response": None}), (Kind.EVAL_SET, "sure")),
        (one_case(ADK_TURN), None),
        (one_case(ADK_TURN, metadata={}), None),
        (one_case(CAMEL_TURN), None),
        (one_case({"user_content": None, "final_response": {}}), None),
        (one_case({"user_content": None, "intermediate_data": {}}), None),
        ({"evalSetId": "s", "evalCases": []}, None),
        ({"eval_set_id": "s", "eval_cases": [], "metadata": {}}, (Kind.EVAL_SET, "sure")),
        ({"eval_set_id": "s", "eval_cases": []}, (Kind.EVAL_SET, "maybe")),
        ({"eval_set_id": "s", "eval_cases": [], "creation_timestamp": 1.0}, None),
        ({"eval_set_id": "s", "metadata": {}}, (Kind.EVAL_SET, "maybe")),
        ({"eval_set_id": "s", "eval_cases": None}, (Kind.EVAL_SET, "maybe")),
        ({"name": "s", "cases": one_case(turn())["eval_cases"]}, (Kind.EVAL_SET, "sure")),
        ({"eval_cases": [{"conversation": [turn(), ADK_TURN]}]}, (Kind.EVAL_SET, "maybe")),
        ({"criteria": {"trajectory": {"threshold": 1.0}}}, (Kind.CRITERIA, "maybe")),
        ({"criteria": {"trajectory": {}}, "max_concurrency": 2}, (Kind.CRITERIA, "sure")),
        ({"criteria": {"trajectory": {"check_args": True}}}, (Kind.CRITERIA, "sure")),
        ({"criteria": {"rouge_match": None, "safety": None}}, (Kind.CRITERIA, "sure")),
        ({"criteria": {}, "reporter": {}}, (Kind.CRITERIA, "sure")),
        ({"max_concurrency": 4, "mock_mode": False}, (Kind.CRITERIA, "maybe")),
        ({"criteria": {"node_order_score": {"threshold": 1.0}}}, (Kind.CRITERIA, "sure")),
        (
            {"criteria": {"node_order_score": {}, "response_match_score": {}}},
            (Kind.CRITERIA, "maybe"),
        ),
        (
            {"criteria": {"tool_trajectory_avg_score": {"check_args": True}}},
            (Kind.CRITERIA, "maybe"),
        ),
        ({"criteria": {"tool_trajectory_avg_score": {"threshold": 1.0}}}, None),
        ({"criteria": {"tool_trajectory_avg_score": 1.0, "response_match_score": 0.8}}, None),
        ({"criteria": {"safety": 0.8}}, (Kind.CRITERIA, "maybe")),
        ({"criteria": {"safety": {}}, "custom_metrics": {"safety": {}}}, (Kind.CRITERIA, "maybe")),
        (report([result("a")]), (Kind.RESULT, "sure")),
        (report([]), (Kind.RESULT, "sure")),
        ({"results": [{"eval_id": "a", "passed": True}]}, (Kind.RESULT, "sure")),
        ({"results": [{"criterion_results": []}]}, (Kind.RESULT, "sure")),
        ({"eval_set_id": "s", "eval_case_results": []}, None),
        ({"results": [{"score": 1}]}, None),
        ([], None),
        ({}, None),
        ("text", None),
    ],
)
def test_a_file_is_recognised_by_what_is_in_it(value, expected):
    assert seen(value) == expected


@pytest.mark.parametrize("name", ["10xgraph.json", "app/agentflow.json"])
def test_a_project_file_is_recognised_by_its_name(name):
    assert seen({"agent": "graph:app"}, name) == (Kind.PROJECT, "sure")


def test_a_detection_says_why():
    assert "content" in FORMAT.detect(library_set(), Path("x.json")).reason
