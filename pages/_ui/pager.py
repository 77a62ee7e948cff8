"""Leafing through a long list."""

from __future__ import annotations

import streamlit as st

from evalcore.views.caselist import Page
from pages._ui import safe, state


def pager(name: str, page: Page, noun: str = "") -> None:
    """Draw page numbers where there is more than one page; the choice is kept under ``name``.

    ``noun`` says what is counted, where that is not what the list is of: ``lines``.
    """
    if page.pages == 1:
        return
    key = f"pager {name} {page.number}"
    with st.container(horizontal=True, vertical_alignment="center"):
        st.pagination(
            page.pages,
            default=page.number,
            max_visible_pages=5,
            key=key,
            on_change=lambda: state.keep(name, st.session_state.get(key, page.number)),
        )
        st.caption(safe.label(f"{page.first:,}–{page.last:,} of {page.found:,} {noun}".rstrip()))
