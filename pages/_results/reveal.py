"""Bringing a place inside the pane of a case into sight, once for each case that is opened."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

SCRIPT = Path(__file__).resolve().parent / "reveal.js"
FAILED = "evd-failed-here"
"""The class of what is to be seen first."""


def first_failure(mark: str) -> None:
    """Scroll the pane to what failed; the same ``mark`` does so only once."""
    st.components.v2.component("evaldesk_reveal", html="<i></i>", js=SCRIPT.read_text("utf-8"))(
        key="reveal", data={"css": FAILED, "mark": mark}
    )
