"""Reading one field of a set, as the views do it object by object."""

from typing import Any

from evalcore.formats.evalset import EvalSetLens, Level
from evalcore.jsontree import MISSING, JsonValue, get


def get_field(lens: EvalSetLens, value: JsonValue, pointer: str, level: Level, name: str) -> Any:
    """Return what a field of the object at ``pointer`` holds, MISSING if absent."""
    raw = get(value, pointer)
    return MISSING if raw is MISSING else lens.field(level, name).lens.get(raw)
