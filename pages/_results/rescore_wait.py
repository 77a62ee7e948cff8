"""A scoring that is not done: how far it is, and the way to stop; or why there is none."""

from __future__ import annotations

import streamlit as st

from evalcore.errors import EvaldeskError
from evalcore.views.rescore import Plan
from evalcore.views.rescore_scoring import ScoringJob
from evalcore.views.words import plural
from pages._results import look
from pages._results import rescore_state as bench_state
from pages._results.look import box
from pages._results.rescore_state import Bench
from pages._ui import bind, safe

EVERY = 0.5


def draw(bench: Bench, job: ScoringJob) -> None:
    """Draw what is known of a scoring without a result."""
    now = job.now
    if now.stage == "failed":
        _failed(job)
    elif now.stage == "cancelled":
        told = f"Stopped after {now.done:,} of {plural(now.total, 'case')}: nothing is shown."
        look.draw(box("banner", look.paragraph(told)))
    else:
        _panel(job)
        return
    with st.container(horizontal=True):
        bind.button("rescore.again", "Score", bench_state.score_anew, bench, icon="play_arrow")
        if not job.plan.is_empty:
            bind.button(
                "rescore.back",
                f"Drop {plural(job.plan.changes, 'change')}",
                lambda: bench_state.change(bench, lambda _old: Plan()),
                icon="undo",
                kind="tertiary",
                help="Back to the checks as their files have them.",
            )


@st.fragment(run_every=EVERY)
def _panel(job: ScoringJob) -> None:
    """Draw how far a scoring is, until it ends; then the whole page is drawn once more."""
    now = job.now
    if now.stage != "running":
        st.rerun()
        return
    told = f"Scoring: {now.done:,} of {plural(now.total, 'case')}" if now.total else "Scoring…"
    with st.container(horizontal=True, vertical_alignment="center"):
        with st.container(width="stretch"):
            st.progress(value=now.share, text=safe.label(told))
        bind.button("rescore.cancel", "Cancel", job.cancel, icon="stop_circle")


def _failed(job: ScoringJob) -> None:
    error = job.now.error
    if error is None:
        error = EvaldeskError(
            "Something went wrong in Evaldesk itself; no file was changed",
            hint="Score again; if it happens again, the server's log says what it was.",
        )
    safe.report(error)
