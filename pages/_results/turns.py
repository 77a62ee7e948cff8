"""Every turn of the case results that pass the filter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from evalcore import counting
from evalcore.counting import Metric
from evalcore.store import RunQuery, StoredRun
from evalcore.verdicts import USUAL_MARK, PassMark
from evalcore.views.results_table import column_names, invocation_frame, short
from pages._ui import safe, state

RESULTS = 50
"""How many case results a page has; each with all of its turns."""
PAGE = "results.turns"


def draw(run: StoredRun, query: RunQuery) -> None:
    """Draw the tab Every turn of a run."""
    total = run.count(query)
    if not total:
        st.caption("No turn matches the filter.")
        return
    pages = -(-total // RESULTS)
    number = min(state.kept(PAGE, 1), pages)
    asked = replace(query, limit=RESULTS, offset=(number - 1) * RESULTS)
    places = [line.case_row for line in run.page(asked).lines]
    held = dict(zip(sorted(places), run.cases(places), strict=True))
    mark = USUAL_MARK if run.pass_mark is None else PassMark(run.pass_mark)
    rows = [counting.case_row(place, held[place], mark) for place in places]
    metrics = [Metric(m.key, m.label, m.informational) for m in run.metrics]
    frame = invocation_frame(rows, metrics)
    st.dataframe(
        frame,
        key=f"results.every.{number}",
        hide_index=True,
        height=520 if len(frame) > 13 else "content",
        column_order=[n for n in frame.columns if n != "place" and not n.startswith("score ")],
        column_config=_columns(metrics),
        alt="Every turn of the case results that pass the filter, with the score of each check",
    )
    first = (number - 1) * RESULTS + 1
    with st.container(horizontal=True, vertical_alignment="center"):
        if pages > 1:
            key = f"{PAGE} {number}"
            st.pagination(
                pages,
                default=number,
                max_visible_pages=5,
                key=key,
                on_change=lambda: state.keep(PAGE, st.session_state.get(key, 1)),
            )
        told = f"{len(frame):,} turns of case results {first:,}–{first + len(places) - 1:,}"
        st.caption(safe.label(f"{told} of {total:,} that match"), width="content")


def _columns(metrics: Sequence[Metric]) -> dict[str, Any]:
    config: dict[str, Any] = {
        "case": st.column_config.TextColumn("Case", width="medium"),
        "turn": st.column_config.TextColumn("Turn", width=80),
        "verdict": st.column_config.TextColumn("Verdict", width=110),
        "user says": st.column_config.TextColumn("User says", width="medium"),
        "reply": st.column_config.TextColumn("Reply", width="medium"),
    }
    for metric, name in zip(metrics, column_names(metrics), strict=True):
        config[f"check {name}"] = st.column_config.TextColumn(safe.label(short(metric.label, 40)))
    return config
