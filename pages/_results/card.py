"""The report card of a run: what passed, how sure that is, why cases failed, what to doubt."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime

import streamlit as st

from evalcore import verdicts
from evalcore.results import Verdict
from evalcore.store import StoredRun
from evalcore.verdicts import USUAL_MARK, PassMark
from evalcore.views.charts import shorten, worst
from evalcore.views.report_card import ReportCard, moment_of, name_of, system_of, took_text, when
from evalcore.views.words import plural
from pages._results import filters, held, look
from pages._results.filters import Now
from pages._results.look import box
from pages._ui import bind, state
from pages._ui.desk import Desk
from pages._ui.marks import Band, Bar, Bars, Bit, Fold, Item, Line, Panel, Segment, Size, marks
from pages._ui.rows import Tone

ORDER = (Verdict.PASSED, Verdict.FAILED, Verdict.ERROR, Verdict.NOT_EVALUATED)
WORST = (Verdict.ERROR, Verdict.FAILED, Verdict.NOT_EVALUATED, Verdict.PASSED)
MODES = {
    Verdict.PASSED: "passes",
    Verdict.FAILED: "failures",
    Verdict.ERROR: "errors",
    Verdict.NOT_EVALUATED: "not_evaluated",
}
MOST_CHECKS = 5
MOST_CAUSES = 5
MARK = "results.mark"
HATS = (
    "pass^k is the chance that all of k repeats of a case pass, over all cases; – where no case "
    "was run so often."
)
VISIBLE = (
    "The smallest difference of the rates of two runs of this set that would be found four times "
    "in five, if a fifth of the cases change their verdict."
)


def draw_card(desk: Desk, run: StoredRun) -> None:
    """Draw the report card of a run: what passed, how sure that is, what to doubt."""
    card, at = held.card(run), filters.now()
    marks(
        "results.card",
        [_rate(card), _cases(card, at), _checks(card, at), _causes(card, at), _run(run, card)],
        filters.to_cases,
        least="12.5rem",
    )
    if run.pass_mark is not None:
        pass_mark(
            "This file says nothing about passing. "
            f"Passed means a score of at least {run.pass_mark:g} of 1, a mark you set here."
        )
    if card.cautions:
        css = "banner err" if run.manifest.error else "banner"
        look.draw(box(css, *map(look.paragraph, card.cautions)))


def mark() -> PassMark:
    """Return the user's own pass mark."""
    return PassMark(state.kept(MARK, USUAL_MARK.value))


def pass_mark(told: str) -> None:
    """Draw the user's own pass mark beside what it means."""
    bind.seed(MARK, mark().value)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.number_input(
            "Your pass mark",
            min_value=0.0,
            max_value=1.0,
            step=0.05,
            key=MARK,
            width=180,
            on_change=lambda: state.keep(MARK, st.session_state.get(MARK, USUAL_MARK.value)),
            help="A score counts as passed when it is at least this share of its scale: 1 is a "
            "full score. Yours, not the file's; kept for this session.",
        )
        with st.container(width="stretch"):
            look.draw(box("banner", look.paragraph(told)))


def text(*said: str, size: Size = "small", title: str = "", clip: bool = False) -> Line:
    """Return a line of plain texts; empty ones are left out."""
    return Line(tuple(Bit(one, title=title) for one in said if one), size, clip)


def split(
    counts: Counter[Verdict], whole: int, acts: dict[Verdict, str], at: Now
) -> tuple[Segment, ...]:
    """Return the segments of a bar of verdicts, as shares of ``whole``."""
    return tuple(
        Segment(
            counts[v] / max(1, whole),
            look.TONES[v],
            verdicts.counted(v, counts[v]),
            acts[v],
            at.has(acts[v]),
        )
        for v in ORDER
        if counts[v]
    )


def figures(counts: Counter[Verdict]) -> str:
    """Return counts by verdict in short: ``✗ 12  ✓ 228``."""
    return "  ".join(f"{verdicts.GLYPHS[v]} {counts[v]:,}" for v in WORST if counts[v])


def cause_bars(causes: tuple[tuple[str, int], ...], most: int, at: Now, *, limit: int = 60) -> Bars:
    """Return the causes of failures as bars; a click narrows the list to one."""
    bars = []
    for cause, count in causes:
        tone: Tone = "violet" if cause.startswith("error") else "error"
        sent = filters.act(cause=cause)
        title = f"{cause}: {plural(count, 'result')}"
        bars.append(
            Bar(
                shorten(cause, limit),
                (Segment(count / max(1, most), tone, title, sent),),
                f"{count:,}",
                title,
                sent,
                on=at.has(sent),
            )
        )
    return Bars(tuple(bars), wide=True)


def _rate(card: ReportCard) -> Panel:
    rate = card.rate
    low, high = rate.interval
    rated = f"{rate.passed:,} of {rate.judged:,}" if rate.judged else "none scored"
    items: list[Item] = [
        Line((Bit(rate.percent), Bit(rated)), "big"),
        Band(low, high, rate.share),
        text(card.interval_text),
        text(card.scored_text),
    ]
    if card.of_all_text:
        items.append(text(card.of_all_text))
    return Panel("Pass rate", tuple(items), "whole run", grow=1.2)


def _cases(card: ReportCard, at: Now) -> Panel:
    acts = {v: filters.act(mode=mode) for v, mode in MODES.items()}
    words = tuple(
        Bit(
            f"{verdicts.GLYPHS[v]} {verdicts.counted(v, card.counts[v])}",
            look.TONES[v],
            acts[v],
            f"Show {verdicts.counted(v, card.counts[v])}",
            on=at.has(acts[v]),
        )
        for v in WORST
        if card.counts[v]
    )
    repeated = card.total > card.distinct
    many = f"× {card.repeats} = {card.total:,} results" if card.repeats > 1 else ""
    if repeated and card.distinct * card.repeats != card.total:
        many = f"{card.total:,} results, up to {card.repeats} each"
    items: list[Item] = [
        Line(tuple(Bit(t) for t in (f"{card.distinct:,}", many) if t), "big"),
        Bars((Bar("", split(card.counts, card.total, acts, at)),)),
        Line(words, "small"),
    ]
    if repeated:
        sent = filters.act(mode="flaky")
        flaky = Bit(
            f"~ {plural(card.flaky, 'flaky case')}",
            "warning",
            sent if card.flaky else "",
            "Passed in some repeats, failed in others",
            on=at.has(sent),
        )
        items.append(Line((flaky,), "small"))
    items.append(text(f"K = {card.repeats}", card.hats_text, title=HATS))
    return Panel("Cases", tuple(items), "whole run")


def _checks(card: ReportCard, at: Now) -> Panel:
    """Return a bar for each check, those with most trouble first."""
    judged = [line for line in card.checks if not line.metric.informational and line.counts]
    if not judged:
        return Panel("Checks", (text("No check gave a verdict."),), grow=1.5)
    whole = max(line.counts.total() for line in judged)
    bars = []
    for line in judged[:MOST_CHECKS]:
        key = line.metric.key
        bad = worst(line.counts)
        sent = filters.of_check(key, bad)
        acts = {v: filters.of_check(key, v) for v in Verdict}
        bars.append(
            Bar(
                shorten(line.metric.label),
                split(line.counts, whole, acts, at),
                figures(line.counts),
                f"{line.metric.label}: {figures(line.counts)}",
                sent,
            )
        )
    items: list[Item] = [Bars(tuple(bars))]
    more = len(judged) - MOST_CHECKS
    if more > 0:
        items.append(text(f"{plural(more, 'more check')} under Checks"))
    return Panel("Checks, most trouble first", tuple(items), "whole run", grow=1.5)


def _causes(card: ReportCard, at: Now) -> Panel:
    if not card.causes:
        told = "Nothing failed." if card.rate.judged else "Nothing was scored."
        return Panel("Why cases failed", (text(told),), grow=1.5)
    most = max(count for _, count in card.causes)
    items: list[Item] = [cause_bars(card.causes[:MOST_CAUSES], most, at)]
    more = len(card.causes) - MOST_CAUSES
    if more > 0:
        items.append(text(f"{plural(more, 'more cause')} under Checks"))
    return Panel("Why cases failed", tuple(items), "results with it", grow=1.8)


def _run(run: StoredRun, card: ReportCard) -> Panel:
    manifest = run.manifest
    says = f"file says “{manifest.stored_status}”" if manifest.stored_status else ""
    status = Bit(verdicts.said(card.status), look.TONES[card.status], strong=True)
    where = manifest.eval_set.path or "its set is not in this folder"
    items: tuple[Item, ...] = (
        Line((status, *(Bit(t, "muted") for t in (says,) if t)), "small"),
        text(f"{system_of(manifest)} · {where}", title=where, clip=True),
        text(when(moment_of(manifest), datetime.now(UTC))),
        text(took_text(manifest)),
        text(card.visible_text, title=VISIBLE),
        Fold("Hashes, versions, thresholds", card.facts),
    )
    return Panel(shorten(name_of(manifest), 40), items, grow=1.2)
