"""An object as rows of name, kind and value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import streamlit as st

from evalcore.jsontree import MISSING
from evalcore.views import parts, states
from evalcore.views.caselist import page_of
from evalcore.views.slots import Slot
from evalcore.views.values import (
    ValueKind,
    as_text,
    converted,
    is_printable,
    kind_of,
    printable,
)
from evalcore.views.words import plural
from pages._author.dots import said
from pages._author.texts import text_field
from pages._author.typed import (
    shown,
    shown_number,
    take_json,
    take_number,
    typed_error,
)
from pages._ui import bind, safe, state
from pages._ui.pager import pager

NAME_WIDTH = 150
KIND_WIDTH = 118
"""Pixels; the widest kind is not cut off in it."""
INDENT = (0.35, 12)
UNFOLDED = 40
"""Members up to which a group inside is drawn as rows of its own; a larger one is JSON text."""
DEPTH = 4
MOST_ROWS = 20
"""Members or items on one page: each is several widgets."""
LAST = 10**9
T = TypeVar("T")
OTHER_NAME = "\u0000other"


def members(
    slot: Slot,
    label: str,
    help: str = "",
    off: bool = False,
    noun: str = "value",
    depth: int = 0,
    suggested: Sequence[str] = (),
) -> None:
    """Draw the rows of an object, small groups inside unfolded, and what adds one.

    ``suggested`` are names that are offered for new rows.
    """
    rows = slot.rows()
    if label:
        with st.container(horizontal=True, gap="xsmall"):
            st.markdown(safe.small(label), help=safe.label(help) or None, width="content")
            said(slot.read())
    with st.container(gap="xsmall"):
        for _index, (handle, name) in shown_part(slot, rows):
            _row(slot, handle, name, off, depth)
        paged(slot, len(rows))
        if not off:
            _adder(slot, noun, [n for n in suggested if n not in {name for _, name in rows}])


def shown_part(slot: Slot, items: Sequence[T], size: int = MOST_ROWS) -> list[tuple[int, T]]:
    """Return the items of one page with their indexes; ``paged`` draws the way to the others."""
    page = page_of(range(len(items)), state.kept(_page_slot(slot), 1), size)
    return [(index, items[index]) for index in page.indexes]


def paged(slot: Slot, count: int, size: int = MOST_ROWS) -> None:
    """Draw page numbers below a list that has more than one page."""
    pager(_page_slot(slot), page_of(range(count), state.kept(_page_slot(slot), 1), size))


def to_last_page(slot: Slot) -> None:
    """Turn to the page that has what was added at the end."""
    state.keep(_page_slot(slot), LAST)


def _page_slot(slot: Slot) -> str:
    return f"rows of {slot.key}"


def _adder(slot: Slot, noun: str, suggested: Sequence[str]) -> None:
    def add(name: str) -> None:
        wanted = f"new_{noun}" if name == OTHER_NAME else name
        slot.update(lambda old: parts.with_new_member(old if isinstance(old, dict) else {}, wanted))

    if not suggested:
        bind.button(slot.inner("add"), f"Add {noun}", add, OTHER_NAME, icon="add", kind="tertiary")
        return
    names = {name: printable(name) for name in suggested}
    bind.menu(
        slot.inner("add"),
        f"Add {noun}",
        {**names, OTHER_NAME: "Another name"},
        add,
        icon="add",
        help="Names that this has elsewhere in the project",
    )


def _row(slot: Slot, handle: str, name: str, off: bool, depth: int) -> None:
    inner = slot.member(handle)
    value = inner.read()
    unfolded = isinstance(value, dict) and len(value) <= UNFOLDED and depth < DEPTH
    with st.container(horizontal=True, vertical_alignment="top", gap="xsmall"):
        with st.container(width=NAME_WIDTH):
            name_field(slot, handle, name, off)
        with st.container(width=KIND_WIDTH):
            kind_field(inner, value, off)
        with st.container():
            if unfolded:
                st.caption(safe.label(plural(len(value), "value") if value else states.said(value)))
            else:
                value_editor(inner, value, off)
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
    name_error(slot, handle)


def name_field(slot: Slot, handle: str, name: str, off: bool) -> None:
    """Draw the name of a member, which may be changed."""
    naming = slot.inner(handle, "name")
    pending = slot.sheet.pending.get(naming)
    now = pending.typed if pending else printable(name)
    bind.line(naming, "Name", now, _rename(slot, handle), hidden=True, disabled=off)


def name_error(slot: Slot, handle: str) -> None:
    """Draw why a typed name could not be used."""
    typed_error(Slot(slot.sheet, slot.inner(handle, "name"), lambda: MISSING, lambda _new: None))


def kind_field(slot: Slot, value: Any, off: bool) -> None:
    """Draw the choice of what kind a value is."""
    bind.choice(
        slot.inner("kind"),
        "Kind",
        [kind.value for kind in ValueKind],
        None if value is MISSING else kind_of(value).value,
        lambda kind: slot.update(
            lambda old: converted(None if old is MISSING else old, ValueKind(kind))
        ),
        hidden=True,
        disabled=off,
    )


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
        text_field(slot, "Value", value, hidden=True, off=off, placeholder=placeholder)
    elif kind is ValueKind.NUMBER:
        now = shown_number(slot, value)
        bind.line(slot.key, "Value", now, take_number(slot), hidden=True, disabled=off)
    elif kind is ValueKind.FLAG:
        yes_or_no(slot, "Value", value, off, hidden=True)
    elif kind is ValueKind.NOTHING:
        bind.line(
            slot.key,
            "Value",
            "",
            lambda _typed: None,
            hidden=True,
            disabled=True,
            placeholder="nothing (null)",
        )
    else:
        now = shown(slot, as_text(value))
        bind.area(slot.key, "Value", now, take_json(slot), hidden=True, disabled=off)


def yes_or_no(
    slot: Slot, label: str, value: Any, off: bool, *, help: str = "", hidden: bool = False
) -> None:
    """Draw a yes or no that may also be neither."""
    answers = {"Yes": True, "No": False}
    bind.choice(
        slot.key,
        label,
        list(answers),
        {True: "Yes", False: "No"}.get(value) if isinstance(value, bool) else None,
        lambda answer: slot.write(answers[answer]),
        help=help,
        hidden=hidden,
        disabled=off,
    )
