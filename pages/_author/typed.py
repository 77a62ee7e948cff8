"""Text that was typed and could not be used: kept in its field, with the reason below it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from evalcore.errors import Problem
from evalcore.formats.moments import moment_text, read_moment
from evalcore.jsontree import MISSING
from evalcore.views.slots import Slot
from evalcore.views.values import as_text, number_text, read, read_number
from pages._ui import bind, safe
from pages._ui.problems import problem_markup


def shown(slot: Slot, value: Any) -> Any:
    """Return what a field's widget shows: what was typed last, or else the draft's value."""
    return slot.pending.typed if slot.pending else value


def shown_text(slot: Slot, value: Any) -> str:
    """Return a text as its widget shows it; "" where there is none."""
    return str(shown(slot, value if isinstance(value, str) else ""))


def shown_number(slot: Slot, value: Any) -> str:
    """Return a number as its widget shows it; "" where there is none."""
    return str(shown(slot, number_text(value) if isinstance(value, (int, float)) else ""))


def shown_moment(slot: Slot, value: Any) -> str:
    """Return seconds since 1970 as their widget shows them: a date and time, or the number."""
    text = moment_text(value)
    return shown_number(slot, value) if text is None else str(shown(slot, text))


def shown_json(slot: Slot, value: Any) -> str:
    """Return any value as JSON text, as its widget shows it; "" where there is none."""
    return str(shown(slot, "" if value is MISSING else as_text(value)))


def take_text(slot: Slot) -> bind.Commit:
    """Return what takes a typed text. Leaving an empty field as it is does not make it a text."""
    return _taking(slot, lambda typed: typed)


def take_number(slot: Slot) -> bind.Commit:
    """Return what takes a typed number. An emptied field has no number: it leaves the file."""

    def change(typed: str, old: Any) -> Any:
        if typed.strip():
            return read_number(typed)
        return old if old is None else MISSING

    return lambda typed: slot.commit(typed, lambda old: change(typed, old))


def take_moment(slot: Slot) -> bind.Commit:
    """Return what takes a typed date and time. An emptied field leaves the file."""

    def change(typed: str, old: Any) -> Any:
        if not typed.strip():
            return old if old is None else MISSING
        is_number = moment_text(old) is None and isinstance(old, (int, float))
        unchanged = is_number and typed.strip() == number_text(old)
        return old if unchanged else read_moment(typed, old)

    return lambda typed: slot.commit(typed, lambda old: change(typed, old))


def take_json(slot: Slot) -> bind.Commit:
    """Return what takes typed JSON."""
    return _taking(slot, read)


def _taking(slot: Slot, made: Callable[[str], Any]) -> bind.Commit:
    def change(typed: str, old: Any) -> Any:
        untouched = (old is MISSING or old is None) and not typed.strip()
        return old if untouched else made(typed)

    return lambda typed: slot.commit(typed, lambda old: change(typed, old))


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
