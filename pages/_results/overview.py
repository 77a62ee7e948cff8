"""The checks of a run as charts and in numbers, and the table of every turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from evalcore.counting import CaseRow, Metric
from evalcore.views import charts
from evalcore.views.caselist import page_of
from evalcore.views.charts import Chart
from evalcore.views.metrics import Summary, worst
from evalcore.views.results_table import (
    column_names,
    invocation_count,
    invocation_frame,
    short,
    summary_frame,
)
from pages._results import totals
from pages._results.cache import Counted
from pages._ui import bind, state
from pages._ui.pager import pager

PLOT = {"displayModeBar": False, "scrollZoom": False, "doubleClick": False}
TURNS_A_PAGE = 200
LEAST_SCORES = 5
"""With fewer scores than this a distribution shows nothing that the bars do not."""


def draw_checks(run: Counted) -> None:
    """Draw how each check did: charts, then the same in numbers."""
    if not run.summaries:
        st.caption("This run holds no scores.")
        return
    _charts(run)
    _numbers(run.summaries)
    totals.draw(run.view.run.dataset_scores)


def _charts(run: Counted) -> None:
    bars = charts.verdict_bars(run.summaries)
    left, right = st.columns([1, 1], gap="medium")
    with left:
        if bars is not None:
            _plot(bars, "results.bars")
        else:
            st.caption("No check of this run gives a verdict.")
    with right:
        _distribution(run.summaries, bars.height if bars else 200)


def _distribution(summaries: Sequence[Summary], height: int) -> None:
    drawn = [s for s in summaries if len(s.values) >= LEAST_SCORES]
    if not drawn:
        st.caption(
            "Too few scores for a distribution: with at least "
            f"{LEAST_SCORES} scores of a check it is drawn here."
        )
        return
    labels = dict(zip(column_names([s.metric for s in drawn]), drawn, strict=True))
    first = worst(tuple(drawn)) or drawn[0]
    names = {s.metric.key: name for name, s in labels.items()}
    chosen = state.kept("results.drawn", "")
    now = chosen if chosen in labels else names[first.metric.key]
    if len(labels) > 1:
        bind.choice(
            "results.drawn",
            "Scores of",
            list(labels),
            now,
            lambda name: state.keep("results.drawn", name),
            hidden=True,
        )
    chart = charts.score_distribution(labels[now], max(190, height - 30 * (len(labels) > 1)))
    if chart is None:
        st.caption("These scores stand on different scales and share no axis.")
    else:
        _plot(chart, "results.distribution")


def _plot(chart: Chart, key: str) -> None:
    st.plotly_chart(chart.figure, key=key, config=PLOT, alt=chart.alt, height=chart.height)


def _numbers(summaries: Sequence[Summary]) -> None:
    st.dataframe(
        summary_frame(summaries),
        key="results.numbers",
        hide_index=True,
        height="content" if len(summaries) <= 10 else 380,
        alt="Every check of this run in numbers",
        column_config={
            "check": st.column_config.TextColumn("Check", width="medium"),
            "passed": st.column_config.TextColumn("Passed", help="Of those judged by it."),
            "interval": st.column_config.TextColumn(
                "95 % interval", help="Wilson's interval of the share that passed."
            ),
            "verdicts": st.column_config.TextColumn("Verdicts"),
            "scored": st.column_config.TextColumn("Scored"),
            "mean": st.column_config.TextColumn("Mean score"),
            "range": st.column_config.TextColumn("Lowest – highest"),
            "threshold": st.column_config.TextColumn("Threshold"),
        },
    )
    if any(s.from_turns for s in summaries):
        st.caption("A case with several scored turns counts once, with its worst turn.")


def draw_turns(run: Counted, rows: Sequence[CaseRow]) -> None:
    """Draw every turn of the case results that pass the filter, with every score."""
    total = invocation_count(rows)
    page = page_of(range(total), state.kept("results.turns", 1), TURNS_A_PAGE)
    frame = invocation_frame(rows, run.view.metrics, page.first - 1, page.last)
    if not total:
        st.caption("No turn matches the filter.")
        return
    st.dataframe(
        frame,
        key=f"results.every.{page.number}",
        hide_index=True,
        height=380 if len(frame) > 9 else "content",
        column_order=[n for n in frame.columns if n != "place" and not n.startswith("score ")],
        column_config=_turn_columns(run.view.metrics),
        alt="Every turn of the case results that pass the filter, with the score of each check",
    )
    pager("results.turns", page)


def _turn_columns(metrics: Sequence[Metric]) -> dict[str, Any]:
    config: dict[str, Any] = {
        "case": st.column_config.TextColumn("Case", width="medium"),
        "turn": st.column_config.TextColumn("Turn", width=80),
        "verdict": st.column_config.TextColumn("Verdict", width=110),
        "user says": st.column_config.TextColumn("User says", width="medium"),
        "reply": st.column_config.TextColumn("Reply", width="medium"),
    }
    for metric, name in zip(metrics, column_names(metrics), strict=True):
        label = short(metric.label, 40)
        config[f"check {name}"] = st.column_config.TextColumn(label)
    return config
