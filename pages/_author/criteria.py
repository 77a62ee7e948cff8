"""What each check expects of a case: its own defaults, or values for this case."""

from __future__ import annotations

from typing import Any

import streamlit as st

from evalcore.jsontree import MISSING
from evalcore.views import parts
from evalcore.views.form import FieldView
from evalcore.views.sheet import Sheet
from evalcore.views.slots import Slot
from evalcore.views.values import printable
from pages._author.lists import heading
from pages._author.members import members, value_editor
from pages._author.typed import typed_error
from pages._ui import bind, safe


def criteria(slot: Slot, view: FieldView, off: bool) -> None:
    """Draw one card for each check that the case names, and offer the set's other checks."""
    rows = slot.rows()
    heading(view.field.label, view.field.help, len(rows))
    for handle, name in rows:
        with st.container(border=True, gap="small"):
            _check(slot, handle, name, off)
    if not off:
        _offer(slot, {name for _, name in rows})


def _check(slot: Slot, handle: str, name: str, off: bool) -> None:
    inner = slot.member(handle)
    value = inner.read()
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        safe.show(safe.el("strong", printable(name)), width="stretch")
        bind.flag(
            inner.inner("default"),
            "The check's own defaults",
            value is None,
            lambda on: inner.update(lambda old: None if on else ({} if old is None else old)),
            help="Use what the check itself is set to expect, with nothing special for this case.",
            disabled=off,
        )
        bind.delete_button(
            inner.inner("remove"),
            f"Do not run {name} on this case",
            lambda: slot.update(lambda old: parts.without_member(old, slot.name_of(handle))),
            disabled=off,
        )
    if isinstance(value, dict):
        members(inner, "", "", off)
    elif value is not None:
        value_editor(inner, value, off)
    typed_error(inner)


def _offer(slot: Slot, used: set[str]) -> None:
    sheet = slot.sheet
    known: dict[str, None] = {}
    if isinstance(sheet, Sheet):
        header = sheet.lens.read_header(sheet.tree)
        known.update(dict.fromkeys(ref.ref for ref in header.evaluator_refs))
        known.update(dict.fromkeys(sheet.checks))
    free = {name: printable(name) for name in known if name not in used}
    bind.menu(
        slot.inner("offer"),
        "Add check",
        free,
        lambda name: slot.update(lambda old: _with(old, name)),
        icon="add",
        help="" if free else "The case has every check that this set knows.",
    )


def _with(old: Any, name: str) -> Any:
    return parts.with_member({} if old is MISSING else old, name, None)
