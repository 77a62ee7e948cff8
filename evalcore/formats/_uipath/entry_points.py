"""What a project's ``entry-points.json`` says about its agent's inputs and outputs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from evalcore.formats.base import Surroundings
from evalcore.jsontree import JsonObject, JsonValue, Missing, same

FILE = "../../entry-points.json"
"""Where it lies, from the folder of an eval set or of an evaluator."""
AGENT_FILE = "../../agent.json"
"""Where a low-code agent itself lies, which says the same where there are no entry points."""


@dataclass(frozen=True, slots=True)
class Schema:
    """The members of an object: their schemas by name, and which of them are required.

    ``is_open`` objects may have members that are not listed; nothing is known of them where
    ``members`` is empty.
    """

    members: Mapping[str, JsonObject] = field(default_factory=dict)
    required: frozenset[str] = frozenset()
    is_open: bool = True

    def kind(self, name: str) -> str:
        """Return the JSON type that a member has, "" if the schema leaves it open."""
        found = self.members.get(name, {}).get("type")
        return found if isinstance(found, str) else ""


@dataclass(frozen=True, slots=True)
class EntryPoints:
    """Inputs and outputs of all entry points together."""

    inputs: Schema
    outputs: Schema


def entry_points(near: Surroundings) -> EntryPoints:
    """Return what is known; schemas without members where there is no such file."""
    found = near.value(FILE)
    entries = found.get("entryPoints") if isinstance(found, dict) else None
    listed = [e for e in entries if isinstance(e, dict)] if isinstance(entries, list) else []
    return EntryPoints(_merged(listed, "input"), _merged(listed, "output"))


def io_schemas(near: Surroundings, *, output_is_text_too: bool) -> dict[str, JsonObject]:
    """Return the JSON schemas of a case's inputs and of its expected output, by field.

    A case may expect a part of the output, so nothing is required of it. A coded case may expect a
    text instead (``output_is_text_too``).
    """
    found = near.value(FILE)
    entries = found.get("entryPoints") if isinstance(found, dict) else None
    listed = [e for e in entries if isinstance(e, dict)] if isinstance(entries, list) else []
    agent = near.value(AGENT_FILE)
    if not listed and isinstance(agent, dict):
        listed = [{"input": agent.get("inputSchema"), "output": agent.get("outputSchema")}]
    schemas = {}
    inputs, outputs = (_one_schema([e.get(s) for e in listed]) for s in ("input", "output"))
    if inputs is not None:
        schemas["input"] = inputs
    if outputs is not None:
        partial = {name: v for name, v in outputs.items() if name != "required"}
        text: JsonObject = {"type": "string", "title": "A text", "x-multiline": True}
        named: JsonObject = {**partial, "type": "object", "title": "Named values"}
        either: JsonObject = {"anyOf": [named, text]}
        if "$defs" in partial:
            either["$defs"] = partial["$defs"]
        schemas["expected_output"] = either if output_is_text_too else partial
    return schemas


def _one_schema(found: list[JsonValue]) -> JsonObject | None:
    """Return one schema for what several entry points describe, None where one says nothing.

    A member required by all of them is required; one that they describe differently is left open.
    """
    schemas = [s for s in found if isinstance(s, dict) and isinstance(s.get("properties"), dict)]
    if not schemas or len(schemas) < len(found):
        return None
    if len(schemas) == 1:
        return schemas[0]
    merged: JsonObject = {"type": "object"}
    properties: JsonObject = {}
    needed: list[set[str]] = []
    for schema in schemas:
        members, required = schema["properties"], schema.get("required")
        needed.append({str(r) for r in required} if isinstance(required, list) else set())
        for name, member in members.items() if isinstance(members, dict) else ():
            properties[name] = member if same(properties.get(name, member), member) else {}
    in_all: list[JsonValue] = [n for n in properties if all(n in names for names in needed)]
    return {**merged, "properties": properties, "required": in_all}


def _merged(entries: list[JsonObject], side: str) -> Schema:
    """Return the members of any entry point; those required by all of them are required."""
    schemas = [_schema(entry.get(side)) for entry in entries]
    if not schemas or any(schema.is_open for schema in schemas):
        return Schema()
    members = {name: item for schema in schemas for name, item in schema.members.items()}
    required = frozenset.intersection(*(schema.required for schema in schemas))
    clashing = {n for n in members if len({s.kind(n) for s in schemas if n in s.members}) > 1}
    known: dict[str, JsonObject] = {n: ({} if n in clashing else m) for n, m in members.items()}
    return Schema(known, required, is_open=False)


def _schema(value: JsonValue | Missing) -> Schema:
    if not isinstance(value, dict):
        return Schema()
    members, required = value.get("properties"), value.get("required")
    if not isinstance(members, dict) or not members or value.get("additionalProperties"):
        return Schema()
    return Schema(
        {name: item if isinstance(item, dict) else {} for name, item in members.items()},
        frozenset(r for r in required if isinstance(r, str))
        if isinstance(required, list)
        else frozenset(),
        is_open=False,
    )
