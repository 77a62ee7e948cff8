"""Whether the file has a value at all: absent, nothing, empty, or something; and how to choose."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from evalcore.formats.lenses import Editor, Field
from evalcore.jsontree import MISSING
from evalcore.views.schema import Shape, Spec, spec_of


class State(StrEnum):
    """What the file has where a value could be."""

    ABSENT = "absent"
    NULL = "null"
    EMPTY = "empty"
    VALUE = "value"


_LISTS = (Editor.TAGS, Editor.NAMES, Editor.MESSAGES, Editor.TOOL_CALLS, Editor.RUBRICS)
_TEXTS = (Editor.LINE, Editor.TEXT, Editor.CHOICE)
_GROUPS = (Editor.OBJECT, Editor.CRITERIA)

WORDS = {
    State.ABSENT: "not in the file",
    State.NULL: "nothing (null)",
    State.VALUE: "",
}
"""What is said of a value that its own field does not show; of empty ones see ``said``."""


def state_of(value: Any) -> State:
    """Return the state of a value; a text, a list or a group without anything in it is empty."""
    if value is MISSING:
        return State.ABSENT
    if value is None:
        return State.NULL
    return (
        State.EMPTY if isinstance(value, (str, list, tuple, dict)) and not value else (State.VALUE)
    )


def said(value: Any) -> str:
    """Return the state in words, "" for a value that shows itself."""
    if state_of(value) is not State.EMPTY:
        return WORDS[state_of(value)]
    if isinstance(value, str):
        return "empty text"
    return "no values" if isinstance(value, dict) else "empty list"


def empty_of_field(field: Field) -> Any:
    """Return the empty value that a field can have, MISSING where it has none."""
    if field.editor in _TEXTS:
        return ""
    if field.editor in _GROUPS:
        return {}
    if field.editor in (Editor.TOOL_CALLS, Editor.RUBRICS):
        return ()
    if field.editor in _LISTS:
        return []
    if field.editor is Editor.FORM and field.schema is not None:
        return empty_of(spec_of(dict(field.schema)))
    return MISSING


def empty_of(spec: Spec) -> Any:
    """Return the empty value that a schema allows, MISSING where it allows none."""
    if spec.alternatives:
        found = (empty_of(s) for s in spec.alternatives)
        return next((value for value in found if value is not MISSING), MISSING)
    by_shape: dict[Shape, Any] = {Shape.TEXT: "", Shape.LIST: [], Shape.GROUP: {}}
    return by_shape.get(spec.shape, MISSING)


def choices(value: Any, empty: Any) -> dict[str, str]:
    """Return the other states that a value may be put into, with what the menu says."""
    now = state_of(value)
    options = {}
    if now is not State.ABSENT:
        options["absent"] = "Take it out of the file"
    if now is not State.EMPTY and empty is not MISSING:
        options["empty"] = f"Make it {_EMPTY_WORDS[type(empty)]}"
    if now is not State.NULL:
        options["null"] = "Make it nothing (null)"
    return options


def chosen(option: str, empty: Any) -> Any:
    """Return the value that an option of the menu stands for."""
    return {"absent": MISSING, "null": None, "empty": empty}[option]


_EMPTY_WORDS: dict[type, str] = {
    str: "an empty text",
    list: "an empty list",
    tuple: "an empty list",
    dict: "a group without values",
}
