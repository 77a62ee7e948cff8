"""What an evaluator expects of a case, as the schema from which its form is drawn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from evalcore.jsontree import JsonObject, JsonValue

if TYPE_CHECKING:
    from evalcore.model import Evaluator

_TOOL = {"x-names": "tool"}


def criterion_schema(file: JsonValue, output: JsonObject | None = None) -> JsonObject | None:
    """Return the schema of a criterion of the evaluator that a UiPath file configures.

    ``output`` is the schema of the agent's output, from which the expected one is drawn. None where
    nobody can say what the evaluator expects, as for a class of the project's own.
    """
    from evalcore.evaluators import kinds
    from evalcore.evaluators.uipath.base import CodedEvaluator
    from evalcore.evaluators.uipath.files import kind_of
    from evalcore.evaluators.uipath.legacy import LegacyCriteria

    kind = kind_of(file) if isinstance(file, dict) else None
    cls = kinds().get(kind or "")
    if cls is None:
        return None
    model = cls.criteria_type if issubclass(cls, CodedEvaluator) else LegacyCriteria
    schema: JsonObject = model.model_json_schema(by_alias=True)
    return _enriched(schema, output)


def schema_for(
    ref: str, evaluators: tuple[Evaluator, ...], output: JsonObject | None = None
) -> JsonObject | None:
    """Return the schema of a criterion by the evaluator's ref, None where it is not known."""
    found = next((e for e in evaluators if e.ref == ref), None)
    return None if found is None else criterion_schema(found.config or None, output)


def _enriched(schema: JsonObject, output: JsonObject | None) -> JsonObject:
    """Return the schema with what only forms need: long texts, names of tools, comparisons."""
    from evalcore.evaluators.uipath.tools import COMPARISONS

    hints: dict[str, Mapping[str, Any]] = {
        "expectedAgentBehavior": {"x-multiline": True},
        "toolCallsOrder": {"items": {"type": "string", **_TOOL}},
        "toolCallsCount": {"propertyNames": _TOOL},
    }
    if output is not None:
        hints["expectedOutput"] = {"anyOf": output.get("anyOf", [output])}
    members = schema.get("properties")
    known = dict(members) if isinstance(members, dict) else {}
    for name, hint in hints.items():
        own = known.get(name)
        if isinstance(own, dict):
            known[name] = {**own, **hint}
    defs = schema.get("$defs")
    inner = {n: _with_tool_names(d) for n, d in defs.items()} if isinstance(defs, dict) else {}
    result: JsonObject = {**schema, "properties": known}
    if output is not None and isinstance(output.get("$defs"), dict):
        inner = {**output["$defs"], **inner}  # type: ignore[dict-item]
    if inner:
        result["$defs"] = inner
    _with_comparisons(known, list(COMPARISONS))
    return result


def _with_tool_names(schema: JsonValue) -> JsonValue:
    members = schema.get("properties") if isinstance(schema, dict) else None
    if not isinstance(schema, dict) or not isinstance(members, dict):
        return schema
    name = members.get("name")
    named = {**members, "name": {**name, **_TOOL}} if isinstance(name, dict) else members
    return {**schema, "properties": named}


def _with_comparisons(members: dict[str, JsonValue], signs: list[JsonValue]) -> None:
    counts = members.get("toolCallsCount")
    pair = counts.get("additionalProperties") if isinstance(counts, dict) else None
    if not isinstance(counts, dict) or not isinstance(pair, dict):
        return
    sign: JsonObject = {"type": "string", "enum": signs, "default": "=", "title": "Calls"}
    number: JsonObject = {"type": "integer", "minimum": 0, "default": 1, "title": "How many"}
    members["toolCallsCount"] = {
        **counts,
        "additionalProperties": {**pair, "prefixItems": [sign, number], "title": "Tool"},
    }
