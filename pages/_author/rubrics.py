"""Rubrics: statements that a judge checks, each with its id and type."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from evalcore.jsontree import MISSING, Missing
from evalcore.model import Rubric
from evalcore.views import states
from evalcore.views.form import FieldView
from evalcore.views.slots import Slot, part_slot
from evalcore.views.values import plain, printable
from pages._author.dots import framed
from pages._author.lists import heading, item_menu, items_or_none
from pages._author.members import paged, shown_part, to_last_page
from pages._author.texts import text_field
from pages._author.typed import shown
from pages._ui import bind, safe

NO_TYPE = "none"
TYPE_HELP = "Which check uses this statement, where the system tells them apart by type."


def rubrics(slot: Slot, view: FieldView, off: bool) -> None:
    """Draw a card for each rubric of a case or a turn, and the button that adds one."""
    heading(view.field.label, view.field.help, view.value)
    found = slot.items()
    for index, (handle, rubric) in shown_part(slot, found):
        if isinstance(rubric, Rubric):
            with st.container(border=True, gap="xsmall"):
                with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
                    safe.show(safe.el("strong", f"Rubric {index + 1}"), width="stretch")
                    item_menu(slot, handle, index, len(found), off)
                _rubric(slot, view, handle, off)
    paged(slot, len(found))
    if not off:
        bind.button(
            slot.inner("add"),
            "Add rubric",
            lambda: _add(slot, view.field.choices),
            icon="add",
            kind="tertiary",
        )


def _add(slot: Slot, types: Sequence[str]) -> None:
    def change(old: object) -> tuple[Rubric, ...]:
        known = items_or_none(old)
        taken = {r.id for r in known if isinstance(r, Rubric)}
        name = next(n for i in range(len(known) + 1, 9999) if (n := f"rubric_{i}") not in taken)
        return (*known, Rubric(id=name, text="", type=types[0] if types else None))

    slot.update(change)
    to_last_page(slot)


def _rubric(slot: Slot, view: FieldView, handle: str, off: bool) -> None:
    def part(name: str) -> Slot:
        return part_slot(slot, view.place, view.field, handle, name)

    _text(part("text"), "Statement", off, placeholder="The reply names the refund amount.")
    left, right = st.columns(2, gap="small")
    with left:
        _text(part("id"), "Id", off)
    with right:
        _type(part("type"), view.field.choices, off)
    _text(part("description"), "Description", off, help="For people. The judge does not see it.")


def _text(slot: Slot, label: str, off: bool, help: str = "", placeholder: str = "") -> None:
    value = slot.read()
    with framed(slot, label.lower(), "", off):
        text_field(
            slot,
            label,
            value if isinstance(value, str) or value in (None, MISSING) else plain(value),
            off=off,
            multiline=bool(placeholder),
            help=help,
            placeholder=placeholder if value == "" else "",
        )


def _type(slot: Slot, types: Sequence[str], off: bool) -> None:
    value = slot.read()
    options = {**{name: _type_words(name) for name in types}, NO_TYPE: "No type"}
    now = shown(slot, NO_TYPE if value is MISSING else value)
    with framed(slot, "type", "", off):
        bind.choice(
            slot.key,
            "Type",
            [*options.values()],
            None if now in (None, "") else options.get(str(now), printable(plain(now))),
            lambda chosen: slot.commit(chosen, lambda _old: _type_of(chosen, options)),
            help=TYPE_HELP,
            disabled=off,
            open_ended=True,
            placeholder=states.said(value),
        )


def _type_words(name: str) -> str:
    """Return a type such as TOOL_USE_QUALITY in words, with the name that the file has."""
    words = name.replace("_", " ").lower()
    return f"{words[:1].upper()}{words[1:]} ({name})"


def _type_of(chosen: str, options: dict[str, str]) -> str | Missing:
    """Return the type that was chosen, or typed; MISSING for no type."""
    names = {words: name for name, words in options.items()}
    name = names.get(chosen, chosen.strip())
    return MISSING if name in (NO_TYPE, "") else name
