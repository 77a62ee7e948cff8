"""What the Library says while there is nothing in it."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from evalcore.views.newset import choosable_formats
from pages._library import dialogs
from pages._ui import bind, safe, state


def draw(root: Path) -> None:
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
        ways = (
            ("Make a new set here, with the button below.", ""),
            ("Import cases from a spreadsheet, a chat log or another tool.", ""),
            ("Copy your project's eval files into this folder, or serve theirs:", str(root)),
        )
        for number, (way, detail) in enumerate(ways, 1):
            safe.text(f"{number}. {way}")
            if detail:
                safe.code(detail)
        st.caption(safe.label(f"Known systems: {labels}."))
        with st.container(horizontal=True):
            bind.button("library.first", "New set", dialogs.ask_new, icon="add", kind="primary")
            bind.button(
                "library.first.import",
                "Import…",
                lambda: state.go("import_cases", into=None),
                icon="upload_file",
            )
