"""The byte-level grammar of JSON: whitespace, strings, and skipping whole values without decoding.

All patterns work on bytes, so that an offset is an offset in the file and text outside ASCII costs
nothing extra. They find where values end; they do not validate what is inside one.
"""

import re
from typing import Final

MAX_DEPTH: Final = 200
"""Deepest nesting that is opened or written; keeps every recursive walk far from Python's limit."""

_WS: Final = rb"[ \t\n\r]*+"
# Loops are unrolled and possessive: skipping is what opening a large file spends its time on.
_STRING: Final = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_PLAIN: Final = rb'[^"\[\]{}]*+'
_FLAT: Final = _PLAIN + rb"(?:" + _STRING + _PLAIN + rb")*+"
_SCALAR: Final = rb'[^ \t\n\r,:"\[\]{}]++'
# Real eval sets nest about ten levels below a case; deeper values take the slower loop in `skip`.
PATTERN_DEPTH: Final = 12


def _container(depth: int) -> bytes:
    pattern = rb"[\[{]" + _FLAT + rb"[\]}]"
    for _ in range(depth - 1):
        pattern = rb"[\[{]" + _FLAT + rb"(?:" + pattern + _FLAT + rb")*+[\]}]"
    return pattern


_VALUE: Final = rb"(?:" + _STRING + rb"|" + _SCALAR + rb"|" + _container(PATTERN_DEPTH) + rb")"
_value = re.compile(_VALUE, re.DOTALL).match
_space = re.compile(_WS).match
_flat = re.compile(_FLAT, re.DOTALL).match

string = re.compile(_STRING, re.DOTALL).match
"""Matches a string with its quotes; control characters inside are not refused here."""
scalar = re.compile(_SCALAR).match
"""Matches a number, a literal, or any other run of characters without structure."""
colon = re.compile(_WS + b":" + _WS).match
comma = re.compile(_WS + b"," + _WS).match
run = re.compile(rb"(?:" + _VALUE + _WS + b"," + _WS + rb")*+", re.DOTALL).match
"""Matches as many whole values, each with its comma, as there are up to the end position."""


def after_space(data: bytes, position: int) -> int:
    """Return the offset of the first character from ``position`` on that is no whitespace."""
    match = _space(data, position)
    return match.end() if match else position


def skip(data: bytes, start: int, limit: int | None = None) -> int:
    """Return the offset after the value that starts at ``start``, or -1 if there is no such end.

    With ``limit``, -1 also means that the value does not end before that offset.
    """
    end = len(data) if limit is None else min(limit, len(data))
    match = _value(data, start, end)
    if match:
        # A number or literal that runs up to the limit may go on behind it.
        cut_off = match.end() == end < len(data) and data[start] not in b'"[{'
        return -1 if cut_off else match.end()
    if data[start : start + 1] not in (b"[", b"{"):
        return -1
    return _skip_container(data, start, end)


def _skip_container(data: bytes, position: int, end: int) -> int:
    depth = 0
    while True:
        match = _flat(data, position, end)
        position = match.end() if match else end
        # Stopping below what is opened anyway keeps "[[[[[…" from being scanned over and over.
        if position >= end or data[position] not in b"[]{}" or depth > MAX_DEPTH:
            return -1
        depth += 1 if data[position] in b"[{" else -1
        position += 1
        if depth == 0:
            return position
