"""Lists of texts: names in an order, messages one after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from evalcore.formats.lenses import Editor
from evalcore.jsontree import MISSING
from evalcore.views import parts
from evalcore.views.form import FieldView
from evalcore.views.slots import Slot
from pages._ui import bind, safe

MOVES = {"up": "Move up", "down": "Move down", "copy": "Duplicate", "delete": "Delete"}


def heading(label: str, help: str, count: int) -> None:
    """Draw the name of a field that is several widgets."""
    with st.container(horizontal=True, gap="xsmall"):
        st.markdown(safe.small(label), help=safe.label(help) or None, width="content")
        if not count:
            st.caption("none", width="content")


def item_menu(slot: Slot, handle: str, index: int, count: int, off: bool) -> None:
    """Draw the menu of one item of a list: move, duplicate, delete."""
    steps: dict[str, Callable[[], None]] = {
        "up": lambda: slot.at(handle, lambda v, i: parts.shifted(v, i, -1)),
        "down": lambda: slot.at(handle, lambda v, i: parts.shifted(v, i, 1)),
        "copy": lambda: slot.at(handle, _copied),
        "delete": lambda: slot.at(handle, parts.without),
    }
    gone = {"up"} if index == 0 else set()
    gone |= {"down"} if index == count - 1 else set()
    bind.menu(
        slot.inner(handle, "menu"),
        "More",
        {name: text for name, text in MOVES.items() if name not in gone},
        lambda name: steps[name](),
        disabled=off,
    )


def texts(slot: Slot, view: FieldView, off: bool) -> None:
    """Draw a list of texts."""
    found = slot.items()
    heading(view.field.label, view.field.help, len(found))
    is_long = view.editor is Editor.MESSAGES
    for index, (handle, text) in enumerate(found):
        with st.container(horizontal=True, vertical_alignment="top", gap="xsmall"):
            inner = slot.item(handle)
            (bind.area if is_long else bind.line)(
                inner.key, "Text", text, inner.write, hidden=True, disabled=off
            )
            item_menu(slot, handle, index, len(found), off)
    if not off:
        noun = "message" if is_long else "name"
        bind.button(
            slot.inner("add"), f"Add {noun}", lambda: _append(slot, ""), icon="add", kind="tertiary"
        )


def _append(slot: Slot, item: object) -> None:
    slot.update(lambda old: [*([] if old is MISSING else old), item])


def _copied(value: Sequence[Any], index: int) -> Any:
    if isinstance(value, tuple):
        return parts.copied(value, index)
    return [*value[: index + 1], value[index], *value[index + 1 :]]
