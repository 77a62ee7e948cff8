"""Which case and which view of a set are open, in the URL and through edits."""

from __future__ import annotations

import streamlit as st

from evalcore.views.caselist import PAGE_SIZE
from evalcore.views.sheet import Sheet
from pages._ui import state

VIEWS = ("cases", "mocks", "details", "problems", "review")


def view() -> str:
    """Return which part of the set is shown."""
    asked = st.query_params.get("view") or state.kept("author.view", "cases")
    return asked if asked in VIEWS else "cases"


def show_view(name: str) -> None:
    """Show another part of the set."""
    state.keep("author.view", name)
    if name == "cases":
        st.query_params.pop("view", None)
    else:
        st.query_params["view"] = name


def current_case(sheet: Sheet) -> str | None:
    """Return the open case: the one the URL names, else the one last open, else the first.

    The URL is made to name it.
    """
    names, slot = sheet.names(), _slot(sheet)
    known, written, index = st.session_state.get(slot, (None, None, 0))
    asked = st.query_params.get("case")
    case = sheet.case_at(asked) if asked and asked != written else None
    if case is None and known in names:
        case = known
    if case is None and names:
        case = names[min(index, len(names) - 1)]
    if case is None:
        st.query_params.pop("case", None)
        return None
    link = sheet.link_of(case)
    st.session_state[slot] = (case, link, sheet.index_of(case))
    if asked != link:
        st.query_params["case"] = link
    return case


def open_case(sheet: Sheet, case: str, position: int | None = None, *, view: str = "cases") -> None:
    """Open a case; ``position`` is where the list has it, so that its page can follow."""
    index = sheet.index_of(case)
    st.session_state[_slot(sheet)] = (case, st.query_params.get("case"), index)
    place = index if position is None else position
    state.keep(page_slot(sheet), place // PAGE_SIZE + 1)
    show_view(view)


def page_slot(sheet: Sheet) -> str:
    """Return the name under which the list's page number is kept."""
    return f"page {sheet.draft.path}"


def _slot(sheet: Sheet) -> str:
    return f"open case {sheet.draft.path}"
