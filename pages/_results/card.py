"""The report card of a run, what to doubt about it, and the problems of its file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime

import streamlit as st

from evalcore import verdicts
from evalcore.formats import by_id
from evalcore.results import Run, Verdict
from evalcore.store import Manifest, StoredRun
from evalcore.verdicts import USUAL_MARK, PassMark
from evalcore.views import numbers
from evalcore.views.metrics import Summary
from evalcore.views.report_card import ReportCard, set_name, when
from evalcore.views.words import plural
from pages._results import look, whole
from pages._results.look import box, span
from pages._ui import bind, safe, state
from pages._ui.desk import Desk
from pages._ui.safe import Markup

ORDER = (Verdict.PASSED, Verdict.FAILED, Verdict.ERROR, Verdict.NOT_EVALUATED)
WORST = (Verdict.FAILED, Verdict.ERROR, Verdict.NOT_EVALUATED, Verdict.PASSED)
MOST_CHECKS = 4
MARK = "results.mark"


def draw_card(desk: Desk, run: StoredRun) -> None:
    """Draw the report card of a run: what passed, how sure that is, what to doubt."""
    counted = whole.counted(run)
    _draw(counted.card, counted.view.run, run.manifest, counted.summaries)


def _draw(
    card: ReportCard,
    run: Run,
    manifest: Manifest,
    summaries: Sequence[Summary],
) -> None:
    """Draw the card: pass rate, counts, how each check did, what was run and what it took."""
    look.draw(
        box(
            "cards",
            _rate(card),
            _counts(card),
            _checks(summaries),
            _run(card, run, manifest),
        )
    )
    if card.mark:
        pass_mark(card.mark)
    doubts = [*card.disagreements, *card.cautions]
    if run.error:
        look.draw(box("banner err", look.paragraph("! The run stopped: " + run.error)))
    if doubts:
        look.draw(box("banner", *map(look.paragraph, doubts)))


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


def _rate(card: ReportCard) -> Markup:
    rate = card.rate
    low, high = rate.interval
    rail = look.band(low, high, rate.share) if rate.share is not None else box("")
    return box(
        "card",
        safe.el("h4", "Pass rate"),
        box(
            "row",
            span("big", rate.percent),
            span("soft", f"{rate.passed:,} of {rate.judged:,}" if rate.judged else "none judged"),
        ),
        rail,
        box("small soft", rate.interval_text),
        box("small soft", card.left_out),
    )


def _counts(card: ReportCard) -> Markup:
    repeated = card.distinct < card.total
    words = [
        span(look.CLASSES[v], f"{verdicts.GLYPHS[v]} {verdicts.counted(v, card.counts[v])}")
        for v in ORDER
        if card.counts[v]
    ]
    return box(
        "card",
        safe.el("h4", "Case results" if repeated else "Cases"),
        box(
            "row",
            span("big", f"{card.total:,}"),
            span("soft", f"of {plural(card.distinct, 'case')}" if repeated else ""),
        ),
        _split(card.counts),
        box("row small", *words),
    )


def _checks(summaries: Sequence[Summary]) -> Markup:
    """Return a bar for each check, those with most trouble first."""
    judged = [s for s in summaries if not s.metric.informational and s.counts]
    if not judged:
        return box("card", safe.el("h4", "Checks"), box("small soft", "No check gave a verdict."))
    lines = []
    for summary in judged[:MOST_CHECKS]:
        words = "  ".join(
            f"{verdicts.GLYPHS[v]} {summary.counts[v]:,}" for v in WORST if summary.counts[v]
        )
        label = summary.metric.label
        lines += [
            box("clip", label, title=label),
            _split(summary.counts),
            box("small soft figures", words),
        ]
    more = len(judged) - MOST_CHECKS
    note = f"{plural(more, 'more check')} under Checks" if more > 0 else ""
    return box(
        "card",
        safe.el("h4", "Checks, most trouble first"),
        box("bars small", *lines),
        box("small soft", note),
    )


def _split(counts: Counter[Verdict]) -> Markup:
    total = sum(counts.values())
    parts = [
        safe.el("span", css=f"{look.CLASSES[v]} w{max(1, round(100 * counts[v] / total))}")
        for v in ORDER
        if counts[v]
    ]
    return box("split", *parts)


def _run(card: ReportCard, run: Run, manifest: Manifest) -> Markup:
    name = set_name(run)
    says = f"file says “{card.stored_status}”" if card.stored_status else "no status in the file"
    took = [
        numbers.seconds(card.duration_s) if card.duration_s is not None else "",
        f"{numbers.count(card.tokens)} tokens" if card.tokens is not None else "",
    ]
    system = by_id(manifest.format_id).label
    where = manifest.eval_set.path or "its set is not in this folder"
    return box(
        "card",
        safe.el("h4", "Run"),
        box("strong clip", name, title=name),
        box("small soft clip", f"{system} · {where}", title=where),
        box("row small", look.chip(card.status), span("soft", says)),
        box("small", when(run.created_at, datetime.now(UTC))),
        box("small soft", " · ".join(filter(None, took)) or "time and tokens not recorded"),
    )
