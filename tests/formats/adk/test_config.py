"""Criteria files: refused, failing at run time, without effect, and as evaluators."""

from pathlib import PurePath

import pytest

from evalcore import formats
from evalcore.jsontree import MISSING
from tests.formats.adk.helpers import CONFIG_PATH, config, errors, found, problems, rubric

RUBRICS = "rubric_based_final_response_quality_v1"


@pytest.mark.parametrize(
    ("criterion", "accepted"),
    [
        (1, True),
        (-1, True),
        ("0.5", True),
        (True, True),
        ({"threshold": 1}, True),
        ({"threshold": "1", "anything": 5}, True),
        (None, False),
        ("high", False),
        ([], False),
        ({}, False),
        ({"threshold": None}, False),
        ({"threshold": 1, "includeIntermediateResponsesInFinal": 3}, False),
    ],
)
def test_a_criterion_is_a_threshold_or_has_one(criterion, accepted):
    assert (errors(config(safety_v1=criterion), CONFIG_PATH) == []) is accepted


@pytest.mark.parametrize(
    ("more", "pointer"),
    [
        ({"criteria": None}, "/criteria"),
        ({"custom_metrics": {"m": {}}}, "/custom_metrics/m"),
        (
            {"custom_metrics": {"m": {"code_config": {"name": "x", "args": []}}}},
            "/custom_metrics/m/code_config/args",
        ),
        ({"user_simulator_config": {"type": "human"}}, "/user_simulator_config/type"),
        (
            {"user_simulator_config": {"custom_instructions": "{{ stop_signal }}"}},
            "/user_simulator_config/custom_instructions",
        ),
        (
            {"user_simulator_config": {"model_configuration": {"temprature": 1}}},
            "/user_simulator_config/model_configuration/temprature",
        ),
        ({"live_model_config": {"timeout_seconds": 1.5}}, "/live_model_config/timeout_seconds"),
    ],
)
def test_what_the_loader_refuses_is_an_error_at_its_place(more, pointer):
    assert pointer in [p for _, p in errors(config(safety_v1=1) | more, CONFIG_PATH)]


TRAPS = {
    "no criteria": ({}, "warning", "no_criteria", ""),
    "empty criteria": (config(), "warning", "no_criteria", "/criteria"),
    "mistyped criteria": (
        {"critera": {"safety_v1": 1}},
        "warning",
        "unknown_key",
        "/critera",
    ),
    "runs": (config(safety_v1=1) | {"num_runs": 3}, "info", "unknown_key", "/num_runs"),
    "unknown metric": (
        config(respons_match_score=1),
        "warning",
        "unknown_metric",
        "/criteria/respons_match_score",
    ),
    "measured anyway": (
        config(token_usage_v1=1),
        "warning",
        "measured_anyway",
        "/criteria/token_usage_v1",
    ),
    "custom metric not in criteria": (
        config(safety_v1=1) | {"custom_metrics": {"mine": {"code_config": {"name": "a.b"}}}},
        "warning",
        "custom_metric_unused",
        "/custom_metrics/mine",
    ),
    "custom metric takes a built-in's name": (
        config(safety_v1=1) | {"custom_metrics": {"safety_v1": {"code_config": {"name": "a.b"}}}},
        "info",
        "custom_replaces_built_in",
        "/criteria/safety_v1",
    ),
    "mistyped option": (
        config(tool_trajectory_avg_score={"threshold": 1, "match_tipe": "IN_ORDER"}),
        "warning",
        "option_unknown",
        "/criteria/tool_trajectory_avg_score/match_tipe",
    ),
    "option of another metric": (
        config(response_match_score={"threshold": 1, "match_type": "IN_ORDER"}),
        "warning",
        "option_unknown",
        "/criteria/response_match_score/match_type",
    ),
    "match type that is none": (
        config(tool_trajectory_avg_score={"threshold": 1, "matchType": "SOME"}),
        "warning",
        "criterion_fails",
        "/criteria/tool_trajectory_avg_score/matchType",
    ),
    "no samples": (
        config(final_response_match_v2={"threshold": 1, "judge_model_options": {"num_samples": 0}}),
        "warning",
        "criterion_fails",
        "/criteria/final_response_match_v2/judge_model_options/num_samples",
    ),
    "mistyped judge option": (
        config(final_response_match_v2={"threshold": 1, "judge_model_options": {"model": "x"}}),
        "warning",
        "criterion_fails",
        "/criteria/final_response_match_v2/judge_model_options/model",
    ),
    "rubric of a wrong shape": (
        config(**{RUBRICS: {"threshold": 1, "rubrics": [{"id": "r"}]}}),
        "warning",
        "criterion_fails",
        f"/criteria/{RUBRICS}/rubrics/0/id",
    ),
    "rubric twice": (
        config(**{RUBRICS: {"threshold": 1, "rubrics": [rubric(), rubric()]}}),
        "warning",
        "rubric_id_twice_in_criterion",
        f"/criteria/{RUBRICS}/rubrics/1/rubric_id",
    ),
    "no rubrics": (config(**{RUBRICS: 1}), "info", "no_rubrics", f"/criteria/{RUBRICS}"),
    "replies on the way": (
        config(
            response_match_score={"threshold": 1, "include_intermediate_responses_in_final": True}
        ),
        "info",
        "option_without_effect",
        "/criteria/response_match_score/include_intermediate_responses_in_final",
    ),
    "samples of a metric that asks once": (
        config(hallucinations_v1={"threshold": 1, "judgeModelOptions": {"numSamples": 3}}),
        "info",
        "option_without_effect",
        "/criteria/hallucinations_v1/judgeModelOptions/numSamples",
    ),
    "threshold above the range": (
        config(response_match_score=80),
        "warning",
        "threshold_never",
        "/criteria/response_match_score",
    ),
    "threshold below the range": (
        config(response_evaluation_score={"threshold": 0.5}),
        "warning",
        "threshold_always",
        "/criteria/response_evaluation_score/threshold",
    ),
    "threshold of zero": (
        config(response_match_score=0),
        "warning",
        "threshold_always",
        "/criteria/response_match_score",
    ),
    "threshold NaN": (
        b'{"criteria": {"response_match_score": NaN}}',
        "warning",
        "threshold_never",
        "/criteria/response_match_score",
    ),
    "threshold true": (
        config(response_match_score=True),
        "info",
        "threshold_is_flag",
        "/criteria/response_match_score",
    ),
    "threshold between all and nothing": (
        config(tool_trajectory_avg_score=0.7),
        "info",
        "threshold_of_all_or_nothing",
        "/criteria/tool_trajectory_avg_score",
    ),
}


@pytest.mark.parametrize("name", TRAPS)
def test_a_trap_is_reported_at_its_place(name):
    value, severity, code, pointer = TRAPS[name]
    assert (severity, f"adk.{code}", pointer) in found(value, CONFIG_PATH)
    assert errors(value, CONFIG_PATH) == []


def test_a_guess_is_offered_for_a_mistyped_metric():
    (problem,) = problems(config(respons_match_score=1), CONFIG_PATH)
    assert problem.hint == "Did you mean “response_match_score”?"


@pytest.mark.parametrize(
    "value",
    [
        config(tool_trajectory_avg_score=1.0, response_match_score=0.8),
        config(final_response_match_v2=1, hallucinations_v1=0.5),
        config(tool_trajectory_avg_score={"threshold": 1, "match_type": "any-order"}),
        config(tool_trajectory_avg_score={"threshold": 1, "match_type": 2, "ignore_args": True}),
        config(mine={"threshold": 80, "own": 1})
        | {"custom_metrics": {"mine": {"code_config": {"name": "a.b"}}}},
    ],
)
def test_a_sound_file_has_nothing_to_report(value):
    assert found(value, CONFIG_PATH) == []


def test_a_file_of_another_name_must_be_passed_explicitly():
    path = PurePath("agent/eval_config.json")
    assert found(config(hallucinations_v1=0.8), path) == [("info", "adk.config_not_picked_up", "")]


def read(value, format_id="adk", path=CONFIG_PATH):
    format_ = formats.by_id(format_id)
    return format_.read_evaluators(value, format_.detect(value, path))


def test_each_criterion_is_an_evaluator():
    judge = {"judgeModelOptions": {"judgeModel": "openai/gpt"}, "threshold": "0.7"}
    value = config(
        tool_trajectory_avg_score={"threshold": 1, "matchType": "any order"},
        response_match_score=0.8,
        final_response_match_v2=judge,
        hallucinations_v1=0.9,
        safety_v1=0.8,
    )
    evaluators = read(value)
    assert [(e.ref, e.threshold, e.match_mode, e.is_judged, e.judge) for e in evaluators] == [
        ("tool_trajectory_avg_score", 1.0, "ANY_ORDER", False, None),
        ("response_match_score", 0.8, None, False, None),
        ("final_response_match_v2", 0.7, None, True, "openai/gpt"),
        ("hallucinations_v1", 0.9, None, True, "gemini-2.5-flash"),
        ("safety_v1", 0.8, None, True, "Vertex AI evaluation"),
    ]
    assert evaluators[2].config is judge
    assert evaluators[1].origin == "/criteria/response_match_score"


@pytest.mark.parametrize(
    ("criterion", "mode"),
    [
        (1, "EXACT"),
        ({"threshold": 1}, "EXACT"),
        ({"threshold": 1, "match_type": 1}, "IN_ORDER"),
        ({"threshold": 1, "match_type": "bogus"}, None),
    ],
)
def test_the_match_mode_is_the_one_that_adk_uses(criterion, mode):
    (evaluator,) = read(config(tool_trajectory_avg_score=criterion))
    assert evaluator.match_mode == mode


def test_rubrics_of_a_criterion_are_read():
    (evaluator,) = read(config(**{RUBRICS: {"threshold": 1, "rubrics": [rubric("polite", None)]}}))
    assert [(r.id, r.text, r.type) for r in evaluator.rubrics] == [("polite", "Is polite.", None)]


def test_a_custom_metric_keeps_its_function_and_is_not_imported():
    custom = {"code_config": {"name": "no.such.module"}, "description": "Counts words."}
    value = config(words={"threshold": 80}, other=1) | {"custom_metrics": {"words": custom}}
    words, other = read(value)
    assert (words.native_type, words.threshold, words.description) == (
        "custom",
        80.0,
        "Counts words.",
    )
    assert words.config == {"criterion": {"threshold": 80}, "custom_metric": custom}
    assert (other.native_type, other.config) == ("custom", 1)


def test_the_config_beside_a_set_is_found():
    from tests.formats.adk.helpers import SET_PATH, Nearby

    adk = formats.by_id("adk")
    assert adk.evaluator_files(SET_PATH, Nearby({"test_config.json": {}})) == ("test_config.json",)
    assert adk.evaluator_files(SET_PATH, Nearby({"eval_config.json": {}})) == ()
    assert Nearby().value("test_config.json") is MISSING
