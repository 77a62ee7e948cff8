"""The report card of a run, what to doubt about it, and the problems of its file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime

import streamlit as st

from evalcore import verdicts
from evalcore.errors import Problem
from evalcore.results import Run, Verdict
from evalcore.verdicts import USUAL_MARK, PassMark
from evalcore.views import numbers
from evalcore.views.expectations import Joiner
from evalcore.views.metrics import Summary
from evalcore.views.report_card import ReportCard, set_name, when
from evalcore.views.run_files import RunFile
from evalcore.views.words import plural, problem_words
from pages._results import look
from pages._results.look import box, span
from pages._ui import bind, problems, safe, state
from pages._ui.safe import Markup

ORDER = (Verdict.PASSED, Verdict.FAILED, Verdict.ERROR, Verdict.NOT_EVALUATED)
WORST = (Verdict.FAILED, Verdict.ERROR, Verdict.NOT_EVALUATED, Verdict.PASSED)
MOST_CHECKS = 4
MARK = "results.mark"


def draw(
    card: ReportCard,
    run: Run,
    file: RunFile,
    joiner: Joiner | None,
    summaries: Sequence[Summary],
) -> None:
    """Draw the card: pass rate, counts, how each check did, what was run and what it took."""
    look.draw(
        box(
            "cards",
            _rate(card),
            _counts(card),
            _checks(summaries),
            _run(card, run, file, joiner),
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


def draw_problems(found: tuple[Problem, ...]) -> None:
    """Draw the problems of the result file, folded unless one is an error."""
    if not found:
        return
    worst_is_error = any(p.severity == "error" for p in found)
    with st.expander(
        safe.label(f"Problems of this file: {problem_words(found)}"), expanded=worst_is_error
    ):
        problems.problem_list(found[:100], place=True)
        if len(found) > 100:
            st.caption(safe.label(f"{len(found) - 100:,} more are not listed."))


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


def _run(card: ReportCard, run: Run, file: RunFile, joiner: Joiner | None) -> Markup:
    name = set_name(run)
    says = f"file says “{card.stored_status}”" if card.stored_status else "no status in the file"
    took = [
        numbers.seconds(card.duration_s) if card.duration_s is not None else "",
        f"{numbers.count(card.tokens)} tokens" if card.tokens is not None else "",
    ]
    system = joiner.format_label if joiner else file.format_label
    where = joiner.path if joiner else "its set is not in this folder"
    return box(
        "card",
        safe.el("h4", "Run"),
        box("strong clip", name, title=name),
        box("small soft clip", f"{system} · {where}", title=where),
        box("row small", look.chip(card.status), span("soft", says)),
        box("small", when(run.created_at, datetime.now(UTC))),
        box("small soft", " · ".join(filter(None, took)) or "time and tokens not recorded"),
    )
