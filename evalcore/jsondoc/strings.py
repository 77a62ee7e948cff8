"""Edits inside a string that keep the spelling of the characters around them."""

import re
from typing import Final, NamedTuple

from evalcore.jsondoc.printer import print_string

# Each unit stands for one character of the decoded string.
_UNIT: Final = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|[^\\]"
)


class StringEdit(NamedTuple):
    """Bytes to replace, counted from the start of the string's text with its quotes."""

    start: int
    end: int
    text: bytes


def edit_string(text: bytes, old: str, new: str, *, escapes_non_ascii: bool) -> StringEdit:
    r"""Return the smallest replacement that turns the JSON text of ``old`` into one of ``new``.

    Characters before and after the change keep their spelling (``\/``, ``\u00e9``). New ones
    outside ASCII are written like those in the string, or else as ``escapes_non_ascii`` says.
    """
    units = _UNIT.findall(text[1:-1].decode())
    head = _shared(old, new)
    tail = _shared(old[: head - 1 if head else None : -1], new[: head - 1 if head else None : -1])
    start = 1 + len("".join(units[:head]).encode())
    end = len(text) - 1 - len("".join(units[len(units) - tail :]).encode())
    has_escapes = any(map(_is_escaped_non_ascii, units))
    if has_escapes or not text.isascii():
        escapes_non_ascii = has_escapes and text.isascii()
    middle = print_string(new[head : len(new) - tail], escapes_non_ascii)[1:-1]
    return StringEdit(start, end, middle.encode())


def _shared(left: str, right: str) -> int:
    """Return the length of the common beginning."""
    for number, (one, other) in enumerate(zip(left, right, strict=False)):
        if one != other:
            return number
    return min(len(left), len(right))


def _is_escaped_non_ascii(unit: str) -> bool:
    return unit.startswith(r"\u") and int(unit[2:6], 16) > 0x7F
