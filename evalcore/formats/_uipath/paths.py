"""``targetOutputKey``: the path from an agent's output to the part that an evaluator looks at."""

from __future__ import annotations

import re

from evalcore.jsontree import MISSING, JsonValue, Missing

_TOKEN = re.compile(r"\[(\d+)\]|[^.\[\]]+")
WHOLE = "*"


def tokens(path: str) -> list[str | int]:
    """Return the keys and indexes of a path; none for an invalid one such as "" or "."."""
    return [int(m[1]) if m[1] else m[0] for m in _TOKEN.finditer(path)]


def resolve(value: JsonValue, path: str) -> JsonValue | Missing:
    """Return what a path leads to, MISSING where it leads nowhere; "*" is the whole value."""
    if path == WHOLE:
        return value
    steps = tokens(path)
    found: JsonValue | Missing = value if steps else MISSING
    for step in steps:
        if isinstance(step, int):
            inside = isinstance(found, list) and step < len(found)
            found = found[step] if isinstance(found, list) and inside else MISSING
        else:
            found = found.get(step, MISSING) if isinstance(found, dict) else MISSING
    return found


def target_keys(value: JsonValue | Missing) -> list[str]:
    """Return the paths that ``targetOutputKey`` names: "*" where it is absent or unusable."""
    if isinstance(value, list):
        return [item for item in value if isinstance(item, str)]
    return [value] if isinstance(value, str) else [WHOLE]
