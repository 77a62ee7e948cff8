"""The charts of a run: verdicts per evaluator, and how the scores of one lie about its threshold.

Colours keep apart for colour-blind readers and read on light and dark; a pattern and a word go
with each, so that nothing is told by colour alone. Backgrounds are transparent. Every chart has
its ``alt`` text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go  # type: ignore[import-untyped]

from evalcore import verdicts
from evalcore.results import Scale, Verdict
from evalcore.views import numbers
from evalcore.views.metrics import BINS, Summary
from evalcore.views.values import printable

COLOURS = {
    Verdict.PASSED: "#009E73",
    Verdict.FAILED: "#D55E00",
    Verdict.ERROR: "#8F63C7",
    Verdict.NOT_EVALUATED: "#8A8A8A",
}
PATTERNS = {
    Verdict.PASSED: "",
    Verdict.FAILED: "/",
    Verdict.ERROR: "x",
    Verdict.NOT_EVALUATED: ".",
}
ORDER = (Verdict.FAILED, Verdict.ERROR, Verdict.NOT_EVALUATED, Verdict.PASSED)
MAX_BARS = 12
"""More evaluators than this are not drawn; the table lists them all."""
MAX_THRESHOLDS = 4
NEUTRAL = "#808080"
LABEL_LENGTH = 30


@dataclass(frozen=True, slots=True)
class Chart:
    """A figure, what it says in words, and its height in pixels."""

    figure: go.Figure
    alt: str
    height: int


def verdict_bars(summaries: Sequence[Summary]) -> Chart | None:
    """Return how many case results passed, failed, … per evaluator; None with nothing judged.

    The length of a bar is the number of case results that the evaluator says something about.
    """
    judged = [s for s in summaries if not s.metric.informational and s.counts][:MAX_BARS]
    if not judged:
        return None
    shown = list(reversed(judged))
    labels = unique([shorten(s.metric.label) for s in shown])
    figure = go.Figure()
    for verdict in ORDER:
        amounts = [s.counts[verdict] for s in shown]
        if any(amounts):
            figure.add_trace(_bar(verdict, amounts, labels, shown))
    height = 90 + 36 * len(shown)
    figure.update_layout(
        **_plain(height), barmode="stack", bargap=0.35, showlegend=True, legend=_legend()
    )
    figure.update_xaxes(rangemode="tozero", title_text="", fixedrange=True, **_whole(judged))
    figure.update_yaxes(title_text="", fixedrange=True, automargin=True, ticks="")
    return Chart(figure, "Verdicts per check. " + ". ".join(map(_told, judged)) + ".", height)


def score_distribution(summary: Summary, height: int = 220) -> Chart | None:
    """Return how many case results scored what, with the threshold; None with no scores.

    Nothing is drawn for scores on several scales: they do not share an axis.
    """
    if not summary.values or summary.is_mixed:
        return None
    low, high = axis_of(summary)
    width = (high - low) / BINS
    edges = [low + width * i for i in range(BINS)]
    figure = go.Figure()
    for verdict in (*ORDER, None):
        counts = binned(summary, verdict, low, width)
        if counts:
            figure.add_trace(_column(verdict, counts, edges, width))
    figure.update_layout(
        **_plain(height), barmode="stack", bargap=0.04, showlegend=True, legend=_legend()
    )
    figure.update_xaxes(range=[low - width / 2, high + width / 2], title_text="score")
    figure.update_yaxes(title_text="case results", rangemode="tozero", tickformat="d", nticks=5)
    figure.update_xaxes(fixedrange=True)
    figure.update_yaxes(fixedrange=True)
    for place, threshold in enumerate(summary.thresholds[:MAX_THRESHOLDS]):
        _mark(figure, threshold, (low, high), place)
    return Chart(figure, _distribution_told(summary), height)


def axis_of(summary: Summary) -> tuple[float, float]:
    """Return the ends of the axis: the scale, widened by scores outside it."""
    scale = summary.scale or Scale(0.0, 1.0 if summary.scale else max(1.0, *summary.values))
    ends = (scale.worst, scale.best, *summary.values, *summary.thresholds)
    return min(ends), max(ends)


def binned(summary: Summary, verdict: Verdict | None, low: float, width: float) -> dict[int, int]:
    """Return the number of scores with a verdict per bin; a bin without any is left out.

    A threshold inside a bin would blur who passed: verdicts are counted apart, never inferred.
    """
    found: Counter[int] = Counter()
    for value, said in zip(summary.values, summary.verdicts, strict=True):
        if said is verdict:
            found[min(BINS - 1, max(0, int((value - low) / width)))] += 1
    return dict(found)


def shorten(label: str, limit: int = LABEL_LENGTH) -> str:
    """Return a label of at most ``limit`` characters, safe in a chart."""
    line = " ".join(printable(label).split())
    cut = line if len(line) <= limit else line[: limit - 1] + "…"
    # Plotly reads a few tags in text; without angle brackets there are none.
    return cut.replace("<", "‹").replace(">", "›").replace("&", "＆")


def unique(labels: Sequence[str]) -> list[str]:
    """Return the labels, equal ones told apart invisibly: an axis would join their bars."""
    seen: Counter[str] = Counter()
    found = []
    for label in labels:
        found.append(label + "\u200b" * seen[label])
        seen[label] += 1
    return found


def _bar(
    verdict: Verdict, amounts: list[int], labels: list[str], shown: Sequence[Summary]
) -> go.Bar:
    word = verdicts.said(verdict)
    return go.Bar(
        name=word,
        orientation="h",
        x=amounts,
        y=labels,
        text=[f"{verdicts.GLYPHS[verdict]} {n}" if n else "" for n in amounts],
        textposition="inside",
        insidetextanchor="middle",
        textangle=0,
        constraintext="none",
        textfont={"color": "#ffffff", "size": 12},
        marker=_marker(verdict),
        customdata=[[s.metric.key, str(verdict)] for s in shown],
        hovertemplate=f"%{{y}}<br>{word}: %{{x}}<extra></extra>",
    )


def _column(
    verdict: Verdict | None, counts: dict[int, int], edges: list[float], width: float
) -> go.Bar:
    places = sorted(counts)
    word = "scores" if verdict is None else verdicts.said(verdict)
    spans = [f"{numbers.score(edges[i])} – {numbers.score(edges[i] + width)}" for i in places]
    return go.Bar(
        name=word,
        x=[edges[i] + width / 2 for i in places],
        y=[counts[i] for i in places],
        width=width * 0.96,
        marker=_marker(verdict),
        customdata=spans,
        hovertemplate=f"%{{customdata}}<br>{word}: %{{y}}<extra></extra>",
    )


def _marker(verdict: Verdict | None) -> dict[str, Any]:
    if verdict is None:
        return {"color": NEUTRAL}
    return {
        "color": COLOURS[verdict],
        "line": {"width": 0},
        "pattern": {
            "shape": PATTERNS[verdict],
            "bgcolor": COLOURS[verdict],
            "fgcolor": "#ffffff",
            "fgopacity": 0.35,
            "size": 6,
            "solidity": 0.25,
        },
    }


def _mark(figure: go.Figure, threshold: float, ends: tuple[float, float], place: int) -> None:
    left = threshold > (ends[0] + ends[1]) / 2
    figure.add_vline(x=threshold, line={"color": NEUTRAL, "width": 2, "dash": "dash"})
    figure.add_annotation(
        x=threshold,
        y=1.0 - 0.1 * place,
        yref="paper",
        text=f"threshold {numbers.score(threshold)}",
        showarrow=False,
        xanchor="right" if left else "left",
        xshift=-5 if left else 5,
        yanchor="top",
    )


def _plain(height: int) -> dict[str, Any]:
    return {
        "height": height,
        "margin": {"l": 8, "r": 8, "t": 30, "b": 8},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "hovermode": "closest",
        "dragmode": False,
    }


def _legend() -> dict[str, Any]:
    return {
        "orientation": "h",
        "x": 0,
        "xanchor": "left",
        "y": 1.0,
        "yanchor": "bottom",
        "traceorder": "normal",
        "title": {"text": ""},
    }


def _whole(shown: Sequence[Summary]) -> dict[str, Any]:
    most = max(sum(s.counts.values()) for s in shown)
    return {"tickformat": "d", "dtick": 1} if most <= 10 else {"tickformat": "d", "nticks": 6}


def _told(summary: Summary) -> str:
    parts = [f"{summary.counts[v]} {verdicts.WORDS[v]}" for v in ORDER if summary.counts[v]]
    return f"{shorten(summary.metric.label)}: {', '.join(parts)}"


def _distribution_told(summary: Summary) -> str:
    return (
        f"Scores of {shorten(summary.metric.label)}: {len(summary.values)} case results from "
        f"{numbers.score(summary.low)} to {numbers.score(summary.high)}, "
        f"threshold {summary.thresholds_text}."
    )
