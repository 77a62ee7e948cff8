"""Says in plain words why a file is not JSON, where, and what to do about it."""

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from evalcore.errors import DocumentError
from evalcore.jsondoc import tokens
from evalcore.jsondoc.lines import BOM, LineIndex
from evalcore.jsondoc.walk import Frame, Slip, SlipKind, State, Walker

_EXCERPT: Final = 80
_CONFLICT: Final = re.compile(rb"^(?:<<<<<<<|=======|>>>>>>>)(?=[ \r\n]|\Z)", re.MULTILINE)
_BRACKET: Final = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[\[\]{}]', re.DOTALL)
_CLOSES: Final = {b"]": b"[", b"}": b"{"}
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


class _Account(NamedTuple):
    """What to tell about a slip: the message, the next step, and the offset of the culprit."""

    message: str
    hint: str
    offset: int


def explain(data: bytes, position: int, state: State, frames: list[Frame]) -> DocumentError:
    """Return the error that a reader meets from ``position`` on, inside the open ``frames``.

    Only for data that is known to be broken behind that position.
    """
    account = _not_text(data) or _merge_conflict(data)
    if account is None:
        account = _describe(data, _find_slip(data, position, state, frames))
    lines = LineIndex(data)
    line, column = lines.position(account.offset)
    excerpt = _excerpt(lines.line_text(account.offset), column)
    return DocumentError(
        account.message, line=line, column=column, excerpt=excerpt, hint=account.hint
    )


def _find_slip(data: bytes, position: int, state: State, frames: list[Frame]) -> Slip:
    try:
        for _ in Walker(data, frames).walk(position, len(data) + 1, state):
            pass
    except Slip as slip:
        return slip
    raise AssertionError(f"refused, but well-formed from offset {position} on")


def _excerpt(line: bytes, column: int) -> str:
    text = line.removeprefix(BOM).decode("utf-8", "replace")
    start = max(0, min(column - 1 - _EXCERPT // 2, len(text) - _EXCERPT))
    shown = text[start : start + _EXCERPT].replace("\t", " ").strip()
    return "".join(character if character.isprintable() else "\ufffd" for character in shown)


def _not_text(data: bytes) -> _Account | None:
    hint = "Save the file again with the encoding UTF-8."
    head = data[:4]
    if head.startswith((b"\xff\xfe", b"\xfe\xff")) or re.match(rb"\x00|[^\x00]\x00", head):
        is_utf_32 = head.count(0) == 3 or head in (b"\xff\xfe\0\0", b"\0\0\xfe\xff")
        wide = "UTF-32" if is_utf_32 else "UTF-16"
        return _Account(f"The file is saved as {wide}, not as UTF-8.", hint, 0)
    try:
        data.decode()
    except UnicodeDecodeError as error:
        byte = data[error.start]
        message = (
            f"The file is not UTF-8 text: byte {error.start} (0x{byte:02X}) does not belong there."
        )
        return _Account(message, hint, error.start)
    return None


def _merge_conflict(data: bytes) -> _Account | None:
    # A line inside a text cannot start like this: line ends in texts are written \n.
    marker = _CONFLICT.search(data)
    if marker is None:
        return None
    return _Account(
        "The file holds an unresolved merge conflict.",
        "Choose one of the two versions between the <<<<<<<, ======= and >>>>>>> lines and delete "
        "those lines.",
        marker.start(),
    )


def _describe(data: bytes, slip: Slip) -> _Account:
    rest = data[slip.offset : slip.offset + 2 * _EXCERPT]
    if slip.offset >= len(data) and slip.kind != "string":
        return _ends_early(data, slip.frames)
    if slip.kind in ("value", "key", "separator", "scalar", "extra"):
        foreign = _foreign(rest, slip)
        if foreign is not None:
            return foreign
    return _DESCRIBE[slip.kind](data, slip)


def _ends_early(data: bytes, frames: list[Frame]) -> _Account:
    if not frames:
        return _Account(
            "The file is empty.", "An empty eval set still needs at least { } in its file.", 0
        )
    suspect = _unclosed_by_indent(data, len(data))
    opener = frames[-1].start if suspect is None else suspect
    bracket = data[opener : opener + 1].decode()
    closer = "}" if bracket == "{" else "]"
    return _Account(
        f"The file ends before this {bracket} is closed.",
        f"Add the missing {closer} where this part ends; if the file was cut off, restore it from "
        "a copy.",
        opener,
    )


def _unclosed_by_indent(data: bytes, end: int) -> int | None:
    """Return the first bracket whose closing bracket stands under something else, if any.

    Only a closing bracket that starts its line tells by its indentation what it was meant for.
    """
    lines = LineIndex(data)
    openers: list[int] = []
    for match in _BRACKET.finditer(data, 0, end):
        mark = match.group()
        if mark in _CLOSES:
            before = data[lines.line_start(match.start()) : match.start()]
            opener = openers.pop() if openers else match.start()
            if not before.strip() and before.decode() != lines.indent(opener):
                return opener
        elif mark in _CLOSES.values():
            openers.append(match.start())
    return None


def _before_space(data: bytes, offset: int) -> int:
    """Return the offset behind the last character before ``offset`` that is no whitespace."""
    while offset > 0 and data[offset - 1] in b" \t\r\n":
        offset -= 1
    return offset


def _foreign(rest: bytes, slip: Slip) -> _Account | None:
    """Recognise what other notations allow and JSON does not."""
    if rest.startswith(_COMMENTS):
        return _Account(
            "There is a comment here, and JSON has no comments.",
            "Delete the comment, or keep the remark in a text field.",
            slip.offset,
        )
    if rest.startswith(_SMART_QUOTES):
        return _Account(
            f"The quote {rest.decode('utf-8', 'ignore')[0]} is a typographic one; JSON needs the "
            'straight double quote ".',
            'Replace the curly quotes around this text by ".',
            slip.offset,
        )
    if rest.startswith(b"'"):
        return _Account(
            'There is text in single quotes; JSON needs double quotes: "text".',
            'Replace the quotes around this text by ".',
            slip.offset,
        )
    if rest.startswith(b"<") and not slip.frames:
        return _Account(
            "This is not JSON; it looks like a web page or XML.",
            "Check that the right file was downloaded or exported.",
            slip.offset,
        )
    return None


def _value(data: bytes, slip: Slip) -> _Account:
    mark = data[slip.offset : slip.offset + 1].decode("utf-8", "replace")
    end = _before_space(data, slip.offset)
    previous = data[end - 1 : end]
    if mark in "]}" and previous == b",":
        return _trailing_comma(end - 1)
    if previous == b":":
        return _Account(
            f"The name {_name(slip)} has no value.",
            "Write a value after the colon; null stands for nothing.",
            end - 1,
        )
    if mark == ",":
        return _spare_comma(slip.offset)
    if mark in "]}":
        return _wrong_bracket(data, slip) if slip.frames else _closes_nothing(mark, slip.offset)
    return _Account(
        f"A value is expected here, not {mark}",
        "Look for a missing quote, name or bracket just before this place.",
        slip.offset,
    )


def _key(data: bytes, slip: Slip) -> _Account:
    mark = data[slip.offset : slip.offset + 1].decode("utf-8", "replace")
    end = _before_space(data, slip.offset)
    if mark == "}":
        return _trailing_comma(end - 1)
    if mark == ",":
        return _spare_comma(slip.offset)
    if mark == "]":
        return _wrong_bracket(data, slip)
    if mark in "[{:":
        return _Account(
            f"A name in double quotes is expected here, not {mark}",
            'Inside { } every value has a name: {"name": value}.',
            slip.offset,
        )
    return _Account(
        f"The name {_word(data, slip.offset)} needs double quotes around it.",
        'Write {"name": value}.',
        slip.offset,
    )


def _colon(data: bytes, slip: Slip) -> _Account:
    return _Account(
        f"A colon is missing after the name {_name(slip)}.",
        'Write {"name": value}; if this was meant as a value, its name is missing.',
        slip.offset,
    )


def _separator(data: bytes, slip: Slip) -> _Account:
    mark = data[slip.offset : slip.offset + 1]
    end = _before_space(data, slip.offset)
    if mark in _CLOSES:
        return _wrong_bracket(data, slip)
    if mark == b":":
        return _Account(
            "There is a colon where a comma or a closing bracket is expected.",
            'Named values belong into { }: {"name": value}.',
            slip.offset,
        )
    if end == slip.offset and data[end - 1 : end] == b'"':
        return _Account(
            "The text ends here, but more follows right behind its closing quote.",
            'A double quote inside a text is written \\"; if the text does end here, add a comma.',
            end - 1,
        )
    return _Account(
        "A comma is missing here.",
        "Add a comma between this value and the next one.",
        end,
    )


def _extra(data: bytes, slip: Slip) -> _Account:
    mark = data[slip.offset : slip.offset + 1]
    if mark in _CLOSES:
        return _closes_nothing(mark.decode(), slip.offset)
    if mark in (b"{", b"[", b'"'):
        line = LineIndex(data).position(slip.offset).line
        return _Account(
            f"Line {line} starts a second document; a JSON file holds only one.",
            "If this is a JSON Lines file, put all its lines into one list: [ first, second ].",
            slip.offset,
        )
    if mark == b",":
        return _Account(
            "The document is complete before this comma, but more follows.",
            "Put several values into one list: [ first, second ].",
            slip.offset,
        )
    return _Account(
        "The document is complete before this place, but more text follows.",
        "Delete what does not belong to the document.",
        slip.offset,
    )


def _depth(data: bytes, slip: Slip) -> _Account:
    return _Account(
        f"The file nests lists and objects more than {tokens.MAX_DEPTH} levels deep.",
        "No eval set needs that; check how the file was made.",
        slip.offset,
    )


def _scalar(data: bytes, slip: Slip) -> _Account:
    word = _word(data, slip.offset)
    if word.lower() in _WORDS:
        return _Account(
            f"JSON writes {_WORDS[word.lower()]}, not {word}.",
            f"Replace {word} by {_WORDS[word.lower()]}.",
            slip.offset,
        )
    if re.match(r"[-+]?\.?[0-9]", word):
        return _Account(
            f"{word} is not how JSON writes a number.",
            "Use digits with a point, without a plus sign or zeros in front: 0.5, 12, -3, 1e6. "
            "Anything else, such as a date, needs double quotes.",
            slip.offset,
        )
    if not word.isprintable():
        return _Account(
            "There is a character here that does not belong in a text file.",
            "Check that this is the right file, and that it is complete.",
            slip.offset,
        )
    return _Account(
        f"{word} is neither a number nor true, false or null.",
        'Text needs double quotes around it: "text".',
        slip.offset,
    )


def _string(data: bytes, slip: Slip) -> _Account:
    return _Account(
        "The text that starts here has no closing double quote on its line.",
        'Add the missing "; a line break inside a text is written \\n.',
        slip.offset,
    )


def _control(data: bytes, slip: Slip) -> _Account:
    code = data[slip.offset]
    name = "tab" if code == 9 else f"control character (code {code})"
    written = "\\t" if code == 9 else f"\\u{code:04x}"
    return _Account(f"There is a raw {name} inside a text.", f"Write it as {written}.", slip.offset)


def _escape(data: bytes, slip: Slip) -> _Account:
    shown = data[
        slip.offset : slip.offset + 2 + 4 * (data[slip.offset + 1 : slip.offset + 2] == b"u")
    ]
    return _Account(
        f"{shown.decode('utf-8', 'replace')} is not something that a backslash can stand for.",
        "A backslash itself is written twice: C:\\\\folder.",
        slip.offset,
    )


def _trailing_comma(offset: int) -> _Account:
    return _Account(
        "There is a comma with nothing after it.",
        "Remove this comma, or add what should come after it.",
        offset,
    )


def _spare_comma(offset: int) -> _Account:
    return _Account(
        "There is nothing before this comma.",
        "Remove this comma, or add what should come before it.",
        offset,
    )


def _closes_nothing(mark: str, offset: int) -> _Account:
    return _Account(
        f"This {mark} closes nothing that is open.",
        "Delete it, or look for a bracket that was closed too early above.",
        offset,
    )


def _wrong_bracket(data: bytes, slip: Slip) -> _Account:
    mark = data[slip.offset : slip.offset + 1].decode()
    frame = slip.frames[-1]
    suspect = _unclosed_by_indent(data, slip.offset)
    opener = frame.start if suspect is None else suspect
    line = LineIndex(data).position(opener).line
    bracket = data[opener : opener + 1].decode()
    closer = "}" if bracket == "{" else "]"
    return _Account(
        f"This {mark} stands where the {bracket} of line {line} is still open.",
        f"Add the missing {closer} before it, or use {frame.closer.decode()} instead.",
        slip.offset,
    )


def _name(slip: Slip) -> str:
    name = str(slip.frames[-1].token)
    return f'"{name}"' if len(name) <= _EXCERPT // 2 else f'"{name[: _EXCERPT // 2]}…"'


def _word(data: bytes, offset: int) -> str:
    match = tokens.scalar(data, offset)
    text = match.group()[: 4 * _EXCERPT].decode("utf-8", "ignore") if match else ""
    return text if len(text) <= _EXCERPT // 2 else text[: _EXCERPT // 2] + "…"


_DESCRIBE: Final[dict[SlipKind, Callable[[bytes, Slip], _Account]]] = {
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
