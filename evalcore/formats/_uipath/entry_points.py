"""What a project's ``entry-points.json`` says about its agent's inputs and outputs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from evalcore.formats.base import Surroundings
from evalcore.jsontree import JsonObject, JsonValue, Missing

FILE = "../../entry-points.json"
"""Where it lies, from the folder of an eval set or of an evaluator."""


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
