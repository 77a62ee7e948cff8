"""One field, with the editor that fits what it holds, its problems below it."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from typing import Any

import streamlit as st

from evalcore.errors import Problem
from evalcore.formats.lenses import Editor
from evalcore.formats.moments import HINT, is_moment
from evalcore.jsontree import MISSING
from evalcore.views import states
from evalcore.views.caselist import all_tags
from evalcore.views.form import FieldView
from evalcore.views.schema import spec_of
from evalcore.views.sheet import Sheet
from evalcore.views.slots import Slot, field_slot, json_slot
from evalcore.views.values import is_plain, kind_words
from pages._author.calls import tool_calls
from pages._author.criteria import criteria
from pages._author.dots import framed, is_json
from pages._author.lists import heading, texts
from pages._author.members import KIND_WIDTH, kind_field, members, value_editor, yes_or_no
from pages._author.mocks.strategy import Beside, strategy
from pages._author.rubrics import rubrics
from pages._author.schema_form import schema_form
from pages._author.texts import text_field
from pages._author.typed import (
    shown_json,
    shown_moment,
    shown_number,
    take_json,
    take_moment,
    take_number,
    typed_error,
)
from pages._ui import bind, safe
from pages._ui.problems import problem_list, problem_markup

NOW = "now"
NO_JSON = (Editor.LINE, Editor.NUMBER, Editor.FLAG, Editor.CHOICE, Editor.JSON)


def field(sheet: Sheet, view: FieldView, beside: Beside | None = None) -> None:
    """Draw one field; ``beside`` is what stands beside the rules of mocked tools."""
    slot = field_slot(sheet, view.place, view.field)
    off = sheet.lens.read_only or view.field.read_only
    empty = states.empty_of_field(view.field)
    more = {NOW: "Set to now"} if is_moment(view.field) and view.editor is Editor.NUMBER else {}
    with framed(
        slot,
        view.field.label,
        empty,
        off,
        has_json=view.editor not in NO_JSON,
        more=more,
        do_more=lambda _now: slot.write(float(int(time.time()))),
    ):
        if is_json(slot) and not off:
            json_area(json_slot(sheet, view.place, view.field), view.field.label, view.field.help)
            problem_list(view.problems)
            return
        if view.editor is Editor.MOCKS:
            strategy(sheet, slot, view, off, beside or Beside())
            return
        told = _editor(sheet, slot, view, off)
        typed_error(slot)
        if view.beside:
            _beside(view)
        problem_list([p for p in view.problems if not (told and p.code in view.field.told)])


def _editor(sheet: Sheet, slot: Slot, view: FieldView, off: bool) -> bool:
    """Draw the field's editor; returns whether a form drawn by a schema told what does not fit."""
    match view.editor:
        case Editor.TOOL_CALLS:
            tool_calls(slot, view, off)
        case Editor.RUBRICS:
            rubrics(slot, view, off)
        case Editor.CRITERIA:
            criteria(slot, view, off)
        case Editor.OBJECT | Editor.FORM:
            return _object(sheet, slot, view, off)
        case Editor.NAMES | Editor.MESSAGES:
            texts(slot, view, off)
        case Editor.JSON if view.field.editor is not Editor.JSON:
            _misfit(slot, view, off)
        case _:
            _simple(sheet, slot, view, off)
    return False


def _misfit(slot: Slot, view: FieldView, off: bool) -> None:
    """Draw a value that is of another kind than the field's, as what it is."""
    heading(view.field.label, view.field.help, True)
    if isinstance(view.value, (dict, list, tuple)) or not is_plain(view.value):
        json_area(slot, view.field.label, off=off, hidden=True)
    else:
        with st.container(horizontal=True, vertical_alignment="top", gap="xsmall"):
            with st.container(width=KIND_WIDTH):
                kind_field(slot, view.value, off)
            with st.container():
                value_editor(slot, view.value, off)
    words = (
        f"The file has {kind_words(view.value)} here, where {_BELONGS[view.field.editor]} belongs."
    )
    safe.show(problem_markup(Problem("warning", "kind", words)))


_BELONGS = {
    **dict.fromkeys((Editor.LINE, Editor.TEXT, Editor.CHOICE), "a text"),
    **dict.fromkeys((Editor.TAGS, Editor.NAMES, Editor.MESSAGES), "a list of texts"),
    **dict.fromkeys((Editor.OBJECT, Editor.CRITERIA), "a group of values"),
    Editor.NUMBER: "a number",
    Editor.FLAG: "yes or no",
    Editor.TOOL_CALLS: "a list of tool calls",
    Editor.RUBRICS: "a list of rubrics",
}


def _object(sheet: Sheet, slot: Slot, view: FieldView, off: bool) -> bool:
    """Draw an object by the schema that there is for it, else as rows of names and values."""
    schema = sheet.schema_of(view.field, view.place)
    if schema is None:
        members(slot, view.field.label, view.field.help, off)
        return False
    spec = spec_of(schema)
    noun = "input" if view.field.name == "input" else "value"
    schema_form(slot, spec, view.field.label, view.field.help, off, noun)
    return True


def _simple(sheet: Sheet, slot: Slot, view: FieldView, off: bool) -> None:
    """Draw a field that is one widget."""
    label, text, value = view.field.label, view.field.help, view.value
    match view.editor:
        case Editor.LINE | Editor.TEXT:
            several = view.editor is Editor.TEXT
            text_field(slot, label, value, help=text, off=off, multiline=several)
        case Editor.NUMBER if is_moment(view.field):
            bind.line(
                slot.key,
                f"{label} (date and time, UTC)",
                shown_moment(slot, value),
                take_moment(slot),
                help=f"{text} {HINT}",
                disabled=off,
                placeholder=states.said(value),
            )
        case Editor.NUMBER:
            bind.line(
                slot.key,
                label,
                shown_number(slot, value),
                take_number(slot),
                help=text,
                disabled=off,
                placeholder=states.said(value),
            )
        case Editor.FLAG:
            yes_or_no(slot, label, value, off, help=text)
        case Editor.CHOICE:
            now = None if value is MISSING else value
            options = view.field.choices
            bind.choice(slot.key, label, options, now, slot.write, help=text, disabled=off)
        case Editor.TAGS:
            _tags(sheet, slot, view, off)
        case _:
            json_area(slot, label, text, off)


def _tags(sheet: Sheet, slot: Slot, view: FieldView, off: bool) -> None:
    value = view.value
    bind.tags(
        slot.key,
        view.field.label,
        _known(sheet, view),
        value if isinstance(value, list) else [],
        _take_tags(slot),
        help=view.field.help,
        placeholder=f"Add… ({states.said(value)})" if states.said(value) else "Add…",
        disabled=off,
        names=_names(sheet, view),
    )


def json_area(
    slot: Slot, label: str, help: str = "", off: bool = False, *, hidden: bool = False
) -> None:
    """Draw any value as JSON text; text that is no JSON stays, beside what is wrong with it."""
    value = slot.read()
    bind.area(
        slot.key,
        label,
        shown_json(slot, value),
        take_json(slot),
        help=help,
        hidden=hidden,
        disabled=off,
        placeholder=states.said(value),
    )
    typed_error(slot)


def _beside(view: FieldView) -> None:
    """Say what lies beside a text and stays."""
    with st.container(horizontal=True, gap="xsmall", vertical_alignment="center"):
        for words in view.beside:
            safe.show(safe.el("span", words, css="ed-chip"), width="content")
        said_it = "stays in the file" if len(view.beside) == 1 else "stay in the file"
        safe.show(safe.el("span", said_it, css="ed-state"), width="content")


def _known(sheet: Sheet, view: FieldView) -> tuple[str, ...]:
    """Return what is offered in a field of short texts: tools, the set's tags, or its checks."""
    if view.field.extra.get("names") == "tool":
        return tuple(sheet.known_names().tools)
    return all_tags(sheet.lens, sheet.cases) if view.field.name == "tags" else sheet.checks


def _names(sheet: Sheet, view: FieldView) -> Mapping[str, str]:
    """Return what people call the evaluators that a set names by ids, where that is one name each.

    A name that is also an id would be taken for the other one.
    """
    if view.place or view.field.name != "evaluator_refs" or sheet.project is None:
        return {}
    named = {e.ref: e.name for e in sheet.project.evaluators if e.ref and e.name}
    count = Counter([*named.values(), *(ref for ref, name in named.items() if ref != name)])
    return {ref: name for ref, name in named.items() if count[name] == 1}


def _take_tags(slot: Slot) -> bind.Commit:
    def change(old: Any, chosen: list[str]) -> Any:
        return old if not chosen and not isinstance(old, list) else list(chosen)

    return lambda chosen: slot.commit(chosen, lambda old: change(old, chosen))
