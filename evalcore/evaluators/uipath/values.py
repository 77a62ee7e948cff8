"""How UiPath's checks look at values: paths into outputs, numbers as floats, values as text."""

import re

from evalcore.errors import EvaldeskError
from evalcore.jsontree import JsonValue

WHOLE = "*"
_TOKEN = re.compile(r"\[(\d+)\]|([^.\[\]]+)")


class PathError(EvaldeskError):
    """A path that leads nowhere in a value."""


def resolve(value: JsonValue, path: str) -> JsonValue:
    """Return what ``path`` leads to; ``*`` alone is the whole value.

    Steps are keys between dots and indexes in brackets; surplus dots are ignored, there are no
    negative indexes and no escapes. Raises PathError where a step does not fit.
    """
    if path == WHOLE:
        return value
    steps = _TOKEN.findall(path)
    if not steps:
        raise PathError(f"“{path}” is not a path to an output field")
    for index, key in steps:
        value = _item(value, int(index)) if index else _member(value, key)
    return value


def _item(value: JsonValue, index: int) -> JsonValue:
    if not isinstance(value, list):
        raise PathError(f"There is no item {index} in {_kind(value)}")
    if index >= len(value):
        raise PathError(f"There is no item {index} in a list of {len(value)}")
    return value[index]


def _member(value: JsonValue, key: str) -> JsonValue:
    if not isinstance(value, dict):
        raise PathError(f"There is no “{key}” in {_kind(value)}")
    if key not in value:
        raise PathError(f"There is no “{key}” in the output", hint="Check the target output key.")
    return value[key]


def _kind(value: JsonValue) -> str:
    names = {dict: "an object", list: "a list", str: "a text", type(None): "null"}
    return names.get(type(value), "a single value")


def with_floats(value: JsonValue) -> JsonValue:
    """Return a value with every whole number as a float, which is how UiPath compares them."""
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        return float(value)
    if isinstance(value, dict):
        return {key: with_floats(item) for key, item in value.items()}
    if isinstance(value, list):
        return [with_floats(item) for item in value]
    return value


def as_text(value: JsonValue) -> str:
    """Return a value as the text that UiPath compares: Python's, so ``None`` and ``True``."""
    return str(value)
