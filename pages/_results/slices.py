"""How the groups of a run's cases did: by tag and by each field of their metadata."""

from __future__ import annotations

import streamlit as st

from evalcore.store import StoredRun
from pages._results.address import Address


def draw_slices(run: StoredRun, asked: Address) -> None:
    """Draw the tab Slices of a run."""
    st.caption("Nothing to slice by.")
