"""Leafing through a long list."""

from __future__ import annotations

import streamlit as st

from evalcore.views.caselist import Page
from pages._ui import bind, state


def pager(name: str, page: Page) -> None:
    """Draw page numbers where there is more than one page; the choice is kept under ``name``."""
    if page.pages == 1:
        return
    key = f"pager {name}"
    bind.seed(key, page.number)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.pagination(
            page.pages,
            max_visible_pages=5,
            key=key,
            on_change=lambda: state.keep(name, st.session_state.get(key, 1)),
        )
        st.caption(f"{page.first:,}–{page.last:,} of {page.found:,}")
