"""Printing results: text that a terminal cannot be tricked with, aligned tables, strict JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from evalcore.errors import Problem

BIDI = "\u061c\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


def visible(text: str, *, keep: str = "") -> str:
    r"""Return text from a file with all that steers a terminal, or cannot be encoded, escaped.

    Control characters, bidirectional marks and lone surrogates become ``\x1b`` or ``\u202e``;
    those in ``keep`` stay.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(c if c in keep or not _steers(c) else _escaped(c) for c in text)


def _steers(character: str) -> bool:
    code = ord(character)
    return code < 0x20 or 0x7F <= code < 0xA0 or 0xD800 <= code < 0xE000 or character in BIDI


def _escaped(character: str) -> str:
    short = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
    code = ord(character)
    return short.get(character) or (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}")


def table(
    header: Sequence[str], rows: Sequence[Sequence[str]], *, right: Sequence[int] = ()
) -> str:
    """Return rows under a header, columns aligned; those listed in ``right`` to the right."""
    lines = [[visible(cell) for cell in row] for row in (header, *rows)]
    widths = [max(_width(line[column]) for line in lines) for column in range(len(header))]
    return "\n".join(
        "  ".join(
            _padded(cell, widths[column], column in right) for column, cell in enumerate(line)
        ).rstrip()
        for line in lines
    )


def _padded(cell: str, width: int, to_the_right: bool) -> str:
    space = " " * (width - _width(cell))
    return space + cell if to_the_right else cell + space


def _width(text: str) -> int:
    """Return how many terminal columns a text takes."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def print_text(text: str) -> None:
    """Print a result, whatever its characters and the terminal's encoding."""
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")


def print_json(value: Any) -> None:
    """Print a result as one line of strict JSON in ASCII.

    NaN and infinities, which JSON has no numbers for, become the texts ``NaN``, ``Infinity`` and
    ``-Infinity``.
    """
    sys.stdout.write(json.dumps(strict(value), allow_nan=False) + "\n")


def strict(value: Any) -> Any:
    """Return a value with every number that JSON cannot write as its name instead."""
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, Mapping):
        return {str(key): strict(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [strict(item) for item in value]
    return value


def plain_problem(problem: Problem) -> dict[str, Any]:
    """Return a problem as the JSON outputs show it."""
    return {
        "severity": problem.severity,
        "code": problem.code,
        "path": problem.path,
        "pointer": problem.pointer,
        "line": problem.line,
        "column": problem.column,
        "message": problem.message,
        "hint": problem.hint,
    }


def problem_text(problem: Problem) -> str:
    """Return a problem as ``path:line:column severity code message``, its hint on a second line."""
    place = problem.path
    if problem.line is not None:
        place += f":{problem.line}:{problem.column or 1}"
    text = f"{visible(place)} {problem.severity} {problem.code} {visible(problem.message)}"
    return f"{text}\n    {visible(problem.hint)}" if problem.hint else text


def count(number: int, noun: str) -> str:
    """Return a number with its noun, in the plural where it is not one."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
