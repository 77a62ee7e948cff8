"""What each check expects of a case: its own defaults, or values for this case."""

from __future__ import annotations

from typing import Any

import streamlit as st

from evalcore.jsontree import MISSING, JsonObject
from evalcore.views import parts
from evalcore.views.criterion import schema_for
from evalcore.views.form import FieldView
from evalcore.views.schema import spec_of
from evalcore.views.sheet import Sheet
from evalcore.views.slots import Slot
from evalcore.views.values import printable
from pages._author.dots import dots, is_json
from pages._author.lists import heading
from pages._author.members import members, value_editor
from pages._author.schema_form import schema_form
from pages._author.typed import shown_json, take_json, typed_error
from pages._ui import bind, safe


def criteria(slot: Slot, view: FieldView, off: bool) -> None:
    """Draw one card for each check that the case names, and offer the set's other checks."""
    rows = slot.rows()
    heading(view.field.label, view.field.help, view.value)
    for handle, name in rows:
        with st.container(border=True, gap="xsmall"):
            _check(slot, handle, name, off)
    if not off:
        _offer(slot, {name for _, name in rows})


def criterion_form(slot: Slot, schema: JsonObject | None, off: bool) -> None:
    """Draw what one evaluator expects, by the schema of its criteria; None draws rows of values.

    The slot holds the criterion: MISSING, null (the evaluator's own defaults), or an object.
    """
    value = slot.read()
    if is_json(slot) and not off:
        area = shown_json(slot, value)
        bind.area(slot.key, "Criteria as JSON", area, take_json(slot), hidden=True)
        typed_error(slot)
    elif schema is not None and (isinstance(value, dict) or value is MISSING):
        schema_form(slot, spec_of(schema), "", "", off)
    elif isinstance(value, dict):
        members(slot, "", "", off)
    elif value is not None and value is not MISSING:
        value_editor(slot, value, off)
        typed_error(slot)


def known_schema(slot: Slot, name: str) -> JsonObject | None:
    """Return the schema of what an evaluator of the set expects, None where it is not known."""
    sheet = slot.sheet
    if not isinstance(sheet, Sheet) or sheet.project is None:
        return None
    return schema_for(name, sheet.project.evaluators, sheet.project.schemas.get("expected_output"))


def title_of(slot: Slot, ref: str) -> str:
    """Return what people call an evaluator: its name where its file is known, else its ref."""
    sheet = slot.sheet
    known = sheet.project.evaluators if isinstance(sheet, Sheet) and sheet.project else ()
    return next((e.name for e in known if e.ref == ref and e.name), ref)


def _check(slot: Slot, handle: str, name: str, off: bool) -> None:
    inner = slot.member(handle)
    value = inner.read()
    schema = known_schema(slot, name)
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        title = title_of(slot, name)
        with st.container():
            same = title == name
            note = "" if same else safe.el("span", f" {printable(name)}", css="ed-muted")
            safe.show(safe.join(safe.el("strong", printable(title)), note))
        bind.flag(
            inner.inner("default"),
            "Its own defaults",
            value is None,
            lambda on: inner.update(lambda old: None if on else _begun(old, schema)),
            help="Use what the check itself is set to expect, with nothing special for this case.",
            disabled=off,
        )
        bind.delete_button(
            inner.inner("remove"),
            f"Do not run {name} on this case",
            lambda: slot.update(lambda old: parts.without_member(old, slot.name_of(handle))),
            disabled=off,
        )
        if not off and value is not None:
            dots(inner, f"criteria of {name}", {}, has_json=True)
    criterion_form(inner, schema, off)


def _begun(old: Any, schema: JsonObject | None) -> Any:
    """Return the criterion to begin with where a check's defaults are not wanted."""
    if old is not None:
        return old
    return {} if schema is None else spec_of(schema).blank()


def _offer(slot: Slot, used: set[str]) -> None:
    sheet = slot.sheet
    known: dict[str, None] = {}
    if isinstance(sheet, Sheet):
        header = sheet.lens.read_header(sheet.tree)
        known.update(dict.fromkeys(ref.ref for ref in header.evaluator_refs))
        known.update(dict.fromkeys(sheet.checks))
    free = {name: printable(title_of(slot, name)) for name in known if name not in used}
    bind.menu(
        slot.inner("offer"),
        "Add check",
        free,
        lambda name: slot.update(lambda old: _with(old, name, known_schema(slot, name))),
        icon="add",
        help="" if free else "The case has every check that this set knows.",
    )


def _with(old: Any, name: str, schema: JsonObject | None) -> Any:
    """Return the criteria with one more check, whose criterion is begun where that is known.

    A check without defaults of its own fails the case on null, so null is not what is added.
    """
    held = old if isinstance(old, dict) else {}
    return parts.with_member(held, name, None if schema is None else spec_of(schema).blank())
