"""What a run recorded of a turn beside what was said and called: model, tokens, sources."""

from __future__ import annotations

import streamlit as st

from evalcore.formats.lenses import Field, Listed
from evalcore.jsontree import MISSING, JsonValue
from evalcore.views import states
from evalcore.views.form import key_of
from evalcore.views.schema import Spec, spec_of
from evalcore.views.sheet import Place, Sheet
from evalcore.views.slots import Slot, field_slot, part_slot
from pages._author.dots import framed, is_json
from pages._author.members import paged, shown_part
from pages._author.schema_form import schema_form
from pages._author.typed import shown_json, take_json, typed_error
from pages._ui import bind, safe, state

MOST_EVENTS = 5
"""Events on one page."""
LABELS = {
    "model_version": ("Model", "The version of the model that answered."),
    "usage_metadata": ("Tokens", "How many tokens the call took."),
    "grounding_metadata": ("Sources", "What was searched for and found. Judges read it."),
}


def run_record(sheet: Sheet, place: Place) -> None:
    """Draw a section for the events of a recorded turn that have any of this."""
    field = sheet.lens.run_record
    lens = None if field is None else field.lens
    if field is None or not isinstance(lens, Listed):
        return
    whole = field_slot(sheet, place, field)
    found = [
        (number, handle, event)
        for number, (handle, event) in enumerate(whole.items(), 1)
        if isinstance(event, dict) and any(_has(lens, name, event) for name in lens.parts)
    ]
    if not found:
        return
    key = key_of(sheet, place, "group", field.name)
    st.session_state[key] = bool(state.kept(key, False))
    section = st.expander(
        safe.label(f"{field.label}: model, tokens, sources"),
        key=key,
        on_change=lambda: state.keep(key, st.session_state.get(key, False)),
    )
    if not section.open:
        return
    with section:
        st.caption(safe.label(field.help))
        for _index, (number, handle, event) in shown_part(whole, found, MOST_EVENTS):
            with st.container(border=True, gap="xsmall"):
                safe.show(safe.el("strong", f"Event {number}"))
                for name in lens.parts:
                    if _has(lens, name, event):
                        spec = spec_of(dict(sheet.lens.run_schema(name, event)))
                        _part(
                            part_slot(whole, place, field, handle, name), name, spec, field, sheet
                        )
        paged(whole, len(found), MOST_EVENTS)


def _has(lens: Listed, name: str, event: JsonValue) -> bool:
    return lens.parts[name].get(event) is not MISSING


def _part(slot: Slot, name: str, spec: Spec, field: Field, sheet: Sheet) -> None:
    label, text = LABELS.get(name, (name, ""))
    off = sheet.lens.read_only or field.read_only
    with framed(slot, label.lower(), states.empty_of(spec), off, has_json=name != "model_version"):
        if is_json(slot) and not off:
            bind.area(slot.key, label, shown_json(slot, slot.read()), take_json(slot))
            typed_error(slot)
        else:
            schema_form(slot, spec, label, text, off)
