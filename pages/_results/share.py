"""Handing on a run, or what a filter leaves of it."""

from __future__ import annotations

from evalcore.store import RunQuery, StoredRun
from pages._ui.desk import Desk


def draw(desk: Desk, run: StoredRun, query: RunQuery) -> None:
    """Draw the menu Share in the header of a run."""
