"""The arguments of a call as rows: those by position, then those by name, each of some kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from evalcore.jsontree import MISSING, JsonValue
from evalcore.mocking import ANY, is_any, is_built
from evalcore.views import parts
from evalcore.views.mocks import value_words
from evalcore.views.slots import Slot
from evalcore.views.values import ValueKind, converted, kind_of, printable
from evalcore.views.words import plural
from pages._author.members import (
    DEPTH,
    INDENT,
    KIND_WIDTH,
    NAME_WIDTH,
    UNFOLDED,
    members,
    name_error,
    name_field,
    paged,
    shown_part,
    to_last_page,
    value_editor,
)
from pages._author.typed import typed_error
from pages._ui import bind, safe

ANYTHING = "Anything"
OBJECT = "Python object"
OTHER = "\u0000other"


@dataclass(frozen=True, slots=True)
class Arguments:
    """The two parts of a call's arguments.

    ``known`` are names that the function was seen with. ``may_be_any`` offers “Anything” as a kind,
    which a rule may want and a call cannot have.
    """

    args: Slot
    named: Slot
    known: Sequence[str]
    off: bool
    may_be_any: bool

    @property
    def blank(self) -> JsonValue:
        """Return what a new argument is."""
        return dict(ANY) if self.may_be_any else ""


def arguments(given: Arguments) -> None:
    """Draw the rows, and what adds one."""
    with st.container(gap="xsmall"):
        for index, (handle, value) in shown_part(given.args, given.args.items()):
            _positional(given, index, handle, value)
        paged(given.args, len(given.args.items()))
        for _index, (handle, name) in shown_part(given.named, given.named.rows()):
            _named(given, handle, name)
        paged(given.named, len(given.named.rows()))
        if not given.off:
            _adders(given)


def _positional(given: Arguments, index: int, handle: str, value: Any) -> None:
    slot = given.args.item(handle)
    with st.container(horizontal=True, vertical_alignment="top", gap="xsmall"):
        with st.container(width=NAME_WIDTH):
            words = f"{index + 1}, by position"
            safe.show(safe.el("div", words, css="ed-muted ed-beside-field"))
        _kind_and_value(given, slot, value)
        bind.delete_button(
            slot.inner("delete"),
            f"Delete argument {index + 1}",
            lambda: given.args.at(handle, parts.without),
            disabled=given.off,
        )
    _below(given, slot, value)


def _named(given: Arguments, handle: str, name: str) -> None:
    slot = given.named.member(handle)
    value = slot.read()
    with st.container(horizontal=True, vertical_alignment="top", gap="xsmall"):
        with st.container(width=NAME_WIDTH):
            name_field(given.named, handle, name, given.off)
        _kind_and_value(given, slot, value)
        bind.delete_button(
            slot.inner("delete"),
            f"Delete {name}",
            lambda: given.named.update(
                lambda old: parts.without_member(old, given.named.name_of(handle))
            ),
            disabled=given.off,
        )
    _below(given, slot, value)
    name_error(given.named, handle)


def _kind_and_value(given: Arguments, slot: Slot, value: Any) -> None:
    with st.container(width=KIND_WIDTH):
        kind(slot, value, given.off, may_be_any=given.may_be_any)
    with st.container():
        if is_any(value):
            safe.show(safe.el("div", "any value fits", css="ed-state ed-beside-field"))
        elif is_built(value):
            safe.show(safe.el("div", value_words(value), css="ed-built"))
        elif _unfolds(value):
            safe.show(safe.el("div", plural(len(value), "value"), css="ed-muted ed-beside-field"))
        else:
            value_editor(slot, value, given.off)


def _unfolds(value: Any) -> bool:
    return isinstance(value, dict) and len(value) <= UNFOLDED and not is_built(value)


def _below(given: Arguments, slot: Slot, value: Any) -> None:
    if _unfolds(value):
        _indent, nested = st.columns(INDENT, gap=None)
        with nested:
            members(slot, "", "", given.off, depth=min(1, DEPTH))
    typed_error(slot)


def kind(slot: Slot, value: Any, off: bool, *, may_be_any: bool) -> None:
    """Draw the choice of what kind a value is; a Python object is one that the file names."""
    options = [*([ANYTHING] if may_be_any else []), *(k.value for k in ValueKind)]
    named = ANYTHING if is_any(value) else OBJECT if is_built(value) else None
    now = named or (None if value is MISSING else kind_of(value).value)

    def change(wanted: str) -> None:
        if wanted == ANYTHING:
            slot.update(lambda _old: dict(ANY))
        elif wanted != OBJECT:
            slot.update(lambda old: _converted(old, ValueKind(wanted)))

    bind.choice(slot.inner("kind"), "Kind", options, now, change, hidden=True, disabled=off)


def _converted(old: Any, wanted: ValueKind) -> JsonValue:
    return converted(None if old is MISSING or is_built(old) else old, wanted)


def _adders(given: Arguments) -> None:
    taken = {name for _handle, name in given.named.rows()}
    free = {name: printable(name) for name in given.known if name not in taken}

    def add(wanted: str) -> None:
        name = "new_argument" if wanted == OTHER else wanted
        to_last_page(given.named)
        given.named.update(lambda old: _with_new(old, name, given.blank))

    def add_positional() -> None:
        to_last_page(given.args)
        given.args.update(lambda old: [*(old if isinstance(old, list) else []), given.blank])

    with st.container(horizontal=True, gap="xsmall"):
        key = given.named.inner("add")
        if free:
            options = {**free, OTHER: "Another name"}
            bind.menu(key, "Add by name", options, add, icon="add", help="Names seen so far")
        else:
            bind.button(key, "Add by name", add, OTHER, icon="add", kind="tertiary")
        bind.button(
            given.args.inner("add"),
            "Add by position",
            add_positional,
            icon="add",
            kind="tertiary",
            help="For calls that give values without names. The two are never the same to a rule.",
        )


def _with_new(old: Any, wanted: str, blank: JsonValue) -> dict[str, Any]:
    held = old if isinstance(old, dict) else {}
    names = (wanted, *(f"{wanted}_{n}" for n in range(2, len(held) + 3)))
    return {**held, next(n for n in names if n not in held): blank}
