"""The repeats of a case as a strip of dots, and the distinct answers that they gave."""

from __future__ import annotations

import streamlit as st

from evalcore import verdicts
from evalcore.results import Verdict
from evalcore.store import StoredRun
from evalcore.views.case_page import Answer, CasePage, answers, warning
from evalcore.views.words import plural
from pages._results import address, look
from pages._results.look import box, cell, span
from pages._ui import bind, state

DOTS = 40
"""Repeats that have a dot of their own; of more, those around the open one."""
MARKS = {
    Verdict.PASSED: "●",
    Verdict.FAILED: "○",
    Verdict.ERROR: "!",
    Verdict.NOT_EVALUATED: "–",
}
OPEN = "results.answers"


def draw(run: StoredRun, page: CasePage) -> None:
    """Draw the strip and, on demand, the answers; nothing for a case that ran once."""
    lines = page.lines
    if len(lines) < 2:
        return
    here = next(n for n, line in enumerate(lines) if line.case_row == page.line.case_row)
    start = max(0, min(here - DOTS // 2, len(lines) - DOTS))
    found = _answers(run.key, page.line.case_key, run, page)
    told = warning(found, lines)
    with st.container(horizontal=True, vertical_alignment="center", gap=None, key="repeat-strip"):
        for number, line in enumerate(lines[start : start + DOTS], start + 1):
            bind.button(
                f"results.repeat {line.case_row}",
                MARKS[line.verdict],
                address.choose_row,
                run,
                line.case_row,
                kind="primary" if line.case_row == page.line.case_row else "tertiary",
                help=f"Repeat {number}: {verdicts.said(line.verdict)}",
            )
        st.space("small")
        many = plural(len(found), "distinct answer")
        read = len(lines) if len(lines) <= sum(len(a.lines) for a in found) else 0
        rest = "" if read else f" in the first {sum(len(a.lines) for a in found)} repeats"
        bind.button(
            OPEN,
            f"{many}{rest}",
            lambda: state.keep(OPEN, not state.kept(OPEN, False)),
            icon="expand_less" if state.kept(OPEN, False) else "expand_more",
            kind="tertiary",
            help="What the repeats said, and how many said it. Tool calls count as well.",
        )
    if told:
        look.draw(box("banner", look.paragraph(told)))
    if state.kept(OPEN, False):
        body = (
            (
                cell("step", f"{len(answer.lines)} ×"),
                cell("", span("text", answer.text)),
                cell("verdict", answer.told),
                cell("nowrap soft", _numbers(page, answer.lines)),
            )
            for answer in found
        )
        look.draw(look.table(("", "answer", "verdicts", "repeats"), body, "Distinct answers"))


def _numbers(page: CasePage, lines: tuple[object, ...]) -> str:
    places = [n for n, line in enumerate(page.lines, 1) if line in lines]
    return ", ".join(map(str, places[:10])) + ("…" if len(places) > 10 else "")


@st.cache_resource(show_spinner=False, max_entries=64)
def _answers(
    key: tuple[str, ...], case: str, _run: StoredRun, _page: CasePage
) -> tuple[Answer, ...]:
    return answers(_run, _page.lines)
