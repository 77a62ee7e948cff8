"""The runs of a set over time, from their manifests alone: figures with bands of intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go  # type: ignore[import-untyped]

from evalcore.store import Manifest, MetricSummary, Status
from evalcore.views import numbers
from evalcore.views.compare import run_when
from evalcore.views.run_index import Listing
from evalcore.views.run_list import RunRow, rate_of, set_key, set_label
from evalcore.views.values import printable

LINE, BAND = "#4477CC", "rgba(68, 119, 204, 0.18)"
NEUTRAL = "#808080"
MOST_TICKS = 8
SMALL, FEW_TICKS = 200, 4
"""A figure lower than this has room for fewer labels."""
MEAN_METHOD = (
    "Wilson’s interval of the mean by cases: for scores that are not all 0 or 1 it is wide"
)


@dataclass(frozen=True, slots=True)
class Point:
    """One run in a trend. ``low`` and ``high`` are None where there is no interval.

    ``is_other_set`` says that the set's cases are not those of the run before.
    """

    run: str
    name: str
    when: str
    value: float | None
    low: float | None
    high: float | None
    said: str
    is_other_set: bool


@dataclass(frozen=True, slots=True)
class SetRuns:
    """The runs of one eval set that came to an end, the oldest first."""

    key: str
    label: str
    runs: tuple[Manifest, ...]


def sets_of(listing: Listing) -> list[SetRuns]:
    """Return the sets that were run, the one with the newest run first."""
    found: dict[str, list[Manifest]] = {}
    for row in listing.rows:
        if row.manifest.status is not Status.RUNNING:
            found.setdefault(set_key(row.manifest), []).append(row.manifest)
    return [SetRuns(key, set_label(runs[0]), tuple(reversed(runs))) for key, runs in found.items()]


def rate_points(runs: Sequence[Manifest]) -> list[Point]:
    """Return the pass rate of every run, with Wilson's interval by cases."""
    found = []
    for number, run in enumerate(runs):
        rate = rate_of(run)
        low, high = rate.interval if rate.share is not None else (None, None)
        said = f"{rate}, {rate.interval_text}"
        found.append(_point(runs, number, rate.share, low, high, said))
    return found


def metric_points(runs: Sequence[Manifest], key: str) -> list[Point]:
    """Return the mean of a metric in every run; the interval is never too narrow.

    A score between 0 and 1 varies at most as much as a pass or fail of the same mean, so that
    Wilson's interval for a share holds it too. There is none where scores lie outside 0–1.
    """
    found = []
    for number, run in enumerate(runs):
        metric = run.metric(key)
        mean = metric.mean if metric else None
        low, high = _mean_ends(run, metric) if metric else (None, None)
        said = _mean_said(metric, low, high)
        found.append(_point(runs, number, mean, low, high, said))
    return found


def _mean_ends(run: Manifest, metric: MetricSummary) -> tuple[float | None, float | None]:
    mean, low, high = metric.mean, metric.low, metric.high
    if mean is None or low is None or high is None or low < 0 or high > 1:
        return None, None
    cases = min(run.distinct or metric.scored, metric.scored)
    return numbers.wilson(min(1.0, max(0.0, mean)) * cases, cases)


def _mean_said(metric: MetricSummary | None, low: float | None, high: float | None) -> str:
    if metric is None or metric.mean is None:
        return "no score"
    said = f"mean {numbers.cut(metric.mean)} of {metric.scored:,}"
    if low is None or high is None:
        return said
    return f"{said}, at most {low:.2f}–{high:.2f}"


def _point(
    runs: Sequence[Manifest],
    number: int,
    value: float | None,
    low: float | None,
    high: float | None,
    said: str,
) -> Point:
    run = runs[number]
    before = runs[number - 1].eval_set.content if number else ""
    now = run.eval_set.content
    is_other = bool(before and now and before != now)
    return Point(run.id, RunRow(run).title, run_when(run), value, low, high, said, is_other)


def metrics_of(runs: Sequence[Manifest]) -> dict[str, str]:
    """Return the metrics of some runs, by key, as the newest run calls them."""
    found: dict[str, str] = {}
    for run in reversed(runs):
        for metric in run.metrics:
            if metric.mean is not None:
                found.setdefault(metric.key, metric.label)
    return found


def trend_figure(points: Sequence[Point], height: int, *, is_rate: bool) -> go.Figure:
    """Return a line with a band; a diamond marks a run whose set is not that of the run before.

    Runs stand side by side in their order. The line is broken where a run has no value.
    """
    places = list(range(len(points)))
    figure = go.Figure()
    for first, last in _stretches(points):
        _band(figure, places[first:last], points[first:last])
    figure.add_trace(
        go.Scatter(
            x=places,
            y=[point.value for point in points],
            mode="lines+markers",
            line={"color": LINE, "width": 2},
            marker={
                "size": [11 if p.is_other_set else 7 for p in points],
                "symbol": ["diamond" if p.is_other_set else "circle" for p in points],
                "color": LINE,
            },
            text=[_hover(point) for point in points],
            hovertemplate="%{text}<extra></extra>",
            connectgaps=False,
        )
    )
    ticks = _ticks(len(points), FEW_TICKS if height < SMALL else MOST_TICKS)
    figure.update_layout(
        height=height,
        margin={"l": 46, "r": 14, "t": 8, "b": 30},
        showlegend=False,
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        hovermode="closest",
        dragmode=False,
        clickmode="event+select",
    )
    figure.update_xaxes(
        tickvals=ticks,
        ticktext=[points[tick].when or points[tick].run[:12] for tick in ticks],
        range=[-0.5, len(points) - 0.5],
        fixedrange=True,
        showgrid=False,
        zeroline=False,
    )
    figure.update_yaxes(**_axis(points, is_rate=is_rate), fixedrange=True, zeroline=False)
    return figure


def _band(figure: go.Figure, places: Sequence[int], points: Sequence[Point]) -> None:
    outline = [p.high for p in points] + [p.low for p in reversed(points)]
    if len(points) == 1:
        # A single run has no width for a band: a bar does.
        figure.add_trace(
            go.Scatter(
                x=[places[0], places[0]],
                y=[points[0].low, points[0].high],
                mode="lines",
                line={"color": BAND, "width": 9},
                hoverinfo="skip",
            )
        )
        return
    figure.add_trace(
        go.Scatter(
            x=[*places, *reversed(places)],
            y=outline,
            fill="toself",
            fillcolor=BAND,
            mode="lines",
            line={"width": 0},
            hoverinfo="skip",
        )
    )


def _stretches(points: Sequence[Point]) -> list[tuple[int, int]]:
    """Return where runs with an interval follow one another, as half-open ranges."""
    found, start = [], None
    for number, point in enumerate([*points, None]):
        has = point is not None and point.low is not None
        if has and start is None:
            start = number
        elif not has and start is not None:
            found.append((start, number))
            start = None
    return found


def _axis(points: Sequence[Point], *, is_rate: bool) -> dict[str, Any]:
    values = [v for p in points for v in (p.value, p.low, p.high) if v is not None]
    low, high = (min(values), max(values)) if values else (0.0, 1.0)
    inside = low >= 0 and high <= 1
    room = max(0.02, (high - low) * 0.12)
    ends = [low - room, high + room]
    if inside:
        ends = [max(-0.02, ends[0]), min(1.02, ends[1])]
    return {"range": ends, "tickformat": ".0%" if is_rate else "", "nticks": 6}


def _ticks(many: int, most: int) -> list[int]:
    step = max(1, -(-many // most))
    return list(range(many - 1, -1, -step))[::-1]


def _hover(point: Point) -> str:
    name = " ".join(printable(point.name).split())[:60]
    plain = name.replace("<", "‹").replace(">", "›").replace("&", "＆")
    other = "<br>The set’s cases are not those of the run before" if point.is_other_set else ""
    return f"{plain}<br>{point.when}<br>{point.said}{other}"


def trend_alt(label: str, points: Sequence[Point]) -> str:
    """Return a trend in words."""
    known = [point for point in points if point.value is not None]
    if not known:
        return f"{label}: no values."
    first, last = known[0], known[-1]
    return (
        f"{label} over {len(points)} runs, from {first.when}: {first.said} to {last.when}: "
        f"{last.said}."
    )
