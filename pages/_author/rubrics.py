"""Rubrics: statements that a judge checks, each with its id and type."""

from __future__ import annotations

import streamlit as st

from evalcore.model import Rubric
from evalcore.views.form import FieldView
from evalcore.views.slots import Slot
from evalcore.views.values import printable
from pages._author.lists import heading, item_menu
from pages._ui import bind


def rubrics(slot: Slot, view: FieldView, off: bool) -> None:
    """Draw the rubrics of a case or a turn."""
    found = slot.items()
    heading(view.field.label, view.field.help, len(found))
    for index, (handle, rubric) in enumerate(found):
        if isinstance(rubric, Rubric):
            with st.container(border=True, gap="small"):
                _rubric(slot, handle, rubric, off)
                with st.container(horizontal=True, horizontal_alignment="right"):
                    item_menu(slot, handle, index, len(found), off)
    if not off:
        bind.button(
            slot.inner("add"), "Add rubric", lambda: _add(slot), icon="add", kind="tertiary"
        )


def _add(slot: Slot) -> None:
    def change(old: object) -> tuple[Rubric, ...]:
        known = old if isinstance(old, tuple) else ()
        taken = {r.id for r in known if isinstance(r, Rubric)}
        name = next(n for i in range(len(known) + 1, 9999) if (n := f"rubric_{i}") not in taken)
        return (*known, Rubric(id=name, text=""))

    slot.update(change)


def _rubric(slot: Slot, handle: str, rubric: Rubric, off: bool) -> None:
    text = slot.attribute(handle, "text")
    bind.area(
        text.key,
        "Statement",
        printable(rubric.text),
        text.write,
        disabled=off,
        placeholder="The reply names the refund amount.",
    )
    left, right = st.columns(2, gap="small")
    with left:
        name = slot.attribute(handle, "id")
        bind.line(name.key, "Id", printable(rubric.id), name.write, disabled=off)
    with right:
        kind = slot.attribute(handle, "type")
        bind.line(
            kind.key,
            "Type",
            printable(rubric.type or ""),
            lambda typed: kind.update(lambda _old: typed or None),
            help="Which check uses this statement, where the system tells them apart by type.",
            disabled=off,
        )
