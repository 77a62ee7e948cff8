"""How far the judges of a set agree with people, from its review file."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from evalcore.compare import JudgeReport, judge_reports, labels_of
from evalcore.compare.judging import FAIL, PASS
from evalcore.errors import EvaldeskError
from evalcore.results import Verdict
from evalcore.review import Entry, Reviews, read_reviews, review_path
from evalcore.store import Manifest, StoredRun
from evalcore.views.compare import Fact, check_label
from evalcore.views.numbers import percent
from evalcore.views.words import plural
from pages._compare import look
from pages._results import card
from pages._results.look import cell, span, table
from pages._results.look import draw as draw_blocks
from pages._ui import runs, safe
from pages._ui.desk import Desk

FEW = 30
"""Reviews below which an agreement is mostly chance."""


def draw(desk: Desk, found: Sequence[Manifest]) -> None:
    """Draw a report on each judge that people looked at."""
    newest = found[-1]
    reviews = _reviews(desk, newest)
    labels = labels_of(reviews.standing, _said(desk)) if reviews else None
    if labels is None or not (labels.found or labels.left_out):
        st.info(
            "Nobody has reviewed results of this set yet. Open a run, go to its Review tab, and "
            "say of each failure who was wrong; review some passed results too. The judge is "
            "measured against that here."
        )
        return
    reports = judge_reports(labels.found, found, newest)
    for report in reports:
        _report(report, newest)
    if not reports:
        st.info("No review says whether the judge was right.")
    left_out = ", ".join(f"{count:,} because {why}" for why, count in labels.left_out.items())
    if left_out:
        st.caption(safe.label(f"Left out: {left_out}.", 500))


def _report(report: JudgeReport, newest: Manifest) -> None:
    st.subheader(safe.label(check_label(newest, report.check)), anchor=False)
    agreed = report.agreement
    look.facts(_facts(report))
    head = ["", "People: passed", "People: failed"]
    body = [
        (
            span("strong", f"Judge: {judge}"),
            cell("num", f"{agreed.table.get((judge, PASS), 0):,}"),
            cell("num", f"{agreed.table.get((judge, FAIL), 0):,}"),
        )
        for judge in (PASS, FAIL)
    ]
    with st.container(width=520):
        draw_blocks(table(head, body, "Judge against people"))
    if report.why:
        st.caption(safe.label(report.why, 500))
    if agreed.n < FEW:
        st.caption(safe.label(f"{plural(agreed.n, 'review')}: too few to trust these figures far."))


def _facts(report: JudgeReport) -> list[Fact]:
    agreed = report.agreement
    same = sum(agreed.table.get((word, word), 0) for word in (PASS, FAIL))
    kappa = "–" if agreed.kappa is None else f"{agreed.kappa:.2f}"
    ends = "chance alone would agree fully"
    if agreed.kappa is not None:
        ends = "too few for an interval"
    if agreed.kappa_low is not None and agreed.kappa_high is not None:
        ends = f"95 % interval {agreed.kappa_low:.2f} to {agreed.kappa_high:.2f} (bootstrap)"
    found = [
        Fact("Agreement", percent(same, agreed.n), f"{same:,} of {plural(agreed.n, 'review')}"),
        Fact(
            "Cohen’s κ",
            kappa,
            ends,
            "Agreement beyond chance: 1 is full agreement, 0 is what chance gives.",
        ),
    ]
    if report.sensitivity is not None and report.specificity is not None:
        found.append(
            Fact(
                "The judge passes / fails rightly",
                f"{100 * report.sensitivity:.0f} % / {100 * report.specificity:.0f} %",
                "of what people pass / of what people fail",
                "Weighted by how often the judge passes and fails, since mostly failures are "
                "reviewed.",
            )
        )
    return [*found, _corrected(report)]


def _corrected(report: JudgeReport) -> Fact:
    judged = "–" if report.judged_rate is None else f"{100 * report.judged_rate:.1f} %"
    label = "Pass rate of the newest run, corrected"
    interval = report.corrected
    if interval is None or interval.estimate is None:
        return Fact(label, "–", f"{judged} as the judge says")
    ends = "no interval: the reviews are too few"
    if interval.low is not None and interval.high is not None:
        ends = f"95 % interval {100 * interval.low:.1f}–{100 * interval.high:.1f} %"
    return Fact(
        label,
        f"{100 * interval.estimate:.1f} %",
        f"{judged} as the judge says; {ends} ({interval.method})",
        "What the pass rate would be if people had judged every result.",
    )


def _reviews(desk: Desk, newest: Manifest) -> Reviews | None:
    path = newest.eval_set.path
    if not path:
        return None
    return read_reviews(desk.workspace, review_path(path, newest.format_id))


def _said(desk: Desk) -> Callable[[Entry], Verdict | None]:
    """Return what finds the judge's verdict on what a review is about."""
    opened: dict[str, StoredRun | None] = {}

    def said(entry: Entry) -> Verdict | None:
        if entry.run not in opened:
            try:
                opened[entry.run] = runs.opened(desk, entry.run, card.mark())
            except EvaldeskError:
                # The run is gone: what its judge said is not known any more, and is told so.
                opened[entry.run] = None
        run = opened[entry.run]
        if run is None or entry.invocation is not None:
            return None
        lines = [line for line in run.repeats(entry.case_id) if line.repeat == entry.repeat]
        if not lines:
            return None
        return lines[0].verdicts.get(entry.evaluator) if entry.evaluator else lines[0].verdict

    return said
