"""``EvalRunResult`` files: one run per set, errors kept, verdicts that disagree told."""

from datetime import UTC, datetime
from pathlib import PurePath

import pytest

from evalcore import formats
from evalcore.results import Verdict
from tests.formats.adk.helpers import found

PATH = PurePath("out/run.json")


def metric(name="response_match_score", score=0.9, status="passed", **more):
    return {
        "metricName": name,
        "threshold": 0.5,
        "criterion": {"threshold": 0.5, "match_type": 1},
        "score": score,
        "evalStatus": status,
        "details": {"rubricScores": None},
        **more,
    }


def turn(*metrics, reply="Fine."):
    invocation = {
        "invocationId": "e-1",
        "userContent": {"parts": [{"text": "Hi", "functionCall": None}], "role": "user"},
        "finalResponse": {"parts": [{"text": reply}], "role": "model"},
        "intermediateData": {"invocationEvents": []},
    }
    return {
        "actualInvocation": invocation,
        "expectedInvocation": None,
        "evalMetricResults": list(metrics),
    }


def case(eval_id="c", status="passed", metrics=None, turns=None):
    overall = [metric(status=status)] if metrics is None else metrics
    return {
        "evalSetId": "s",
        "evalId": eval_id,
        "finalEvalStatus": status,
        "overallEvalMetricResults": overall,
        "evalMetricResultPerInvocation": [turn(*overall)] if turns is None else turns,
        "sessionId": "x",
        "sessionDetails": None,
        "userId": "test_user_id",
    }


def suite(set_id="s", *cases, status="passed"):
    return {
        "appName": "harnest_eval",
        "evalSetId": set_id,
        "status": status,
        "evalCaseResults": list(cases),
    }


def envelope(*suites, status="passed", **more):
    cases = [c for s in suites for c in s["evalCaseResults"]]

    def count(word):
        return sum(c["finalEvalStatus"] == word for c in cases)

    return {
        "apiVersion": "harnest.dev/v1alpha1",
        "kind": "EvalRunResult",
        "createdAt": "2026-09-01T10:00:00+00:00",
        "framework": "adk",
        "trajectory": "business",
        "status": status,
        "summary": {
            "suiteCount": len(suites),
            "caseCount": len(cases),
            "passedCases": count("passed"),
            "failedCases": count("failed"),
            "notEvaluatedCases": count("not_evaluated"),
        },
        "evalSetResults": list(suites),
        **more,
    }


def runs(value):
    harnest = formats.by_id("harnest")
    return harnest.read_runs(value, harnest.detect(value, PATH))


def codes(value):
    return {(s, c) for s, c, _ in found(value, PATH)}


def test_each_set_is_a_run():
    value = envelope(suite("a", case("x"), case("y", "failed")), suite("b", case("x")))
    first, second = runs(value)
    assert (first.eval_set_id, second.eval_set_id) == ("a", "b")
    assert [(c.case_id, c.verdict, c.stored_status) for c in first.cases] == [
        ("x", Verdict.PASSED, "passed"),
        ("y", Verdict.FAILED, "failed"),
    ]
    assert second.cases[0].origin == "/evalSetResults/1/evalCaseResults/0"
    assert first.created_at == datetime(2026, 9, 1, 10, tzinfo=UTC)
    assert first.error is None and first.metadata["trajectory"] == "business"


def test_turns_and_scores_are_read():
    (run,) = runs(envelope(suite("s", case())))
    (one,) = run.cases[0].invocations
    assert (one.input, one.actual_output, one.actual_tool_calls) == ("Hi", "Fine.", ())
    assert [(s.evaluator, s.value, s.threshold) for s in one.scores] == [
        ("response_match_score", 0.9, 0.5)
    ]


ERROR = {"type": "RuntimeError", "message": "evaluation infrastructure failed"}


def test_an_error_of_the_run_is_on_every_run_that_it_left():
    value = envelope(
        suite("a", case()), suite("b", status="not_evaluated"), status="error", error=ERROR
    )
    assert [r.error for r in runs(value)] == [
        "The run stopped early: evaluation infrastructure failed (RuntimeError)"
    ] * 2
    assert ("warning", "harnest.run_stopped") in codes(value)
    assert ("warning", "harnest.nothing_evaluated") in codes(value)


def test_a_run_that_left_no_set_still_shows_its_error():
    (run,) = runs(envelope(status="error", error=ERROR))
    assert run.error is not None and run.cases == () and run.stored_status == "error"


def test_a_crashed_case_is_an_error():
    (run,) = runs(envelope(suite("s", case("c", "failed", metrics=[], turns=[]))))
    assert run.cases[0].verdict is Verdict.ERROR and run.cases[0].stored_status == "failed"


def turns_of(*scores):
    return [turn(metric(score=s, status="passed" if s >= 0.5 else "failed")) for s in scores]


WARNED = {
    "crash": (
        envelope(suite("s", case("c", "failed", metrics=[], turns=[])), status="failed"),
        "warning",
        "crashed_case",
    ),
    "incomplete pass": (
        envelope(suite("s", case(metrics=[metric(), metric("x", None, "not_evaluated")]))),
        "warning",
        "incomplete_pass",
    ),
    "failed without a failed case": (
        envelope(
            suite("s", case(metrics=[metric(), metric("x", None, "not_evaluated")])),
            status="failed",
        ),
        "info",
        "failed_without_failed_case",
    ),
    "passed with a failed case": (
        envelope(suite("s", case("c", "failed"))),
        "warning",
        "status_differs",
    ),
    "nothing evaluated": (
        envelope(suite("s"), status="not_evaluated"),
        "warning",
        "run_not_evaluated",
    ),
    "summary": (
        envelope(suite("s", case())) | {"summary": {"caseCount": 3}},
        "warning",
        "summary_differs",
    ),
    "two verdicts": (
        envelope(
            suite("s", case("c", "failed", [metric(score=0, status="failed")], turns_of(1.0, 1.0))),
            status="failed",
        ),
        "warning",
        "two_verdicts",
    ),
    "failed turn in a pass": (
        envelope(suite("s", case(metrics=[metric(score=0.5)], turns=turns_of(0.0, 1.0)))),
        "info",
        "failed_turn_in_pass",
    ),
    "unknown version": (
        envelope(suite("s", case()), apiVersion="harnest.dev/v2"),
        "warning",
        "unknown_version",
    ),
}


@pytest.mark.parametrize("name", WARNED)
def test_what_a_verdict_hides_is_reported(name):
    value, severity, code = WARNED[name]
    assert (severity, f"harnest.{code}") in codes(value)


def test_an_ordinary_result_has_nothing_to_report():
    value = envelope(suite("a", case()), suite("b", case("c", "passed")))
    assert found(value, PATH) == []


def test_a_crash_has_no_second_verdict():
    value = envelope(suite("s", case("c", "failed", metrics=[], turns=[])), status="failed")
    assert "harnest.two_verdicts" not in {c for _, c in codes(value)}
