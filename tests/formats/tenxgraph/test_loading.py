"""The verdict of 10xGraph's own loaders, one row for each kind of fault."""

import pytest

from evalcore.errors import DocumentError
from evalcore.formats.base import Kind
from evalcore.jsondoc import JsonDocument
from tests.formats.tenxgraph.data import (
    as_saved,
    errors,
    library_set,
    message,
    problems,
    report,
    score,
    turn,
)
from tests.formats.tenxgraph.data import result as case_result

CASE, TURN = "/eval_cases/0", "/eval_cases/0/conversation/0"


def with_turn(raw) -> dict:
    return {"eval_set_id": "s", "eval_cases": [{"eval_id": "a", "conversation": [raw]}]}


def with_case(**more) -> dict:
    return {"eval_cases": [{"eval_id": "a", "conversation": [], **more}]}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (library_set(), []),
        ({}, []),
        ({"cases": [{"eval_id": "a"}]}, []),
        ([], [("wrong_type", "")]),
        (None, [("wrong_type", "")]),
        ({"eval_cases": None}, [("wrong_type", "/eval_cases")]),
        ({"name": None}, [("wrong_type", "/name")]),
        ({"name": 5}, [("wrong_type", "/name")]),
        ({"eval_set_id": 5}, [("wrong_type", "/eval_set_id")]),
        ({"metadata": []}, [("wrong_type", "/metadata")]),
        (with_case(tags="x"), [("wrong_type", CASE + "/tags")]),
        (with_case(session_input=None), [("wrong_type", CASE + "/session_input")]),
        ({"eval_cases": ["a"]}, [("wrong_type", CASE)]),
        (with_turn({}), [("missing", TURN)]),
        (with_turn(turn(user_content={"content": "x"})), [("missing", TURN + "/user_content")]),
        (with_turn(turn(user_content={"role": "user"})), [("missing", TURN + "/user_content")]),
        (with_turn({"user_content": "hi"}), [("wrong_type", TURN + "/user_content")]),
        (
            with_turn(turn(expected_tool_trajectory=[{"args": {}}])),
            [("missing", TURN + "/expected_tool_trajectory/0")],
        ),
        (
            with_turn(turn(expected_tool_trajectory=["find"])),
            [("wrong_type", TURN + "/expected_tool_trajectory/0")],
        ),
        (
            with_turn(turn(expected_tool_trajectory=[{"name": "find", "args": []}])),
            [("wrong_type", TURN + "/expected_tool_trajectory/0/args")],
        ),
        (
            with_turn(turn(expected_tool_trajectory=[{"name": "find", "args": None}])),
            [("wrong_type", TURN + "/expected_tool_trajectory/0/args")],
        ),
        (with_turn(turn(None)), [("wrong_type", TURN + "/user_content/content")]),
        (
            with_turn(turn(["a", "b"])),
            [("wrong_type", f"{TURN}/user_content/content/{n}") for n in (0, 1)],
        ),
        (with_turn(turn([])), []),
        (with_turn(turn(expected_final_response=None)), []),
        (
            with_turn(turn(expected_final_response="x")),
            [("wrong_type", TURN + "/expected_final_response")],
        ),
        (
            with_turn({"user_content": {"parts": [{"text": "Hi"}], "role": "user"}}),
            [("missing", TURN + "/user_content")],
        ),
        (
            {"name": 5, "eval_cases": [{"tags": "x", "conversation": [{}]}]},
            [("wrong_type", "/name"), ("missing", TURN), ("wrong_type", CASE + "/tags")],
        ),
    ],
)
def test_an_eval_set_is_refused_where_10xgraph_refuses_it(value, expected):
    assert sorted(errors(value)) == sorted(expected)


@pytest.mark.parametrize(
    ("data", "severity", "code"),
    [
        (b"\xef\xbb\xbf{}", "error", "json.bom"),
        (b'{"name": "a", "name": "b"}', "warning", "json.duplicate_key"),
        (b'{"metadata": {"x": NaN}}', "warning", "json.nan"),
        (b'{"metadata": {"x": -Infinity}}', "warning", "json.infinity"),
        (b'{"name": "\\ud83d"}', "warning", "json.lone_surrogate"),
        (b'{"metadata": {"x": 12345678901234567890123}}', "info", "json.big_integer"),
    ],
)
def test_an_oddity_of_the_json_has_the_severity_that_10xgraph_gives_it(data, severity, code):
    assert (severity, code) in {(p.severity, p.code) for p in problems(data)}


@pytest.mark.parametrize(
    "data",
    [b"", b"name: x", b'{"name": "x",}', b"{}\n{}\n", "{}".encode("utf-16"), b'{"name": "\xe9"}'],
    ids=["empty", "yaml", "trailing comma", "jsonl", "utf-16", "latin-1"],
)
def test_what_is_no_json_in_utf8_does_not_open(data):
    with pytest.raises(DocumentError):
        JsonDocument.parse(data)


def config(name: str, **settings) -> dict:
    return {"criteria": {name: settings}}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({}, []),
        ({"criteria": {"trajectory": None}}, []),
        (config("trajectory", threshold="0.7"), []),
        (config("trajectory", threshold=80), []),
        (config("trajectory", threshold=True), []),
        (config("llm_judge", num_samples=0), []),
        (config("trajectory", check_args="yes"), []),
        ({"criteria": {}, "max_concurency": 3}, []),
        (config("trajectory", treshold=1.0), []),
        ({"criteria": None}, [("wrong_type", "/criteria")]),
        ({"criteria": {"trajectory": 1.0}}, [("wrong_type", "/criteria/trajectory")]),
        (
            config("tool_trajectory_avg_score"),
            [("old_criterion_name", "/criteria/tool_trajectory_avg_score")],
        ),
        (config("exact_match"), [("criterion_only_in_code", "/criteria/exact_match")]),
        (config("politeness"), [("unknown_criterion", "/criteria/politeness")]),
        (
            config("trajectory", match_type="in_order"),
            [("match_type_case", "/criteria/trajectory/match_type")],
        ),
        (
            config("trajectory", match_type="any"),
            [("wrong_type", "/criteria/trajectory/match_type")],
        ),
        (
            config("trajectory", threshold="high"),
            [("wrong_type", "/criteria/trajectory/threshold")],
        ),
        (config("llm_judge", num_samples=1.5), [("wrong_type", "/criteria/llm_judge/num_samples")]),
        (
            config("trajectory", check_args="maybe"),
            [("wrong_type", "/criteria/trajectory/check_args")],
        ),
        (
            config("rubric_based", rubrics=[{"rubric_id": "a"}]),
            [("missing", "/criteria/rubric_based/rubrics/0")],
        ),
        ({"reporter": {"html": "sure"}}, [("wrong_type", "/reporter/html")]),
        ({"user_simulator_config": None}, []),
    ],
)
def test_a_config_is_refused_where_10xgraph_refuses_it(value, expected):
    assert errors(value, Kind.CRITERIA) == expected


@pytest.mark.parametrize(
    ("old", "key"),
    [
        ("tool_trajectory_avg_score", "trajectory"),
        ("trajectory_match", "trajectory"),
        ("tool_name_match_score", "tool_name_match"),
        ("node_order_score", "node_order"),
        ("node_order_match_score", "node_order"),
        ("response_match_score", "response_match"),
        ("final_response_match_v2", "llm_judge"),
        ("rubric_based_final_response_quality_v1", "rubric_based"),
        ("rubric_based_score", "rubric_based"),
        ("factual_accuracy_v1", "factual_accuracy"),
        ("factual_accuracy_score", "factual_accuracy"),
        ("hallucinations_v1", "hallucination"),
        ("safety_v1", "safety"),
        ("safety_score", "safety"),
        ("simulation_goals_match", "simulation_goals"),
        ("conversation_goals", "simulation_goals"),
    ],
)
def test_an_old_criterion_name_is_translated_in_the_hint(old, key):
    found = [p for p in problems(config(old), Kind.CRITERIA) if p.severity == "error"]
    assert [p.hint for p in found] == [f"Call it “{key}”."]


def test_a_mistyped_criterion_gets_the_nearest_name():
    (found,) = [p for p in problems(config("trajectry"), Kind.CRITERIA) if p.severity == "error"]
    assert "“trajectory”" in found.hint


def test_a_match_type_in_small_letters_gets_its_spelling():
    value = config("trajectory", match_type="any order")
    (found,) = [p for p in problems(value, Kind.CRITERIA) if p.severity == "error"]
    assert found.hint == "Write it as “ANY_ORDER”."


def without(value: dict, name: str) -> dict:
    return {key: item for key, item in value.items() if key != name}


R0 = "/results/0"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (report([case_result("a", [score("rouge_match")])]), []),
        ({"eval_set_id": "s"}, []),
        (report([{"eval_id": "a", "passed": True}]), []),
        (report([case_result("a", [score("rouge_match", 7)])]), []),
        (report([case_result("a", [score("rouge_match", "0.5")])]), []),
        (without(report([]), "eval_set_id"), [("missing", "")]),
        (report([without(case_result("a"), "passed")]), [("missing", R0)]),
        (report([without(case_result("a"), "eval_id")]), [("missing", R0)]),
        (
            report([case_result("a", [score("rouge_match", None)])]),
            [("wrong_type", R0 + "/criterion_results/0/score")],
        ),
        (
            report([case_result("a", [score("rouge_match", threshold=None)])]),
            [("wrong_type", R0 + "/criterion_results/0/threshold")],
        ),
        (report([case_result("a", error=5)]), [("wrong_type", R0 + "/error")]),
        (
            report([case_result("a", actual_response=None)]),
            [("wrong_type", R0 + "/actual_response")],
        ),
        (
            report([case_result("a", actual_trajectory=[{"step_type": "jump", "name": "x"}])]),
            [("wrong_type", R0 + "/actual_trajectory/0/step_type")],
        ),
        (report([case_result("a", token_usage=None)]), [("wrong_type", R0 + "/token_usage")]),
        (report([], summary=None), [("wrong_type", "/summary")]),
        (report([], timestamp="yesterday"), [("wrong_type", "/timestamp")]),
    ],
)
def test_a_report_is_refused_where_10xgraph_refuses_it(value, expected):
    assert errors(value, Kind.RESULT) == expected


def test_a_project_file_needs_an_agent():
    assert errors({"evaluation": {}}, Kind.PROJECT) == [("missing", "")]
    assert errors({"agent": "graph:app"}, Kind.PROJECT) == []


def test_every_refusal_says_what_is_wrong_and_what_to_do():
    value = with_turn({"user_content": message("user", None), "expected_tool_trajectory": ["x"]})
    for problem in problems(as_saved(value)):
        assert problem.message and problem.hint
