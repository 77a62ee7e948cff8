"""The efficiency checks: what they report, how they average, and what they refuse."""

import pytest

from evalcore.errors import EvaldeskError
from evalcore.evaluators.adk.criteria import always_reported
from evalcore.evaluators.base import Sample, Turn
from evalcore.model import EvalCase
from evalcore.results import InvocationResult, ModelCall
from tests.evaluators.adk.cases import call, check

CHECKS = {check.name: check for check in always_reported()}


def ran(*turns: InvocationResult) -> Sample:
    return Sample(
        case=EvalCase(origin=""), turns=tuple(Turn(expected=None, actual=t) for t in turns)
    )


def result(**what) -> InvocationResult:
    return InvocationResult(origin="", index=0, **what)


ASKED = result(model_calls=(ModelCall(prompt_tokens=10, candidates_tokens=4), ModelCall()))
UNKNOWN = result()


@pytest.mark.parametrize(
    ("metric", "turns", "per_turn", "overall"),
    [
        ("tool_call_count_v1", [result(actual_tool_calls=(call("f"),)), UNKNOWN], [1, 0], 0.5),
        ("inference_call_count_v1", [ASKED, UNKNOWN], [2, None], 2),
        ("inference_call_count_v1", [result(model_calls=())], [0], 0),
        ("token_usage_v1", [ASKED, UNKNOWN], [14, None], 7),
        ("token_usage_v1", [UNKNOWN], [None], None),
        ("invocation_duration_v1", [result(duration_s=2.5), UNKNOWN], [2.5, None], 2.5),
    ],
)
def test_each_check_averages_by_its_own_rule(metric, turns, per_turn, overall):
    outcome = CHECKS[metric].evaluate(ran(*turns))
    assert [turn.native for turn in outcome.turns] == per_turn
    assert outcome.overall.native == overall


@pytest.mark.parametrize("metric", CHECKS)
def test_a_report_neither_passes_nor_fails_and_has_no_scale(metric):
    for score in [
        CHECKS[metric].evaluate(ran(ASKED)).overall,
        *CHECKS[metric].evaluate(ran(ASKED)).turns,
    ]:
        assert score.informational
        assert (score.verdict, score.value, score.scale) == (None, None, None)


@pytest.mark.parametrize("metric", CHECKS)
def test_a_pass_mark_is_an_error(metric):
    with pytest.raises(EvaldeskError, match="has no pass mark"):
        check(metric, 5).evaluate(ran(ASKED))


@pytest.mark.parametrize("metric", CHECKS)
def test_no_turns_report_nothing(metric):
    assert CHECKS[metric].evaluate(ran()).overall.native is None


def test_tokens_are_told_apart_and_cached_ones_are_not_added():
    use = ModelCall(
        prompt_tokens=100,
        cached_tokens=60,
        tool_use_tokens=5,
        candidates_tokens=7,
        thoughts_tokens=2,
    )
    overall = CHECKS["token_usage_v1"].evaluate(ran(result(model_calls=(use, use)))).overall
    assert overall.reason == "228 tokens: 210 in, 18 out."
    assert overall.details == {
        "token_usage_details": {
            "total_tokens": 228,
            "input_tokens": 210,
            "prompt_tokens": 200,
            "cached_tokens": 120,
            "tool_use_tokens": 10,
            "output_tokens": 18,
            "candidates_tokens": 14,
            "reasoning_tokens": 4,
        }
    }


@pytest.mark.parametrize(
    ("total", "model", "tool", "rest"),
    [(3.0, 1.0, 0.5, 1.5), (1.0, 0.9, 0.2, 0.0), (2.0, None, 0.2, None), (None, 1.0, 1.0, None)],
)
def test_time_is_split_where_all_of_it_is_known(total, model, tool, rest):
    timed = result(duration_s=total, model_duration_s=model, tool_duration_s=tool)
    overall = CHECKS["invocation_duration_v1"].evaluate(ran(timed)).overall
    details = overall.details["duration_details"]
    assert details["framework_seconds"] == rest
    assert details["total_seconds"] == total
