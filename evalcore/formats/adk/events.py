"""What a run recorded beside the messages of its events: model, tokens, and grounding."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evalcore.formats.adk.content import INTERMEDIATE_DATA, INVOCATION_EVENTS
from evalcore.formats.adk.fields import both
from evalcore.formats.lenses import At, Editor, Field, Lens, Listed, Spelling, spelling_of
from evalcore.jsontree import JsonValue, join

_TEXT = {"type": "string"}
_WHOLE = {"type": "integer"}
_TEXTS = {"type": "array", "items": _TEXT}
_TOKENS = {
    "type": "array",
    "items": {
        "type": "object",
        "title": "Count",
        "properties": {"modality": _TEXT, "token_count": _WHOLE},
    },
}
_SEGMENT = {
    "type": "object",
    "properties": {
        "start_index": _WHOLE,
        "end_index": _WHOLE,
        "part_index": _WHOLE,
        "text": {**_TEXT, "x-multiline": True},
    },
}
_SOURCE = {
    "type": "object",
    "properties": {"uri": _TEXT, "title": _TEXT, "domain": _TEXT},
    "additionalProperties": True,
}
USAGE: dict[str, Any] = {
    "type": "object",
    "properties": {
        "prompt_token_count": _WHOLE,
        "candidates_token_count": _WHOLE,
        "thoughts_token_count": _WHOLE,
        "cached_content_token_count": _WHOLE,
        "tool_use_prompt_token_count": _WHOLE,
        "total_token_count": _WHOLE,
        "traffic_type": _TEXT,
        "prompt_tokens_details": _TOKENS,
        "candidates_tokens_details": _TOKENS,
    },
    "additionalProperties": True,
}
GROUNDING: dict[str, Any] = {
    "type": "object",
    "properties": {
        "web_search_queries": _TEXTS,
        "retrieval_queries": _TEXTS,
        "grounding_chunks": {
            "type": "array",
            "items": {
                "type": "object",
                "title": "Source",
                "properties": {"web": _SOURCE, "retrieved_context": _SOURCE},
                "additionalProperties": True,
            },
        },
        "grounding_supports": {
            "type": "array",
            "items": {
                "type": "object",
                "title": "Support",
                "properties": {
                    "segment": _SEGMENT,
                    "grounding_chunk_indices": {"type": "array", "items": _WHOLE},
                    "confidence_scores": {"type": "array", "items": {"type": "number"}},
                },
                "additionalProperties": True,
            },
        },
    },
    "additionalProperties": True,
}
SCHEMAS: dict[str, dict[str, Any]] = {
    "model_version": _TEXT,
    "usage_metadata": USAGE,
    "grounding_metadata": GROUNDING,
}


def schema_of(name: str, event: JsonValue) -> dict[str, Any]:
    """Return the schema of a part of an event, in the spelling that the event has."""
    style = spelling_of(At(both(name)).get(event)) or spelling_of(event) or "snake"
    found: dict[str, Any] = spelled(SCHEMAS[name], style)
    return found


class RunEvents(Listed):
    """The events of a recorded turn, of which only the ``parts`` are written here."""

    parts: Mapping[str, Lens] = {name: At(both(name)) for name in SCHEMAS}
    at = At(INTERMEDIATE_DATA, INVOCATION_EVENTS)

    def get(self, raw: JsonValue) -> Any:
        """Return the events as they stand; MISSING for a turn that is not recorded."""
        return self.at.get(raw)

    def put(self, raw: JsonValue, value: Any, style: Spelling) -> JsonValue:
        """Write the list as a whole."""
        return self.at.put(raw, value, style)

    def where(self, raw: JsonValue) -> str:
        """Return the pointer of the list."""
        return self.at.where(raw)

    def item_at(self, raw: JsonValue, index: int) -> str:
        """Return the pointer of an event."""
        return join(self.at.where(raw), index)


RECORD = Field(
    "run_record",
    "What the run recorded",
    RunEvents(),
    Editor.JSON,
    group="more",
    help="The model, the tokens and the sources of each event. Judges read the sources.",
)


def spelled(schema: Any, style: Spelling) -> Any:
    """Return a schema with the names of members as a file spells them."""
    if style == "snake" or not isinstance(schema, dict):
        return schema
    made = {name: spelled(value, style) for name, value in schema.items()}
    if isinstance(schema.get("properties"), dict):
        made["properties"] = {
            both(name).spellings[0]: spelled(value, style)
            for name, value in schema["properties"].items()
        }
    return made
