"""One case result: what it came to, the way to its neighbours, and everything known of it."""

from __future__ import annotations

import streamlit as st

from evalcore.store import RunQuery, StoredRun
from evalcore.views.case_page import CasePage, case_page, steps
from evalcore.views.expectations import Join
from evalcore.views.results_table import short
from pages._results import (
    address,
    conversation,
    history,
    links,
    look,
    raw,
    repeats,
    reveal,
    scores,
    trace,
    verdict_bar,
)
from pages._results.look import box, span
from pages._ui import bind, keys, runs, safe, state
from pages._ui.desk import Desk

TABS = ["Conversation", "Scores", "Trace", "History", "Raw"]
TAB = "results.tabs"
PREVIOUS_FAILURE, NEXT_FAILURE = "k", "j"


def draw(desk: Desk, run: StoredRun, case_row: int, query: RunQuery) -> None:
    """Draw the case result at a place of a run; Prev and Next walk through those of ``query``."""
    page = case_page(run, case_row)
    if page is None:
        st.caption("This run has no such result any more. Choose one on the left.")
        return
    join = runs.joiner(desk, run.manifest)(page.line)
    _header(run, page, query, join)
    repeats.draw(run, page)
    _cautions(page)
    failing = page.failing_turn if len(page.row.turns) > 1 else None
    verdict_bar.draw(desk, run, case_row, None if failing is None else failing - 1)
    tabs = st.tabs(TABS, key=TAB, on_change="rerun")
    for name, tab in zip(TABS, tabs, strict=True):
        if tab.open:
            with tab, st.container(key=f"case-pane-{name.lower()}"), safe.boundary():
                _tab(name, desk, run, page, join)


def _tab(name: str, desk: Desk, run: StoredRun, page: CasePage, join: Join | None) -> None:
    match name:
        case "Conversation":
            failing = page.failing_turn if len(page.row.turns) > 1 else None
            conversation.draw(page.row, join, page.labels, failing)
            reveal.first_failure(f"{run.manifest.id} {page.line.case_row}")
        case "Scores":
            scores.draw(desk, run, page, join)
        case "Trace":
            trace.draw(run, page)
        case "History":
            history.draw(desk, run, page)
        case _:
            raw.draw(desk, run, page, join)


def _header(run: StoredRun, page: CasePage, query: RunQuery, join: Join | None) -> None:
    near = steps(run, query, page.line)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        with st.container(width="stretch"):
            look.draw(
                box(
                    "title",
                    span("name", short(page.row.label), title=short(page.row.label, 400)),
                    look.chip(page.row.verdict),
                    span("small soft", " · ".join(short(fact, 80) for fact in page.facts)),
                )
            )
        with st.container(horizontal=True, width="content", gap="xsmall"):
            _step("previous", "Prev", run, near.before, "arrow_upward", keys.PREVIOUS)
            _step("next", "Next", run, near.after, "arrow_downward", keys.NEXT)
            _step("fail.previous", "Prev ✗", run, near.failed_before, "", PREVIOUS_FAILURE)
            _step("fail.next", "Next ✗", run, near.failed_after, "", NEXT_FAILURE)
            _author(join)
            with st.popover("⋯", help="Copy the link, where it is from"):
                links.copy(run, page)
                links.sources(run, page, join)
    if not near.is_listed:
        st.caption("This case stays open, though the filter leaves it out of the list.")


def _author(join: Join | None) -> None:
    if join is not None:
        bind.button(
            "results.author",
            "Open case",
            lambda: state.go("author", set=join.path, case=join.case.id),
            icon="edit_note",
            kind="tertiary",
            help=f"Edit this case in {join.path} (found by its {join.by}).",
        )


def _step(
    key: str, label: str, run: StoredRun, place: int | None, icon: str, shortcut: str
) -> None:
    words = {
        "Prev ✗": "The failure before this one, in the order of the list.",
        "Next ✗": "The next failure, in the order of the list.",
        "Prev": "The case before this one, in the order of the list.",
        "Next": "The next case, in the order of the list.",
    }
    bind.button(
        f"results.{key}",
        label,
        lambda: address.choose_row(run, place) if place is not None else None,
        icon=icon,
        disabled=place is None,
        shortcut=shortcut,
        kind="tertiary",
        help=words[label],
    )


def _cautions(page: CasePage) -> None:
    case = page.row.case
    if case.error:
        look.draw(box("banner err", look.paragraph("! " + case.error[:4000])))
    if page.cautions:
        look.draw(box("banner", *map(look.paragraph, page.cautions)))
