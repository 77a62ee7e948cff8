"""What a rule answers: values that are returned, or exceptions, one call after the other."""

from __future__ import annotations

from typing import Any

import streamlit as st

from evalcore.formats.mocks import StrategyForm
from evalcore.jsontree import MISSING, JsonValue
from evalcore.mocking import TARGET, exception, exception_name, is_built
from evalcore.views import states
from evalcore.views.mocks import part, value_words
from evalcore.views.slots import Slot
from pages._author.lists import heading, item_menu
from pages._author.members import (
    INDENT,
    KIND_WIDTH,
    members,
    paged,
    shown_part,
    to_last_page,
    value_editor,
)
from pages._author.mocks.arguments import kind
from pages._author.typed import typed_error
from pages._ui import bind, safe

RETURNS, RAISES = "Returns", "Raises"
COMMON = (
    "NotImplementedError",
    "RuntimeError",
    "ValueError",
    "KeyError",
    "TimeoutError",
    "ConnectionError",
    "PermissionError",
)
HELP = "The first call gets the first answer, the second the second; the last one repeats."


def blank_answer(form: StrategyForm) -> JsonValue:
    """Return an answer that returns an empty text."""
    return _written(form, {}, "return", "")


def answers(slot: Slot, form: StrategyForm, off: bool) -> None:
    """Draw the answers of a rule in their order."""
    found = slot.items()
    heading("Answers", HELP, slot.read())
    for index, (handle, raw) in shown_part(slot, found):
        _answer(slot, form, handle, raw, (index, len(found)), off)
    paged(slot, len(found))
    if not off:
        words = "Add the next answer" if found else "Add an answer"
        bind.button(slot.inner("add"), words, lambda: _add(slot, form), icon="add", kind="tertiary")


def _add(slot: Slot, form: StrategyForm) -> None:
    to_last_page(slot)
    slot.update(lambda old: [*(old if isinstance(old, list) else []), blank_answer(form)])


def _answer(
    slot: Slot,
    form: StrategyForm,
    handle: str,
    raw: JsonValue,
    place: tuple[int, int],
    off: bool,
) -> None:
    index, count = place
    item = slot.item(handle)
    inner = part(item, "value", form.answer["value"])
    raises = form.answer["effect"].get(raw) == form.effects["raise"]
    with st.container(horizontal=True, vertical_alignment="top", gap="xsmall"):
        with st.container(width=KIND_WIDTH - 20):
            _effect(item, form, raw, off)
        if not isinstance(raw, dict):
            with st.container():
                value_editor(item, raw, off)
        elif raises:
            with st.container():
                _exception(inner, inner.read(), off)
        else:
            _value(inner, inner.read(), off)
        item_menu(slot, handle, index, count, off)
    value = inner.read()
    if isinstance(value, dict) and value and not is_built(value):
        _indent, nested = st.columns(INDENT, gap=None)
        with nested:
            members(inner, "", "", off)
    typed_error(inner)


def _effect(item: Slot, form: StrategyForm, raw: JsonValue, off: bool) -> None:
    effect = form.answer["effect"].get(raw)
    words = {form.effects["return"]: RETURNS, form.effects["raise"]: RAISES}
    now = words.get(effect) if isinstance(effect, str) else None

    def change(wanted: str) -> None:
        item.update(lambda old: _turned(form, old, wanted))

    bind.choice(
        item.inner("effect"),
        "What it does",
        [RETURNS, RAISES],
        now or (effect if isinstance(effect, str) else None),
        change,
        hidden=True,
        disabled=off,
    )


def _turned(form: StrategyForm, old: JsonValue, wanted: str) -> JsonValue:
    """Return an answer that does the other thing; an exception and a value do not mix."""
    if wanted not in (RETURNS, RAISES):
        return old
    value = form.answer["value"].get(old)
    if wanted == RAISES:
        kept = value if exception_name(value) else exception(COMMON[0])
        return _written(form, old, "raise", kept)
    kept = "" if value is MISSING or exception_name(value) else value
    return _written(form, old, "return", kept)


def _written(form: StrategyForm, old: JsonValue, effect: str, value: Any) -> JsonValue:
    held = old if isinstance(old, dict) else {}
    named = form.answer["effect"].put(held, form.effects[effect], "camel")
    return form.answer["value"].put(named, value, "camel")


def _value(slot: Slot, value: Any, off: bool) -> None:
    with st.container(width=KIND_WIDTH):
        kind(slot, value, off, may_be_any=False)
    with st.container():
        if value is MISSING:
            safe.show(safe.el("div", states.said(value), css="ed-state ed-beside-field"))
        elif is_built(value):
            safe.show(safe.el("div", value_words(value), css="ed-built"))
        elif not isinstance(value, dict):
            value_editor(slot, value, off)
        elif not value:
            safe.show(safe.el("div", "no values", css="ed-state ed-beside-field"))


def _exception(slot: Slot, value: Any, off: bool) -> None:
    """Draw the choice of an exception; one of the project's own is typed with its module."""
    if value is not MISSING and not is_built(value):
        words = f"{value_words(value)} is no exception; choose one:"
        safe.show(safe.el("div", words, css="ed-muted"))
    target = value.get(TARGET) if isinstance(value, dict) else None
    text = str(target).removeprefix("builtins.") if target is not None else None
    if isinstance(value, dict) and len(value) > 1:
        safe.show(safe.el("div", value_words(value), css="ed-built"))
    bind.choice(
        slot.key,
        "Exception",
        COMMON,
        text,
        lambda typed: slot.commit(typed, lambda _old: _named(typed.strip())),
        hidden=True,
        disabled=off,
        open_ended=True,
        placeholder="Choose an exception",
    )


def _named(typed: str) -> JsonValue:
    return {TARGET: typed} if "." in typed else exception(typed)
