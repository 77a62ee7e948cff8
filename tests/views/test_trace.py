"""What happened inside a result: events and spans in order, searched and shown by the page."""

import pytest

from evalcore.formats import by_id
from evalcore.model import ToolCall
from evalcore.views.trace import DETAILS, PAGE, trace_of
from tests.views.runs import case, turn


def part(**held):
    return {"parts": [held]}


def adk(*events):
    return {
        "userContent": part(text="Refund me"),
        "finalResponse": part(text="Done"),
        "intermediateData": {"invocationEvents": list(events)},
    }


def told(trace):
    return [(line.step.kind, line.step.name, line.step.text, line.depth) for line in trace.lines]


def test_adk_events_come_in_their_order_between_question_and_reply():
    recorded = adk(
        {"author": "desk", "content": part(functionCall={"name": "pay", "args": {"n": 1}})},
        {"author": "desk", "content": part(functionResponse={"name": "pay", "response": {}})},
        {"author": "desk", "content": part(text="hm", thought=True)},
    )
    found = trace_of(case(turns=[turn(trace=recorded)]), "adk")
    assert told(found) == [
        ("user", "user", "Refund me", 0),
        ("tool", "pay", "called by desk", 1),
        ("result", "pay", "", 1),
        ("agent", "desk, thinking", "hm", 0),
        ("agent", "final reply", "Done", 0),
    ]
    assert found.is_recorded
    assert found.length_s is None


def test_adk_responses_that_say_error_failed():
    events = [
        {"content": part(function_response={"name": "pay", "response": {"error": "no money"}})},
        {"content": part(function_response={"name": "pay", "response": {"ok": True}})},
    ]
    found = trace_of(case(turns=[turn(trace=adk(*events))]), "harnest")
    assert [line.step.failed for line in found.lines] == [False, True, False, False]


def span(name, parent=None, **more):
    return {"name": name, "parent_name": parent, "status": "unset", "attributes": {}, **more}


def test_spans_stand_below_the_span_that_holds_them():
    spans = [span("pay", "agent"), span("agent", "root"), span("root"), span("alone", "gone")]
    found = trace_of(case(turns=[turn(trace=spans)]), "uipath_coded")
    assert [(line.step.name, line.depth) for line in found.lines] == [
        ("root", 0),
        ("agent", 1),
        ("pay", 2),
        ("alone", 0),
    ]


def test_spans_of_trace_files_have_their_places_in_time():
    spans = [
        {"span_id": "1", "name": "root", "start_time": 10.0, "end_time": 14.0},
        {"span_id": "2", "parent_id": "1", "name": "a", "start_time": 11.0, "end_time": 12.5},
        {"span_id": "3", "parent_id": "2", "name": "root", "start_time": 11.5},
    ]
    found = trace_of(case(turns=[turn(trace=spans)]), "uipath_lowcode")
    assert [(line.at_s, line.step.duration_s, line.depth) for line in found.lines] == [
        (0.0, 4.0, 0),
        (1.0, 1.5, 1),
        (1.5, None, 2),
    ]
    assert found.length_s == 4.0


@pytest.mark.parametrize("format_id", ["adk", "harnest", "uipath_coded", "uipath_lowcode"])
@pytest.mark.parametrize(
    "trace",
    [
        None,
        "text",
        [None, 7, {}],
        {"intermediateData": 7, "userContent": []},
        [span("a", "a"), span("b", "c"), span("c", "b")],
        [{"name": 7, "attributes": [], "parent_name": {}, "start": float("nan"), "end": 10**400}],
        {
            "intermediateData": {
                "invocationEvents": [{}, {"usageMetadata": {"totalTokenCount": 1e999}}]
            }
        },
    ],
)
def test_a_record_of_any_shape_is_told_and_each_span_once(format_id, trace):
    found = trace_of(case(turns=[turn(trace=trace, said="hello")]), format_id)
    assert all(isinstance(line.details, str) for line in found.lines)
    if isinstance(trace, list) and format_id.startswith("uipath"):
        assert len(found.lines) == sum(isinstance(each, dict) for each in trace)


def test_without_a_record_nodes_and_calls_are_told():
    held = turn(
        said="hello",
        actual="done",
        node_visits=("plan", "act"),
        actual_tool_calls=(ToolCall(name="pay", args={"n": 1}, result="ok"),),
        error="late",
    )
    found = trace_of(case(turns=[held]), "tenxgraph")
    kinds = ["user", "node", "node", "tool", "result", "agent", "agent"]
    assert [line.step.kind for line in found.lines] == kinds
    assert not found.is_recorded
    assert found.lines[-1].step.failed


def test_pages_cut_a_long_trace_and_search_finds_every_word_in_it():
    spans = [span(f"step {n}", attributes={"input.value": f"order {n}"}) for n in range(30_000)]
    found = trace_of(case(turns=[turn(trace=spans)]), "uipath_coded")
    shown, total = found.page(150)
    assert (len(shown), total) == (PAGE, 30_000)
    assert shown[0].step.name == f"step {149 * PAGE}"
    hits, total = found.page(1, "STEP 29999 order")
    assert (total, hits[0].step.name) == (1, "step 29999")
    assert found.page(2, "step 29999")[0] == ()


def test_long_details_are_cut_and_say_how_long_they_are():
    spans = [span("a", attributes={"input.value": "x" * 50_000})]
    found = trace_of(case(turns=[turn(trace=spans)]), "uipath_coded")
    assert len(found.lines[0].details) < DETAILS + 50
    assert "characters" in found.lines[0].details


def test_formats_without_records_have_no_steps():
    assert list(by_id("tenxgraph").steps({"anything": 1})) == []
