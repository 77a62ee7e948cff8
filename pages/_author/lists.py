"""Lists of texts: names in an order, messages one after the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from evalcore.formats.lenses import Editor, Listed
from evalcore.jsontree import MISSING
from evalcore.views import parts
from evalcore.views.form import FieldView
from evalcore.views.sheet import Sheet
from evalcore.views.slots import Slot, part_slot
from pages._author.dots import framed, said
from pages._author.members import INDENT, members, value_editor
from pages._author.names import name_field
from pages._author.texts import text_field
from pages._ui import bind, safe

MOVES = {"up": "Move up", "down": "Move down", "copy": "Duplicate", "delete": "Delete"}


def heading(label: str, help: str, value: Any) -> None:
    """Draw the name of a field that is several widgets, and whether there is anything in it."""
    with st.container(horizontal=True, gap="xsmall", vertical_alignment="center"):
        st.markdown(safe.small(label), help=safe.label(help) or None, width="content")
        said(value)


def item_menu(
    slot: Slot,
    handle: str,
    index: int,
    count: int,
    off: bool,
    more: Mapping[str, str] | None = None,
    do_more: bind.Commit | None = None,
) -> None:
    """Draw the menu of one item of a list: move, duplicate, delete, and ``more`` of its own."""
    steps: dict[str, Callable[[], None]] = {
        "up": lambda: slot.at(handle, lambda v, i: parts.shifted(v, i, -1)),
        "down": lambda: slot.at(handle, lambda v, i: parts.shifted(v, i, 1)),
        "copy": lambda: slot.at(handle, _copied),
        "delete": lambda: slot.at(handle, parts.without),
    }
    gone = {"up"} if index == 0 else set()
    gone |= {"down"} if index == count - 1 else set()

    def choose(name: str) -> None:
        if name in steps:
            steps[name]()
        elif do_more is not None:
            do_more(name)

    bind.menu(
        f"dots {slot.inner(handle, 'menu')}",
        f"Options of item {index + 1}",
        {**(more or {}), **{name: text for name, text in MOVES.items() if name not in gone}},
        choose,
        icon="more_vert",
        disabled=off,
    )


def texts(slot: Slot, view: FieldView, off: bool) -> None:
    """Draw a list of texts; names of nodes are chosen from those that the project mentions."""
    heading(view.field.label, view.field.help, view.value)
    kind = view.field.extra.get("names", "")
    lens = view.field.lens
    names = list(lens.parts) if isinstance(lens, Listed) and isinstance(slot.sheet, Sheet) else []

    def parts_of(handle: str) -> dict[str, Slot]:
        return {name: part_slot(slot, view.place, view.field, handle, name) for name in names}

    text_rows(slot, kind, is_long=view.editor is Editor.MESSAGES, off=off, parts_of=parts_of)


def no_parts(_handle: str) -> dict[str, Slot]:
    """Return the parts of an item that is a text and nothing else."""
    return {}


def text_rows(
    slot: Slot,
    kind: str = "",
    *,
    is_long: bool = False,
    off: bool = False,
    parts_of: Callable[[str], dict[str, Slot]] = no_parts,
) -> None:
    """Draw the rows of a list of texts, and what adds one; ``kind`` is "tool" or "node" or "".

    ``parts_of`` gives what an item has beside its text, by its handle.
    """
    found = slot.items()
    for index, (handle, text) in enumerate(found):
        beside = parts_of(handle)
        with st.container(horizontal=True, vertical_alignment="top", gap="xsmall"):
            inner = slot.item(handle)
            with st.container():
                if kind:
                    name_field(inner, "", text, kind, off=off)
                else:
                    text_field(inner, "Text", text, hidden=True, off=off, multiline=is_long)
            absent = {f"add {n}": PARTS[n] for n, part in beside.items() if not part.is_there}
            item_menu(slot, handle, index, len(found), off, absent, _begin(beside))
        for name, part in beside.items():
            if part.is_there:
                _part(part, name, off)
    if not off:
        noun = "message" if is_long else kind or "name"
        bind.button(
            slot.inner("add"), f"Add {noun}", lambda: _append(slot, ""), icon="add", kind="tertiary"
        )


PARTS = {"role": "Add a role", "metadata": "Add metadata"}
"""What a message can have beside its text, and what the menu says of it."""


def _begin(beside: Mapping[str, Slot]) -> bind.Commit:
    def begin(chosen: str) -> None:
        name = chosen.removeprefix("add ")
        beside[name].update(lambda _old: {} if name == "metadata" else "")

    return begin


def _part(slot: Slot, name: str, off: bool) -> None:
    """Draw the role or the metadata of a message, indented below its text."""
    value, (_indent, inside) = slot.read(), st.columns(INDENT, gap=None)
    label = "Role" if name == "role" else "Metadata"
    with inside, framed(slot, label.lower(), {} if name == "metadata" else "", off):
        if name == "role" and (value is None or isinstance(value, str)):
            text_field(slot, label, value, off=off, help="Who speaks. Any word is accepted.")
        elif name == "metadata" and (value is None or isinstance(value, dict)):
            members(slot, label, "Notes of your own. No check reads them.", off)
        else:
            st.markdown(safe.small(label))
            value_editor(slot, value, off)


def _append(slot: Slot, item: object) -> None:
    slot.update(lambda old: [*(old if isinstance(old, Sequence) else []), item])


def _copied(value: Sequence[Any], index: int) -> Any:
    if isinstance(value, tuple):
        return parts.copied(value, index)
    return [*value[: index + 1], value[index], *value[index + 1 :]]


def items_or_none(value: Any) -> tuple[Any, ...]:
    """Return the records of a field, () where there are none."""
    return value if isinstance(value, tuple) and value is not MISSING else ()
