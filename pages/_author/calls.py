"""Expected tool calls: a card for each, its arguments as rows."""

from __future__ import annotations

import streamlit as st

from evalcore.jsontree import MISSING
from evalcore.model import ToolCall
from evalcore.views.form import FieldView
from evalcore.views.slots import Slot
from evalcore.views.values import as_text, printable
from pages._author.lists import heading, item_menu
from pages._author.members import members, value_editor
from pages._ui import bind, safe


def tool_calls(slot: Slot, view: FieldView, off: bool) -> None:
    """Draw the tool calls of a turn."""
    found = slot.items()
    heading(view.field.label, view.field.help, len(found))
    for index, (handle, call) in enumerate(found):
        if isinstance(call, ToolCall):
            with st.container(border=True, gap="small"):
                _call(slot, handle, call, (index, len(found)), off)
    if not off:
        bind.button(
            slot.inner("add"), "Add tool call", lambda: _add(slot), icon="add", kind="tertiary"
        )


def _add(slot: Slot) -> None:
    slot.update(lambda old: (*(() if old is MISSING else old), ToolCall(name="", args={})))


def _call(slot: Slot, handle: str, call: ToolCall, place: tuple[int, int], off: bool) -> None:
    index, count = place
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        safe.show(safe.el("strong", str(index + 1)), width="content")
        name = slot.attribute(handle, "name")
        bind.line(
            name.key,
            "Tool",
            printable(call.name),
            name.write,
            hidden=True,
            disabled=off,
            placeholder="Name of the tool",
        )
        item_menu(slot, handle, index, count, off)
    args = slot.attribute(handle, "args")
    if call.args is MISSING or isinstance(call.args, dict):
        members(args, "", "", off, noun="argument")
    else:
        st.caption("The arguments are not a group of named values; edit them as text.")
        value_editor(args, call.args, off)
    _extras(call)


def _extras(call: ToolCall) -> None:
    """Show what a recorded call also has; it is kept as it is."""
    if call.id:
        safe.show(safe.el("div", f"Call id {printable(call.id)}", css="ed-muted"))
    if call.result is not MISSING and call.result is not None:
        safe.show(safe.el("div", "Recorded result", css="ed-muted"))
        safe.code(as_text(call.result), "json")
