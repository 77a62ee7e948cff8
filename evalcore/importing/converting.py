"""From a value of a source to what a field takes, or the reason why it cannot be."""

from __future__ import annotations

from typing import Any

from evalcore.errors import FormatError
from evalcore.exporting import calls, rubrics, texts
from evalcore.exporting.cells import (
    LEAVE,
    Cell,
    dump,
    guessed,
    plain_text,
    read_flag,
    read_json,
    read_number,
    read_text,
    special,
    unguard,
)
from evalcore.exporting.columns import HOLDS_OBJECTS, Column
from evalcore.formats.lenses import Editor
from evalcore.importing.targets import As, needs_names
from evalcore.jsontree import MISSING, JsonValue

_LINES = frozenset({Editor.TAGS, Editor.NAMES, Editor.MESSAGES})


def converted(value: JsonValue, column: Column, as_: As, *, looks: As = "auto") -> Any:
    """Return what a column's field takes of a value; raises FormatError where it can take nothing.

    ``looks`` is what the whole column looks like, for values whose file knows only texts.
    """
    editor = column.field.editor
    if special(_cell(value)) is LEAVE:
        raise FormatError("The text was too long for the sheet, so it is not in it")
    if editor is Editor.FORM and column.field.name == "intermediate_responses":
        return _said(value)
    if column.path or editor in HOLDS_OBJECTS:
        return _whole(_any(value, looks if as_ == "auto" else as_), column)
    if editor in (Editor.LINE, Editor.TEXT, Editor.CHOICE):
        return as_text(value)
    if editor is Editor.TOOL_CALLS:
        return calls.read_calls(value, ()) if isinstance(value, str) else calls.calls_from(value)
    if editor is Editor.RUBRICS:
        is_text = isinstance(value, str)
        return rubrics.read_rubrics(_cell(value), ()) if is_text else rubrics.rubrics_from(value)
    if editor in _LINES:
        return _names(value, editor)
    return _any(value, "flag" if editor is Editor.FLAG else "number")


def as_text(value: JsonValue) -> str:
    """Return any value as text: texts as they are, lists and groups as JSON."""
    if isinstance(value, str):
        found = read_text(value)
        return found if isinstance(found, str) else "" if found is None else as_text_of(found)
    return as_text_of(value)


def as_text_of(value: object) -> str:
    """Return a value that is no text as text."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return plain_text(value)
    return dump(value)  # type: ignore[arg-type]


def looks_like(values: list[JsonValue]) -> As:
    """Return what a column of texts looks like: numbers only if every one of them is one."""
    found = [guessed(unguard(v)) if isinstance(v, str) else v for v in values]
    if found and all(isinstance(v, bool) for v in found):
        return "flag"
    if found and all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in found):
        return "number"
    return "json" if found and all(isinstance(v, (dict, list)) for v in found) else "text"


def _any(value: JsonValue, as_: As) -> JsonValue:
    if not isinstance(value, str):
        return as_text_of(value) if as_ == "text" and value is not None else value
    found = special(value)
    if found is not MISSING and found is not LEAVE:
        return found
    text = unguard(value)
    if as_ == "number":
        return _need(read_number(text), text, "a number", "Write a number such as 3 or 0.8.")
    if as_ == "flag":
        return _need(read_flag(text), text, "a yes or no", "Write TRUE or FALSE.")
    return read_json(text) if as_ == "json" else text


def _need(found: JsonValue, text: str, what: str, hint: str) -> JsonValue:
    if found is None:
        raise FormatError(f"{text!r} is not {what}", hint=hint)
    return found


def _whole(value: JsonValue, column: Column) -> JsonValue:
    """Return a value that a whole field can take: named values where an object is needed."""
    needs_object = needs_names(column.field) and not column.path
    if needs_object and isinstance(value, str):
        value = read_json(value)
    if needs_object and not isinstance(value, dict):
        raise FormatError(
            f"{column.field.label} are named values, and this is only one",
            hint="Say which of them it is, under “Name inside”.",
        )
    return value


def _said(value: JsonValue) -> JsonValue:
    """Return messages on the way as objects; texts are taken for the agent's."""
    found = _names(value, Editor.MESSAGES) if not _is_list_of_objects(value) else value
    listed = found if isinstance(found, list) else [found]
    return [m if isinstance(m, dict) else {"author": "agent", "text": as_text(m)} for m in listed]


def _is_list_of_objects(value: JsonValue) -> bool:
    return isinstance(value, list) and all(isinstance(item, dict) for item in value)


def _names(value: JsonValue, editor: Editor) -> JsonValue:
    if isinstance(value, list):
        return [as_text(item) for item in value]
    read = texts.read_lines if editor is Editor.MESSAGES else texts.read_names
    found = read(_cell(value))
    return [] if found is LEAVE else found


def _cell(value: JsonValue) -> Cell:
    return value if isinstance(value, (str, int, float)) else None
