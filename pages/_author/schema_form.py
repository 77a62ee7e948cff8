"""A value as a form that its JSON schema draws; what does not fit is told where it stands."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import streamlit as st

from evalcore.errors import Problem
from evalcore.jsontree import MISSING, JsonValue
from evalcore.views import states
from evalcore.views.schema import Shape, Spec
from evalcore.views.schema_faults import faults
from evalcore.views.schema_form import DEPTH, Fault, Fix, Row, rows, words_of
from evalcore.views.slots import Slot
from evalcore.views.values import plain, printable
from pages._author.dots import framed
from pages._author.lists import heading as list_heading
from pages._author.lists import item_menu
from pages._author.members import (
    KIND_WIDTH,
    kind_field,
    members,
    name_error,
    name_field,
    paged,
    shown_part,
    to_last_page,
    value_editor,
    yes_or_no,
)
from pages._author.names import name_field as known_name
from pages._author.texts import text_field
from pages._author.typed import shown_json, shown_number, take_json, take_number, typed_error
from pages._ui import bind, safe
from pages._ui.problems import problem_markup


def schema_form(
    slot: Slot,
    spec: Spec,
    label: str = "",
    help: str = "",
    off: bool = False,
    noun: str = "value",
    depth: int = 0,
    *,
    is_required: bool = False,
) -> None:
    """Draw a value of any shape. ``noun`` is what its members are called, such as ``input``."""
    value = slot.read()
    if spec.alternatives and len(spec.alternatives) > 1:
        _union(slot, spec, value, label, help, off, noun, depth)
        return
    spec = spec.chosen(value)
    is_choice = spec.shape is Shape.CHOICE and isinstance(value, str)
    if not (value is MISSING or value is None or is_choice or spec.accepts(value)):
        _misfit(slot, value, label, help, off)
    elif depth > DEPTH and spec.shape in (Shape.GROUP, Shape.LIST):
        _json(slot, value, label, help, off)
    elif spec.shape is Shape.GROUP:
        _group(slot, spec, label, help, off, noun, depth)
    elif spec.shape is Shape.LIST:
        _list(slot, spec, label, help, off, depth)
    else:
        _scalar(slot, spec, value, label, help, off, is_required)
    typed_error(slot)


def _scalar(
    slot: Slot, spec: Spec, value: Any, label: str, help: str, off: bool, is_required: bool
) -> None:
    place = states.said(value)
    place = "needed" if is_required and value is MISSING else place
    if spec.shape is Shape.TEXT and spec.names:
        known_name(slot, label, value, spec.names, help=help, off=off)
    elif spec.shape is Shape.TEXT:
        text_field(
            slot,
            label or "Text",
            value,
            help=help,
            off=off,
            hidden=not label,
            multiline=spec.is_multiline,
            placeholder=place,
        )
    elif spec.shape in (Shape.NUMBER, Shape.WHOLE):
        bind.line(
            slot.key,
            label or "Number",
            shown_number(slot, value),
            take_number(slot),
            help=help,
            hidden=not label,
            disabled=off,
            placeholder=place,
        )
    elif spec.shape is Shape.FLAG:
        yes_or_no(slot, label or "Yes or no", value, off, help=help, hidden=not label)
    elif spec.shape is Shape.CHOICE:
        _choice(slot, spec, value, label, help, off)
    else:
        _anything(slot, value, label, help, off)


def _choice(slot: Slot, spec: Spec, value: Any, label: str, help: str, off: bool) -> None:
    by_words = {plain(choice): choice for choice in spec.choices}
    bind.choice(
        slot.key,
        label or "Choice",
        list(by_words),
        None if value is MISSING or value is None else plain(value),
        lambda chosen: slot.write(by_words.get(chosen, chosen)),
        help=help,
        hidden=not label,
        disabled=off,
    )


def _anything(slot: Slot, value: Any, label: str, help: str, off: bool) -> None:
    """Draw a value of which the schema says nothing, with the choice of its kind."""
    heading(label, help, value)
    if isinstance(value, dict):
        members(slot, "", "", off)
        return
    with st.container(horizontal=True, vertical_alignment="top", gap="xsmall"):
        with st.container(width=KIND_WIDTH):
            kind_field(slot, value, off)
        if value is not MISSING:
            with st.container():
                value_editor(slot, value, off)


def _misfit(slot: Slot, value: Any, label: str, help: str, off: bool) -> None:
    """Draw a value that is not of the kind asked for, as what it is."""
    heading(label, help, MISSING if value is None else True)
    if isinstance(value, dict):
        members(slot, "", "", off)
    else:
        value_editor(slot, value, off)


def _json(slot: Slot, value: Any, label: str, help: str, off: bool) -> None:
    bind.area(
        slot.key,
        label or "Value",
        shown_json(slot, value),
        take_json(slot),
        help=help,
        hidden=not label,
        disabled=off,
        placeholder=states.said(value),
    )


def _union(
    slot: Slot,
    spec: Spec,
    value: Any,
    label: str,
    help: str,
    off: bool,
    noun: str,
    depth: int,
) -> None:
    named = {title: s for s in spec.alternatives for title in (_title(s),)}
    chosen = spec.chosen(value)
    fits = value is MISSING or value is None or chosen.accepts(value)
    if label:
        heading(label, help, value)
    now = _title(chosen) if fits and value is not MISSING and value is not None else None
    bind.choice(
        slot.inner("alternative"),
        f"Kind of {label}" if label else "Kind",
        list(named),
        now,
        lambda title: slot.update(lambda old: _turned(named[title], old)),
        hidden=True,
        disabled=off,
        placeholder=_either(named),
    )
    if value is MISSING or value is None:
        return
    if fits:
        schema_form(slot, chosen, "", "", off, noun, depth)
    else:
        _misfit(slot, value, "", "", off)


def _either(titles: Iterable[str]) -> str:
    words = " or ".join(title[:1].lower() + title[1:] for title in titles)
    return words[:1].upper() + words[1:]


def _turned(spec: Spec, old: Any) -> JsonValue:
    """Return a value as another alternative: the same one where that takes it, else a new one."""
    return old if old is not MISSING and old is not None and spec.accepts(old) else spec.blank()


def _title(spec: Spec) -> str:
    return words_of(spec.title or spec.words)


def _group(slot: Slot, spec: Spec, label: str, help: str, off: bool, noun: str, depth: int) -> None:
    heading(label, help, slot.read())
    found = rows(spec, slot.read(), noun)
    drawn = [r for r in found if r.is_known or spec.members]
    for _index, row in shown_part(slot, drawn):
        _member(slot, row, off, noun, depth)
    paged(slot, len(drawn))
    if spec.others is None:
        return
    if not spec.members and spec.others.shape is Shape.ANY:
        members(slot, "", "", off, noun=noun)
        return
    if not spec.members:
        named = slot.rows()
        for _index, (handle, name) in shown_part(slot, named):
            _named(slot, spec.others, handle, name, off, depth)
        paged(slot, len(named))
    if not off:
        other = spec.others
        bind.button(
            slot.inner("add"),
            f"Add {noun}",
            lambda: _add_named(slot, other, noun),
            icon="add",
            kind="tertiary",
        )


def _add_named(slot: Slot, spec: Spec, noun: str) -> None:
    def change(old: Any) -> Any:
        held = old if isinstance(old, dict) else {}
        names = (f"new_{noun}", *(f"new_{noun}_{n}" for n in range(2, len(held) + 3)))
        return {**held, next(n for n in names if n not in held): spec.blank()}

    slot.update(change)


def _named(slot: Slot, spec: Spec, handle: str, name: str, off: bool, depth: int) -> None:
    """Draw a member whose name is free, with a form for its value."""
    inner = slot.member(handle)
    with st.container(border=True, gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="top", gap="xsmall"):
            with st.container():
                name_field(slot, handle, name, off)
            bind.delete_button(
                inner.inner("delete"),
                f"Delete {name}",
                lambda: slot.update(
                    lambda old: {n: v for n, v in old.items() if n != slot.name_of(handle)}
                ),
                disabled=off,
            )
        name_error(slot, handle)
        schema_form(inner, spec, "", "", off, depth=depth + 1)


def _member(slot: Slot, row: Row, off: bool, noun: str, depth: int) -> None:
    fixed = row.spec.schema.get("x-fixed") is True
    if fixed and not row.faults:
        return
    inner = slot.child(row.name)
    is_group = row.spec.chosen(row.value).shape in (Shape.GROUP, Shape.LIST)
    label = row.label + (" *" if row.is_required else "")
    with st.container(border=is_group and depth < 3, gap="xsmall"):
        with framed(inner, row.label, states.empty_of(row.spec), off):
            if is_group and row.value is MISSING:
                heading(label, row.help, row.value)
                _offer(inner, row.spec, row.label, off)
            else:
                schema_form(
                    inner,
                    row.spec,
                    label,
                    row.help,
                    off,
                    depth=depth + 1,
                    is_required=row.is_required,
                )
        for index, fault in enumerate(row.faults):
            _fault(slot, row, index, fault, off)


def _offer(slot: Slot, spec: Spec, label: str, off: bool) -> None:
    if not off:
        bind.button(
            slot.inner("begin"),
            f"Add {label.lower()}",
            lambda: slot.update(lambda _old: spec.blank()),
            icon="add",
            kind="tertiary",
        )


def _fault(slot: Slot, row: Row, index: int, fault: Fault, off: bool) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        with st.container():
            safe.show(problem_markup(Problem("warning", "schema", fault.message)))
        for number, fix in enumerate(() if off else fault.fixes):
            _fix(slot, f"fix {slot.inner(row.name, str(index), str(number))}", fix)


def _fix(slot: Slot, key: str, fix: Fix) -> None:
    def mend() -> None:
        slot.update(lambda old: fix.change(old if isinstance(old, dict) else {}))

    bind.button(key, fix.label, mend, icon="build", kind="tertiary")


def _list(slot: Slot, spec: Spec, label: str, help: str, off: bool, depth: int) -> None:
    heading(label, help, slot.read())
    found = slot.items()
    if spec.length is not None and len(found) == spec.length:
        _fixed_list(slot, spec, found, off, depth)
        return
    item = spec.item()
    noun = _title(item) if item.title else (item.names or "item").capitalize()
    for index, (handle, value) in shown_part(slot, found):
        one = spec.item(index)
        if one.chosen(value).shape in (Shape.GROUP, Shape.LIST) or len(one.alternatives) > 1:
            with st.container(border=True, gap="xsmall"):
                with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
                    safe.show(safe.el("strong", f"{noun} {index + 1}"), width="stretch")
                    item_menu(slot, handle, index, len(found), off)
                schema_form(slot.item(handle), one, "", "", off, depth=depth + 1)
        else:
            with st.container(horizontal=True, vertical_alignment="top", gap="xsmall"):
                with st.container():
                    schema_form(slot.item(handle), one, "", "", off, depth=depth + 1)
                item_menu(slot, handle, index, len(found), off)
        for message in faults(one, value):
            safe.show(problem_markup(Problem("warning", "schema", message)))
    paged(slot, len(found))
    if not off:
        _add_items(slot, item, noun)


def _add_items(slot: Slot, item: Spec, noun: str) -> None:
    """Draw a button that adds an item, or one for each kind of item."""
    kinds = item.alternatives if len(item.alternatives) > 1 else (item,)
    with st.container(horizontal=True, gap="xsmall"):
        for index, kind in enumerate(kinds):
            name = _title(kind).lower() if len(kinds) > 1 else noun.lower()
            bind.button(
                slot.inner("add", str(index)),
                f"Add {name}",
                _append,
                slot,
                kind,
                icon="add",
                kind="tertiary",
            )


def _append(slot: Slot, kind: Spec) -> None:
    slot.update(lambda old: [*(old if isinstance(old, list) else []), kind.blank()])
    to_last_page(slot)


def _fixed_list(
    slot: Slot, spec: Spec, found: list[tuple[str, Any]], off: bool, depth: int
) -> None:
    for index, (column, (handle, _value)) in enumerate(
        zip(st.columns(len(found), gap="xsmall"), found, strict=True)
    ):
        with column:
            one = spec.item(index)
            schema_form(slot.item(handle), one, one.title, one.help, off, depth=depth + 1)


def heading(label: str, help: str, value: Any) -> None:
    """Draw the name of something that is several widgets, and whether it is there."""
    if label:
        list_heading(printable(label), help, value)
