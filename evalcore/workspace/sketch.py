"""A cheap view of a large file: its shape and counts, without building every case."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import cast

from evalcore.jsontree import JsonObject, JsonValue

SAMPLE = 3
"""How many items of a long list are kept."""
LONG = 100_000
"""Bytes from which a list at the top level counts as long."""


@dataclass(frozen=True, slots=True)
class Sketch:
    """``value`` is the document with only the first items of its long lists.

    ``lengths`` has the true lengths of those lists by member name.
    """

    value: JsonValue
    lengths: dict[str, int]


def sketch(data: bytes) -> Sketch | None:
    """Return the sketch of an object with long lists, None where the file has another shape.

    Also None for what the fast parser refuses, such as NaN or a byte order mark: those files have
    to be parsed in full. Items that are not kept are skipped over, not validated.
    """
    import msgspec

    raw_lists = msgspec.json.Decoder(list[msgspec.Raw])
    try:
        members = msgspec.json.decode(data, type=dict[str, msgspec.Raw])
        value: JsonObject = {}
        lengths: dict[str, int] = {}
        for name, raw in members.items():
            text = bytes(raw)
            if text[:1] == b"[" and len(text) > LONG:
                items = raw_lists.decode(text)
                lengths[name] = len(items)
                value[name] = [_decoded(bytes(item)) for item in items[:SAMPLE]]
            else:
                value[name] = _decoded(text)
    except (msgspec.DecodeError, ValueError, RecursionError):
        return None
    return Sketch(value, lengths) if lengths else None


def _decoded(text: bytes) -> JsonValue:
    return cast(JsonValue, json.loads(text))
