"""One field, with the editor that fits what it holds, its problems below it."""

from __future__ import annotations

from typing import Any

from evalcore.formats.lenses import Editor
from evalcore.jsontree import MISSING
from evalcore.views.caselist import all_tags
from evalcore.views.form import FieldView
from evalcore.views.sheet import Sheet
from evalcore.views.slots import Slot, field_slot
from evalcore.views.values import as_text, number_text, read, read_number
from pages._author.calls import tool_calls
from pages._author.criteria import criteria
from pages._author.lists import texts
from pages._author.members import members
from pages._author.rubrics import rubrics
from pages._author.typed import shown, typed_error
from pages._ui import bind
from pages._ui.problems import problem_list


def field(sheet: Sheet, view: FieldView) -> None:
    """Draw one field."""
    slot = field_slot(sheet, view.place, view.field)
    off = sheet.lens.read_only or view.field.read_only
    match view.editor:
        case Editor.TOOL_CALLS:
            tool_calls(slot, view, off)
        case Editor.RUBRICS:
            rubrics(slot, view, off)
        case Editor.CRITERIA:
            criteria(slot, view, off)
        case Editor.OBJECT:
            members(slot, view.field.label, view.field.help, off)
        case Editor.NAMES | Editor.MESSAGES:
            texts(slot, view, off)
        case _:
            _simple(sheet, slot, view, off)
    typed_error(slot)
    problem_list(view.problems)


def _simple(sheet: Sheet, slot: Slot, view: FieldView, off: bool) -> None:
    """Draw a field that is one widget."""
    label, text, value = view.field.label, view.field.help, view.value
    match view.editor:
        case Editor.LINE:
            now = shown(slot, "" if value is MISSING else value)
            bind.line(slot.key, label, now, _text(slot), help=text, disabled=off)
        case Editor.TEXT:
            now = shown(slot, "" if value is MISSING else value)
            bind.area(slot.key, label, now, _text(slot), help=text, disabled=off)
        case Editor.NUMBER:
            now = shown(slot, "" if value is MISSING else number_text(value))
            bind.line(slot.key, label, now, _number(slot), help=text, disabled=off)
        case Editor.FLAG:
            bind.flag(slot.key, label, value is True, slot.write, help=text, disabled=off)
        case Editor.CHOICE:
            now = None if value is MISSING else value
            options = view.field.choices
            bind.choice(slot.key, label, options, now, slot.write, help=text, disabled=off)
        case Editor.TAGS:
            known = _known(sheet, view)
            now = [] if value is MISSING else value
            bind.tags(slot.key, label, known, now, _tags(slot), help=text, disabled=off)
        case _:
            json_area(slot, label, value, text, off)


def json_area(slot: Slot, label: str, value: Any, help: str, off: bool) -> None:
    """Draw any value as JSON text; text that is no JSON stays, beside what is wrong with it."""
    now = shown(slot, "" if value is MISSING else as_text(value))

    def commit(typed: str) -> None:
        def change(old: Any) -> Any:
            return MISSING if not typed.strip() and old is MISSING else read(typed)

        slot.commit(typed, change)

    bind.area(slot.key, label, now, commit, help=help, disabled=off)


def _known(sheet: Sheet, view: FieldView) -> tuple[str, ...]:
    """Return what is offered in a field of short texts: the set's tags, or its system's checks."""
    return all_tags(sheet.lens, sheet.cases) if view.field.name == "tags" else sheet.checks


def _text(slot: Slot) -> bind.Commit:
    return lambda typed: slot.commit(
        typed, lambda old: MISSING if old is MISSING and not typed else typed
    )


def _number(slot: Slot) -> bind.Commit:
    return lambda typed: slot.commit(
        typed, lambda old: MISSING if old is MISSING and not typed else read_number(typed)
    )


def _tags(slot: Slot) -> bind.Commit:
    return lambda chosen: slot.commit(
        chosen, lambda old: MISSING if old is MISSING and not chosen else list(chosen)
    )
