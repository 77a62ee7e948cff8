"""Prints new values the way the rest of a file is written."""

import math
import re
from json.encoder import encode_basestring, encode_basestring_ascii
from typing import Final, NamedTuple

from evalcore.jsondoc.numbers import print_int
from evalcore.jsontree import JsonValue

_SURROGATE: Final = re.compile("[\ud800-\udfff]")


class Style(NamedTuple):
    """What new text looks like; ``indent`` is one step, ``comma`` is for values on one line."""

    newline: str
    indent: str
    comma: str
    colon: str
    escapes_non_ascii: bool


class TooDeep(Exception):
    """A value nests deeper than was allowed, or contains itself."""


def print_value(value: JsonValue, style: Style, indent: str | None, room: int) -> str:
    """Return the JSON text of a value.

    ``indent`` is the indentation of the line that the text starts on, None to print on one line.
    Raises TooDeep if containers nest more than ``room`` levels, TypeError for what is not JSON.
    """
    if isinstance(value, (dict, list)):
        return _print_container(value, style, indent, room)
    if isinstance(value, str):
        return print_string(value, style.escapes_non_ascii)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return print_int(value)
    if isinstance(value, float):
        return _print_float(value)
    raise TypeError(f"not a JSON value: {value!r}")


def print_string(text: str, escapes_non_ascii: bool) -> str:
    """Return the JSON text of a string; halves of surrogate pairs are always escaped."""
    if escapes_non_ascii:
        return encode_basestring_ascii(text)
    return _SURROGATE.sub(lambda match: f"\\u{ord(match.group()):04x}", encode_basestring(text))


def _print_container(
    value: dict[str, JsonValue] | list[JsonValue], style: Style, indent: str | None, room: int
) -> str:
    if room < 1:
        raise TooDeep
    inner = None if indent is None else indent + style.indent
    parts = []
    if isinstance(value, dict):
        for key, item in value.items():
            name = print_string(key, style.escapes_non_ascii)
            parts.append(name + style.colon + print_value(item, style, inner, room - 1))
    else:
        for item in value:
            parts.append(print_value(item, style, inner, room - 1))
    opener, closer = "{}" if isinstance(value, dict) else "[]"
    if not parts or inner is None:
        return opener + style.comma.join(parts) + closer
    line = style.newline + inner
    return f"{opener}{line}{(',' + line).join(parts)}{style.newline}{indent}{closer}"


def _print_float(value: float) -> str:
    if math.isfinite(value):
        return float.__repr__(value)
    if math.isnan(value):
        return "NaN"
    return "Infinity" if value > 0 else "-Infinity"
