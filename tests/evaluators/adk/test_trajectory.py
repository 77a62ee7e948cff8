"""The tool trajectory: which calls match, and what a score hides."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.errors import EvaldeskError
from evalcore.evaluators.adk.items import items
from evalcore.evaluators.adk.matching import RULES, is_match
from evalcore.evaluators.base import Sample
from evalcore.jsontree import MISSING
from evalcore.model import EvalCase, ToolCall
from tests.evaluators.adk.cases import call, check, sample, simulated, turn

METRIC = "tool_trajectory_avg_score"
CALLS = st.lists(
    st.builds(call, st.sampled_from("ab"), st.just({}) | st.just({"x": 1})), max_size=5
)


def score(expected, made, **criterion):
    config = {"threshold": 1, **criterion}
    return check(METRIC, config).evaluate(sample(turn(calls=expected, made=made))).turns[0]


def value(expected, made, match):
    return score(expected, made, match_type=match).native


@given(CALLS)
def test_the_same_calls_match_in_every_way(calls):
    assert {value(calls, calls, m) for m in ("EXACT", "IN_ORDER", "ANY_ORDER")} == {1.0}


@given(CALLS, CALLS)
def test_each_way_is_looser_than_the_one_before(expected, made):
    exact, in_order, any_order = (
        value(expected, made, m) for m in ("EXACT", "IN_ORDER", "ANY_ORDER")
    )
    assert exact <= in_order <= any_order


@given(CALLS, CALLS, st.randoms())
def test_in_any_order_the_order_does_not_count(expected, made, rng):
    shuffled = rng.sample(made, len(made))
    assert value(expected, shuffled, "ANY_ORDER") == value(expected, made, "ANY_ORDER")


@given(CALLS, CALLS, CALLS)
def test_more_calls_never_break_a_match_in_order(expected, made, more):
    assert value(expected, made, "IN_ORDER") <= value(expected, made + more, "IN_ORDER")


@given(CALLS, CALLS)
def test_ignoring_arguments_never_lowers_a_score(expected, made):
    assert score(expected, made).native <= score(expected, made, ignore_args=True).native


@pytest.mark.parametrize(
    ("left", "right", "equal"),
    [
        ({"x": 1}, {"x": 1.0}, True),
        ({"x": 1}, {"x": True}, True),
        ({"x": 1}, {"x": "1"}, False),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        ({"x": [1, 2]}, {"x": [2, 1]}, False),
        ({"x": None}, {}, False),
        (MISSING, {}, False),
        (MISSING, None, True),
        ({"x": 0.3}, {"x": 0.1 + 0.2}, False),
        ({"x": "é"}, {"x": "e\u0301"}, False),
    ],
)
def test_arguments_compare_as_python_compares_them(left, right, equal):
    found = score([ToolCall(name="f", args=left)], [ToolCall(name="f", args=right)])
    assert found.native == (1.0 if equal else 0.0)


ODD_ARGS = st.sampled_from([MISSING, None, {}, {"x": 1}, {"x": True}, {"x": "1"}, 0, []])
ODD_CALLS = st.lists(st.builds(ToolCall, name=st.sampled_from("ab"), args=ODD_ARGS), max_size=4)


@pytest.mark.parametrize("mode", RULES)
@given(ODD_CALLS, ODD_CALLS, st.booleans())
def test_calls_match_where_their_names_and_arguments_do_as_items(mode, wanted, made, by_name):
    left, right = items(wanted, by_name=by_name), items(made, by_name=by_name)
    found = is_match(mode, wanted, made, by_name=by_name)
    assert found == (RULES[mode](left, right) is not None)


@pytest.mark.parametrize("wrap", [lambda v: {"x": v}, lambda v: {"x": [{"y": v}]}])
def test_nan_equals_nothing_even_as_the_same_object(wrap):
    args = wrap(float("nan"))
    assert score([call("f", args)], [call("f", args)]).native == 0.0


@pytest.mark.parametrize(
    ("expected", "made", "criterion", "caution"),
    [
        ([], [call("f")], {"match_type": "IN_ORDER"}, "any calls pass"),
        ([], [call("f")], {"match_type": "ANY_ORDER"}, "any calls pass"),
        ([call("f", {"x": 1})], [call("f", {"x": True})], {}, "true and 1"),
        ([ToolCall(name="f")], [call("f")], {}, "no arguments and {}"),
        ([call("f", {"x": 1})], [call("f", {"x": "1"})], {}, "only the types differ"),
        ([call("f")], [call("transfer_to_agent"), call("f")], {}, "transfer_to_agent"),
    ],
)
def test_a_misleading_score_carries_a_caution(expected, made, criterion, caution):
    cautions = score(expected, made, **criterion).cautions
    assert [caution in text for text in cautions] == [True]


@pytest.mark.parametrize(
    ("expected", "made", "criterion"),
    [
        ([call("f")], [call("f")], {}),
        ([call("f", {"x": 1})], [call("f", {"x": 1.0})], {}),
        ([call("f", {"x": 1})], [call("f", {"x": 2})], {}),
        ([], [call("f")], {}),
        ([], [], {"match_type": "IN_ORDER"}),
        ([ToolCall(name="f")], [call("f")], {"ignore_args": True}),
    ],
)
def test_a_plain_score_carries_no_caution(expected, made, criterion):
    assert score(expected, made, **criterion).cautions == ()


def test_the_reason_names_the_calls_and_the_rule():
    found = score([call("find")], [], match_type="any order")
    assert (
        found.reason
        == "Expected find; got no calls, in any order; other calls are free (ANY_ORDER)."
    )


def test_a_case_with_a_simulated_user_cannot_be_compared():
    with pytest.raises(EvaldeskError, match="expected turns"):
        check(METRIC).evaluate(simulated(("hello", "hi")))


def test_a_run_with_fewer_turns_cannot_be_compared():
    both = sample(turn(), turn())
    short = Sample(case=both.case, turns=both.turns[:1])
    with pytest.raises(EvaldeskError, match="2 turns and the run has 1"):
        check(METRIC).evaluate(short)


def test_a_case_without_turns_is_not_evaluated():
    overall = check(METRIC).evaluate(Sample(case=EvalCase(origin=""), turns=())).overall
    assert (overall.native, overall.value, overall.verdict) == (None, None, "not_evaluated")
