"""The small menu of a value: whether the file has it, nothing, or an empty one; and its JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import streamlit as st

from evalcore.views import states
from evalcore.views.slots import Slot
from pages._ui import bind, safe, state

AS_JSON = "json"


def is_json(slot: Slot) -> bool:
    """Return whether a value is shown as JSON because somebody asked for that."""
    return bool(state.kept(_json_key(slot), False))


@contextmanager
def framed(
    slot: Slot,
    label: str,
    empty: Any,
    off: bool,
    *,
    has_json: bool = False,
    more: Mapping[str, str] | None = None,
    do_more: bind.Commit | None = None,
) -> Iterator[None]:
    """Draw what is inside with the value's menu in its corner; ``more`` are entries of its own."""
    # The style sheet puts the menu into the row of the label, where nothing else is.
    with st.container(key=f"frame {slot.key}", gap="xsmall"):
        yield
        if not off:
            dots(slot, label, empty, has_json=has_json, more=more, do_more=do_more)


def dots(
    slot: Slot,
    label: str,
    empty: Any,
    *,
    has_json: bool = False,
    more: Mapping[str, str] | None = None,
    do_more: bind.Commit | None = None,
) -> None:
    """Draw the menu."""
    options = {**(more or {}), **states.choices(slot.read(), empty)}
    if has_json:
        options[AS_JSON] = "Edit as a form" if is_json(slot) else "Edit as JSON"

    def choose(option: str) -> None:
        if option == AS_JSON:
            state.keep(_json_key(slot), not is_json(slot))
        elif more and option in more:
            if do_more is not None:
                do_more(option)
        else:
            slot.forget()
            slot.update(lambda _old: states.chosen(option, empty))

    bind.menu(f"dots {slot.key}", f"Options of {label}", options, choose, icon="more_vert")


def said(value: Any) -> None:
    """Say that a value is absent, nothing or empty; nothing where it shows itself."""
    words = states.said(value)
    if words:
        safe.show(safe.el("span", words, css="ed-state"), width="content")


def _json_key(slot: Slot) -> str:
    return f"as json {slot.key}"
