"""What to tell a reader about each kind of slip, and which character to point at."""

import re
from collections.abc import Callable
from typing import Final

from evalcore.jsondoc import tokens
from evalcore.jsondoc.brackets import CLOSERS, Account, closes_nothing, ends_early, wrong_bracket
from evalcore.jsondoc.lines import LineIndex
from evalcore.jsondoc.walk import Slip, SlipKind

# As much of a name or word as is quoted.
_QUOTED: Final = 40
# As much of the text behind a slip as is looked at; a quote outside ASCII is three bytes long.
_LOOK_AHEAD: Final = 4
_SMART_QUOTES: Final = tuple(quote.encode() for quote in "“”„‟‘’‚«»″")
_COMMENTS: Final = (b"//", b"/*", b"#")
_WORDS: Final = {
    "true": "true",
    "false": "false",
    "none": "null",
    "null": "null",
    "nil": "null",
    "undefined": "null",
    "nan": "NaN",
    "inf": "Infinity",
    "infinity": "Infinity",
}


def describe(data: bytes, slip: Slip) -> Account:
    """Return what to tell about a slip."""
    rest = data[slip.offset : slip.offset + _LOOK_AHEAD]
    if slip.offset >= len(data) and slip.kind != "string":
        return ends_early(data, slip.frames)
    if slip.kind in ("value", "key", "separator", "scalar", "extra"):
        foreign = _foreign(rest, slip)
        if foreign is not None:
            return foreign
    return _DESCRIBE[slip.kind](data, slip)


def _before_space(data: bytes, offset: int) -> int:
    """Return the offset behind the last character before ``offset`` that is no whitespace."""
    while offset > 0 and data[offset - 1] in b" \t\r\n":
        offset -= 1
    return offset


def _foreign(rest: bytes, slip: Slip) -> Account | None:
    """Recognise what other notations allow and JSON does not."""
    if rest.startswith(_COMMENTS):
        return Account(
            "There is a comment here, and JSON has no comments.",
            "Delete the comment, or keep the remark in a text field.",
            slip.offset,
        )
    if rest.startswith(_SMART_QUOTES):
        return Account(
            f"The quote {rest.decode('utf-8', 'ignore')[0]} is a typographic one; JSON needs the "
            'straight double quote ".',
            'Replace the curly quotes around this text by ".',
            slip.offset,
        )
    if rest.startswith(b"'"):
        return Account(
            'There is text in single quotes; JSON needs double quotes: "text".',
            'Replace the quotes around this text by ".',
            slip.offset,
        )
    if rest.startswith(b"<") and not slip.frames:
        return Account(
            "This is not JSON; it looks like a web page or XML.",
            "Check that the right file was downloaded or exported.",
            slip.offset,
        )
    return None


def _value(data: bytes, slip: Slip) -> Account:
    mark = data[slip.offset : slip.offset + 1].decode("utf-8", "replace")
    end = _before_space(data, slip.offset)
    previous = data[end - 1 : end]
    if mark in "]}" and previous == b",":
        return _trailing_comma(end - 1)
    if previous == b":":
        return Account(
            f"The name {_name(slip)} has no value.",
            "Write a value after the colon; null stands for nothing.",
            end - 1,
        )
    if mark == ",":
        return _spare_comma(slip.offset)
    if mark in "]}":
        return wrong_bracket(data, slip) if slip.frames else closes_nothing(mark, slip.offset)
    return Account(
        f"A value is expected here, not {mark}",
        "Look for a missing quote, name or bracket just before this place.",
        slip.offset,
    )


def _key(data: bytes, slip: Slip) -> Account:
    mark = data[slip.offset : slip.offset + 1].decode("utf-8", "replace")
    end = _before_space(data, slip.offset)
    if mark == "}":
        return _trailing_comma(end - 1)
    if mark == ",":
        return _spare_comma(slip.offset)
    if mark == "]":
        return wrong_bracket(data, slip)
    if mark in "[{:":
        return Account(
            f"A name in double quotes is expected here, not {mark}",
            'Inside { } every value has a name: {"name": value}.',
            slip.offset,
        )
    return Account(
        f"The name {_word(data, slip.offset)} needs double quotes around it.",
        'Write {"name": value}.',
        slip.offset,
    )


def _colon(data: bytes, slip: Slip) -> Account:
    return Account(
        f"A colon is missing after the name {_name(slip)}.",
        'Write {"name": value}; if this was meant as a value, its name is missing.',
        slip.offset,
    )


def _separator(data: bytes, slip: Slip) -> Account:
    mark = data[slip.offset : slip.offset + 1]
    end = _before_space(data, slip.offset)
    if mark in CLOSERS:
        return wrong_bracket(data, slip)
    if mark == b":":
        return Account(
            "There is a colon where a comma or a closing bracket is expected.",
            'Named values belong into { }: {"name": value}.',
            slip.offset,
        )
    if end == slip.offset and data[end - 1 : end] == b'"':
        return Account(
            "The text ends here, but more follows right behind its closing quote.",
            'A double quote inside a text is written \\"; if the text does end here, add a comma.',
            end - 1,
        )
    return Account(
        "A comma is missing here.",
        "Add a comma between this value and the next one.",
        end,
    )


def _extra(data: bytes, slip: Slip) -> Account:
    mark = data[slip.offset : slip.offset + 1]
    if mark in CLOSERS:
        return closes_nothing(mark.decode(), slip.offset)
    if mark in (b"{", b"[", b'"'):
        line = LineIndex(data).position(slip.offset).line
        return Account(
            f"Line {line} starts a second document; a JSON file holds only one.",
            "If this is a JSON Lines file, put all its lines into one list: [ first, second ].",
            slip.offset,
        )
    if mark == b",":
        return Account(
            "The document is complete before this comma, but more follows.",
            "Put several values into one list: [ first, second ].",
            slip.offset,
        )
    return Account(
        "The document is complete before this place, but more text follows.",
        "Delete what does not belong to the document.",
        slip.offset,
    )


def _depth(data: bytes, slip: Slip) -> Account:
    return Account(
        f"The file nests lists and objects more than {tokens.MAX_DEPTH} levels deep.",
        "No eval set needs that; check how the file was made.",
        slip.offset,
    )


def _scalar(data: bytes, slip: Slip) -> Account:
    word = _word(data, slip.offset)
    if word.lower() in _WORDS:
        return Account(
            f"JSON writes {_WORDS[word.lower()]}, not {word}.",
            f"Replace {word} by {_WORDS[word.lower()]}.",
            slip.offset,
        )
    if re.match(r"[-+]?\.?[0-9]", word):
        return Account(
            f"{word} is not how JSON writes a number.",
            "Use digits with a point, without a plus sign or zeros in front: 0.5, 12, -3, 1e6. "
            "Anything else, such as a date, needs double quotes.",
            slip.offset,
        )
    if not word.isprintable():
        return Account(
            "There is a character here that does not belong in a text file.",
            "Check that this is the right file, and that it is complete.",
            slip.offset,
        )
    return Account(
        f"{word} is neither a number nor true, false or null.",
        'Text needs double quotes around it: "text".',
        slip.offset,
    )


def _string(data: bytes, slip: Slip) -> Account:
    return Account(
        "The text that starts here has no closing double quote on its line.",
        'Add the missing "; a line break inside a text is written \\n.',
        slip.offset,
    )


def _control(data: bytes, slip: Slip) -> Account:
    code = data[slip.offset]
    name = "tab" if code == 9 else f"control character (code {code})"
    written = "\\t" if code == 9 else f"\\u{code:04x}"
    return Account(f"There is a raw {name} inside a text.", f"Write it as {written}.", slip.offset)


def _escape(data: bytes, slip: Slip) -> Account:
    shown = data[
        slip.offset : slip.offset + 2 + 4 * (data[slip.offset + 1 : slip.offset + 2] == b"u")
    ]
    return Account(
        f"{shown.decode('utf-8', 'replace')} is not something that a backslash can stand for.",
        "A backslash itself is written twice: C:\\\\folder.",
        slip.offset,
    )


def _trailing_comma(offset: int) -> Account:
    return Account(
        "There is a comma with nothing after it.",
        "Remove this comma, or add what should come after it.",
        offset,
    )


def _spare_comma(offset: int) -> Account:
    return Account(
        "There is nothing before this comma.",
        "Remove this comma, or add what should come before it.",
        offset,
    )


def _name(slip: Slip) -> str:
    name = str(slip.frames[-1].token)
    return f'"{name}"' if len(name) <= _QUOTED else f'"{name[:_QUOTED]}…"'


def _word(data: bytes, offset: int) -> str:
    match = tokens.scalar(data, offset)
    text = match.group()[: 8 * _QUOTED].decode("utf-8", "ignore") if match else ""
    return text if len(text) <= _QUOTED else text[:_QUOTED] + "…"


_DESCRIBE: Final[dict[SlipKind, Callable[[bytes, Slip], Account]]] = {
    "value": _value,
    "key": _key,
    "colon": _colon,
    "separator": _separator,
    "extra": _extra,
    "depth": _depth,
    "scalar": _scalar,
    "string": _string,
    "control": _control,
    "escape": _escape,
}
