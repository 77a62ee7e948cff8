"""Records as lines of a file, each with a checksum, so that a torn or damaged one is noticed."""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass
from typing import Any

from evalcore.drafts.steps import Record
from evalcore.jsondoc.numbers import parse_int
from evalcore.jsondoc.printer import Style, print_value

_CHECK_DIGITS = 8
_STYLE = Style("\n", "", ",", ":", escapes_non_ascii=True)
_ROOM = 2000


@dataclass(frozen=True, slots=True)
class Lines:
    """The records at the start of some bytes.

    ``size`` is how many bytes they take; ``is_damaged`` that what follows is no torn end of the
    last write, but holds lines that were written completely.
    """

    records: list[Record]
    size: int
    is_damaged: bool = False


def line(record: Record) -> bytes:
    """Return a record as one line of ASCII."""
    try:
        text = json.dumps(record, separators=(",", ":"))
    except ValueError:
        # ``json`` refuses integers of thousands of digits, which files may hold.
        text = print_value(record, _STYLE, None, _ROOM)
    body = text.encode("ascii")
    return b"%08x %s\n" % (zlib.crc32(body), body)


def read_lines(data: bytes) -> Lines:
    """Return the records up to the first line that is not whole."""
    records: list[Record] = []
    at = 0
    while at < len(data):
        end = data.find(b"\n", at)
        record = _record(data[at:end]) if end >= 0 else None
        if record is None:
            return Lines(records, at, _has_whole_line(data, end))
        records.append(record)
        at = end + 1
    return Lines(records, at)


def _has_whole_line(data: bytes, end: int) -> bool:
    """Return whether a whole line follows the broken one that ends at ``end``."""
    while end >= 0:
        start, end = end + 1, data.find(b"\n", end + 1)
        if end >= 0 and _record(data[start:end]) is not None:
            return True
    return False


def _record(text: bytes) -> Record | None:
    check, body = text[:_CHECK_DIGITS], text[_CHECK_DIGITS + 1 :]
    if check != b"%08x" % zlib.crc32(body):
        return None
    try:
        found: Any = json.loads(body, parse_int=parse_int)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
