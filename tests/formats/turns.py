"""Turns of shapes that the samples do not have: recorded ones, attachments, nulls, odd values."""

from __future__ import annotations

from typing import Any

from evalcore import formats
from evalcore.jsontree import JsonValue

PICTURE = {"inline_data": {"mime_type": "image/png", "data": "aGVsbG8h" * 20}}
CALL = {"id": "c1", "name": "find", "args": {"q": 1}}
ANSWER = {"id": "c1", "name": "find", "response": {"found": 2}}


def _event(author: str | None, *parts: Any) -> dict[str, Any]:
    event: dict[str, Any] = {} if author is None else {"author": author}
    return {**event, "content": {"parts": list(parts), "role": "model"}}


def _adk(**fields: Any) -> dict[str, Any]:
    return {"user_content": {"parts": [{"text": "Hello"}], "role": "user"}, **fields}


TURNS: dict[str, tuple[str, dict[str, Any]]] = {
    "adk recorded": (
        "adk",
        _adk(
            intermediate_data={
                "invocation_events": [
                    _event("desk", {"text": "Let me look."}, {"function_call": CALL}),
                    _event("desk", {"function_response": ANSWER}),
                    {"author": "desk", "content": None, "usage_metadata": {"total": 3}},
                    _event(None, {"text": ""}),
                    _event("desk", PICTURE, {"text": "Here it is.", "thought": True}),
                    "no event",
                ]
            }
        ),
    ),
    "adk nothing recorded": ("adk", _adk(intermediate_data={"invocation_events": []})),
    "adk camel": (
        "adk",
        {
            "userContent": {"role": "user", "parts": [PICTURE, {"text": "See"}, {"text": "this"}]},
            "intermediateData": {
                "toolUses": [CALL, None, {"name": "book"}],
                "toolResponses": [ANSWER],
                "intermediateResponses": [["desk", [{"text": "One."}, PICTURE]], "odd", ["x", []]],
            },
            "finalResponse": None,
        },
    ),
    "adk nulls": (
        "adk",
        {
            "user_content": "just text",
            "final_response": {"parts": None},
            "intermediate_data": {"tool_uses": None, "intermediate_responses": None},
            "rubrics": None,
        },
    ),
    "adk no place": ("adk", _adk(intermediate_data="none", app_details=None)),
    "tenxgraph blocks": (
        "tenxgraph",
        {
            "user_content": {
                "role": "user",
                "content": [
                    {"type": "text", "text": "See"},
                    {"type": "image", "media": {"mime_type": "image/png", "data": "aGVsbG8="}},
                    {"type": "text", "text": "this"},
                ],
                "metadata": {"from": "chat"},
            },
            "expected_tool_trajectory": [
                {"name": "find", "args": {}, "call_id": "c1", "result": None},
                "odd",
                {"name": "book"},
            ],
            "expected_node_order": None,
            "expected_intermediate_responses": [{"role": "assistant", "content": "One."}],
            "expected_final_response": None,
        },
    ),
    "tenxgraph odd": (
        "tenxgraph",
        {"user_content": "hello", "expected_tool_trajectory": None, "expected_final_response": 5},
    ),
}


def in_a_set(name: str) -> tuple[Any, JsonValue]:
    """Return the lens and a set of one case with the turn of that name."""
    format_id, turn = TURNS[name]
    case: JsonValue = {"eval_id": "c", "conversation": [turn]}
    return formats.by_id(format_id).eval_sets, {"eval_set_id": "s", "eval_cases": [case]}
