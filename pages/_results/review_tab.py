"""The tab Review of a run: which case results wait for somebody's word, and what was said."""

from __future__ import annotations

import streamlit as st

from evalcore.store import StoredRun
from pages._ui.desk import Desk


def draw(desk: Desk, run: StoredRun) -> None:
    """Draw the tab."""
    st.caption("Nothing to review.")
