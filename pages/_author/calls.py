"""Expected tool calls: a card for each, its arguments as rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from evalcore.formats.lenses import Listed
from evalcore.jsontree import MISSING, JsonObject
from evalcore.model import ToolCall
from evalcore.views import states
from evalcore.views.form import FieldView
from evalcore.views.schema import spec_of
from evalcore.views.slots import Slot, part_slot
from evalcore.views.values import printable
from pages._author.dots import framed
from pages._author.lists import heading, item_menu, items_or_none, no_parts
from pages._author.members import (
    KIND_WIDTH,
    kind_field,
    members,
    paged,
    shown_part,
    to_last_page,
    value_editor,
)
from pages._author.names import arguments, name_field
from pages._author.schema_form import schema_form
from pages._author.typed import shown, typed_error
from pages._ui import bind, safe

MOST_CALLS = 6
"""Calls on one page."""
EXTRAS = {"id": "call id", "result": "result"}
STREAMED: dict[str, tuple[str, str, JsonObject]] = {
    "partial_args": (
        "Arguments in pieces",
        "What was streamed of the arguments, piece by piece.",
        {
            "type": "array",
            "items": {
                "type": "object",
                "title": "Piece",
                "properties": {
                    "json_path": {"type": "string", "title": "Place", "description": "$.city"},
                    "string_value": {"type": "string", "title": "Text"},
                    "number_value": {"type": "number", "title": "Number"},
                    "bool_value": {"type": "boolean", "title": "Yes or no"},
                    "null_value": {"enum": ["NULL_VALUE"], "title": "Nothing"},
                    "will_continue": {"type": "boolean", "title": "More of it follows"},
                },
            },
        },
    ),
    "will_continue": (
        "More pieces follow",
        "Whether the call was still being streamed.",
        {"type": "boolean"},
    ),
}
"""What a call that was streamed also has: label, help and schema, by the name of the part."""


def tool_calls(slot: Slot, view: FieldView, off: bool) -> None:
    """Draw the tool calls of a turn."""
    extras = view.field.extra.get("parts", "").split()
    lens = view.field.lens
    names = list(lens.parts) if isinstance(lens, Listed) else []

    def parts_of(handle: str) -> dict[str, Slot]:
        streamed = [name for name in names if name in STREAMED]
        return {name: part_slot(slot, view.place, view.field, handle, name) for name in streamed}

    call_cards(slot, view.field.label, view.field.help, extras, off, parts_of)


def call_cards(
    slot: Slot,
    label: str,
    help: str,
    extras: list[str],
    off: bool = False,
    parts_of: Callable[[str], dict[str, Slot]] = no_parts,
) -> None:
    """Draw a card for each tool call of a list; ``extras`` are what it may have beside its args.

    ``parts_of`` gives what else it may have, by its handle.
    """
    found = slot.items()
    heading(label, help, slot.read())
    for index, (handle, call) in shown_part(slot, found, MOST_CALLS):
        if isinstance(call, ToolCall):
            with st.container(border=True, gap="xsmall"):
                _call(slot, handle, call, (index, len(found)), off, extras)
                _streamed(parts_of(handle), off)
    paged(slot, len(found), MOST_CALLS)
    if not off:
        bind.button(
            slot.inner("add"), "Add tool call", lambda: _add(slot), icon="add", kind="tertiary"
        )


def _add(slot: Slot) -> None:
    slot.update(lambda old: (*items_or_none(old), ToolCall(name="", args={})))
    to_last_page(slot)


def _call(
    slot: Slot,
    handle: str,
    call: ToolCall,
    place: tuple[int, int],
    off: bool,
    extras: list[str],
) -> None:
    index, count = place
    absent = [name for name in extras if getattr(call, name) in (None, MISSING)]
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        safe.show(safe.el("strong", str(index + 1)), width="content")
        name = slot.attribute(handle, "name")
        with st.container():
            name_field(name, "", call.name, "tool", off=off)
        item_menu(
            slot,
            handle,
            index,
            count,
            off,
            {f"add {extra}": f"Add a {EXTRAS[extra]}" for extra in absent},
            lambda chosen: _begin(slot, handle, chosen.removeprefix("add ")),
        )
    typed_error(name)
    _args(slot.attribute(handle, "args"), call, off)
    for extra in extras:
        if extra not in absent:
            _extra(slot.attribute(handle, extra), extra, getattr(call, extra), off)


def _args(slot: Slot, call: ToolCall, off: bool) -> None:
    with framed(slot, "the arguments", {}, off):
        if call.args is MISSING or call.args is None or isinstance(call.args, dict):
            heading("Arguments", "What the tool should be given.", call.args)
            members(slot, "", "", off, noun="argument", suggested=arguments(slot, call.name))
        else:
            st.caption("The arguments are not a group of named values; edit them as text.")
            value_editor(slot, call.args, off)


def _streamed(found: dict[str, Slot], off: bool) -> None:
    """Draw what only a call that was streamed has, where the file has it."""
    for name, slot in found.items():
        if not slot.is_there:
            continue
        label, text, schema = STREAMED[name]
        spec = spec_of(schema)
        with framed(slot, label.lower(), states.empty_of(spec), off):
            schema_form(slot, spec, label, text, off)


def _begin(slot: Slot, handle: str, extra: str) -> None:
    slot.attribute(handle, extra).write("")


def _extra(slot: Slot, name: str, value: Any, off: bool) -> None:
    """Draw what a recorded call also has: its id, and what the tool gave back."""
    if name == "id":
        with framed(slot, "the call id", "", off):
            bind.line(
                slot.key,
                "Call id",
                printable(shown(slot, value)),
                lambda typed: slot.commit(typed, lambda _old: typed),
                disabled=off,
                help="The id that the model gave this call. It is kept, and never compared.",
            )
        return
    with framed(slot, "the result", "", off):
        heading("Result", "What the tool gave back. It is kept, and never compared.", value)
        if isinstance(value, dict):
            members(slot, "", "", off)
        else:
            with st.container(horizontal=True, vertical_alignment="top", gap="xsmall"):
                with st.container(width=KIND_WIDTH):
                    kind_field(slot, value, off)
                with st.container():
                    value_editor(slot, value, off, placeholder=states.said(value))
    typed_error(slot)
