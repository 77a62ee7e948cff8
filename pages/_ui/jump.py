"""Going to a place of the page that the next run draws: scrolling there, or into a field."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

SCRIPT = Path(__file__).resolve().parent / "jump.js"
_WANTED = "jump to"
_COUNT = "jumps made"
_FOCUS = "jump into"


def to(css: str) -> None:
    """Ask for the element of a class to be scrolled to after the next run."""
    _go(css, focus=False)


def into(css: str) -> None:
    """Ask for the field inside the element of a class to be the one that is typed in."""
    _go(css, focus=True)


def _go(css: str, *, focus: bool) -> None:
    st.session_state[_WANTED] = css
    st.session_state[_FOCUS] = focus
    st.session_state[_COUNT] = st.session_state.get(_COUNT, 0) + 1


def listen() -> None:
    """Scroll to what was asked for; called once a run."""
    st.components.v2.component("evaldesk_jump", html="<i></i>", js=SCRIPT.read_text("utf-8"))(
        key="jumps",
        data={
            "css": st.session_state.get(_WANTED, ""),
            "focus": st.session_state.get(_FOCUS, False),
            "number": st.session_state.get(_COUNT, 0),
        },
    )
