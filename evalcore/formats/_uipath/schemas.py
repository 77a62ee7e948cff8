"""JSON schemas of what UiPath's sets hold in fixed shapes: variants of models, conversations."""

from __future__ import annotations

from typing import Any

_LONG = {"type": "string", "x-multiline": True}

MODEL_SETTINGS: dict[str, Any] = {
    "type": "array",
    "items": {
        "type": "object",
        "title": "Variant",
        "properties": {
            "id": {"type": "string", "description": "What a run picks it by."},
            "modelName": {
                "type": "string",
                "title": "Model",
                "default": "same-as-agent",
                "description": "The model's name, or same-as-agent.",
            },
            "temperature": {
                "anyOf": [
                    {"type": "number", "title": "A number"},
                    {"type": "string", "title": "A word", "default": "same-as-agent"},
                    {"type": "null"},
                ],
                "description": "A number, or same-as-agent.",
            },
        },
        "required": ["id", "modelName"],
    },
}


def _text_setting(description: str) -> dict[str, Any]:
    return {"type": "string", "default": "same-as-agent", "description": description}


AGENT_MEMORY: dict[str, Any] = {
    "type": "array",
    "items": {
        "type": "object",
        "title": "Variant",
        "properties": {
            "id": {"type": "string", "description": "What a run picks it by; NoMemory is none."},
            "resultCount": _text_setting("How many memories are found, written as a text."),
            "searchMode": _text_setting("How memories are searched."),
            "threshold": _text_setting("How near a memory must be, written as a text."),
        },
        "required": ["id"],
    },
}

_ATTACHMENT = {
    "type": "object",
    "title": "Attachment",
    "properties": {
        "ID": {"type": "string", "title": "Id", "description": "The file's id in Orchestrator."},
        "FullName": {"type": "string", "title": "File name"},
        "MimeType": {"type": "string", "title": "Type", "description": "Such as image/png."},
    },
    "required": ["ID", "FullName", "MimeType"],
}
_USER = {
    "type": "object",
    "title": "User",
    "properties": {
        "role": {"const": "user", "x-fixed": True},
        "text": {**_LONG, "title": "User says"},
        "attachments": {"type": "array", "items": _ATTACHMENT},
    },
    "required": ["role", "text"],
}


def _agent(*, with_results: bool) -> dict[str, Any]:
    result = {
        "type": "object",
        "title": "Answer",
        "properties": {
            "value": {"description": "What the tool gave back."},
            "isError": {"type": "boolean", "title": "Is an error", "default": False},
        },
        "required": ["value"],
    }
    call: dict[str, Any] = {
        "name": {"type": "string", "title": "Tool", "x-names": "tool"},
        "arguments": {"type": "object", "additionalProperties": True},
    }
    return {
        "type": "object",
        "title": "Agent",
        "properties": {
            "role": {"const": "agent", "x-fixed": True},
            "text": {**_LONG, "title": "Agent says"},
            "toolCalls": {
                "type": "array",
                "items": {
                    "type": "object",
                    "title": "Tool call",
                    "properties": {**call, **({"result": result} if with_results else {})},
                    "required": ["name", "arguments"],
                },
            },
        },
        "required": ["role", "text"],
    }


CONVERSATION: dict[str, Any] = {
    "type": "object",
    "properties": {
        "conversationHistory": {
            "type": "array",
            "title": "Earlier exchanges",
            "items": {
                "type": "array",
                "title": "Exchange",
                "items": {"oneOf": [_USER, _agent(with_results=True)], "title": "Message"},
            },
        },
        "currentUserPrompt": {**_USER, "title": "The user says now"},
    },
    "required": ["conversationHistory", "currentUserPrompt"],
}

AGENT_RESPONSE: dict[str, Any] = {
    "type": "object",
    "properties": {
        "agentResponse": {
            "type": "array",
            "title": "Messages of the agent",
            "items": {**_agent(with_results=False), "title": "Message"},
        }
    },
    "required": ["agentResponse"],
}

OBJECT_OR_TEXT: dict[str, Any] = {
    "anyOf": [
        {"type": "object", "title": "Named values", "additionalProperties": True},
        {**_LONG, "title": "A text"},
    ]
}
"""What a coded set takes as expected output, where the project says nothing of it."""
