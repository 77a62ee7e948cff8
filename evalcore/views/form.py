"""Which fields of an object are drawn, with which editor, and which are offered."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from evalcore.errors import Problem
from evalcore.formats.lenses import Editor, Field, Group
from evalcore.jsontree import MISSING, get
from evalcore.views.problems import divide
from evalcore.views.sheet import Place, Sheet, level_of
from evalcore.views.values import is_printable

if TYPE_CHECKING:
    from evalcore.formats.evalset import Level

GROUPS: dict[Group, str] = {
    "main": "Main",
    "expected": "Expected",
    "session": "Session",
    "checks": "Checks",
    "mocks": "Mocks and simulation",
    "more": "More",
}


@dataclass(frozen=True, slots=True)
class FieldView:
    """One field as it is drawn. ``key`` names it and nothing else, for as long as it exists."""

    field: Field
    place: Place
    value: Any
    editor: Editor
    key: str
    problems: tuple[Problem, ...] = ()
    beside: tuple[str, ...] = ()
    """What lies beside the value in the file and stays, in words."""

    @property
    def is_present(self) -> bool:
        """Return whether the file has the field."""
        return self.value is not MISSING


@dataclass(frozen=True, slots=True)
class ObjectView:
    """The form of a set, a case or a turn; ``rest`` are its problems that no field shows."""

    place: Place
    fields: tuple[FieldView, ...]
    offered: tuple[Field, ...]
    rest: tuple[Problem, ...] = ()

    def group(self, *names: Group) -> tuple[FieldView, ...]:
        """Return the drawn fields of some groups, in the format's order."""
        return tuple(f for f in self.fields if f.field.group in names)

    @property
    def removable(self) -> tuple[FieldView, ...]:
        """Return the fields that can be taken out of the file."""
        return tuple(
            f for f in self.fields if f.is_present and not f.field.read_only and not f.field.pinned
        )


def object_view(
    sheet: Sheet, place: Place, problems: Iterable[Problem] = (), hidden: Sequence[str] = ()
) -> ObjectView:
    """Return the form of the object at a place; fields named in ``hidden`` are left out."""
    level, pointer = level_of(place), sheet.pointer(place)
    raw = get(sheet.tree, pointer)
    fields = [_in_its_group(f, level) for f in sheet.lens.fields(level) if f.name not in hidden]
    if raw is MISSING or not isinstance(raw, dict):
        return ObjectView(place, (), (), tuple(problems))
    values = {f.name: f.lens.get(raw) for f in fields}
    drawn = [f for f in fields if f.pinned or values[f.name] is not MISSING]
    at = {f.name: pointer + f.lens.where(raw) for f in drawn}
    mine, rest = divide(problems, [w for w in at.values() if w != pointer])
    views = tuple(
        FieldView(
            field=f,
            place=place,
            value=values[f.name],
            editor=fitting(f, values[f.name]),
            key=key_of(sheet, place, f.name),
            problems=tuple(mine.pop(at[f.name], ())),
            beside=f.lens.beside(raw),
        )
        for f in drawn
    )
    offered = tuple(
        f for f in fields if f not in drawn and not f.read_only and f.lens.has_place(raw)
    )
    return ObjectView(place, views, offered, tuple(rest))


def _in_its_group(field: Field, level: Level) -> Field:
    """Return a field as it is grouped here: a case's id is technical where it is not its name."""
    return replace(field, group="more") if level == "case" and field.name == "id" else field


def key_of(sheet: Sheet, place: Place, *rest: str) -> str:
    """Return a key for something inside the object at a place."""
    return "|".join((sheet.draft.path, *place, *rest))


def fitting(field: Field, value: Any) -> Editor:
    """Return the editor for a field: its own, or JSON where that could not show the value."""
    if value is MISSING or value is None or _fits(field.editor, value):
        return field.editor
    if field.editor is Editor.TAGS and _texts(value):
        return Editor.NAMES
    return Editor.JSON


def _fits(editor: Editor, value: Any) -> bool:
    match editor:
        case Editor.LINE | Editor.TEXT | Editor.CHOICE:
            return is_printable(value)
        case Editor.NUMBER:
            return isinstance(value, (int, float)) and not isinstance(value, bool)
        case Editor.FLAG:
            return isinstance(value, bool)
        case Editor.TAGS:
            return _texts(value) and len(set(value)) == len(value)
        case Editor.NAMES | Editor.MESSAGES:
            return _texts(value)
        case Editor.TOOL_CALLS | Editor.RUBRICS:
            return isinstance(value, tuple)
        case Editor.OBJECT | Editor.CRITERIA:
            return isinstance(value, dict) and all(is_printable(name) for name in value)
        case Editor.FORM:
            return all_names_printable(value)
        case _:
            return True


def all_names_printable(value: Any) -> bool:
    """Return whether every name in a value, at any depth, can be shown and typed back."""
    if isinstance(value, dict):
        return all(is_printable(n) and all_names_printable(v) for n, v in value.items())
    return not isinstance(value, list) or all(map(all_names_printable, value))


def _texts(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and all(is_printable(item) for item in value)
