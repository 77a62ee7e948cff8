"""Shortcuts that lose nothing: the field being typed in is left before a shortcut acts."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

SCRIPT = Path(__file__).resolve().parent / "keys.js"
NEXT = "Alt+ArrowDown"
PREVIOUS = "Alt+ArrowUp"
SAVE = "Ctrl+S"
"""Not Ctrl+Enter: that is how a text of several lines is handed over, and it must only do that."""


def listen() -> None:
    """Make the page leave a field when a shortcut is pressed in it; called once a run."""
    st.components.v2.component("evaldesk_keys", html="<i></i>", js=SCRIPT.read_text("utf-8"))(
        key="keys"
    )
