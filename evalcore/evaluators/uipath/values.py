"""How UiPath's checks look at values: paths into outputs, numbers as floats, values as text."""

from __future__ import annotations

import re

import msgspec

from evalcore.errors import EvaldeskError
from evalcore.jsontree import JsonValue

WHOLE = "*"
_SAME = frozenset({str, float, bool, type(None)})
"""Kinds of values that UiPath compares as they are."""
_TOKEN = re.compile(r"\[(\d+)\]|([^.\[\]]+)")
_ATTACHMENT = re.compile(r"urn:uipath:cas:file:orchestrator:[a-f0-9-]+", re.IGNORECASE)


_encode = msgspec.msgpack.Encoder().encode


class PathError(EvaldeskError):
    """A path that leads nowhere in a value."""


class InvalidPath(EvaldeskError):
    """A text that is no path at all, such as "" or "."."""


def resolve(value: JsonValue, path: str) -> JsonValue:
    """Return what ``path`` leads to; ``*`` alone is the whole value.

    Steps are keys between dots and indexes in brackets; surplus dots are ignored, there are no
    negative indexes and no escapes. Raises PathError where a step does not fit, InvalidPath where
    there is no step.
    """
    if path == WHOLE:
        return value
    steps = _TOKEN.findall(path)
    if not steps:
        raise InvalidPath(f"“{path}” is not a path to an output field")
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
    """Return a value with every whole number as a float, which is how UiPath compares them.

    Raises EvaldeskError for a whole number beyond the range of floats.
    """
    if type(value) in _SAME:
        return value
    if isinstance(value, int):
        try:
            return float(value)
        except OverflowError as error:
            raise EvaldeskError("A number is too large to be compared as a float") from error
    if isinstance(value, dict):
        return {
            key: item if type(item) in _SAME else with_floats(item) for key, item in value.items()
        }
    if isinstance(value, list):
        return [item if type(item) in _SAME else with_floats(item) for item in value]
    return value


def check_numbers(value: JsonValue) -> None:
    """Raise EvaldeskError for what ``with_floats`` refuses, without making anything new."""
    try:
        # MessagePack has no whole numbers of more than 64 bits; this is much quicker than a walk.
        _encode(value)
    except (ValueError, TypeError, OverflowError):
        with_floats(value)


def as_text(value: JsonValue) -> str:
    """Return a value as the text that UiPath compares: Python's, so ``None`` and ``True``."""
    return str(value)


def is_blank(value: JsonValue) -> bool:
    """Return whether UiPath takes a value for empty: null, no text, no items, or only blank texts.

    An object with any member that is no text, even null, is not empty.
    """
    if isinstance(value, str):
        return not value.strip()
    if isinstance(value, dict):
        return all(isinstance(item, str) and not item.strip() for item in value.values())
    return value is None or value == []


def local(value: JsonValue) -> JsonValue:
    """Return a value that can be compared here.

    Raises EvaldeskError for the address of a file in UiPath's cloud: UiPath compares what the file
    holds.
    """
    if isinstance(value, str) and _ATTACHMENT.fullmatch(value):
        raise EvaldeskError(
            "The output is a file in UiPath's cloud, and its text is what UiPath compares",
            hint="Score it where you are signed in to UiPath.",
        )
    return value
