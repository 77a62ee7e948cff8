"""Brackets that are missing, spare or of the wrong kind: which one to point at, and what to say."""

import re
from typing import Final, NamedTuple

from evalcore.jsondoc.lines import LineIndex
from evalcore.jsondoc.walk import Frame, Slip

CLOSERS: Final = (b"]", b"}")
_STRUCTURE: Final = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[\r\n][ \t]*+|[\[\]{}]', re.DOTALL)


class Account(NamedTuple):
    """What to tell about a slip: the message, the next step, and the offset of the culprit."""

    message: str
    hint: str
    offset: int


def ends_early(data: bytes, frames: list[Frame]) -> Account:
    """Return what to tell about a file that ends with ``frames`` still open."""
    if not frames:
        return Account(
            "The file is empty.", "An empty eval set still needs at least { } in its file.", 0
        )
    suspect = _unclosed_by_indent(data, len(data))
    opener = frames[-1].start if suspect is None else suspect
    bracket = data[opener : opener + 1].decode()
    closer = "}" if bracket == "{" else "]"
    return Account(
        f"The file ends before this {bracket} is closed.",
        f"Add the missing {closer} where this part ends; if the file was cut off, restore it from "
        "a copy.",
        opener,
    )


def closes_nothing(mark: str, offset: int) -> Account:
    """Return what to tell about a closing bracket where none is open."""
    return Account(
        f"This {mark} closes nothing that is open.",
        "Delete it, or look for a bracket that was closed too early above.",
        offset,
    )


def wrong_bracket(data: bytes, slip: Slip) -> Account:
    """Return what to tell about a closing bracket of the other kind than the open one."""
    mark = data[slip.offset : slip.offset + 1].decode()
    frame = slip.frames[-1]
    suspect = _unclosed_by_indent(data, slip.offset)
    opener = frame.start if suspect is None else suspect
    line = LineIndex(data).position(opener).line
    bracket = data[opener : opener + 1].decode()
    closer = "}" if bracket == "{" else "]"
    return Account(
        f"This {mark} stands where the {bracket} of line {line} is still open.",
        f"Add the missing {closer} before it, or use {frame.closer.decode()} instead.",
        slip.offset,
    )


def _unclosed_by_indent(data: bytes, end: int) -> int | None:
    """Return the first bracket whose closing bracket stands under something else, if any.

    Only a closing bracket that starts its line tells by its indentation what it was meant for.
    The text up to ``end`` has no other slip.
    """
    openers: list[tuple[int, bytes]] = []
    indent, margin = b"", 0
    for match in _STRUCTURE.finditer(data, 0, end):
        mark = match.group()
        if mark.startswith((b"\r", b"\n")):
            indent, margin = mark[1:], match.end()
        elif mark in (b"[", b"{"):
            openers.append((match.start(), indent))
        elif mark in CLOSERS:
            opener, expected = openers.pop()
            if match.start() == margin and indent != expected:
                return opener
    return None
