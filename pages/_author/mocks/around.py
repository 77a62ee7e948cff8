"""What is simulated around the tools: the inputs, the components of a flow, the project's file."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from evalcore.formats.lenses import Editor
from evalcore.formats.mocks import SimulatedPart
from evalcore.jsontree import JsonValue
from evalcore.views.form import FieldView, ObjectView
from evalcore.views.sheet import Sheet
from evalcore.views.values import plain
from evalcore.views.words import plural
from pages._author.fields import field
from pages._ui import bind, safe

MOST_PARTS = 40


def fields_or_offers(sheet: Sheet, view: ObjectView, names: Sequence[str]) -> None:
    """Draw fields of a case in the order of ``names``; what the file lacks is offered."""
    present = {f.field.name: f for f in view.fields}
    offered = {f.name: f for f in view.offered}
    for name in names:
        if name in present:
            with st.container(gap="xsmall"):
                field(sheet, present[name])
        elif name in offered and not sheet.lens.read_only:
            _offer(sheet, view, name)


def _offer(sheet: Sheet, view: ObjectView, name: str) -> None:
    found = sheet.lens.field("case", name)
    # Who presses “Simulate tools” wants them simulated.
    begun = True if found.editor is Editor.FLAG else found.blank
    bind.button(
        f"begin {sheet.draft.path} {view.place[0]} {name}",
        found.label,
        lambda: sheet.put(view.place, name, begun, f"begin {name}"),
        icon="add",
        kind="tertiary",
        help=found.help,
    )


def components(sheet: Sheet, found: FieldView | None) -> None:
    """Draw the components that a case simulates: at a glance, then as a form."""
    if found is None:
        return
    parts(sheet.lens.simulated_parts(found.value))
    key = f"components of {found.key}"
    section = st.expander("Edit the components", key=key, on_change="rerun")
    if section.open:
        with section:
            field(sheet, found)


def project_file(sheet: Sheet) -> None:
    """Draw the files of the project that simulate components whatever the case."""
    files = sheet.project.simulations(sheet.lens.mocks.project_file) if sheet.project else {}
    for path, value in files.items():
        with st.expander(
            safe.label(f"{path}: simulates components of every run"), icon=":material/info:"
        ):
            _file(sheet, value)


def _file(sheet: Sheet, value: JsonValue) -> None:
    is_on = isinstance(value, dict) and value.get("enabled") is not False
    found = sheet.lens.simulated_parts(value)
    st.caption(
        safe.label(
            f"{'On' if is_on else 'Switched off'}: {plural(len(found), 'component')}. UiPath reads "
            "this file for every run of the agent. Evaldesk shows it and never writes it.",
            400,
        )
    )
    parts(found)


def parts(found: Sequence[SimulatedPart]) -> None:
    """Draw simulated components, one line each."""
    for one in found[:MOST_PARTS]:
        how = f" {one.how}" if one.how else ""
        pieces = [
            safe.el("b", one.name),
            safe.el("span", f"{one.kind}{how}".strip(), css="ed-chip"),
        ]
        if one.instructions:
            pieces.append(safe.el("div", one.instructions, css="ed-muted"))
        for when, value in one.answers[:8]:
            words = f"if {when}: {plain(value)}" if when else f"gives {plain(value)}"
            pieces.append(safe.el("div", words, css="ed-muted"))
        safe.show(safe.el("div", *pieces, css="ed-part"))
    if len(found) > MOST_PARTS:
        st.caption(safe.label(f"The first {MOST_PARTS} of {len(found):,} are shown."))
