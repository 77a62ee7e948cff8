"""From the criteria of a project to checks."""

import pytest

from evalcore.errors import EvaldeskError
from evalcore.evaluators import UnknownEvaluator, kinds
from evalcore.evaluators.adk.criteria import (
    always_reported,
    default_criteria,
    evaluator_of,
    with_policy,
)
from evalcore.formats.adk.evaluators import read_evaluators
from evalcore.formats.adk.metrics import DEFAULT_CRITERIA, METRICS
from evalcore.results import Scale
from tests.evaluators.adk.cases import check, sample, turn

TRAJECTORY = "tool_trajectory_avg_score"


def test_every_metric_of_adk_is_a_kind():
    ours = {kind.removeprefix("adk.") for kind in kinds() if kind.startswith("adk.")}
    assert ours == set(METRICS)


def test_the_scales_are_those_of_the_format():
    for name, metric in METRICS.items():
        if not metric.informational:
            assert metric.lowest is not None
            assert metric.highest is not None
            assert kinds()[f"adk.{name}"].scale == Scale(metric.lowest, metric.highest)


def test_the_defaults_are_those_of_the_format():
    checks = [evaluator_of(criterion) for criterion in default_criteria()]
    assert {check.name: check.params.threshold for check in checks} == DEFAULT_CRITERIA


def test_the_reports_that_every_run_has_are_the_informational_metrics():
    names = {check.name for check in always_reported()}
    assert names == {name for name, metric in METRICS.items() if metric.informational}


def test_criteria_files_become_checks_under_the_names_that_results_use():
    file = {
        "criteria": {
            TRAJECTORY: {"threshold": 0.5, "matchType": "in order", "typo": 1},
            "response_match_score": "0.7",
            "final_response_match_v2": {
                "threshold": True,
                "judge_model_options": {"judge_model": "m", "numSamples": 2},
            },
        }
    }
    first, second, third = (evaluator_of(criterion) for criterion in read_evaluators(file))
    assert (first.name, first.params.threshold, first.params.match_type) == (
        TRAJECTORY,
        0.5,
        "IN_ORDER",
    )
    assert second.params.threshold == 0.7
    assert third.params.threshold == 1.0
    assert third.params.judge_model_options.num_samples == 2


@pytest.mark.parametrize(
    "file",
    [
        {"criteria": {"my_metric": 1}},
        {
            "criteria": {"response_match_score": 1},
            "custom_metrics": {"response_match_score": {"code_config": {"name": "a.b"}}},
        },
    ],
)
def test_a_custom_or_unknown_metric_is_not_run(file):
    (criterion,) = read_evaluators(file)
    with pytest.raises(UnknownEvaluator, match="not run here"):
        evaluator_of(criterion)


@pytest.mark.parametrize(
    "criterion",
    [
        None,
        [],
        {},
        {"threshold": None},
        {"threshold": "high"},
        {"threshold": 1, "match_type": "SUBSET"},
        {"threshold": 1, "ignore_args": "perhaps"},
    ],
)
def test_a_criterion_that_adk_refuses_is_refused(criterion):
    with pytest.raises(EvaldeskError):
        check(TRAJECTORY, criterion)


@pytest.mark.parametrize(("policy", "match"), [("business", "IN_ORDER"), ("strict", "EXACT")])
def test_a_policy_replaces_everything_but_the_pass_mark(policy, match):
    file = {
        "criteria": {
            TRAJECTORY: {"threshold": 0.5, "match_type": "BOGUS", "ignore_args": True},
            "response_match_score": 0.8,
        }
    }
    first, second = with_policy(read_evaluators(file), policy)
    params = evaluator_of(first).params
    assert (params.threshold, params.match_type, params.ignore_args) == (0.5, match, False)
    assert first.match_mode == match
    assert second == read_evaluators(file)[1]


def test_a_policy_applies_to_the_defaults_too():
    first, _ = with_policy(default_criteria(), "business")
    assert evaluator_of(first).params.match_type == "IN_ORDER"


def test_an_unknown_policy_is_refused():
    with pytest.raises(EvaldeskError, match="no trajectory policy 'loose'"):
        with_policy(default_criteria(), "loose")


@pytest.mark.parametrize(
    "metric", [name for name, metric in METRICS.items() if metric.backend == "vertex"]
)
def test_what_only_the_cloud_computes_is_an_error_here(metric):
    with pytest.raises(EvaldeskError, match="cannot be computed here"):
        check(metric).evaluate(sample(turn("a", "a")))
