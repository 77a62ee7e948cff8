"""What the spans of a verbose result file tell: the case's id, its inputs, its tool calls."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator

from evalcore.jsontree import MISSING, JsonObject, JsonValue, Missing, join
from evalcore.model import ToolCall


def eval_id(spans: JsonValue | Missing) -> str | None:
    """Return the id of the case that was run, as UiPath read it (GUIDs in lower case)."""
    for name in ("evalId", "execution.id"):
        for _, attributes in _attributes(spans):
            found = attributes.get(name)
            if isinstance(found, str):
                return found
    return None


def entry_input(spans: JsonValue | Missing) -> JsonValue | Missing:
    """Return what the agent was given: the input of the outermost span that recorded one."""
    listed = [s for s in spans if isinstance(s, dict)] if isinstance(spans, list) else []
    names = [s.get("name") for s in listed]
    roots = [s.get("name") for s in listed if s.get("parent_name") not in names]
    for wanted in (roots, None):
        for span in listed:
            attributes = _object(span.get("attributes"))
            outer = (
                wanted is None or span.get("parent_name") in wanted or span.get("name") in wanted
            )
            if outer and "input.value" in attributes and not attributes.get("tool.name"):
                return _parsed(attributes["input.value"])
    return MISSING


def tool_calls(spans: JsonValue | Missing, origin: str) -> tuple[ToolCall, ...]:
    """Return the tool calls in the order of their spans, as UiPath's evaluators see them.

    A call counts if its span names a tool and is not synthesized; arguments that are no object are
    {}. ``origin`` is the pointer of the list of spans.
    """
    found = []
    for index, attributes in _attributes(spans):
        if not attributes.get("tool.name") or attributes.get("tool.synthesized"):
            continue
        call_id, args = attributes.get("tool.id"), _parsed(attributes.get("input.value", MISSING))
        found.append(
            ToolCall(
                name=str(attributes["tool.name"]),
                args=args if isinstance(args, dict) else {},
                id=None if call_id is None else str(call_id),
                result=_result(attributes.get("output.value", MISSING)),
                origin=join(origin, index),
            )
        )
    return tuple(found)


def _attributes(spans: JsonValue | Missing) -> Iterator[tuple[int, JsonObject]]:
    for index, span in enumerate(spans if isinstance(spans, list) else ()):
        if isinstance(span, dict) and isinstance(span.get("attributes"), dict):
            yield index, _object(span["attributes"])


def _result(value: JsonValue | Missing) -> JsonValue | Missing:
    """Return what a tool returned: the ``content`` of its output where it has one."""
    parsed = _parsed(value)
    return parsed["content"] if isinstance(parsed, dict) and "content" in parsed else parsed


def _parsed(value: JsonValue | Missing) -> JsonValue | Missing:
    """Return the value that a text writes as JSON or as a Python literal, else the text itself."""
    if not isinstance(value, str):
        return value
    for read in (json.loads, ast.literal_eval):
        try:
            found = read(value)
        except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
            continue
        return _plain(found)
    return value


def _plain(value: object) -> JsonValue:
    """Return a Python literal as JSON: tuples and sets become lists, other values their text."""
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, (set, frozenset)):
        return sorted((_plain(item) for item in value), key=str)
    return repr(value)


def _object(value: JsonValue) -> JsonObject:
    return value if isinstance(value, dict) else {}
