"""How each check of a run did, as charts and in numbers; what is clicked narrows the list."""

from __future__ import annotations

import streamlit as st

from evalcore import verdicts
from evalcore.results import Verdict
from evalcore.store import StoredRun
from evalcore.views.charts import HEAT_ROWS, Heat, HeatCell, Histogram, shorten, worst
from evalcore.views.metrics import DIRECTIONS, CheckLine
from evalcore.views.run_page import state_of, title_of
from pages._results import card, causes, filters, held, look, totals
from pages._results.address import Address
from pages._results.filters import Now
from pages._ui import state
from pages._ui.marks import (
    Bar,
    Bars,
    Bit,
    Head,
    MarkCell,
    MarkRow,
    Panel,
    Pillar,
    Pillars,
    Table,
    marks,
)
from pages._ui.rows import Tone

LEAST_SCORES = 5
"""With fewer scores than this a histogram shows nothing that the bars do not."""
HEAT_PAGE = "results.heat.page"


def draw_charts(run: StoredRun, asked: Address) -> None:
    """Draw the tab Checks of a run; a click on a mark narrows the list and shows it."""
    if not run.metrics:
        st.caption("This run holds no scores.")
        return
    filters.scope(run, asked)
    lines = held.checks(run, asked.query)
    marks(
        "results.bars",
        [_bars(lines, filters.now()), causes.panel(run, asked)],
        filters.to_cases,
        least="20rem",
    )
    marks("results.table", [Panel("", (_table(lines),))], filters.to_cases, look="plain")
    _histograms(held.histograms(run, asked.query))
    _heat(run, asked)
    totals.draw_stored(run)


def _bars(lines: tuple[CheckLine, ...], at: Now) -> Panel:
    judged = [line for line in lines if not line.metric.informational and line.counts]
    if not judged:
        return Panel("Verdicts per check", (card.text("No check of this gave a verdict."),))
    whole = max(line.counts.total() for line in judged)
    bars = tuple(
        Bar(
            shorten(line.metric.label),
            card.split(
                line.counts,
                whole,
                {v: filters.of_check(line.metric.key, v) for v in Verdict},
                at,
            ),
            card.figures(line.counts),
            line.metric.label,
            filters.of_check(line.metric.key),
            on=at.has(filters.of_check(line.metric.key)),
        )
        for line in judged
    )
    return Panel("Verdicts per check", (Bars(bars),), "case results")


def _table(lines: tuple[CheckLine, ...]) -> Table:
    head = (
        Head("Check"),
        Head("Better", "Which direction is better"),
        Head("Passed", "Of those judged by it; Wilson's 95 % interval, each case once", "17%"),
        Head("Mean", "Over cases, with its 95 % interval", "17%"),
        Head("Threshold", align="right"),
        Head("Lowest – highest"),
        Head("Scored", "Case results with a number", align="right"),
    )
    return Table("Every check in numbers", head, tuple(map(_line, lines)))


def _line(line: CheckLine) -> MarkRow:
    bad = worst(line.counts)
    sent = "" if line.metric.informational else filters.of_check(line.metric.key, bad)
    low, high = line.rate.interval
    passed = () if line.rate.share is None else (Bit(str(line.rate)),)
    interval = () if line.rate.share is None else (Bit(f"{100 * low:.1f}–{100 * high:.1f} %"),)
    mean = (Bit(line.mean_text),)
    method = f"{line.interval_text} ({line.mean.method})" if line.interval_text else ""
    cells = (
        MarkCell((Bit(shorten(line.metric.label, 60), strong=True, title=line.metric.label),)),
        MarkCell((Bit(DIRECTIONS[line.metric.better]),)),
        MarkCell(passed, interval),
        MarkCell(mean, (Bit(method),) if method else ()),
        MarkCell((Bit(line.thresholds_text),)),
        MarkCell((Bit(line.range_text),)),
        MarkCell((Bit(f"{line.scored:,} of {line.total:,}"),)),
    )
    return MarkRow(cells, line.metric.label, sent)


def _histograms(found: tuple[Histogram, ...]) -> None:
    drawn = [each for each in found if sum(b.total for b in each.bins) >= LEAST_SCORES]
    if not drawn:
        st.caption(
            "Too few scores for a histogram: with at least "
            f"{LEAST_SCORES} scores of a check it is drawn here."
        )
        return
    at = filters.now()
    panels = [
        Panel(shorten(each.metric.label), (_pillars(each, at),), f"highest column {each.most:,}")
        for each in drawn
    ]
    marks("results.histograms", panels, filters.to_cases, least="17rem")


def _pillars(found: Histogram, at: Now) -> Pillars:
    pillars = []
    for each in found.bins:
        sent = filters.of_bin(found.metric.key, each) if each.total else ""
        rest = f", {each.rest:,} not passed" if not found.metric.informational else ""
        tones: tuple[Tone, Tone] = ("ok", "error")
        if found.metric.informational:
            tones = ("muted", "muted")
        parts = tuple(
            (count / found.most, tone)
            for count, tone in ((each.passed, tones[0]), (each.rest, tones[1]))
            if count
        )
        title = f"{each.text}: {each.total:,}{rest}"
        pillars.append(Pillar(parts, title, sent, on=bool(sent) and at.has(sent)))
    marked = tuple((at, f"threshold {text}") for at, text in found.marks)
    return Pillars(tuple(pillars), found.low_text, found.high_text, found.alt, marked)


def _heat(run: StoredRun, asked: Address) -> None:
    pages = max(1, -(-run.manifest.distinct // HEAT_ROWS))
    number = min(state.kept(HEAT_PAGE, 1), pages)
    found = held.heat(run, asked.query, number)
    pages = max(1, -(-found.cases // HEAT_ROWS))
    if not found.rows and number > 1:
        number = pages
        found = held.heat(run, asked.query, number)
    if not found.metrics or not found.rows:
        return
    note = f"{found.cases:,} cases, worst first"
    panel = Panel("Cases × checks", (_heat_table(found),), note)
    marks("results.heat", [panel], filters.to_cases, look="plain")
    if pages > 1:
        st.pagination(
            pages,
            default=number,
            max_visible_pages=5,
            key=f"results.heat.pages {number}",
            on_change=lambda: state.keep(
                HEAT_PAGE, st.session_state.get(f"results.heat.pages {number}", 1)
            ),
        )


def _heat_table(found: Heat) -> Table:
    each = f"{60 / len(found.metrics):.1f}%"
    head = (
        Head("Case"),
        Head("Result", width="8rem"),
        *(
            Head(shorten(m.label, 24), m.label, each, act=filters.of_check(m.key))
            for m in found.metrics
        ),
    )
    rows = []
    for fold, cells in found.rows:
        came = state_of(fold)
        name = title_of(fold)
        tone: Tone = "warning" if came.is_flaky else look.TONES[came.verdict]
        rows.append(
            MarkRow(
                (
                    MarkCell((Bit(shorten(name, 60), title=name),)),
                    MarkCell((Bit(came.text, tone),), title=came.told),
                    *(
                        _heat_cell(cell, metric.key)
                        for cell, metric in zip(cells, found.metrics, strict=True)
                    ),
                ),
                name,
            )
        )
    return Table("Cases against checks", head, tuple(rows), "32rem")


def _heat_cell(cell: HeatCell, key: str) -> MarkCell:
    tone: Tone = "muted" if cell.wash is None else ""
    sent = filters.of_check(key, cell.verdict) if cell.verdict is not None else ""
    title = verdicts.said(cell.verdict) if cell.verdict is not None else "not looked at"
    return MarkCell((Bit(cell.text, tone),), wash=cell.wash, act=sent, title=title)
