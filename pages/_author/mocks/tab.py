"""Mocks and simulation of a set: its cases, what answers for their tools, and a box to try it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from evalcore.views.form import FieldView, ObjectView, object_view
from evalcore.views.mocks import counted
from evalcore.views.sheet import Sheet
from evalcore.views.slots import field_slot
from pages._author import where
from pages._author.fields import field
from pages._author.mocks import around, cases, trying
from pages._author.mocks.strategy import Beside
from pages._author.mocks.without import without
from pages._ui import bind, keys, safe
from pages._ui.rows import link


def mocks(sheet: Sheet) -> None:
    """Draw the tab."""
    if not sheet.lens.mocks.is_there:
        without(sheet)
        return
    st.caption(safe.label(f"{counted(cases.index(sheet))} {sheet.lens.mocks.note}", 400))
    around.project_file(sheet)
    current = where.current_case(sheet)
    if current is None:
        st.info("This set has no cases yet. Add one under “Cases”; then say here what it replaces.")
        return
    left, right = st.columns([3, 9], gap="small")
    found = cases.found_cases(sheet)
    with left, st.container(key="case-list", gap="small"):
        cases.case_list(sheet, current, found)
    with right, safe.boundary():
        _case(sheet, current, found)


def _case(sheet: Sheet, case: str, found: Sequence[str]) -> None:
    index = sheet.index_of(case)
    view = object_view(sheet, (case,), sheet.problems().of_case(index))
    with st.container(gap="small"):
        with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
            safe.show(safe.el("span", sheet.title(case), css="ed-title"))
            at = list(found).index(case) if case in found else -1
            _step(sheet, found, at - 1, "Prev", "arrow_upward", keys.PREVIOUS)
            _step(sheet, found, at + 1, "Next", "arrow_downward", keys.NEXT)
            bind.button(
                "mocks.case",
                "Open the case",
                lambda: where.open_case(sheet, case),
                icon="arrow_forward",
                kind="tertiary",
            )
        if not view.fields:
            st.info("This case has a shape that its format does not describe; edit it as text.")
            return
        _tools(sheet, case, view)
        _inputs(sheet, view)


def _step(
    sheet: Sheet, found: Sequence[str], to: int, label: str, icon: str, shortcut: str
) -> None:
    bind.button(
        f"mocks {label}",
        label,
        lambda: where.open_case(sheet, found[to], view="mocks"),
        icon=icon,
        kind="tertiary",
        disabled=not 0 <= to < len(found),
        shortcut=shortcut,
    )


def _tools(sheet: Sheet, case: str, view: ObjectView) -> None:
    support = sheet.lens.mocks
    box = trying.box_of(sheet, case)
    with st.container(border=True, gap="small", key="mocked-tools"):
        if support.strategy and support.form is not None:
            form = support.form
            number = f"#{sheet.index_of(case) + 1}"
            href = link("author", set=sheet.draft.path, case=number, view="mocks")
            beside = Beside(
                box.heard,
                lambda opened: trying.box(box, opened),
                lambda rule: box.take(form, rule),
                href,
            )
            field(sheet, _always(sheet, view, support.strategy), beside)
            return
        with st.container(key="mock-pair"):
            left, right = st.columns([7, 5], gap="small")
        with left:
            around.fields_or_offers(sheet, view, support.tools)
        with right:
            trying.box(box)


def _always(sheet: Sheet, view: ObjectView, name: str) -> FieldView:
    """Return the view of a field, whether the file has it or not."""
    found = next((f for f in view.fields if f.field.name == name), None)
    if found is not None:
        return found
    slot = field_slot(sheet, view.place, sheet.lens.field("case", name))
    return FieldView(
        sheet.lens.field("case", name),
        view.place,
        slot.read(),
        sheet.lens.field("case", name).editor,
        slot.key,
    )


def _inputs(sheet: Sheet, view: ObjectView) -> None:
    support = sheet.lens.mocks
    present = {f.field.name: f for f in view.fields}
    if support.inputs:
        with st.container(border=True, gap="small", key="mocked-inputs"):
            safe.show(safe.el("strong", "Inputs"))
            if not any(name in present for name in support.inputs):
                st.caption("The agent is given the inputs as they are written in the case.")
            around.fields_or_offers(sheet, view, support.inputs)
    if support.components and support.components in present:
        with st.container(border=True, gap="small", key="mocked-components"):
            safe.show(safe.el("strong", "Components of the flow"))
            around.components(sheet, present[support.components])
