"""One cell of a spreadsheet: how a value is written into it, and read back out of it.

A cell is a text, a number, a yes or no, or empty. Text goes in as it stands but for three cases:

* what a spreadsheet program would take for a formula or an error gets an apostrophe in front, and
  so does what would be taken for one of the marks below; reading takes one apostrophe off again;
* what no spreadsheet can hold (control characters, carriage returns, halves of emoji), and what
  looks like an empty cell, is written as JSON after the mark ``(json)``;
* what is longer than a cell may be is named by ``(kept: …)``, which reads back as "leave it".
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from enum import Enum
from typing import Final, Literal, TypeAlias

from evalcore.errors import FormatError
from evalcore.jsondoc.numbers import parse_int, print_int
from evalcore.jsondoc.printer import Style, print_value
from evalcore.jsontree import MISSING, JsonObject, JsonValue, Missing

Cell: TypeAlias = str | int | float | bool | None
"""None is an empty cell."""

EMPTY: Final = "(empty)"
NOTHING: Final = "(null)"
JSON_MARK: Final = "(json)"
KEPT: Final = "(kept:"
LONGEST: Final = 32_000
"""UTF-16 units of a text that is written into a cell; Excel holds 32,767 and cuts the rest off."""
EXACT: Final = 10**15
"""Integers up to this size survive a spreadsheet program, which keeps 15 digits of a number."""

_STYLE: Final = Style("\n", "", ", ", ": ", escapes_non_ascii=False)
_ROOM: Final = 2000
_GUARDED = re.compile(
    r"'*(?:\s*[=+\-@＝＋－＠]|[\t\r\n]|\(empty\)\s*\Z|\(null\)\s*\Z|\(json\)|\(kept:"
    r"|#(?:N/A|DIV/0!|NAME\?|NULL!|NUM!|REF!|VALUE!|SPILL!|CALC!)\s*\Z)",
    re.IGNORECASE,
)
_UNWRITABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
_ESCAPE_LIKE = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
_NUMBER = re.compile(r"[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:[eE][+-]?\d+)?")
_EITHER = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}")
_YES = frozenset({"true", "yes", "wahr", "vrai", "1"})
_NO = frozenset({"false", "no", "falsch", "faux", "0"})


class _Keep(Enum):
    KEEP = "keep"


Keep: TypeAlias = Literal[_Keep.KEEP]
LEAVE: Final = _Keep.KEEP
"""What a cell says that stands for a text too long for it."""


def guard(text: str) -> str:
    """Return a text that no spreadsheet program takes for a formula and we for no mark."""
    return f"'{text}" if _GUARDED.match(text) else text


def unguard(text: str) -> str:
    """Return the text that ``guard`` was given."""
    return text[1:] if text.startswith("'") and _GUARDED.match(text[1:]) else text


def dump(value: JsonValue) -> str:
    """Return a value as JSON on one line, with what a spreadsheet cannot hold escaped."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except ValueError:
        # ``json`` refuses integers of thousands of digits, which files may hold.
        text = print_value(value, _STYLE, None, _ROOM)
    text = _UNWRITABLE.sub(lambda m: f"\\u{ord(m.group()):04x}", text)
    return _ESCAPE_LIKE.sub(r"\\u005f", text)


def written(text: str) -> Cell:
    """Return the cell of a text that is not "" (and of "" an empty one)."""
    if is_too_long(text):
        return f"{KEPT} {len(text):,} characters, too long for a cell)"
    if not is_writable(text):
        return marked(text)
    return guard(text) or None


def is_writable(text: str) -> bool:
    """Return whether a sheet can hold a text as it stands, its length aside."""
    if text and not text.strip():
        return False
    return not (_UNWRITABLE.search(text) or _ESCAPE_LIKE.search(text))


def is_too_long(text: str) -> bool:
    """Return whether a cell cannot hold a text; an emoji takes the room of two letters."""
    wide = 0 if text.isascii() else sum(mark > "\uffff" for mark in text)
    return len(text) + wide > LONGEST


def marked(value: JsonValue) -> str:
    """Return the cell of a value that its column has no plainer form for."""
    text = f"{JSON_MARK} {dump(value)}"
    if not is_too_long(text):
        return text
    return f"{KEPT} {len(text):,} characters of JSON, too long for a cell)"


def text_cell(value: JsonValue | Missing) -> Cell:
    """Return the cell of a field that holds text; nothing, null and "" are all an empty cell."""
    if value is MISSING or value is None:
        return None
    return written(value) if isinstance(value, str) else marked(value)


def value_cell(value: JsonValue | Missing) -> Cell:
    """Return the cell of a value that may be of any kind; only what is absent is an empty cell."""
    if value is MISSING:
        return None
    if value is None or value == "":
        return NOTHING if value is None else EMPTY
    if isinstance(value, str):
        return written(value)
    if isinstance(value, (bool, int, float)):
        return value if isinstance(value, bool) or _is_exact(value) else marked(value)
    text = dump(value)
    return marked(value) if is_too_long(text) else text


def special(cell: Cell) -> JsonValue | Missing | Keep:
    """Return what a mark in a cell stands for, MISSING for a cell without one.

    Raises FormatError for JSON that cannot be read.
    """
    if not isinstance(cell, str) or not cell.startswith("("):
        return MISSING
    low = cell.strip().lower()
    if low in (EMPTY, NOTHING):
        return "" if low == EMPTY else None
    if low.startswith(JSON_MARK):
        return read_json(cell.strip()[len(JSON_MARK) :])
    return LEAVE if low.startswith(KEPT) else MISSING


def load(text: str) -> JsonValue:
    """Return the value of JSON; raises ValueError for other texts and for a name that is twice."""
    value: JsonValue = json.loads(text, parse_int=parse_int, object_pairs_hook=_members)
    return value


def _members(pairs: list[tuple[str, JsonValue]]) -> JsonObject:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name is there twice")
    return found


def read_json(text: str) -> JsonValue:
    """Return the value of JSON in a cell; raises FormatError that says where it stops being so."""
    try:
        value = load(text)
    except (ValueError, RecursionError) as error:
        where = f" at character {error.pos + 1}" if isinstance(error, json.JSONDecodeError) else ""
        raise FormatError(
            f"This is not JSON{where}", hint='Write it like {"city": "Porto", "days": 3}.'
        ) from error
    return value


def plain_text(cell: Cell) -> str:
    """Return what a cell says as text, the way a person reads it."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "TRUE" if cell else "FALSE"
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < EXACT:
        return str(int(cell))
    if isinstance(cell, str):
        return cell
    return repr(cell) if isinstance(cell, float) else print_int(cell)


def canonical(cell: Cell) -> str:
    """Return a text that is equal for cells that say the same, typed or not."""
    text = plain_text(cell)
    return text.replace("\r\n", "\n") if isinstance(cell, str) else guard(text)


def read_text(cell: Cell) -> JsonValue | Keep:
    """Return the text of a cell that is not empty, or what its mark stands for."""
    found = special(cell)
    if found is not MISSING:
        return found
    return unguard(cell) if isinstance(cell, str) else plain_text(cell)


def read_value(cell: Cell, like: JsonValue | Missing) -> JsonValue | Keep:
    """Return the value of a cell that is not empty, of the kind that ``like`` has if it can be.

    Without something to be like, text that looks like a number, a yes or no, a list or a group is
    taken for one. Raises FormatError where a list or group was expected and the text is none.
    """
    found = special(cell)
    if found is not MISSING:
        return found
    if isinstance(like, str):
        return read_text(cell)
    if not isinstance(cell, str):
        return cell
    text = unguard(cell)
    if isinstance(like, (dict, list)):
        return read_json(text)
    if isinstance(like, (bool, int, float)):
        typed = read_flag(text) if isinstance(like, bool) else read_number(text)
        return text if typed is None else typed
    return guessed(text)


def read_flag(text: str) -> bool | None:
    """Return the yes or no that a text says, None if it says neither."""
    low = text.strip().lower()
    return True if low in _YES else False if low in _NO else None


def read_number(text: str) -> int | float | None:
    """Return the number that a text says, None if it says none; a decimal comma is a point.

    Raises FormatError where the comma may as well stand between thousands.
    """
    typed = text.strip().replace("\u00a0", "").replace("\u202f", "")
    if _EITHER.fullmatch(typed):
        whole, point = typed.replace(",", ""), typed.replace(",", ".")
        raise FormatError(
            f"{text!r} may be {whole} or {point}", hint=f"Write {whole}, or {point} with a point."
        )
    if not _NUMBER.fullmatch(typed):
        return None
    typed = typed.replace(",", ".")
    try:
        value = int(typed) if re.fullmatch(r"[+-]?\d+", typed) else float(typed)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def guessed(text: str) -> JsonValue:
    """Return the number, yes or no, list or group that a text spells, else the text.

    Only plain numbers count: with leading zeros, exponents or more than 15 digits it is a code.
    """
    bare = text.strip()
    if re.fullmatch(r"-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?", bare):
        return float(bare) if "." in bare else int(bare)
    if bare.lower() in ("true", "false"):
        return bare.lower() == "true"
    if bare[:1] + bare[-1:] in ("{}", "[]"):
        try:
            return read_json(bare)
        except FormatError:
            return text
    return text


def from_excel(value: object) -> Cell:
    """Return what a workbook's library gives for a cell: dates and times become ISO texts."""
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) < EXACT else value
    if isinstance(value, datetime):
        whole_day = (value.hour, value.minute, value.second, value.microsecond) == (0, 0, 0, 0)
        return value.date().isoformat() if whole_day else value.isoformat()
    if isinstance(value, (date, time)):
        return value.isoformat()
    if isinstance(value, timedelta):
        return str(value)
    return str(value)


def is_blank(cells: Sequence[Cell]) -> bool:
    """Return whether nothing but white space is in some cells."""
    return all(c is None or (isinstance(c, str) and not c.strip()) for c in cells)


def _is_exact(number: int | float) -> bool:
    if isinstance(number, int):
        return abs(number) < EXACT
    return math.isfinite(number) and float(f"{number:.15g}") == number
