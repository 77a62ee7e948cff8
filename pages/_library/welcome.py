"""What the Library says while there is nothing in it."""

from __future__ import annotations

import streamlit as st

from evalcore.views.newset import choosable_formats
from pages._import import begin
from pages._library import dialogs
from pages._ui import safe
from pages._ui.desk import Desk


def draw(desk: Desk) -> None:
    """Say what belongs here and the three ways to begin."""
    labels = ", ".join(f.label for f in choosable_formats().values())
    st.space("small")
    with st.container(border=True, width=760):
        st.subheader("No eval sets here yet", anchor=False)
        st.text(
            "An eval set is a file of test cases for an AI agent: what the user says, and what "
            "the agent should do and answer. Evaldesk finds such files in this folder, whatever "
            "system they belong to, and lets you edit them without touching anything else."
        )
        st.text("Three ways to begin:")
        begin.ways(desk, dialogs.ask_new, "New set")
        st.caption("Or copy your project's eval files into this folder, and reload the page:")
        safe.code(str(desk.workspace.root))
        st.caption("To open another folder, start Evaldesk on it: evaldesk serve FOLDER.")
        st.caption(safe.label(f"Known systems: {labels}."))
