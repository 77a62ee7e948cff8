"""Text from files as each kind of report can hold it: nothing lost silently, nothing executed."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from evalcore.changes.report import code
from evalcore.exporting.cells import LONGEST, guard
from evalcore.jsondoc.numbers import print_int
from evalcore.jsondoc.printer import Style, print_value
from evalcore.jsontree import MISSING
from evalcore.model import MaybeJson
from evalcore.views.turn_detail import shown

NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
_NOT_IN_CELLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_UNREADABLE = re.compile(f"{_CONTROLS.pattern}|[\u202d\u202e]")
_STEERING = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_IN_SCRIPT = re.compile("[<>&\u2028\u2029\ud800-\udfff]")
_ONE_LINE: Final = Style("", "", ",", ":", True)
_DEEPEST: Final = 2_000
_HUGE: Final = 10**600
"""Integers from here on are shown as texts: Python converts no more than some digits at once."""


def escaped(found: re.Match[str]) -> str:
    r"""Return a character as ``\x1b`` or ``\ud83d``."""
    number = ord(found.group())
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}"


def xml_text(text: str) -> str:
    """Return text for between the tags or inside an attribute of an XML 1.0 file."""
    plain = NOT_XML.sub(escaped, text)
    for char, entity in (
        *(("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")),
        ("\r", "&#13;"),
    ):
        plain = plain.replace(char, entity)
    return plain


def xml_attribute(text: str) -> str:
    """Return text for an attribute, whose line ends and tabs a parser would otherwise drop."""
    return xml_text(text).replace("\n", "&#10;").replace("\t", "&#9;")


def sheet_text(text: str) -> str:
    """Return text that a spreadsheet program shows as it is: no formula, no longer than a cell."""
    plain = guard(_NOT_IN_CELLS.sub(escaped, text[: LONGEST + 1].replace("\r\n", "\n")))
    if len(text) <= LONGEST and len(plain) <= LONGEST + 1:
        return plain
    note = f"… (cut: {len(text):,} characters; the JSON report has them all)"
    return plain[: LONGEST - len(note)] + note


def markdown_code(text: str) -> str:
    """Return text as a code span of one line, in which nothing is a link, a mention or a tag."""
    return code(_STEERING.sub(escaped, _CONTROLS.sub(escaped, text)))


def markdown_cell(text: str) -> str:
    """Return the same for a cell of a table, where a ``|`` would end it, however escaped."""
    return markdown_code(text).replace("|", "¦")


def reading_text(text: str) -> str:
    """Return text for a page; control characters and what turns letters round become visible."""
    return text if text.isprintable() else _UNREADABLE.sub(escaped, text)


def text_of(value: MaybeJson) -> str | None:
    """Return a value for reading, None where there is none; texts as they are, data as JSON."""
    try:
        return shown(value)
    except ValueError:
        return shown(tamed(value))


def tamed(value: Any) -> Any:
    """Return a value whose integers of very many digits are texts."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= _HUGE:
        return print_int(value)
    if isinstance(value, dict):
        return {key: tamed(item) for key, item in value.items()}
    return [tamed(item) for item in value] if isinstance(value, (list, tuple)) else value


def strict(value: Any) -> Any:
    """Return a value that JSON can hold: without MISSING, and NaN and infinities by name."""
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, dict):
        return {key: strict(item) for key, item in value.items() if item is not MISSING}
    return [strict(item) for item in value] if isinstance(value, (list, tuple)) else value


def json_line(value: Any) -> str:
    """Return a value as one line of strict JSON in ASCII, whatever its numbers."""
    found = strict(value)
    try:
        return json.dumps(found, separators=(",", ":"), allow_nan=False)
    except ValueError:
        return print_value(found, _ONE_LINE, None, _DEEPEST)


def script_json(value: Any) -> str:
    """Return JSON for a data block of an HTML page: nothing in it can end the block."""
    text = json.dumps(strict(value), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return _IN_SCRIPT.sub(lambda found: f"\\u{ord(found.group()):04x}", text)
