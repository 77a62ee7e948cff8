"""One case result: its verdict, the way to its neighbours, and what is known of it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from evalcore import verdicts
from evalcore.counting import CaseRow
from evalcore.views import numbers
from evalcore.views.expectations import Join, Joiner
from evalcore.views.results_table import short
from evalcore.views.run_files import RunFile
from pages._results import address, conversation, look, raw, scores
from pages._results.cache import Counted
from pages._results.look import box, span
from pages._ui import bind, keys, state


def draw(
    run: Counted, row: CaseRow, found: Sequence[CaseRow], file: RunFile, joiner: Joiner | None
) -> None:
    """Draw a case result; ``found`` are the rows that Prev and Next walk through."""
    join = joiner.of(row.place) if joiner is not None else None
    _header(row, found, join)
    _cautions(run, row)
    tabs = st.tabs(["Conversation", "Scores", "Raw"], key="results.tabs", on_change="rerun")
    if tabs[0].open:
        with tabs[0]:
            conversation.draw(row, join, {m.key: m.label for m in run.view.metrics})
    if tabs[1].open:
        with tabs[1]:
            scores.draw(run, row, join)
    if tabs[2].open:
        with tabs[2]:
            raw.draw(row, file)


def _header(row: CaseRow, found: Sequence[CaseRow], join: Join | None) -> None:
    at = next((i for i, other in enumerate(found) if other is row), None)
    before = found[at - 1] if at else None
    place = -1 if at is None else at
    after = found[place + 1] if place + 1 < len(found) else None
    with st.container(horizontal=True, vertical_alignment="center"):
        with st.container(width="stretch"):
            look.draw(
                box(
                    "title",
                    span("name", short(row.title)),
                    look.chip(row.verdict),
                    span("small soft", _facts(row)),
                    span(
                        "small soft",
                        "(not in the list: the filter leaves it out)" if at is None else "",
                    ),
                )
            )
        _step("results.previous", "Prev", before, "arrow_upward", keys.PREVIOUS)
        _step("results.next", "Next", after, "arrow_downward", keys.NEXT)
        if join is not None:
            bind.button(
                "results.author",
                "Open case",
                lambda: state.go("author", set=join.path, case=join.case.id),
                icon="edit_note",
                help=f"Edit this case in {join.path} (found by its {join.by}).",
            )


def _step(key: str, label: str, row: CaseRow | None, icon: str, shortcut: str) -> None:
    bind.button(
        key,
        label,
        lambda: address.choose(address.of(row)) if row else None,
        icon=icon,
        disabled=row is None,
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
