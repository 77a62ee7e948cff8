"""Which runs are compared: a token for each, the baseline first, and a list to add from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from evalcore.compare import MOST_RUNS
from evalcore.store import Status, StoredRun
from evalcore.views.compare import letter, run_when
from evalcore.views.results_table import short
from evalcore.views.run_index import Listing
from evalcore.views.run_list import (
    RunFilter,
    RunRow,
    interval_text,
    matching,
    rate_of,
    set_key,
    set_label,
    went,
)
from pages._compare import address, look
from pages._results.look import box, span
from pages._results.look import draw as draw_blocks
from pages._ui import bind, runs, safe, state
from pages._ui.desk import Desk
from pages._ui.rows import Column, Piece, Row, cell, link, rows

OFFERED = 50
"""Runs that a list offers at once; a search finds the others."""
ADDER_WIDTH = 660
FIND = "compare.find run"


def tokens(desk: Desk, shown: Sequence[StoredRun]) -> None:
    """Draw the runs in their order, with what can be done about them, and the way to add one."""
    ids = [run.manifest.id for run in shown]
    with st.container(horizontal=True, key="compare-tokens"):
        for number, run in enumerate(shown):
            with st.container(border=True, width=290):
                _token(number, run, ids)
        if 1 < len(ids) < MOST_RUNS:
            with (
                st.container(width="content"),
                st.popover("Add a run", icon=":material/add:", width="content"),
                st.container(width=ADDER_WIDTH),
            ):
                adder(desk, ids, shown)


def _token(number: int, run: StoredRun, ids: list[str]) -> None:
    manifest = run.manifest
    row = RunRow(manifest)
    title = span("name", row.title, title=row.title)
    words = "baseline" if number == 0 else ""
    rate = rate_of(manifest)
    draw_blocks(
        box(
            "token",
            box("top", look.letter(letter(number)), title, span("soft small", words)),
            box("soft small clip", f"{set_label(manifest)} · {run_when(manifest)}"),
            box("small", went(manifest)),
            box("soft small", interval_text(rate)),
        )
    )
    run_id = manifest.id
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if number:
            first = [run_id, *(other for other in ids if other != run_id)]
            bind.button(
                f"compare.base {run_id}",
                "Make baseline",
                address.look_at,
                first,
                icon="first_page",
                kind="tertiary",
            )
        bind.button(
            f"compare.open {run_id}",
            "Open",
            partial(state.go, "results", run=run_id),
            icon="open_in_new",
            kind="tertiary",
            help="Open this run on the Results page.",
        )
        rest = [other for other in ids if other != run_id]
        bind.button(
            f"compare.remove {run_id}",
            "Remove",
            address.look_at,
            rest,
            icon="close",
            kind="tertiary",
        )


def adder(desk: Desk, ids: Sequence[str], beside: Sequence[StoredRun]) -> None:
    """Draw the runs that can be added, those of the same set first."""
    listing = runs.listing(desk)
    if listing is None:
        st.caption("The list of runs is being read. Open this again in a moment.")
        return
    bind.search(
        FIND,
        "Search the runs",
        state.kept(FIND, ""),
        lambda text: state.keep(FIND, text),
        placeholder="Search by name, set, file",
    )
    wanted = set_key(beside[0].manifest) if beside else ""
    found = [
        row
        for row in matching(listing.rows, RunFilter(text=state.kept(FIND, "")))
        if row.id not in ids and row.manifest.status is not Status.RUNNING
    ]
    found.sort(key=lambda row: set_key(row.manifest) != wanted)
    if not found:
        st.caption("No other run matches.")
        return
    run_rows(
        "compare.add",
        found[:OFFERED],
        lambda run_id: address.look_at([*ids, run_id]),
        height="20rem",
    )
    if len(found) > OFFERED:
        st.caption(safe.label(f"The first {OFFERED} of {len(found):,}; search for others."))


def run_rows(
    key: str, found: Sequence[RunRow], on_open: Callable[[str], None], height: str = ""
) -> None:
    """Draw runs to choose from."""
    rows(
        key,
        "Runs to choose from",
        [Column("Run"), Column("Set"), Column("Result", "170px")],
        [
            Row(
                row.id,
                f"{row.title}, {run_when(row.manifest)}",
                (
                    cell(
                        Piece(short(row.title, 60), strong=True),
                        below=[Piece(run_when(row.manifest), "muted")],
                    ),
                    cell(short(set_label(row.manifest), 60)),
                    cell(went(row.manifest)),
                ),
                link("results", run=row.id),
            )
            for row in found
        ],
        on_open=on_open,
        height=height,
    )


def empty(desk: Desk, shown: Sequence[StoredRun]) -> None:
    """Draw what can be compared where no two runs are chosen: the two newest of each set."""
    listing = runs.listing(desk, 3.0)
    if listing is None:
        st.info("The list of runs is being read.", icon=":material/hourglass_top:")
        return
    if len(listing.rows) < 2:
        _teach(len(listing.rows))
        return
    pairs = newest_pairs(listing)
    if pairs and not shown:
        st.subheader("The newest run beside the one before", anchor=False)
        st.caption("A set that was run at least twice. The older run is the baseline.")
        _pairs(pairs[:OFFERED])
    st.subheader("Choose runs", anchor=False)
    st.caption("Open two to eight, the baseline first.")
    adder(desk, [run.manifest.id for run in shown], shown)


def newest_pairs(listing: Listing) -> list[tuple[RunRow, RunRow]]:
    """Return, for each set with two runs, the newest and the one before of the same system."""
    found: dict[str, tuple[RunRow, RunRow]] = {}
    by_id = {row.id: row for row in listing.rows}
    for row in listing.rows:
        key = set_key(row.manifest)
        if key not in found and row.before is not None and row.before.id in by_id:
            found[key] = (row, by_id[row.before.id])
    return list(found.values())


def _pairs(pairs: Sequence[tuple[RunRow, RunRow]]) -> None:
    by_id = {new.id: (new, old) for new, old in pairs}

    def chosen(run_id: str) -> None:
        new, old = by_id[run_id]
        address.look_at([old.id, new.id])

    rows(
        "compare.pairs",
        "Sets that were run twice",
        [Column("Set"), Column("Before", "200px"), Column("Newest", "200px")],
        [
            Row(
                new.id,
                f"{set_label(new.manifest)}: compare the two newest runs",
                (
                    cell(Piece(short(set_label(new.manifest), 80), strong=True)),
                    *(
                        cell(went(run.manifest), below=[Piece(run_when(run.manifest), "muted")])
                        for run in (old, new)
                    ),
                ),
                link("compare", runs=f"{old.id},{new.id}"),
            )
            for new, old in pairs
        ],
        on_open=chosen,
    )


def _teach(many: int) -> None:
    said = "There is one run so far." if many else "There are no runs yet."
    st.info(
        safe.label(
            f"{said} Compare holds two to eight runs against each other, case by case: what was "
            "fixed, what broke, and whether that is more than chance.",
            500,
        )
    )
    st.markdown(
        "Three ways to get runs: put result files of your system into the workspace or drop them "
        "on **Results**; score recorded outputs with `evaldesk score --save`; or re-score a run "
        "with other checks and save that as a run."
    )
    bind.button("compare.results", "Go to Results", partial(state.go, "results"), icon="fact_check")
