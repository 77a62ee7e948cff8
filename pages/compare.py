"""Compare: is it better, and can that be said at all?"""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evalcore.compare import Comparison
from evalcore.errors import EvaldeskError
from evalcore.store import StoredRun
from evalcore.views.compare import letter
from pages._compare import address, case, cases, export, held, look, picker, tables, trends, words
from pages._compare.address import Address
from pages._results import card
from pages._ui import bind, runs, safe
from pages._ui.desk import Desk, open_desk

VIEWS = {"runs": "Compare", "trends": "Trends"}
PARTS = ["Cases", "Checks", "Slices", "Set-up"]


def main() -> None:
    """Draw runs against each other, or over time."""
    look.styles()
    desk = open_desk()
    asked = address.read()
    runs.bring_in(desk, desk.workspace.entries())
    with st.container(horizontal=True, vertical_alignment="center"):
        bind.segments(
            "compare.view",
            "What to look at",
            VIEWS,
            asked.view,
            lambda value: address.narrow("view", "trends" if value == "trends" else ""),
        )
        st.space("stretch")
        corner = st.container(width="content")
    if asked.view == "trends":
        trends.draw(desk, asked)
    else:
        against(desk, asked, corner)


def against(desk: Desk, asked: Address, corner: DeltaGenerator) -> None:
    """Draw runs against the first of them."""
    found = opened(desk, asked.runs)
    if found:
        picker.tokens(desk, found)
    if len(found) < 2:
        picker.empty(desk, found)
        return
    with safe.boundary():
        with st.spinner("Comparing case by case…", show_time=True):
            comparison = held.compared(found)
        show(comparison, asked, corner)


def opened(desk: Desk, ids: tuple[str, ...]) -> list[StoredRun]:
    """Return the runs that can be read, and say what is wrong with the others."""
    found = []
    for run_id in ids:
        try:
            found.append(runs.opened(desk, run_id, card.mark()))
        except EvaldeskError as error:
            safe.report(error)
            bind.button(
                f"compare.without {run_id}",
                "Compare without it",
                address.look_at,
                [other for other in ids if other != run_id],
            )
    return found


def show(comparison: Comparison, asked: Address, corner: DeltaGenerator) -> None:
    """Draw what the comparison comes to, and its parts; ways to hand it on go into the corner."""
    ids = [pair.right.manifest.id for pair in comparison.pairs]
    chosen = ids.index(asked.against) if asked.against in ids else 0
    pair, right = comparison.pairs[chosen], letter(chosen + 1)
    with corner, st.container(horizontal=True):
        words.methods()
        export.draw(comparison, chosen, asked)
    words.sentences(comparison, chosen, asked)
    words.doubts(pair, right)
    words.figures(comparison, chosen, asked)
    tabs = st.tabs(PARTS, key="compare.part", on_change="rerun")
    for name, tab in zip(PARTS, tabs, strict=True):
        if tab.open:
            with tab, safe.boundary():
                part(name, comparison, chosen, asked)


def part(name: str, comparison: Comparison, chosen: int, asked: Address) -> None:
    """Draw the part that is open."""
    pair, right = comparison.pairs[chosen], letter(chosen + 1)
    match name:
        case "Cases":
            listed(comparison, chosen, asked)
        case "Checks":
            tables.metrics(pair, right, asked)
        case "Slices":
            tables.slices(pair, right, asked)
        case _:
            tables.setup(comparison, asked)


def listed(comparison: Comparison, chosen: int, asked: Address) -> None:
    """Draw the list of cases, with the one that is open beside it."""
    pair = comparison.pairs[chosen]
    cases.filters(pair, asked)
    line = pair.named(asked.case) if asked.case else None
    if line is None:
        if asked.case:
            st.warning(safe.label(f"Neither run has the case {asked.case}."))
        cases.table(comparison, chosen, asked, "")
        return
    left, right = st.columns([2, 3], gap="medium")
    with left:
        cases.table(comparison, chosen, asked, asked.case)
    with right, st.container(border=True, key="compare-case"), safe.boundary():
        case.draw(comparison, chosen, asked, line, card.mark())


if __name__ == "__main__":
    main()
