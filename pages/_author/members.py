"""An object as rows of name, kind and value."""

from __future__ import annotations

from typing import Any

import streamlit as st

from evalcore.jsontree import MISSING
from evalcore.views import parts
from evalcore.views.slots import Slot
from evalcore.views.values import (
    ValueKind,
    as_text,
    converted,
    is_printable,
    kind_of,
    number_text,
    printable,
    read,
    read_number,
)
from evalcore.views.words import plural
from pages._author.typed import shown, typed_error
from pages._ui import bind, safe

WIDTHS = (3, 2, 6, 0.7)
INDENT = (0.6, 12)
UNFOLDED = 12
"""Members up to which a group inside is drawn as rows of its own; a larger one is JSON text."""
DEPTH = 2


def members(
    slot: Slot,
    label: str,
    help: str = "",
    off: bool = False,
    noun: str = "value",
    depth: int = 0,
) -> None:
    """Draw the rows of an object, small groups inside unfolded, and the button that adds one."""
    rows = slot.rows()
    if label:
        with st.container(horizontal=True, gap="xsmall"):
            st.markdown(safe.small(label), help=safe.label(help) or None, width="content")
            if not rows:
                st.caption("none", width="content")
    with st.container(gap="xsmall"):
        for handle, name in rows:
            _row(slot, handle, name, off, depth)
        if not off:
            bind.button(
                slot.inner("add"),
                f"Add {noun}",
                lambda: _add(slot, noun),
                icon="add",
                kind="tertiary",
            )


def _add(slot: Slot, noun: str) -> None:
    slot.update(
        lambda old: parts.with_new_member(old if isinstance(old, dict) else {}, f"new_{noun}")
    )


def _row(slot: Slot, handle: str, name: str, off: bool, depth: int) -> None:
    inner = slot.member(handle)
    value = inner.read()
    naming = slot.inner(handle, "name")
    kinds = [kind.value for kind in ValueKind]
    columns = st.columns(WIDTHS, gap="xsmall", vertical_alignment="top")
    with columns[0]:
        pending = slot.sheet.pending.get(naming)
        now = pending.typed if pending else printable(name)
        bind.line(naming, "Name", now, _rename(slot, handle), hidden=True, disabled=off)
    with columns[1]:
        bind.choice(
            inner.inner("kind"),
            "Kind",
            kinds,
            kind_of(value).value,
            lambda kind: inner.update(lambda old: converted(old, ValueKind(kind))),
            hidden=True,
            disabled=off,
        )
    unfolded = isinstance(value, dict) and 0 < len(value) <= UNFOLDED and depth < DEPTH
    with columns[2]:
        if unfolded:
            st.caption(plural(len(value), "value"))
        else:
            value_editor(inner, value, off)
    with columns[3]:
        bind.delete_button(
            inner.inner("delete"),
            f"Delete {name}",
            lambda: slot.update(lambda old: parts.without_member(old, slot.name_of(handle))),
            disabled=off,
        )
    if unfolded:
        _indent, nested = st.columns(INDENT, gap=None)
        with nested:
            members(inner, "", "", off, depth=depth + 1)
    typed_error(inner)
    typed_error(Slot(slot.sheet, naming, lambda: MISSING, lambda _new: None))


def _rename(slot: Slot, handle: str) -> bind.Commit:
    naming = slot.inner(handle, "name")

    def commit(typed: str) -> None:
        slot.sheet.commit(
            naming,
            typed,
            lambda: slot.update(lambda old: parts.renamed(old, slot.name_of(handle), typed)),
        )

    return commit


def value_editor(slot: Slot, value: Any, off: bool, placeholder: str = "") -> None:
    """Draw one value with the widget of its kind."""
    kind = kind_of(value)
    if kind is ValueKind.TEXT and is_printable(value):
        draw = bind.area if "\n" in value or len(value) > 60 else bind.line
        draw(
            slot.key,
            "Value",
            shown(slot, value),
            slot.write,
            hidden=True,
            disabled=off,
            placeholder=placeholder or "empty text",
        )
    elif kind is ValueKind.NUMBER:
        bind.line(
            slot.key,
            "Value",
            shown(slot, number_text(value)),
            lambda typed: slot.commit(typed, lambda _old: read_number(typed)),
            hidden=True,
            disabled=off,
        )
    elif kind is ValueKind.FLAG:
        answers = {"Yes": True, "No": False}
        bind.choice(
            slot.key,
            "Value",
            list(answers),
            "Yes" if value else "No",
            lambda answer: slot.write(answers[answer]),
            hidden=True,
            disabled=off,
        )
    elif kind is ValueKind.NOTHING:
        bind.line(slot.key, "Value", "", lambda _typed: None, hidden=True, disabled=True)
    else:
        bind.area(
            slot.key,
            "Value",
            shown(slot, as_text(value)),
            lambda typed: slot.commit(typed, lambda _old: read(typed)),
            hidden=True,
            disabled=off,
        )
