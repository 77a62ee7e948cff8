"""What holds in many places of a file is one problem, at the first of them."""

import json
from pathlib import PurePath

import pytest

from evalcore import formats
from evalcore.errors import Problem
from evalcore.formats.repeats import folded
from evalcore.jsondoc import JsonDocument
from tests.formats.adk import helpers as adk


def problems(value, path, near=None):
    document = JsonDocument.parse(json.dumps(value).encode())
    found = formats.detect(document.value, PurePath(path))
    return formats.check_document(document, found, PurePath(path), near)


def told(value, path, code, near=None):
    return [p for p in problems(value, path, near) if p.code == code]


@pytest.mark.parametrize(
    ("severity", "code", "count", "messages"),
    [
        ("info", "x.a", 1, ["Same."]),
        ("info", "x.a", 2, ["Same. The same in one more place."]),
        ("info", "x.a", 1_202, ["Same. The same in 1,201 more places."]),
        ("warning", "x.a", 3, ["Same."] * 3),
        ("warning", "x.cause", 3, ["Same. The same in 2 more places."]),
        ("error", "x.cause", 3, ["Same."] * 3),
    ],
)
def test_infos_and_warnings_of_one_cause_are_folded(severity, code, count, messages):
    given = [Problem(severity, code, "Same.", pointer=f"/{i}") for i in range(count)]
    found = folded(given, also={"cause"})
    assert [p.message for p in found] == messages
    assert found[0].pointer == "/0"


def test_what_says_something_else_stays_apart_and_in_order():
    given = [Problem("info", code, text) for code, text in ("ab", "ac", "bb", "ab")]
    assert [(p.code, p.message) for p in folded(given)] == [
        ("a", "b The same in one more place."),
        ("a", "c"),
        ("b", "b"),
    ]


def test_an_app_without_a_folder_is_named_once_with_its_cases():
    apps = ["other", "other", "third", "agent", "other"]
    value = adk.eval_set(
        *(
            adk.case(f"c{n}", session_input={"app_name": app, "user_id": "u"})
            for n, app in enumerate(apps)
        )
    )
    found = told(value, "agent/s.evalset.json", "adk.app_is_no_folder")
    assert [(p.pointer.split("/")[2], p.message.partition(",")[0]) for p in found] == [
        ("0", "3 cases name the app “other”"),
        ("2", "1 case names the app “third”"),
    ]


def test_what_the_criteria_make_of_all_cases_is_told_once():
    scenario = {"starting_prompt": "Hello", "conversation_plan": "Ask for the time."}
    cases = [
        {"eval_id": f"c{n}", "conversation_scenario": scenario, "final_session_state": {"a": 1}}
        for n in range(4)
    ]
    value = adk.eval_set(*cases)
    for code in ("adk.reference_metric_on_scenario", "adk.expected_state_unread"):
        (found,) = told(value, "agent/s.evalset.json", code)
        assert found.message.startswith("Case “c0”: ")
        assert found.message.endswith("The same in 3 more places.")
        assert found.pointer.startswith("/eval_cases/0/")


def test_the_same_unknown_key_in_many_cases_of_10xgraph_is_one_problem():
    turn = {"user_content": {"content": "Hi"}, "expected_final_response": {"content": "Hello"}}
    value = {
        "eval_set_id": "s",
        "eval_cases": [
            {"eval_id": str(n), "conversation": [turn], "owner": "ana"} for n in range(5)
        ],
    }
    (found,) = told(value, "x.evalset.json", "tenxgraph.unknown_key")
    assert found.pointer == "/eval_cases/0/owner" and "in 4 more places" in found.message


def uipath_results(*cases):
    return {
        "evaluationSetName": "s",
        "evaluationSetResults": [
            {"evaluationName": name, "score": 0.0, "evaluationRunResults": rows}
            for name, rows in cases
        ],
    }


def uipath_row(evaluator, **result):
    return {
        "evaluatorName": evaluator,
        "evaluatorId": evaluator,
        "result": {"score": 0.0, **result},
    }


def test_an_evaluator_that_failed_on_many_cases_is_named_once():
    thrown = {"details": "Exception thrown by evaluator: no key", "evaluationTime": 0.1}
    rows = [uipath_row("Judge", **thrown), uipath_row("Other", **thrown)]
    value = uipath_results(("a", rows), ("b", rows), ("c", rows[:1]))
    found = told(value, "out.json", "uipath.error_counted_as_zero")
    assert [p.message for p in found] == [
        "“Judge” failed on “a” and 2 more; UiPath counts that as 0.",
        "“Other” failed on “a” and 1 more; UiPath counts that as 0.",
    ]
    assert found[0].pointer.startswith("/evaluationSetResults/0/")


def test_cases_that_failed_in_uipath_are_counted():
    crash = [uipath_row("Judge", evaluationTime=None)]
    (one,) = told(uipath_results(("a", crash)), "out.json", "uipath.failure_counted_as_zero")
    value = uipath_results(("a", crash), ("b", crash), ("c", crash))
    (many,) = told(value, "out.json", "uipath.failure_counted_as_zero")
    assert one.message.startswith("One case failed: “a”.")
    assert many.message.startswith("3 cases failed, the first of them “a”.")


def test_one_name_of_many_uipath_results_is_told_once():
    value = uipath_results(*(("a", []) for _ in range(5)))
    (found,) = told(value, "out.json", "uipath.duplicate_name")
    assert found.message.startswith("5 cases are called “a”")


def adk_result(eval_id, status, *metrics):
    return {
        "eval_set_id": "s",
        "eval_id": eval_id,
        "final_eval_status": status,
        "overall_eval_metric_results": [
            {"metric_name": name, "threshold": 0.5, "score": score, "eval_status": verdict}
            for name, score, verdict in metrics
        ],
        "eval_metric_result_per_invocation": [],
        "session_id": "x",
    }


def test_crashed_and_half_judged_cases_of_adk_are_told_once_with_their_number():
    ok, skipped = ("safety_v1", 1.0, 1), ("response_match_score", None, 3)
    results = [
        *(adk_result(f"crash{n}", 2) for n in range(3)),
        *(adk_result(f"half{n}", 1, ok, skipped) for n in range(2)),
    ]
    value = {"eval_set_result_id": "r", "eval_set_id": "s", "eval_case_results": results}
    (crashed,) = told(value, "r.evalset_result.json", "adk.crashed_case")
    (half,) = told(value, "r.evalset_result.json", "adk.incomplete_pass")
    assert crashed.message.startswith("Case “crash0” and 2 more are recorded as failed")
    assert half.message.startswith("Case “half0” and 1 more are recorded as passed")
    assert half.pointer == "/eval_case_results/3/final_eval_status"
