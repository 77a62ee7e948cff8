"""One small set of each format in which every kind of value occurs, and how tests convert them."""

from __future__ import annotations

import base64
from datetime import UTC, datetime
from pathlib import PurePath
from typing import Any

from evalcore import formats
from evalcore.convert import Conversion, Options, Source, Target, convert
from evalcore.formats.base import Kind

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
PATHS = {
    "uipath_coded": "agent/evaluations/eval-sets/small.json",
    "uipath_lowcode": "agent/evals/eval-sets/small.json",
    "adk": "agent/small.evalset.json",
    "harnest": "agent/evals/small.evalset.json",
    "tenxgraph": "agent/tests/small.json",
}
PAIRS = [(source, target) for source in PATHS for target in PATHS]
GUIDS = [f"0000000{n}-0000-4000-8000-000000000000" for n in range(10)]

ADK: dict[str, Any] = {
    "eval_set_id": "parcels",
    "name": "Parcels",
    "description": "Where is it?",
    "owner": "the parcel team",
    "creation_timestamp": 1767322800.5,
    "eval_cases": [
        {
            "eval_id": "two_turns",
            "name": "Two turns",
            "tags": ["smoke"],
            "conversation": [
                {
                    "invocation_id": "i-1",
                    "user_content": {
                        "parts": [
                            {"text": "Look at this."},
                            {
                                "inline_data": {
                                    "mime_type": "image/png",
                                    "data": base64.b64encode(b"png").decode(),
                                }
                            },
                            {"text": "Where is my parcel?", "thought": None},
                        ],
                        "role": "user",
                    },
                    "final_response": {"parts": [{"text": "It is on its way."}], "role": "model"},
                    "intermediate_data": {
                        "tool_uses": [
                            {"id": "c1", "name": "track", "args": {"id": "A-1", "deep": [1, {}]}}
                        ],
                        "tool_responses": [
                            {"id": "c1", "name": "track", "response": {"state": "moving"}}
                        ],
                        "intermediate_responses": [["clerk", [{"text": "One moment."}]]],
                    },
                    "creation_timestamp": 1767322801.0,
                    "rubrics": [
                        {
                            "rubric_id": "polite",
                            "rubric_content": {"text_property": "Is polite."},
                            "type": "FINAL_RESPONSE_QUALITY",
                        }
                    ],
                },
                {
                    "invocation_id": "i-2",
                    "user_content": {"parts": [{"text": "Thanks!"}], "role": "user"},
                    "final_response": None,
                },
            ],
            "session_input": {
                "app_name": "parcels",
                "user_id": "ann",
                "session_id": "s-1",
                "state": {"tier": "gold", "limits": {"days": 3}},
            },
            "final_session_state": {"asked": True},
            "creation_timestamp": 1767322802.0,
            "reviewed_by": "ben",
        },
        {
            "eval_id": "simulated",
            "conversation_scenario": {
                "starting_prompt": "Hello?",
                "conversation_plan": "Ask for a parcel that was never sent.",
                "user_persona": "NOVICE",
            },
        },
    ],
}
TENXGRAPH: dict[str, Any] = {
    "eval_set_id": "trains",
    "name": "Trains",
    "description": "",
    "eval_cases": [
        {
            "eval_id": "night_train",
            "name": "The night train",
            "description": "Two questions in one talk.",
            "conversation": [
                {
                    "invocation_id": "i-1",
                    "user_content": {"role": "user", "content": "Is there a night train?"},
                    "expected_tool_trajectory": [
                        {"name": "search", "args": {"to": "Porto"}, "call_id": "c1", "result": 3}
                    ],
                    "expected_node_order": ["__start__", "MAIN"],
                    "expected_intermediate_responses": [
                        {"role": "assistant", "content": "Let me look.", "metadata": {}}
                    ],
                    "expected_final_response": {
                        "role": "assistant",
                        "content": [
                            {"type": "text", "text": "Yes,"},
                            {"type": "text", "text": "at ten."},
                        ],
                        "metadata": {"source": "desk"},
                    },
                },
                {
                    "user_content": {"role": "user", "content": '{"seats": 2}'},
                    "expected_final_response": None,
                },
            ],
            "session_input": {
                "app_name": "",
                "user_id": "kim",
                "state": {"lang": "en"},
                "config": {"recursion_limit": 9},
            },
            "tags": ["rail"],
            "metadata": {"context": "There is one at ten."},
            "difficulty": 2,
        }
    ],
    "metadata": {"reviewed": "2026-01-01"},
}
CODED: dict[str, Any] = {
    "version": "1.0",
    "id": "claims",
    "name": "Claims",
    "evaluatorConfigs": ["exact", {"ref": "calls", "weight": 2}],
    "modelSettings": [{"id": "default", "modelName": "same-as-agent"}],
    "batchSize": 5,
    "evaluations": [
        {
            "id": "water",
            "name": "Water damage",
            "inputs": {"text": "A pipe burst.", "amount": 40},
            "expectedOutput": {"decision": "approve"},
            "expectedAgentBehavior": "Looks up the policy first.",
            "evaluationCriterias": {
                "exact": {"expectedOutput": {"decision": "approve"}},
                "calls": {"toolCalls": [{"name": "lookup", "args": {"policy": "H-1"}}]},
                "order": {"toolCallsOrder": ["lookup", "decide"]},
                "mentions": {"searchText": "policy"},
                "defaults": None,
            },
            "mockingStrategy": {
                "type": "mockito",
                "config": [{"function": "pay", "then": [{"type": "return", "value": 1}]}],
            },
            "tags": ["home"],
            "purpose": "The usual case.",
            "ticket": 7,
        },
        {
            "id": "question",
            "name": "A question",
            "inputs": {"question": "Am I insured?"},
            "evaluationCriterias": {"judge": {"expectedAgentBehavior": "Asks for the policy."}},
            "expectedOutput": "Please give me your policy number.",
            "mockingStrategy": {
                "type": "llm",
                "prompt": "No policy is found.",
                "toolsToSimulate": [{"name": "lookup"}],
                "model": {"model": "small"},
            },
            "inputMockingStrategy": {"prompt": "A short question."},
        },
    ],
}
LOWCODE: dict[str, Any] = {
    "fileName": "triage.json",
    "id": GUIDS[0],
    "name": "Triage",
    "batchSize": 10,
    "timeoutMinutes": 20,
    "lineByLineEvaluation": False,
    "evaluatorRefs": [GUIDS[1]],
    "modelSettings": [],
    "createdAt": "2026-01-01T10:00:00.000Z",
    "updatedAt": "2026-01-01T11:00:00.000Z",
    "evaluations": [
        {
            "id": GUIDS[2],
            "name": "Double charge",
            "inputs": {"ticket": "I paid twice."},
            "expectedOutput": {"category": "billing", "urgent": True},
            "expectedAgentBehavior": "Looks up the invoices.",
            "evalSetId": GUIDS[0],
            "source": "manual",
            "simulateInput": True,
            "inputGenerationInstructions": "An angry customer.",
            "simulateTools": True,
            "simulationInstructions": "There are two invoices.",
            "toolsToSimulate": [{"name": "invoices"}],
            "createdAt": "2026-01-01T10:00:00.000Z",
            "updatedAt": "2026-01-01T11:00:00.000Z",
            "tags": ["money"],
        },
        {
            "id": GUIDS[3],
            "name": "Follow-up",
            "inputs": {},
            "expectedOutput": {},
            "expectedAgentBehavior": "",
            "evalSetId": GUIDS[0],
            "simulateTools": False,
            "createdAt": "2026-01-01T10:00:00.000Z",
            "updatedAt": "2026-01-01T11:00:00.000Z",
            "conversationalInputs": {
                "conversationHistory": [
                    [
                        {
                            "role": "user",
                            "text": "Where is it?",
                            "attachments": [
                                {"ID": "a1", "FullName": "bill.pdf", "MimeType": "application/pdf"}
                            ],
                        },
                        {
                            "role": "agent",
                            "text": "On its way.",
                            "toolCalls": [
                                {
                                    "name": "track",
                                    "arguments": {"id": "A-1"},
                                    "result": {"value": {"state": "moving"}, "isError": False},
                                }
                            ],
                        },
                    ]
                ],
                "currentUserPrompt": {"role": "user", "text": "And now?"},
            },
            "conversationalExpectedOutput": {
                "agentResponse": [
                    {"role": "agent", "text": "Let me see."},
                    {
                        "role": "agent",
                        "text": "It is there.",
                        "toolCalls": [{"name": "track", "arguments": {"id": "A-1"}}],
                    },
                ]
            },
        },
    ],
}
SETS: dict[str, dict[str, Any]] = {
    "uipath_coded": CODED,
    "uipath_lowcode": LOWCODE,
    "adk": ADK,
    "harnest": {**ADK, "eval_set_id": "small"},
    "tenxgraph": TENXGRAPH,
}


def source_of(value: Any, format_id: str, path: str = "", evaluators: Any = ()) -> Source:
    detection = formats.detect(value, PurePath(path or PATHS[format_id]))
    assert detection is not None
    assert detection.format_id == format_id
    assert detection.kind is Kind.EVAL_SET
    return Source(formats.by_id(format_id), detection, value, evaluators)


def target_of(format_id: str, evaluators: Any = ()) -> Target:
    path = PurePath(PATHS[format_id])
    return Target(formats.by_id(format_id), path, evaluators=evaluators)


def converted(
    value: Any, source: str, target: str, *, split_turns: bool = False, carry: bool = False
) -> Conversion:
    options = Options(split_turns=split_turns, carry=carry)
    return convert(source_of(value, source), target_of(target), options, NOW)
