"""Rubrics: statements that a judge checks, each with its id and type."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from evalcore.model import Rubric
from evalcore.views.form import FieldView
from evalcore.views.slots import Slot
from evalcore.views.values import printable
from pages._author.lists import heading, item_menu, items_or_none
from pages._author.members import paged, shown_part, to_last_page
from pages._author.texts import text_field
from pages._author.typed import shown
from pages._ui import bind, safe

NO_TYPE = "none"
TYPE_HELP = "Which check uses this statement, where the system tells them apart by type."


def rubrics(slot: Slot, view: FieldView, off: bool) -> None:
    """Draw the rubrics of a case or a turn."""
    heading(view.field.label, view.field.help, view.value)
    rubric_cards(slot, off, view.field.choices)


def rubric_cards(slot: Slot, off: bool, types: Sequence[str] = ()) -> None:
    """Draw a card for each rubric and the button that adds one; ``types`` are those known."""
    found = slot.items()
    for index, (handle, rubric) in shown_part(slot, found):
        if isinstance(rubric, Rubric):
            with st.container(border=True, gap="xsmall"):
                with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
                    safe.show(safe.el("strong", f"Rubric {index + 1}"), width="stretch")
                    item_menu(slot, handle, index, len(found), off)
                _rubric(slot, handle, rubric, off, types)
    paged(slot, len(found))
    if not off:
        bind.button(
            slot.inner("add"),
            "Add rubric",
            lambda: _add(slot, types),
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


def _rubric(slot: Slot, handle: str, rubric: Rubric, off: bool, types: Sequence[str]) -> None:
    text_field(
        slot.attribute(handle, "text"),
        "Statement",
        rubric.text,
        off=off,
        multiline=True,
        placeholder="The reply names the refund amount.",
    )
    left, right = st.columns(2, gap="small")
    with left:
        text_field(slot.attribute(handle, "id"), "Id", rubric.id, off=off)
    with right:
        kind = slot.attribute(handle, "type")
        options = {**{name: _type_words(name) for name in types}, NO_TYPE: "No type"}
        now = shown(kind, rubric.type) or NO_TYPE
        bind.choice(
            kind.key,
            "Type",
            [*options.values()],
            options.get(now, printable(now)),
            lambda chosen: kind.commit(chosen, lambda _old: _type_of(chosen, options)),
            help=TYPE_HELP,
            disabled=off,
            open_ended=True,
        )
    text_field(
        slot.attribute(handle, "description"),
        "Note",
        rubric.description,
        off=off,
        help="A description for people. It is not shown to the judge.",
        placeholder="not in the file" if rubric.description is None else "",
    )


def _type_words(name: str) -> str:
    """Return a type such as TOOL_USE_QUALITY in words, with the name that the file has."""
    words = name.replace("_", " ").lower()
    return f"{words[:1].upper()}{words[1:]} ({name})"


def _type_of(chosen: str, options: dict[str, str]) -> str | None:
    """Return the type that was chosen, or typed; None for no type."""
    names = {words: name for name, words in options.items()}
    name = names.get(chosen, chosen.strip())
    return None if name in (NO_TYPE, "") else name
