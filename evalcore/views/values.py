"""JSON values as people type them: what kind a value is, how it is written, how it is read back."""

from __future__ import annotations

import json
import re
from enum import StrEnum

from evalcore.errors import DocumentError, EvaldeskError, FormatError
from evalcore.jsontree import JsonValue

_SURROGATES = re.compile("[\ud800-\udfff]")


class ValueKind(StrEnum):
    """What a value is, in plain words."""

    TEXT = "Text"
    NUMBER = "Number"
    FLAG = "Yes / no"
    LIST = "List"
    GROUP = "Group"
    NOTHING = "Nothing"


def kind_of(value: JsonValue) -> ValueKind:
    """Return the kind of a value."""
    if isinstance(value, str):
        return ValueKind.TEXT
    if isinstance(value, bool):
        return ValueKind.FLAG
    if isinstance(value, (int, float)):
        return ValueKind.NUMBER
    if isinstance(value, list):
        return ValueKind.LIST
    return ValueKind.NOTHING if value is None else ValueKind.GROUP


def kind_words(value: object) -> str:
    """Return what a value is, as a person says it in a sentence."""
    if isinstance(value, (list, tuple)):
        return "a list"
    words = {
        ValueKind.TEXT: "a text",
        ValueKind.NUMBER: "a number",
        ValueKind.FLAG: "yes or no",
        ValueKind.GROUP: "a group of values",
        ValueKind.NOTHING: "nothing",
    }
    return words[kind_of(value)]  # type: ignore[arg-type]


def is_plain(value: object) -> bool:
    """Return whether a value is no list or group, and can be shown and typed back as it is."""
    return is_printable(value) if isinstance(value, str) else not isinstance(value, (list, dict))


def printable(text: str) -> str:
    """Return text that can be sent to a browser: halves of broken emoji become U+FFFD."""
    return _SURROGATES.sub("\ufffd", text)


def is_printable(value: JsonValue) -> bool:
    """Return whether a text can be shown and typed back without losing anything."""
    return isinstance(value, str) and not _SURROGATES.search(value) and "\r" not in value


def as_text(value: JsonValue, *, indent: int | None = 2) -> str:
    """Return a value as JSON text for people; ``read`` gives the same value back.

    Short lists of plain values stay on one line.
    """
    if isinstance(value, (dict, list)) and not _is_deep(value):
        flat = _dump(value, None)
        if len(flat) <= 72:
            return flat
    return _dump(value, indent)


def plain(value: JsonValue) -> str:
    """Return a value for reading: texts as they are, all else as JSON on one line."""
    return printable(value) if isinstance(value, str) else _dump(value, None)


def read(text: str) -> JsonValue:
    """Return the value of typed JSON.

    Raises FormatError that says in words where the text stops being JSON and what to do.
    """
    from evalcore.jsondoc import JsonDocument

    if not text.strip():
        raise FormatError("Nothing is written here", hint='Write a value, for example "text" or 5.')
    try:
        return JsonDocument.parse(text.encode("utf-8")).value
    except DocumentError as error:
        message = f"Line {error.line}, column {error.column}: {error.message}"
        raise FormatError(_of_text(message), hint=_of_text(error.hint)) from error


def _of_text(words: str) -> str:
    """Return what is said of a file as said of a text that was typed."""
    return words.replace("The file", "The text").replace("the file", "the text")


def read_number(text: str) -> int | float:
    """Return the number that was typed, spelled as JSON; a decimal comma is taken for a point."""
    typed = text.strip().replace(" ", "")
    if re.fullmatch(r"[+-]?\d+,\d+", typed):
        typed = typed.replace(",", ".")
    try:
        value = read(re.sub(r"^(-?)\.", r"\g<1>0.", typed.removeprefix("+")))
    except EvaldeskError:
        value = None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise FormatError(
            f"{text.strip()!r} is not a number", hint="Write a number such as 3 or 0.8."
        )
    return value


def number_text(value: int | float) -> str:
    """Return a number as JSON spells it."""
    return _dump(value, None)


def converted(value: JsonValue, kind: ValueKind) -> JsonValue:
    """Return a value turned into another kind, keeping as much of it as that kind can hold."""
    if kind is kind_of(value):
        return value
    match kind:
        case ValueKind.TEXT:
            return "" if value is None else plain(value)
        case ValueKind.NUMBER:
            return _number_from(value)
        case ValueKind.FLAG:
            return value not in (None, "", 0, [], {}, "false", "no", "0")
        case ValueKind.LIST:
            found = _container_from(value, list)
            return found if found is not None else [] if value in (None, "") else [value]
        case ValueKind.GROUP:
            found = _container_from(value, dict)
            return found if found is not None else {} if value in (None, "") else {"value": value}
        case ValueKind.NOTHING:
            return None


def _number_from(value: JsonValue) -> JsonValue:
    if isinstance(value, str):
        try:
            return read_number(value)
        except FormatError:
            return 0
    return int(value) if isinstance(value, bool) else 0


def _container_from(value: JsonValue, wanted: type) -> JsonValue:
    if isinstance(value, str):
        try:
            found = read(value)
        except FormatError:
            return None
        return found if isinstance(found, wanted) else None
    return None


def _is_deep(value: JsonValue) -> bool:
    if isinstance(value, dict):
        return bool(value)
    return isinstance(value, list) and any(isinstance(item, (dict, list)) for item in value)


def _dump(value: JsonValue, indent: int | None) -> str:
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    return _SURROGATES.sub(lambda m: f"\\u{ord(m.group()):04x}", text)
