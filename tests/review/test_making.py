"""What happened becomes an expectation of a check, or a case of its own, in every format."""

from datetime import UTC, datetime

import pytest

from evalcore.builder import EvalSetBuilder
from evalcore.errors import FormatError
from evalcore.formats import built_in, by_id
from evalcore.jsontree import MISSING, get, put
from evalcore.model import ToolCall
from evalcore.results import InvocationResult, Score, Verdict
from evalcore.review import Recorded, Wanted, likely, parts_of, staged, with_cases

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
FORMATS = [f.id for f in built_in()]
ORIGIN = {"run": "r1", "case": "a", "turns": [1]}


def result(**turn) -> InvocationResult:
    return InvocationResult(origin="", index=0, **turn)


CALL = ToolCall(name="search", args={"q": "x"}, id="run-1", result="3 hits")
DONE = result(actual_output="Hi", actual_tool_calls=(CALL,), node_visits=("MAIN",))


def claims(**criteria):
    tree = EvalSetBuilder(to="uipath_coded", now=NOW).add_case({"x": 1}).tree
    return put(tree, "/evaluations/0/evaluationCriterias", criteria)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"expectedOutput": {"city": "Rome"}}, {"expectedOutput": {"city": "Oslo"}}),
        ({"expected_output": {"city": "Rome"}}, {"expected_output": {"city": "Oslo"}}),
        ({"toolCallsOrder": ["book"], "note": 1}, {"toolCallsOrder": ["find", "find"], "note": 1}),
        (
            {"toolCallsCount": {"find": [">=", 1], "book": ["=", 1]}},
            {"toolCallsCount": {"find": [">=", 1], "book": ["=", 0]}},
        ),
        (
            {"toolCalls": []},
            {"toolCalls": [{"name": "find", "args": {"n": 1}}, {"name": "find", "args": {}}]},
        ),
        (
            {"toolOutputs": []},
            {"toolOutputs": [{"name": "find", "output": "a"}, {"name": "find", "output": "b"}]},
        ),
    ],
)
def test_the_criteria_of_a_check_become_what_happened(before, after):
    lens = by_id("uipath_coded").eval_sets
    turn = result(
        actual_output={"city": "Oslo", "letter": "…"},
        actual_tool_calls=(
            ToolCall(name="find", args={"n": 1}, result="a"),
            ToolCall(name="find", args={}, result="b"),
        ),
    )
    tree = claims(Mine=before, Other={"searchText": "x"}, Default=None)
    (part,) = parts_of(lens, tree, 0, 0, turn)
    assert part.name == "check Mine"
    new = staged(lens, tree, 0, 0, turn, ["check Mine"])
    criteria = get(new, "/evaluations/0/evaluationCriterias")
    assert criteria == {"Mine": after, "Other": {"searchText": "x"}, "Default": None}
    assert parts_of(lens, new, 0, 0, turn) == ()


def test_a_check_that_a_result_does_not_tell_of_cannot_be_met():
    lens = by_id("uipath_coded").eval_sets
    tree = claims(Mine={"expectedOutput": {"a": 1}})
    assert [p.name for p in parts_of(lens, tree, 0, 0, result())] == []
    with pytest.raises(FormatError, match="does not say what Mine should expect"):
        staged(lens, tree, 0, 0, result(), ["check Mine"])


def test_named_values_keep_to_those_that_were_expected():
    lens = by_id("uipath_lowcode").eval_sets
    tree = EvalSetBuilder(to="uipath_lowcode", now=NOW).add_case({"x": 1}, {"city": "Rome"}).tree
    turn = result(actual_output={"city": "Oslo", "letter": "Dear …"})
    new = staged(lens, tree, 0, 0, turn, ["reply"])
    assert lens.read(new).cases[0].invocations[0].expected_output == {"city": "Oslo"}
    text = staged(lens, tree, 0, 0, result(actual_output="Oslo"), ["reply"])
    assert lens.read(text).cases[0].invocations[0].expected_output == {"city": "Oslo"}


def test_a_reply_of_data_is_written_as_text_where_only_texts_are_expected():
    lens = by_id("adk").eval_sets
    tree = EvalSetBuilder(to="adk", now=NOW).add_case("x", "y").tree
    new = staged(lens, tree, 0, 0, result(actual_output={"a": "ü"}), ["reply"])
    assert lens.read(new).cases[0].invocations[0].expected_output == '{"a": "ü"}'


def test_only_parts_that_would_change_are_offered_and_the_failed_checks_pick_among_them():
    lens = by_id("tenxgraph").eval_sets
    tree = EvalSetBuilder(to="tenxgraph", now=NOW).add_case("x", "Hi").tree
    found = parts_of(lens, tree, 0, 0, DONE)
    assert [p.name for p in found] == ["tool_calls", "node_order"]
    assert parts_of(lens, tree, 0, 1, DONE) == ()

    def failed(ref):
        return Score(ref, verdict=Verdict.FAILED)

    assert likely(found, [failed("tool_name_match")]) == ("tool_calls",)
    assert likely(found, [failed("node_order_score")]) == ("node_order",)
    assert likely(found, [failed("rouge_match")]) == ("tool_calls", "node_order")


@pytest.mark.parametrize("to", FORMATS)
def test_a_turn_becomes_a_case_of_any_format_with_what_it_has_a_place_for(to):
    lens = by_id(to).eval_sets
    tree = EvalSetBuilder(to=to, now=NOW).add_case(asked(to, "x"), case_id="old").tree
    wanted = Wanted(
        [Recorded("Hello", DONE)], "new", tags=["seen"], origin=ORIGIN, told="Made from a in r1."
    )
    made = with_cases(lens, tree, wanted, NOW)
    assert made.labels == ("new",)
    old, new = lens.read(made.tree).cases
    assert old == lens.read(tree).cases[0]
    turn = new.invocations[0]
    assert "Hello" in str(turn.input)
    assert "Hi" in str(turn.expected_output)
    assert new.tags == ("seen",)
    names = [(call.name, call.args, call.id) for call in turn.tool_calls]
    has_calls = "the tool calls" not in made.left_out
    assert names == ([("search", {"q": "x"}, None)] if has_calls else [])
    has_home = "where it comes from" not in made.left_out
    assert ("r1" in str(lens.raw_cases(made.tree)[1])) is has_home
    assert has_calls is (not to.startswith("uipath"))
    assert has_home is (to not in ("adk", "harnest"))


def asked(to, text):
    return {"input": text} if to.startswith("uipath") else text


@pytest.mark.parametrize("to", FORMATS)
def test_the_expectation_can_be_left_empty(to):
    lens = by_id(to).eval_sets
    tree = EvalSetBuilder(to=to, now=NOW).tree
    made = with_cases(lens, tree, Wanted([Recorded("Hello", DONE)], "new", keep=False), NOW)
    (new,) = lens.read(made.tree).cases
    assert new.invocations[0].expected_output in (None, MISSING, {}, "")
    assert new.invocations[0].tool_calls in (None, ())
    assert made.left_out == ()


def test_several_turns_are_one_case_or_one_case_each():
    turns = [Recorded("One", DONE), Recorded("Two", result(actual_output="Bye"))]
    graph, coded = by_id("tenxgraph").eval_sets, by_id("uipath_coded").eval_sets
    talk = with_cases(graph, EvalSetBuilder(to="tenxgraph").tree, Wanted(turns, "talk"), NOW)
    (case,) = graph.read(talk.tree).cases
    assert [t.input for t in case.invocations] == ["One", "Two"]
    each = with_cases(coded, EvalSetBuilder(to="uipath_coded").tree, Wanted(turns, "talk"), NOW)
    assert each.labels == ("talk_1", "talk_2")
    assert len(coded.read(each.tree).cases) == 2


def test_the_checks_of_another_case_are_met_by_what_happened():
    lens = by_id("uipath_coded").eval_sets
    tree = claims(Order={"toolCallsOrder": ["book"]}, Text={"searchText": "x"})
    criteria = get(tree, "/evaluations/0/evaluationCriterias")
    wanted = Wanted([Recorded({"x": 2}, DONE)], "new", criteria=criteria)
    made = with_cases(lens, tree, wanted, NOW)
    assert lens.read(made.tree).cases[1].criteria == {"Order": {"toolCallsOrder": ["search"]}}
    assert "the tool calls" not in made.left_out


@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        (Wanted([], "new"), "needs a turn"),
        (Wanted([Recorded("x", DONE)], "  "), "needs a name"),
        (Wanted([Recorded("x", DONE)], "old"), "already a case called 'old'"),
        (Wanted([Recorded(MISSING, DONE)], "new"), "does not say what the agent was asked"),
    ],
)
def test_a_case_that_cannot_be_made_says_why(wanted, told):
    tree = EvalSetBuilder(to="adk", now=NOW).add_case("x", case_id="old").tree
    with pytest.raises(FormatError, match=told):
        with_cases(by_id("adk").eval_sets, tree, wanted, NOW)
