"""Checks of tool calls, and what the spans of a run tell of them."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.errors import EvaldeskError
from evalcore.evaluators.measures.sequences import longest_common_subsequence
from evalcore.evaluators.uipath.base import CriteriaError
from evalcore.evaluators.uipath.names import sanitised
from evalcore.evaluators.uipath.order import common_length, common_order, is_call_of
from evalcore.evaluators.uipath.spans import Call, all_calls, calls_of, history
from evalcore.formats._uipath.results import read_runs
from evalcore.model import ToolCall
from tests.evaluators.uipath.data import coded, sample, score, tool


@pytest.mark.parametrize(
    ("name", "cleaned"),
    [
        ("Web Search", "Web_Search"),
        ("  Web \t Search\n", "Web_Search"),
        ("a.b/c", "abc"),
        ("café-1", "caf-1"),
        ("天気", ""),
        ("x" * 70, "x" * 64),
    ],
)
def test_names_keep_latin_letters_digits_and_two_signs(name, cleaned):
    assert sanitised(name) == cleaned


def order(expected, names, **config):
    calls = [tool(name) for name in names]
    return score(coded("tool-call-order", **config), {"toolCallsOrder": expected}, {}, calls)


@pytest.mark.parametrize(
    ("expected", "names", "strict", "native"),
    [
        (["a", "b", "c", "d"], ["a", "x", "b", "d"], False, 0.75),
        (["a", "b"], ["b", "a"], False, 0.5),
        (["a"], ["a", "a", "a"], False, 1),
        (["a", "b"], ["a", "b"], True, 1),
        (["a", "b"], ["a", "b", "b"], True, 0),
        (["A"], ["a"], False, 0),
        (["Web Search!"], ["Web_Search"], True, 1),
        ([], [], False, 1),
        ([], ["a"], False, 0),
        (["a"], [], False, 0),
    ],
)
def test_order_is_the_longest_common_subsequence_over_the_expected(expected, names, strict, native):
    assert order(expected, names, strict=strict).native == native


def test_order_says_that_further_calls_are_free():
    assert order(["a"], ["a", "b", "c"]).cautions == ("2 further calls are free.",)
    assert order(["a"], ["a", "b"], strict=True).cautions == ()


def test_order_of_several_equally_long_leaves_out_expected_names_from_the_end():
    assert order(["a", "b", "a"], ["b", "a", "b"]).details["lcs"] == ["a", "b"]


def test_a_call_with_an_id_is_known_by_it_alone():
    calls = [tool("f", id="77"), tool("g", id=0)]
    check = coded("tool-call-order")
    assert score(check, {"toolCallsOrder": ["77", "0"]}, {}, calls).native == 1
    by_name = score(check, {"toolCallsOrder": ["f", "g"]}, {}, calls)
    assert by_name.native == 0
    assert "known by these" in by_name.cautions[-1]


def test_names_without_latin_letters_are_all_alike_and_say_so():
    found = order(["地図"], ["天気"])
    assert found.native == 1
    assert "all such names are alike" in found.cautions[0]


names = st.lists(st.sampled_from(["a", "b", "b c", "b_c", "地", "図"]), max_size=9)
has_ids = st.just([False] * 9) | st.lists(st.booleans(), min_size=9, max_size=9)


@given(names, names, has_ids)
def test_the_bits_find_the_subsequence_of_the_table(wanted, made, has_id):
    calls = [
        Call(name, name if with_id else None, {})
        for name, with_id in zip(made, has_id, strict=False)
    ]
    found = common_order(wanted, calls)
    assert found == longest_common_subsequence(wanted, calls, is_call_of)
    assert common_length(wanted, calls) == len(found)


def test_calls_are_spans_that_name_a_tool_and_are_not_synthesized():
    trace = [
        tool("a"),
        tool("b", synthesized=True),
        {"name": "model", "attributes": {"tool.name": ""}},
        {"name": "bare"},
        "no span",
        tool(5, synthesized=False),
    ]
    assert [call.name for call in calls_of(sample(trace=trace))] == ["a", "5"]
    assert [call.name for call in all_calls(sample(trace=trace))] == ["a", "b", "5"]


def test_without_spans_the_calls_of_the_run_are_taken():
    calls = (ToolCall(name="a", args={"x": "é"}, id="1", result={"t": 1}), ToolCall(name="b"))
    first, second = calls_of(sample(calls=calls))
    assert (first.label, first.arguments(), first.answer()) == ("1", {"x": "é"}, "{'t': 1}")
    assert (second.label, second.arguments(), second.answer()) == ("b", {}, "")


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ('{"x": true}', {"x": True}),
        ("{'x': None}", {"x": None}),
        ({"x": 1}, {"x": 1}),
        ("[1]", {}),
        ("x=1", {}),
        ("", {}),
        (5, {}),
    ],
)
def test_arguments_are_an_object_in_json_or_in_python(written, read):
    (call,) = calls_of(sample(trace=[tool("f", written)]))
    assert call.arguments() == read


@pytest.mark.parametrize("written", ["{1: 2}", "{[]: 1}"])
@pytest.mark.parametrize("expected", [[], [{"name": "f", "args": {}}]])
def test_arguments_on_which_uipath_fails_are_an_error(written, expected):
    with pytest.raises(EvaldeskError):
        score(coded("tool-call-args"), {"toolCalls": expected}, {}, [tool("f", written)])


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ('{"content": {"t": 1}}', "{'t': 1}"),
        ('{"content": 0}', ""),
        ('{"content": null}', ""),
        ('{"t": 1}', ""),
        ("[1,2]", "[1,2]"),
        ("null", "null"),
        ("{'content': 1}", "{'content': 1}"),
        (" plain ", " plain "),
        ({"content": "x"}, "x"),
        (7, "7"),
        (None, ""),
    ],
)
def test_an_answer_is_its_content_or_the_text_as_it_stands(written, text):
    (call,) = calls_of(sample(trace=[tool("f", answer=written)]))
    assert call.answer() == text


def args(expected, calls, **config):
    return score(coded("tool-call-args", **config), {"toolCalls": expected}, {}, calls)


def wanted(**values):
    return {"name": "f", "args": values}


@pytest.mark.parametrize(
    ("expected", "given_args", "config", "native"),
    [
        ([wanted(x=1)], ['{"x": 1, "y": 2}'], {}, 1),
        ([wanted(x=1)], ['{"x": true}'], {}, 1),
        ([wanted(x="1")], ['{"x": 1}'], {}, 0),
        ([wanted(x=1, y=2)], ['{"x": 1}'], {}, 0),
        ([wanted(x={"a": 1})], ['{"x": {"a": 1, "b": 2}}'], {"subset": True}, 0),
        ([wanted(x=1), wanted(x=2)], ['{"x": 2}', '{"x": 1}'], {"strict": True}, 1),
        ([wanted(x=1), wanted(x=1)], ['{"x": 1}'], {}, 0.5),
        ([wanted(x=1), wanted(x=1)], ['{"x": 1}'], {"strict": True}, 0),
        ([wanted(), wanted(x=1)], ['{"x": 1}', '{"x": 2}'], {}, 0.5),
        ([], [], {}, 1),
        ([wanted()], [], {}, 0),
    ],
)
def test_arguments_score_the_share_of_expected_calls_found_greedily(
    expected, given_args, config, native
):
    assert args(expected, [tool("f", text) for text in given_args], **config).native == native


def test_arguments_say_where_any_would_do_and_that_subset_does_nothing():
    cautions = args([wanted()], [tool("f")], subset=True).cautions
    assert "any will do" in cautions[0]
    assert "no effect" in cautions[1]


@pytest.mark.parametrize(
    ("expected", "words"),
    [
        ([{}, {"x": 1}], "Paired better, 2 would be found"),
        ([{"x": 1}, {}], ""),
        ([{"x": 3}, {"x": 1}], ""),
    ],
)
def test_arguments_say_where_a_call_was_taken_that_another_needs(expected, words):
    made = [tool("f", '{"x": 1}'), tool("f", '{"x": 2}')]
    found = args([wanted(**values) for values in expected], made)
    told = [text for text in found.cautions if "Paired" in text]
    assert words in " ".join(told) and bool(words) is bool(told)


def test_counts_say_where_a_cleaned_name_finds_no_calls():
    found = count({"Web_Search": ["=", 1]}, ["Web Search"])
    assert found.native == 0 and "under their cleaned names" in found.cautions[0]
    assert count({"Web Search": ["=", 1]}, ["Web Search"]).cautions == ()


def test_an_expected_id_is_not_compared_with_names():
    expected = [{"name": "other", "args": {}, "id": "f"}]
    assert args(expected, [tool("f")]).native == 0
    assert args(expected, [tool("g", id="f")]).native == 1


SIGNS = {
    "=": lambda a, b: a == b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
    "<=": lambda a, b: a <= b,
    ">=": lambda a, b: a >= b,
}


def count(expected, names, **config):
    calls = [tool(name) for name in names]
    return score(coded("tool-call-count", **config), {"toolCallsCount": expected}, {}, calls)


@pytest.mark.parametrize(("sign", "number"), list(product(SIGNS, range(4))))
def test_counts_are_compared_by_their_sign(sign, number):
    assert count({"f": [sign, number]}, ["f", "f"]).native == SIGNS[sign](2, number)


def test_counts_look_names_up_as_they_are_and_then_cleaned():
    assert count({"Web Search": ["=", 1], "Web_Search": ["=", 0]}, ["Web Search"]).native == 1
    assert count({"Web Search": ["=", 1]}, ["Web_Search"]).native == 1
    assert count({"Web_Search": ["=", 1]}, ["Web Search"]).native == 0


def test_counts_where_strict_end_at_the_first_that_is_wrong():
    expected = {"a": ["=", 9], "b": ["~", 1]}
    assert count(expected, ["a"], strict=True).native == 0
    with pytest.raises(EvaldeskError, match="no comparison"):
        count(expected, ["a"])


def test_counting_none_scores_zero_where_nothing_was_called_at_all():
    found = count({"f": ["=", 0]}, [])
    assert found.native == 0
    assert "even where 0 calls are expected" in found.cautions[0]
    assert count({"f": ["=", 0]}, ["g"]).native == 1


def answers(expected, given_answers, **config):
    calls = [tool("f", answer=text) for text in given_answers]
    wanted_answers = [{"name": "f", "output": text} for text in expected]
    return score(coded("tool-call-output", **config), {"toolOutputs": wanted_answers}, {}, calls)


@pytest.mark.parametrize(
    ("expected", "given_answers", "strict", "native"),
    [
        (["b"], ["a", "b"], False, 1),
        (["b"], ["a", "b"], True, 0),
        (["a", "b"], ["a", "b"], True, 1),
        (["a", "a"], ["a"], False, 0.5),
        (["a "], ["a"], False, 0),
        ([""], ['{"t": 1}'], False, 1),
    ],
)
def test_answers_are_compared_as_exact_texts(expected, given_answers, strict, native):
    assert answers(expected, given_answers, strict=strict).native == native


def test_answers_say_what_they_are_compared_as():
    found = answers(['{"t": 1}'], ['{"content": {"t": 1}}'])
    assert "is compared as “{'t': 1}”" in found.cautions[0]


@pytest.mark.parametrize(
    ("kind", "criterion"),
    [
        ("tool-call-order", None),
        ("tool-call-order", {"toolCallsOrder": "f"}),
        ("tool-call-args", {"toolCalls": [{"name": "f", "arguments": {}}]}),
        ("tool-call-count", {"toolCallsCount": {"f": 1}}),
        ("tool-call-output", {"toolOutputs": [{"name": "f", "output": {}}]}),
    ],
)
def test_unusable_expectations_of_calls_fail_the_case(kind, criterion):
    with pytest.raises(CriteriaError):
        score(coded(kind), criterion, {}, [tool("f")])


def test_the_history_shows_each_call_as_it_was_recorded():
    trace = [tool("f", '{"x": 1}', ' {"content": 2} '), tool("g", synthesized=True)]
    assert history(all_calls(sample(trace=trace))) == (
        "[1970-01-01 00:00:00] LLM Response:\n"
        "  Agent Selected 1 Tool(s):\n\n"
        "  Tool: f\n"
        '  Arguments: {"x": 1}\n\n'
        "[1970-01-01 00:00:00] Tool Call Response - f:\n"
        '{"content": 2}\n\n'
        "[1970-01-01 00:00:00] LLM Response:\n"
        "  Agent Selected 1 Tool(s):\n\n"
        "  Tool: g\n"
        "  Arguments: {}\n\n"
        "[1970-01-01 00:00:00] Tool Call Response - g:\n"
        "{}\n"
    )


def test_the_history_of_another_systems_calls_has_the_same_shape():
    found = history(all_calls(sample(calls=(ToolCall(name="f", args={"x": 1}, result="ok"),))))
    assert '  Arguments: {"x": 1}\n' in found
    assert '{"content": "ok"}\n' in found


def test_a_result_file_keeps_the_spans_that_its_calls_are_read_from():
    trace = [tool("f", answer='{"t": 1}')]
    item = {
        "evaluationName": "c",
        "evaluationRunResults": [],
        "agentExecutionOutput": {"trace": {"spans": trace}, "result": {"output": {}}},
    }
    (run,) = read_runs({"evaluationSetResults": [item]}, "uipath_coded")
    (turn,) = run.cases[0].invocations
    (call,) = calls_of(sample(trace=turn.trace))
    assert call.answer() == ""
