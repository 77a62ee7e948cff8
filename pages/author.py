"""Author: one eval set, its cases in a list and in a form, and the way to save it."""

from __future__ import annotations

import streamlit as st

from evalcore.errors import EvaldeskError
from evalcore.views.sheet import Sheet
from pages._author import caselist, dialogs, history, where
from pages._author.case import case
from pages._author.details import details
from pages._author.header import header
from pages._author.mocks.tab import mocks
from pages._author.problems import problems
from pages._author.review import review
from pages._convert import dialog as converting
from pages._import import begin
from pages._ui import bind, safe, state
from pages._ui.desk import open_desk
from pages._ui.problems import mending


def main() -> None:
    """Draw the page."""
    desk = open_desk()
    path = state.remembered("set")
    if path is None:
        nothing_open()
        return
    try:
        with st.spinner("Opening the set…"):
            sheet = desk.sheet(state.owner(), path)
    except EvaldeskError as error:
        safe.report(error)
        bind.button("author.back", "Back to the library", forget, icon="arrow_back")
        history.drop_lost(desk, path)
        return
    header(desk, sheet)
    dialogs.open_asked(desk, sheet)
    history.open_asked(sheet)
    converting.open_asked(desk)
    view = where.view()
    if view == "review":
        review(desk, sheet)
        return
    tabs(sheet, view)
    with mending(sheet.mender, is_on=not sheet.lens.read_only):
        {"cases": cases, "mocks": mocks, "details": details, "problems": problems}[view](sheet)


def tabs(sheet: Sheet, view: str) -> None:
    """Draw the choice of what is shown of the set."""
    found = sheet.problems().all
    options = {
        "cases": f"Cases {len(sheet.cases):,}",
        "mocks": "Mocks & simulation",
        "details": "Details",
        "problems": f"Problems {len(found):,}" if sheet.is_checked else "Problems",
    }
    bind.segments("author.view", "Part of the set", options, view, where.show_view)


def cases(sheet: Sheet) -> None:
    """Draw the list of cases and the one that is open."""
    if not sheet.cases and not sheet.lens.read_only:
        empty(sheet)
        return
    current = where.current_case(sheet)
    found = caselist.found_cases(sheet)
    left, right = st.columns([4, 8], gap="small")
    with left, st.container(key="case-list", gap="small"):
        caselist.case_list(sheet, current, found)
    with right, safe.boundary():
        if current is not None:
            case(sheet, current, found)


def empty(sheet: Sheet) -> None:
    """Say how a set without cases gets its first ones."""
    with st.container(border=True, width=760):
        st.subheader("This set has no cases yet", anchor=False)
        begin.ways(open_desk(), lambda: caselist.add(sheet), "Add a case", sheet.draft.path)


def nothing_open() -> None:
    """Say how a set is opened."""
    st.info("No set is open. Here the cases of one eval set are written: choose it in the library.")
    bind.button("author.back", "Open the library", forget, icon="folder_open", kind="primary")


def forget() -> None:
    """Go to the library and forget the set that could not be opened."""
    state.remember("set", None)
    state.go("library")


if __name__ == "__main__":
    main()
