"""One case result: its verdict, the way to its neighbours, and what is known of it."""

from __future__ import annotations

import streamlit as st

from evalcore import verdicts
from evalcore.counting import CaseRow
from evalcore.store import RunQuery, StoredRun
from evalcore.views import numbers
from evalcore.views.expectations import Join
from evalcore.views.results_table import short
from pages._results import address, conversation, look, raw, scores, verdict_bar, whole
from pages._results.cache import Counted
from pages._results.look import box, span
from pages._ui import bind, keys, runs, state
from pages._ui.desk import Desk


def draw(desk: Desk, run: StoredRun, case_row: int, query: RunQuery) -> None:
    """Draw the case result at a place of a run; Prev and Next walk through those of ``query``."""
    found = run.page(RunQuery(rows=(case_row,), limit=1)).lines
    if not found:
        return
    join = runs.joiner(desk, run.manifest)(found[0])
    held = whole.counted(run)
    row = next(r for r in held.view.rows if r.place == case_row)
    _header(run, row, query, join)
    _cautions(held, row)
    verdict_bar.draw(desk, run, case_row)
    tabs = st.tabs(["Conversation", "Scores", "Raw"], key="results.tabs", on_change="rerun")
    if tabs[0].open:
        with tabs[0]:
            conversation.draw(row, join, {m.key: m.label for m in held.view.metrics})
    if tabs[1].open:
        with tabs[1]:
            scores.draw(held, row, join)
    if tabs[2].open:
        with tabs[2]:
            raw.draw(row, run.manifest.source.path)


def _header(run: StoredRun, row: CaseRow, query: RunQuery, join: Join | None) -> None:
    before, after = run.neighbours(query, row.place)
    with st.container(horizontal=True, vertical_alignment="center"):
        with st.container(width="stretch"):
            look.draw(
                box(
                    "title",
                    span("name", short(row.title)),
                    look.chip(row.verdict),
                    span("small soft", _facts(row)),
                )
            )
        _step("results.previous", "Prev", run, before, "arrow_upward", keys.PREVIOUS)
        _step("results.next", "Next", run, after, "arrow_downward", keys.NEXT)
        if join is not None:
            bind.button(
                "results.author",
                "Open case",
                lambda: state.go("author", set=join.path, case=join.case.id),
                icon="edit_note",
                help=f"Edit this case in {join.path} (found by its {join.by}).",
            )


def _step(
    key: str, label: str, run: StoredRun, place: int | None, icon: str, shortcut: str
) -> None:
    bind.button(
        key,
        label,
        lambda: address.choose_row(run, place) if place is not None else None,
        icon=icon,
        disabled=place is None,
        shortcut=shortcut,
        kind="tertiary",
    )


def _facts(row: CaseRow) -> str:
    case = row.case
    parts = [
        case.name if case.name and case.name != row.label else "",
        numbers.seconds(case.duration_s) if case.duration_s is not None else "",
        f"{case.total_tokens:,} tokens" if case.total_tokens is not None else "",
        f"file says “{case.stored_status}”" if case.stored_status else "",
    ]
    return " · ".join(short(part, 80) for part in parts if part)


def _cautions(run: Counted, row: CaseRow) -> None:
    told = [note for note in row.case.notes if note != row.case.error]
    recounted = verdicts.recount(row.case, run.view.mark)
    if row.case.verdict is not None and row.cells and recounted is not row.case.verdict:
        told.insert(
            0,
            f"The file says {verdicts.WORDS[row.case.verdict]}; "
            f"its scores come to {verdicts.WORDS[recounted]}.",
        )
    if row.case.error:
        look.draw(box("banner err", look.paragraph("! " + row.case.error)))
    if told:
        look.draw(box("banner", *map(look.paragraph, told)))
