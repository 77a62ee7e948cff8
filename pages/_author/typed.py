"""Text that was typed and could not be used: kept in its field, with the reason below it."""

from __future__ import annotations

from typing import Any

import streamlit as st

from evalcore.errors import Problem
from evalcore.views.slots import Slot
from pages._ui import bind, safe
from pages._ui.problems import problem_markup


def shown(slot: Slot, value: Any) -> Any:
    """Return what a field's widget shows: what was typed last, or else the draft's value."""
    return slot.pending.typed if slot.pending else value


def typed_error(slot: Slot) -> None:
    """Draw why what stands in a field is not in the draft, and the way back."""
    if slot.pending is None:
        return
    error = slot.pending.error
    hint = f"{error.hint} The draft still has the value from before.".strip()
    with st.container(horizontal=True, vertical_alignment="center"):
        with st.container():
            safe.show(problem_markup(Problem("error", "typed", error.message, hint)))
        bind.button(f"forget {slot.key}", "Put it back", slot.forget, icon="undo", kind="tertiary")
