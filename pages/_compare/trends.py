"""The runs of a set over time, and what they say of its cases, its checks and its judges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import streamlit as st

from evalcore.store import Manifest
from evalcore.views.compare import run_when
from evalcore.views.results_table import short
from evalcore.views.run_list import RunRow, went
from evalcore.views.trends import (
    MEAN_METHOD,
    Point,
    SetRuns,
    metric_points,
    metrics_of,
    rate_points,
    sets_of,
    trend_alt,
    trend_figure,
)
from evalcore.views.words import plural
from pages._compare import address, judges, picker, steady
from pages._compare.address import Address
from pages._ui import bind, runs, safe, state
from pages._ui.desk import Desk

PLOT = {"displayModeBar": False, "scrollZoom": False, "doubleClick": False}
LENGTHS = {"20": "Newest 20", "100": "Newest 100", "500": "Newest 500"}
METRICS = 6
"""Charts of metrics that are drawn at once."""
STEADY_CHECKS, SILENT_CASES = "Checks that never or always fail", "Cases that tell nothing apart"
PARTS = ["Over time", "Flaky cases", STEADY_CHECKS, SILENT_CASES, "Judge against people"]
LISTED = 100
"""Runs of a chart that are listed below it."""


def draw(desk: Desk, asked: Address) -> None:
    """Draw the runs of one set."""
    listing = runs.listing(desk, 3.0)
    if listing is None:
        st.info("The list of runs is being read.", icon=":material/hourglass_top:")
        return
    sets = sets_of(listing)
    if not sets:
        picker.empty(desk, ())
        return
    chosen = _choose(sets, asked.set)
    tabs = st.tabs(PARTS, key="trends.part", on_change="rerun")
    for name, tab in zip(PARTS, tabs, strict=True):
        if tab.open:
            with tab, safe.boundary():
                _part(name, desk, chosen)


def _choose(sets: Sequence[SetRuns], wanted: str) -> SetRuns:
    """Draw the choice of a set and of how many of its runs; return what was chosen of it."""
    labels = [f"{found.label} ({plural(len(found.runs), 'run')})" for found in sets]
    by_name: dict[str, SetRuns] = {}
    for found, label in zip(sets, labels, strict=True):
        # Sets of one name are told apart by where they lie.
        by_name[label if label not in by_name else f"{label} · {found.key}"] = found
    now = next((name for name, found in by_name.items() if found.key == wanted), None)
    chosen = by_name[now or next(iter(by_name))]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        with st.container(width=460):
            bind.choice(
                "trends.set",
                "Eval set",
                list(by_name),
                now or next(iter(by_name)),
                lambda name: address.narrow("set", by_name[name].key),
            )
        if len(chosen.runs) > int(next(iter(LENGTHS))):
            bind.segments(
                "trends.length",
                "How many runs",
                LENGTHS,
                state.kept("trends.length", "100"),
                lambda value: state.keep("trends.length", value),
            )
    limit = int(state.kept("trends.length", "100"))
    shown = SetRuns(chosen.key, chosen.label, chosen.runs[-limit:])
    if len(shown.runs) < len(chosen.runs):
        st.caption(safe.label(f"The newest {limit:,} of {len(chosen.runs):,} runs."))
    return shown


def _part(name: str, desk: Desk, chosen: SetRuns) -> None:
    match name:
        case "Over time":
            _over_time(chosen)
        case "Flaky cases":
            steady.flaky(desk, chosen.runs)
        case name if name == STEADY_CHECKS:
            steady.checks(chosen.runs)
        case name if name == SILENT_CASES:
            steady.cases(desk, chosen.runs)
        case _:
            judges.draw(desk, chosen.runs)


def _over_time(chosen: SetRuns) -> None:
    found = chosen.runs
    if len(found) == 1:
        st.info("This set was run once. From the second run on there is a trend to see.")
    _chart("trends.rate", "Pass rate", rate_points(found), found, 260, is_rate=True)
    st.caption(
        "Band: 95 % interval of each run’s pass rate (Wilson, by cases). Two runs whose bands "
        "overlap may still differ: compare them case by case. A diamond marks a changed set."
    )
    _runs(found)
    metrics = metrics_of(found)
    if metrics:
        _means(chosen, metrics)


def _runs(found: Sequence[Manifest]) -> None:
    """Draw the runs of the chart as a list, for those who cannot click its markers."""
    with st.expander("The runs of this chart, the newest first"):
        listed = [RunRow(run) for run in reversed(found[-LISTED:])]
        picker.run_rows(
            "trends.runs",
            listed,
            lambda run_id: state.go("results", run=run_id, case=None),
            height="24rem",
        )
        if len(found) > LISTED:
            st.caption(safe.label(f"The newest {LISTED} of {len(found):,}."))


def _means(chosen: SetRuns, metrics: Mapping[str, str]) -> None:
    found = chosen.runs
    keys = list(metrics)
    wanted = state.kept(f"trends.metrics {chosen.key}", keys[:METRICS])
    shown = [key for key in wanted if key in metrics]
    st.subheader("Means of the checks", anchor=False)
    columns = st.columns(2, gap="medium")
    for number, key in enumerate(shown):
        with columns[number % 2]:
            points = metric_points(found, key)
            _chart(f"trends.metric {number}", metrics[key], points, found, 180, is_rate=False)
    st.caption(safe.label(f"Band: {MEAN_METHOD}."))
    if len(keys) > METRICS:
        by_label = {metrics[key]: key for key in keys}
        bind.tags(
            "trends.metrics",
            "Checks shown",
            list(by_label),
            [metrics[key] for key in shown],
            lambda names: state.keep(
                f"trends.metrics {chosen.key}", [by_label[n] for n in names if n in by_label]
            ),
            open_ended=False,
        )


def _chart(
    key: str,
    label: str,
    points: Sequence[Point],
    found: Sequence[Manifest],
    height: int,
    *,
    is_rate: bool,
) -> None:
    st.caption(safe.label(short(label, 120)))
    figure = trend_figure(points, height, is_rate=is_rate)
    st.plotly_chart(
        figure,
        key=key,
        config=PLOT,
        alt=trend_alt(short(label, 60), points),
        height=height,
        on_select="rerun",
        selection_mode="points",
    )
    _selected(key, found)


def _selected(key: str, found: Sequence[Manifest]) -> None:
    """Draw the run whose marker was clicked, with the ways on from it."""
    held = st.session_state.get(key)
    points = held.get("selection", {}).get("points", []) if held else []
    places = [point.get("x") for point in points if isinstance(point.get("x"), (int, float))]
    place = int(places[0]) if places else -1
    if not 0 <= place < len(found):
        return
    run = found[place]
    with st.container(horizontal=True, vertical_alignment="center", border=True):
        st.markdown(safe.label(f"{run.name or run.id} · {run_when(run)} · {went(run)}"))
        bind.button(
            f"{key} open",
            "Open the run",
            partial(state.go, "results", run=run.id, case=None),
            icon="open_in_new",
        )
        if place:
            before = found[place - 1].id
            bind.button(
                f"{key} compare",
                "Compare with the one before",
                address.look_at,
                [before, run.id],
                icon="compare_arrows",
            )
