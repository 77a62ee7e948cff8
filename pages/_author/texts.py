"""A text as a field, however long it is."""

from __future__ import annotations

from typing import Any

import streamlit as st

from evalcore.views import states
from evalcore.views.slots import Slot
from evalcore.views.values import printable
from evalcore.views.words import first_words
from pages._author.typed import shown_text, take_text
from pages._ui import bind, safe, state

LONG = 60_000
"""Characters from which a text is sent to the browser only when somebody asks for it."""
WIDE = 90
"""Characters from which a text gets more than one line."""


def text_field(
    slot: Slot,
    label: str,
    value: Any,
    *,
    help: str = "",
    off: bool = False,
    hidden: bool = False,
    multiline: bool = False,
    placeholder: str = "",
) -> None:
    """Draw a text: on one line, on several, or, where it is very long, its beginning."""
    if isinstance(value, str) and is_too_long(slot, value):
        beginning(slot, label, value)
        return
    now = shown_text(slot, value)
    several = multiline or "\n" in now or len(now) > WIDE
    (bind.area if several else bind.line)(
        slot.key,
        label,
        printable(now),
        take_text(slot),
        help=help,
        hidden=hidden,
        disabled=off,
        placeholder=placeholder or states.said(value),
    )


def is_too_long(slot: Slot, text: str) -> bool:
    """Return whether only the beginning of a text is shown, because nobody asked for all of it."""
    return len(text) > LONG and not state.kept(f"whole {slot.key}", False)


def beginning(slot: Slot, label: str, value: str) -> None:
    """Draw the beginning of a text and the way to all of it."""
    st.markdown(safe.small(label))
    safe.code(printable(value[:600]) + " …")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(safe.label(f"The first 600 of {len(value):,} characters."))
        bind.button(
            f"whole {slot.key}",
            "Edit the whole text",
            state.keep,
            f"whole {slot.key}",
            True,
            icon="edit",
            kind="tertiary",
            help=f"It begins: {first_words(value, 60)}",
        )
