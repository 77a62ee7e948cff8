"""Results: what failed in a run, why, and how far to trust it."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from evalcore.errors import EvaldeskError
from evalcore.store import RunQuery, StoredRun
from pages._results import (
    address,
    card,
    case_list,
    charts,
    detail,
    empty,
    filters,
    held,
    look,
    old_links,
    rescore,
    rescore_outputs,
    review_tab,
    run_header,
    run_list,
    slices,
    turns,
)
from pages._results.address import Address
from pages._ui import runs, safe
from pages._ui.desk import Desk, open_desk

TABS = ["Cases", "Checks", "Slices", "Review", "Every turn", "Re-score"]


def main() -> None:
    """Draw the list of runs, a run, or outputs that are being scored."""
    look.styles()
    desk = open_desk()
    if rescore_outputs.is_open():
        rescore_outputs.draw(desk, desk.workspace.entries())
        return
    asked = address.read()
    if not asked.run and asked.file:
        run_id = old_links.run_of(desk, asked.file, asked.number)
        if not run_id:
            return
        address.settle(run_id)
        asked = address.read()
    if not asked.run:
        run_list.draw(desk)
        return
    try:
        run = runs.opened(desk, asked.run, card.mark())
    except EvaldeskError as error:
        run_list.back()
        safe.report(error)
        return
    run_page(desk, run, asked)


def run_page(desk: Desk, run: StoredRun, asked: Address) -> None:
    """Draw one run: header, report card, and its tabs."""
    query = asked.query_for(run.manifest)
    shown = held.narrowed(desk, run, query)
    run_header.draw(desk, run, shown)
    with safe.boundary():
        card.draw_card(desk, run)
    if not run.manifest.cases.total:
        empty.nothing_ran()
        return
    tabs = st.tabs(TABS, key="results.shown", on_change="rerun")
    for name, tab in zip(TABS, tabs, strict=True):
        if tab.open:
            with tab, safe.boundary():
                draw_tab(name, desk, run, replace(asked, query=query), shown)


def draw_tab(name: str, desk: Desk, run: StoredRun, asked: Address, shown: RunQuery) -> None:
    """Draw the tab that is open; ``shown`` is what the list of cases shows."""
    match name:
        case "Cases":
            cases(desk, run, asked, shown)
        case "Checks":
            charts.draw_charts(run, replace(asked, query=shown))
        case "Slices":
            slices.draw_slices(run, replace(asked, query=shown))
        case "Review":
            review_tab.draw(desk, run)
        case "Every turn":
            turns.draw(run, shown)
        case _:
            rescore.draw_run(desk, run, card.mark().value)


def cases(desk: Desk, run: StoredRun, asked: Address, shown: RunQuery) -> None:
    """Draw the list of case results beside the chosen one; a fault in that leaves the list."""
    baseline = filters.bar(run, asked)
    left, right = st.columns([11, 13], gap="medium")
    with left:
        current = case_list.draw_list(run, asked, baseline)
    with right, st.container(border=True):
        if current is None:
            st.caption("Choose a case on the left.")
            return
        with safe.boundary():
            detail.draw(desk, run, current, shown)


if __name__ == "__main__":
    main()
