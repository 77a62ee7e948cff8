"""ADK's run results: read in every spelling, verdicts kept, crashes never a zero."""

import json
import math
from datetime import UTC, datetime
from pathlib import PurePath

import pytest

from evalcore import formats
from evalcore.explain import votes_of
from evalcore.formats.adk.status import status_of, status_text
from evalcore.jsontree import MISSING, JsonValue
from evalcore.results import UNIT, Scale, Verdict
from tests.formats.adk.helpers import RESULT_PATH, errors, found, rubric, turn


def metric(name="response_match_score", score=0.9, status=1, **more):
    return {"metric_name": name, "threshold": 0.8, "score": score, "eval_status": status, **more}


def turn_result(*metrics, actual=None, expected: JsonValue = None):
    return {
        "actual_invocation": actual or turn(),
        "expected_invocation": expected,
        "eval_metric_results": list(metrics),
    }


def case_result(eval_id="c", status=1, *metrics, turns=None, **more):
    return {
        "eval_id": eval_id,
        "final_eval_status": status,
        "overall_eval_metric_results": list(metrics or (metric(status=status),)),
        "eval_metric_result_per_invocation": [turn_result(*metrics)] if turns is None else turns,
        "session_id": "x",
        "session_details": None,
        **more,
    }


def result(*cases, **more):
    return {
        "eval_set_result_id": "app_s_1",
        "eval_set_id": "s",
        "eval_case_results": list(cases),
        "creation_timestamp": 1750000000.5,
        **more,
    }


def crashed(eval_id="c"):
    return case_result(eval_id, 2, turns=[]) | {"overall_eval_metric_results": []}


def camel(value):
    if isinstance(value, list):
        return [camel(item) for item in value]
    if isinstance(value, dict):
        return {_camel(name): camel(item) for name, item in value.items()}
    return value


def _camel(name):
    head, *rest = name.split("_")
    return head + "".join(word.capitalize() for word in rest)


def read(value):
    adk = formats.by_id("adk")
    detection = formats.detect(value, RESULT_PATH)
    assert detection is not None and detection.format_id == "adk"
    (run,) = adk.read_runs(value, detection)
    return run


def only(value):
    (case,) = read(result(value)).cases
    return case


@pytest.mark.parametrize(
    "write", [lambda v: v, json.dumps, camel, lambda v: json.dumps(camel(v))], ids=str
)
def test_plain_camel_and_double_encoded_files_read_alike(write):
    run = read(write(result(case_result("a"), crashed("b"))))
    assert (run.eval_set_id, run.name) == ("s", "app_s_1")
    assert run.created_at == datetime.fromtimestamp(1750000000.5, UTC)
    assert [(c.case_id, c.verdict, c.stored_status) for c in run.cases] == [
        ("a", Verdict.PASSED, "PASSED"),
        ("b", Verdict.ERROR, "FAILED"),
    ]


@pytest.mark.parametrize(
    ("written", "status"),
    [
        (1, "passed"),
        (2, "failed"),
        (3, "not_evaluated"),
        (4, "informational"),
        (1.0, "passed"),
        ("1", "passed"),
        ("2.0", "failed"),
        ("PASSED", "passed"),
        ("fail", "failed"),
        ("FAILED", "failed"),
        ("EvalStatus.NOT_EVALUATED", "not_evaluated"),
        ("not evaluated", "not_evaluated"),
        (0, None),
        (5, None),
        (1.5, None),
        (True, None),
        (None, None),
        ("maybe", None),
        ([], None),
        (MISSING, None),
    ],
)
def test_a_status_may_be_a_number_or_a_name(written, status):
    assert status_of(written) == status


@pytest.mark.parametrize(
    ("written", "text"), [(1, "PASSED"), ("pass", "pass"), (9, "9"), (None, "")]
)
def test_the_stored_status_is_the_files_own_word(written, text):
    assert status_text(written) == text


def test_a_crash_is_an_error_with_a_note_and_never_a_zero():
    case = only(crashed())
    assert case.verdict is Verdict.ERROR and case.stored_status == "FAILED"
    assert case.scores == () and case.error and "crashed" in case.notes[0]


def test_a_failed_case_with_results_is_just_failed():
    case = only(case_result("c", 2, metric(score=0.1, status=2)))
    assert case.verdict is Verdict.FAILED and case.notes == () and case.error is None


def test_a_pass_with_an_unevaluated_metric_is_noted_as_incomplete():
    case = only(case_result("c", 1, metric(), metric("safety_v1", None, 3)))
    assert case.verdict is Verdict.PASSED
    assert case.notes == ("incomplete: not evaluated: safety_v1",)
    assert [(s.value, s.verdict) for s in case.scores] == [
        (0.9, Verdict.PASSED),
        (None, Verdict.NOT_EVALUATED),
    ]
    assert "log" in case.scores[1].reason


def test_repeats_are_counted_in_the_order_of_the_file():
    run = read(result(*(case_result(name) for name in "abaa")))
    assert [(c.case_id, c.repeat) for c in run.cases] == [("a", 0), ("b", 0), ("a", 1), ("a", 2)]
    assert len({c.origin for c in run.cases}) == 4


@pytest.mark.parametrize(
    ("name", "score", "value", "scale"),
    [
        ("response_match_score", 0.5, 0.5, UNIT),
        ("response_evaluation_score", 4.0, 0.75, Scale(1.0, 5.0)),
        ("response_evaluation_score", 1, 0.0, Scale(1.0, 5.0)),
        ("my_metric", 0.5, 0.5, UNIT),
        ("my_metric", 85.0, None, None),
        ("my_metric", -0.1, None, None),
        ("token_usage_v1", 47.0, None, None),
        ("response_match_score", None, None, UNIT),
        ("response_match_score", math.nan, None, UNIT),
    ],
)
def test_a_value_is_on_0_to_1_only_where_the_scale_is_known(name, score, value, scale):
    (read_score,) = only(case_result("c", 1, metric(name, score))).scores
    assert (read_score.value, read_score.scale) == (value, scale)
    assert read_score.native == (None if score is None or score != score else score)


def test_measurements_are_informational_and_have_no_verdict():
    details = {"token_usage_details": {"total_tokens": 47.0}}
    used = metric("token_usage_v1", 47.0, 4, threshold=None, details=details)
    case = only(case_result("c", 1, metric(), turns=[turn_result(used), turn_result(used)]))
    (score,) = case.invocations[0].scores
    assert score.informational and score.verdict is None and score.threshold is None
    assert case.total_tokens == 94


def test_the_threshold_comes_from_the_criterion_where_the_result_has_none():
    one = metric(threshold=None, criterion={"threshold": 0.6, "match_type": 1})
    assert only(case_result("c", 1, one)).scores[0].threshold == 0.6


def test_rubric_answers_are_the_reason():
    scores = [
        {"rubric_id": "polite", "score": 1.0, "rationale": "It greets."},
        {"rubric_id": "short", "score": 0.0},
        {"rubric_id": "true", "score": None},
    ]
    name = "rubric_based_final_response_quality_v1"
    one = metric(name, 0.5, 2, details={"rubric_scores": scores})
    (score,) = only(case_result("c", 2, one)).scores
    assert score.reason == "polite: yes (It greets.)\nshort: no\ntrue: no answer"
    assert score.details == {"rubric_scores": scores}


def test_the_words_that_adk_writes_for_any_rubric_of_a_case_are_left_out():
    words = "This is an aggregated score derived from individual entries. Please refer to them."
    scores = [{"rubric_id": "polite", "rationale": words, "score": 1.0}]
    one = metric("rubric_based_tool_use_quality_v1", 1.0, details={"rubric_scores": scores})
    (score,) = only(case_result("c", 1, one)).scores
    assert score.reason == "polite: yes"
    assert [votes.rationale for votes in votes_of(score)] == [""]


def test_a_metric_of_the_whole_conversation_says_why_earlier_turns_have_no_score():
    name = "multi_turn_task_success_v1"
    turns = [turn_result(metric(name, None, 3)), turn_result(metric(name, 1.0, 1))]
    first, last = only(case_result("c", 1, metric(name), turns=turns)).invocations
    assert "last turn" in first.scores[0].reason and last.scores[0].reason == ""


def test_actual_and_expected_turns_are_read_in_both_shapes():
    actual = turn(
        "How much?",
        "Five.",
        duration=1.5,
        intermediate_data={
            "invocation_events": [
                {
                    "author": "agent",
                    "content": {
                        "parts": [
                            {"function_call": {"id": "1", "name": "price", "args": {"of": "tea"}}},
                            {"function_call": {"id": "2", "name": "price", "args": {"of": "pie"}}},
                        ]
                    },
                },
                {
                    "author": "agent",
                    "content": {
                        "parts": [
                            {
                                "function_response": {
                                    "id": "2",
                                    "name": "price",
                                    "response": {"p": 3},
                                }
                            },
                            {
                                "function_response": {
                                    "id": "1",
                                    "name": "price",
                                    "response": {"p": 2},
                                }
                            },
                        ]
                    },
                },
                {"author": "agent", "content": None},
            ]
        },
    )
    expected = camel(
        turn(
            "How much?",
            "It is five.",
            intermediate_data={
                "tool_uses": [{"name": "price", "args": {"of": "tea"}}],
                "tool_responses": [{"name": "price", "response": {"p": 2}}],
            },
        )
    )
    case = only(case_result(turns=[turn_result(metric(), actual=actual, expected=expected)]))
    (one,) = case.invocations
    assert (one.input, one.actual_output, one.expected_output) == (
        "How much?",
        "Five.",
        "It is five.",
    )
    assert [(c.name, c.args, c.result) for c in one.actual_tool_calls or ()] == [
        ("price", {"of": "tea"}, {"p": 2}),
        ("price", {"of": "pie"}, {"p": 3}),
    ]
    assert [(c.name, c.result) for c in one.expected_tool_calls or ()] == [("price", {"p": 2})]
    assert (one.duration_s, case.duration_s) == (1.5, 1.5)


def test_a_simulated_conversation_has_no_expected_side():
    (one,) = only(case_result(turns=[turn_result(metric(), expected=None)])).invocations
    assert one.expected_output is MISSING and one.expected_tool_calls is None
    assert one.actual_tool_calls == ()


@pytest.mark.parametrize("value", [{}, {"eval_case_results": None}, {"eval_case_results": [1, {}]}])
def test_odd_results_read_without_an_error(value):
    run = read(value | {"eval_set_result_id": "r"})
    assert all(c.case_id is None and c.verdict is None for c in run.cases)


WARNED = {
    "crash": (result(crashed()), "warning", "crashed_case"),
    "incomplete pass": (
        result(case_result("c", 1, metric(), metric("safety_v1", None, 3))),
        "warning",
        "incomplete_pass",
    ),
    "nothing at all": (result(), "warning", "nothing_evaluated"),
    "no verdict": (result(case_result("c", 3, metric(status=3))), "warning", "nothing_evaluated"),
    "recount": (result(case_result("c", 1, metric(status=2))), "warning", "status_differs"),
    "repeats": (result(case_result(), case_result()), "info", "repeated_cases"),
    "failed turn": (
        result(case_result(turns=[turn_result(metric(score=0.0, status=2))])),
        "info",
        "failed_turn_in_pass",
    ),
    "rubrics of an earlier turn": (
        result(
            case_result(
                "c",
                1,
                metric("rubric_based_final_response_quality_v1", 1.0),
                turns=[
                    turn_result(
                        metric("rubric_based_final_response_quality_v1", None, 3),
                        actual=turn(rubrics=[rubric("must fail")]),
                    ),
                    turn_result(
                        metric("rubric_based_final_response_quality_v1", 1.0),
                        actual=turn(rubrics=[rubric("good")]),
                    ),
                ],
            )
        ),
        "warning",
        "rubrics_unread",
    ),
    "double encoding": (json.dumps(result(case_result())), "info", "double_encoded"),
}


@pytest.mark.parametrize("name", WARNED)
def test_what_a_verdict_hides_is_reported(name):
    value, severity, code = WARNED[name]
    assert (severity, f"adk.{code}") in [(s, c) for s, c, _ in found(value, RESULT_PATH)]
    assert errors(value, RESULT_PATH) == []


def test_an_ordinary_result_has_nothing_to_report():
    assert found(result(case_result()), RESULT_PATH) == []


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (result(case_result("c", "PASSED")), "wrong_type"),
        (result(case_result("c", 0)), "wrong_type"),
        (result(case_result(), eval_set_id=7), "wrong_type"),
        (result(case_result("c", 1, metric(note="x"))), "unknown_key"),
        (result({"eval_id": "c", "final_eval_status": 1, "session_id": "x"}), "missing"),
        (json.dumps(json.dumps(result(case_result()))), "not_a_result"),
        ({"a": 1}, "not_a_result"),
    ],
)
def test_what_adk_cannot_list_is_an_error(value, code):
    assert f"adk.{code}" in [c for c, _ in errors(value, RESULT_PATH)]


def test_extra_members_of_a_case_are_dropped_by_adk():
    value = result(case_result(own=1))
    assert ("info", "adk.unknown_key", "/eval_case_results/0/own") in found(value, RESULT_PATH)


def test_adk_lists_results_in_its_hidden_folder_by_content_too():
    detection = formats.detect(result(case_result()), PurePath("somewhere/else.json"))
    assert detection is not None and detection.format_id == "adk"


def turns_of(*scores, name="response_match_score", statuses=None, **more):
    statuses = statuses or [3 if n is None else 1 if n >= 0.8 else 2 for n in scores]
    return [
        turn_result(metric(name, number, status, **more))
        for number, status in zip(scores, statuses, strict=True)
    ]


class Stored:
    """A case of one check: the scores of its turns, and that of the case."""

    def __init__(
        self, *scores, overall, status, name="response_match_score", statuses=None, **more
    ):
        self.turns = turns_of(*scores, name=name, statuses=statuses, **more)
        self.raw = metric(name, overall, status, **more)

    def cautions(self):
        case = case_result("c", self.raw["eval_status"], self.raw, turns=self.turns)
        return only(case).scores[0].cautions


SIMULATOR = "per_turn_user_simulator_quality_v1"
CAUTIONS = {
    "nothing odd": (Stored(0.9, overall=0.9, status=1), ()),
    "a failing turn": (
        Stored(1.0, 0.7, overall=0.85, status=1),
        ("Passes although 1 of 2 turns fail.",),
    ),
    "an unscored turn": (
        Stored(None, 0.9, overall=0.9, status=1),
        ("1 of 2 turns have no score and do not count.",),
    ),
    "an unscored turn of the simulator": (
        Stored(None, 1.0, 1.0, 1.0, 1.0, overall=0.8, status=1, name=SIMULATOR),
        ("1 of 5 turns have no score and count as not passed.",),
    ),
    "judged on the last turn": (
        Stored(None, 0.9, overall=0.9, status=1, name="multi_turn_task_success_v1"),
        (),
    ),
    "a turn without tokens": (
        Stored(None, 47, overall=23.5, status=4, name="token_usage_v1", statuses=[4, 4]),
        ("1 of 2 turns report no tokens and count as 0 in this mean.",),
    ),
    "not evaluated": (Stored(None, overall=None, status=3), ()),
    "any score passes": (
        Stored(0.9, overall=0.9, status=1, threshold=0),
        ("With a pass mark of 0 every score passes.",),
    ),
    "no score passes": (
        Stored(0.9, overall=0.9, status=2, threshold=80, statuses=[2]),
        ("No score reaches a pass mark of 80.",),
    ),
    "rounding": (
        Stored(0.7999999999999998, overall=0.7999999999999998, status=2),
        ("Fails by rounding alone: 0.7999999999999998 is just below 0.8.",),
    ),
    "outside its scale": (
        Stored(3.0, overall=3.0, status=1),
        ("3 lies outside 0 to 1.",),
    ),
    "lower is better": (
        Stored(0.9, overall=0.9, status=2, statuses=[2]),
        ("The verdict is not what 0.9 against 0.8 gives: less may be better.",),
    ),
    "two verdicts": (
        Stored(1.0, overall=0.0, status=2, name="my_metric"),
        (
            "The turns average 1 against 0.8. Harnest's exit code and ADK's pytest helper go by "
            "that: for them it passed.",
        ),
    ),
}


@pytest.mark.parametrize("name", CAUTIONS)
def test_a_stored_score_of_a_case_says_what_it_hides(name):
    stored, cautions = CAUTIONS[name]
    assert stored.cautions() == cautions


def told(name, score, expected, actual=None, **more):
    status = 1 if score else 2
    raw = metric(name, score, status, **more)
    turns = [turn_result(raw, actual=actual, expected=expected)]
    return only(case_result("c", status, raw, turns=turns)).invocations[0].scores[0].cautions


def calling(*names):
    return turn(intermediate_data={"tool_uses": [{"name": name, "args": {}} for name in names]})


def replying(text):
    return turn(final_response={"parts": [{"text": text}]})


@pytest.mark.parametrize(
    ("match", "made", "words"),
    [
        ("IN_ORDER", calling("f"), "any calls pass"),
        (2, calling("f"), "any calls pass"),
        ("EXACT", calling("f"), ""),
        ("IN_ORDER", calling(), ""),
    ],
)
def test_calls_that_nothing_forbids_are_named(match, made, words):
    criterion = {"threshold": 1.0, "match_type": match}
    found = told("tool_trajectory_avg_score", 1.0, calling(), made, criterion=criterion)
    assert words in " ".join(found) and bool(words) is bool(found)


@pytest.mark.parametrize(
    ("expected", "score", "words"),
    [
        ("", 0.0, "expected reply is empty"),
        ("!?", 0.0, "only signs"),
        ("Привет", 0.0, "not Latin"),
        ("Hello", 0.0, ""),
        ("Привет", 1.0, ""),
    ],
)
def test_a_zero_that_the_reply_cannot_help_is_named(expected, score, words):
    found = told("response_match_score", score, replying(expected), replying("Something"))
    assert words in " ".join(found) and bool(words) is bool(found)


def test_rubrics_that_went_unread_are_named_in_their_turn():
    name, kind = "rubric_based_tool_use_quality_v1", "TOOL_USE_QUALITY"
    asked = turn(rubrics=[rubric("r", kind)])
    turns = [
        turn_result(metric(name, None, 3), expected=asked),
        turn_result(metric(name, 1.0), expected=asked),
    ]
    first, last = only(case_result("c", 1, metric(name, 1.0), turns=turns)).invocations
    assert "by the rubrics of the last turn" in first.scores[0].cautions[0]
    assert last.scores[0].cautions == ()
