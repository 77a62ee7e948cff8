"""What result files tell of a turn beyond its calls and its reply."""

import pytest

from evalcore.evaluators.adk.recording import declared_tools, recording
from evalcore.formats.adk.evalset import read_invocation
from evalcore.results import InvocationResult, ModelCall
from tests.evaluators.adk.cases import call, event, recorded


@pytest.mark.parametrize(
    ("raw", "calls"),
    [
        ({}, None),
        ({"intermediate_data": None}, None),
        ({"intermediate_data": {}}, None),
        ({"intermediate_data": {"tool_uses": [{"name": "f"}]}}, None),
        ({"intermediate_data": {"invocation_events": []}}, ()),
        ({"intermediateData": {"invocationEvents": [{"modelVersion": "m"}]}}, (ModelCall(),)),
        (
            {
                "intermediate_data": {
                    "invocation_events": [
                        event(usage_metadata=None, model_version=None),
                        event(usage_metadata={"prompt_token_count": 3, "total_token_count": 9}),
                    ]
                }
            },
            (ModelCall(prompt_tokens=3),),
        ),
    ],
)
def test_each_event_that_reports_usage_or_names_a_model_is_a_call(raw, calls):
    assert recorded(**raw).model_calls == calls


def test_durations_are_read_in_parts():
    turn = recorded(duration=3.0, modelDuration=1.0, tool_duration=0.5)
    assert (turn.duration_s, turn.model_duration_s, turn.tool_duration_s) == (3.0, 1.0, 0.5)


@pytest.mark.parametrize(
    "data",
    [
        {"intermediate_responses": [["desk", [{"text": "One"}, {"text": "moment"}]], ["desk", []]]},
        {"invocation_events": [event({"text": "One"}, {"text": "moment"}), event()]},
    ],
)
def test_what_was_said_on_the_way_is_read_in_either_shape(data):
    turn = read_invocation({"user_content": {}, "intermediate_data": data}, "")
    assert turn.intermediate_responses == ("One\nmoment",)


def test_a_recording_has_agents_events_and_sources():
    turn = recorded(
        app_details={
            "agent_details": {
                "desk": {
                    "name": "desk",
                    "instructions": "Be kind.",
                    "tool_declarations": [{"t": 1}],
                }
            }
        },
        intermediate_data={
            "invocation_events": [
                event({"text": "Wait"}, {"function_call": {"name": "f", "args": {}}}),
                event({"function_response": {"name": "f"}}, grounding_metadata={"source": 1}),
                {"author": "desk", "content": None},
            ]
        },
    )
    found = recording(turn)
    assert found.texts == ("Wait",)
    assert [len(e.calls) for e in found.events] == [1, 0, 0]
    assert found.events[1].responses == ({"name": "f"},)
    assert found.events[1].grounding == {"source": 1}
    assert found.agents is not None
    assert found.agents["desk"].instructions == "Be kind."
    assert declared_tools(found.agents) == {"desk": [{"t": 1}]}


def test_a_run_of_another_system_has_its_calls_as_one_event():
    turn = InvocationResult(origin="", index=0, trace=[1], actual_tool_calls=(call("f", {"x": 1}),))
    (only,) = recording(turn).events
    assert only.calls == ({"step": 0, "tool": "f", "args": {"x": 1}, "response": None},)
    assert recording(turn).agents is None
