"""Names of columns that lead into objects: ``Inputs.claim.amount``, ``inputs["a.b"]``, ``x[0]``."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Final

from evalcore.jsontree import MISSING, JsonValue, Missing

Path = tuple[str, ...]

DEEPEST: Final = 6
WIDEST: Final = 48
"""How many columns one field is spread over; one with more parts has a column of JSON."""

_STEP = re.compile(r"""\.?([^.\[\]"]+)|\[\s*("(?:[^"\\]|\\.)*"|'[^']*'|[^\]"']+)\s*\]""")
_PLAIN = re.compile(r"[^.\[\]\"\s](?:[^.\[\]\"]*[^.\[\]\"\s])?")


def suffix(path: Path) -> str:
    """Return a path as it follows the name of its field."""
    return "".join(f".{key}" if _PLAIN.fullmatch(key) else f"[{json.dumps(key)}]" for key in path)


def parsed(text: str) -> Path | None:
    """Return the steps of a dotted or bracketed name, None if it is not well formed."""
    steps: list[str] = []
    at = 0
    while at < len(text):
        step = _STEP.match(text, at)
        if step is None:
            return None
        plain, bracketed = step.groups()
        steps.append(plain.strip() if plain is not None else _unquoted(bracketed))
        at = step.end()
    return tuple(steps) if steps and all(steps) else None


def leaf_paths(values: Iterable[JsonValue | Missing]) -> tuple[Path, ...]:
    """Return the paths over which objects can be spread so that every value has one place.

    A member that is no object in one of the values is a leaf in all of them. (): do not spread.
    """
    paths = tuple(_leaves(list(values), ()))
    if len(paths) > WIDEST:
        paths = tuple(dict.fromkeys(path[:1] for path in paths))
    return paths if paths != ((),) and len(paths) <= WIDEST else ()


def at(value: JsonValue | Missing, path: Sequence[str]) -> JsonValue | Missing:
    """Return the member that a path leads to; keys are names, never places in a list."""
    for key in path:
        value = value.get(key, MISSING) if isinstance(value, dict) else MISSING
    return value


def put_at(value: JsonValue | Missing, path: Path, new: JsonValue | Missing) -> JsonValue | Missing:
    """Return a value with a member replaced, added at the end, or (MISSING) taken out.

    What is no object on the way becomes one, but only to put something into it.
    """
    if not path:
        return new
    key, rest = path[0], path[1:]
    members = value if isinstance(value, dict) else {}
    inner = put_at(members.get(key, MISSING), rest, new)
    if inner is MISSING:
        if key not in members:
            return value
        return {name: member for name, member in members.items() if name != key}
    return {**members, key: inner}


def _leaves(values: Sequence[JsonValue | Missing], path: Path) -> Iterable[Path]:
    there = [value for value in values if value is not MISSING]
    objects = [value for value in there if isinstance(value, dict)]
    keys = dict.fromkeys(key for value in objects for key in value)
    if len(objects) < len(there) or not keys or len(path) == DEEPEST or "" in keys:
        yield path
        return
    for key in keys:
        yield from _leaves([value.get(key, MISSING) for value in objects], (*path, key))


def _unquoted(text: str) -> str:
    if text[:1] == '"':
        try:
            return str(json.loads(text))
        except ValueError:
            return text[1:-1]
    return text[1:-1] if text[:1] == "'" else text.strip()
