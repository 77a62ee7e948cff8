"""Scrolling to a place of the page that the next run draws."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

SCRIPT = Path(__file__).resolve().parent / "jump.js"
_WANTED = "jump to"
_COUNT = "jumps made"


def to(css: str) -> None:
    """Ask for the element of a class to be scrolled to after the next run."""
    st.session_state[_WANTED] = css
    st.session_state[_COUNT] = st.session_state.get(_COUNT, 0) + 1


def listen() -> None:
    """Scroll to what was asked for; called once a run."""
    st.components.v2.component("evaldesk_jump", html="<i></i>", js=SCRIPT.read_text("utf-8"))(
        key="jumps",
        data={
            "css": st.session_state.get(_WANTED, ""),
            "number": st.session_state.get(_COUNT, 0),
        },
    )
