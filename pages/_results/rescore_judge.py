"""Asking judges: how many questions, whether there is a judge, how far it is."""

from __future__ import annotations

import streamlit as st

from evalcore.errors import EvaldeskError
from evalcore.views.rescore import Plan
from evalcore.views.rescore_job import JudgeJob
from evalcore.views.rescore_scoring import Rescored
from evalcore.views.words import plural
from pages._results import look
from pages._results import rescore_state as bench_state
from pages._results.look import box
from pages._results.rescore_state import Bench
from pages._ui import bind, safe

EVERY = 1.0
NO_JUDGE = "No judge is set up"
HOW = (
    "Any endpoint that speaks OpenAI's chat completions can judge: OpenAI's own, Gemini's, a "
    "gateway, or a model on this machine. Whoever starts Evaldesk sets in its environment, or "
    "under [judge] in Streamlit's secrets:"
)
VARIABLES = (
    "EVALDESK_JUDGE_BASE_URL=https://host/v1\nEVALDESK_JUDGE_API_KEY=…\nEVALDESK_JUDGE_MODEL=…"
)


def draw(bench: Bench, found: Rescored, plan: Plan) -> None:
    """Draw what judges could be asked, or how far they are, where any check asks one."""
    if not any(check.is_judged for check in found.outcome.after.checks):
        return
    if bench.job is not None and bench.job.now.stage == "running":
        _panel(bench)
        return
    _last(bench)
    _ask(bench, found, plan)


def _ask(bench: Bench, found: Rescored, plan: Plan) -> None:
    left = found.calls
    if not left:
        if bench.job is None:
            st.caption("These checks have nothing to ask a judge about this run.")
        return
    problem = _problem()

    def start() -> None:
        make = bench_state.judge_maker()
        at_once = bench_state.judge_settings().concurrency
        bench.job = JudgeJob(bench.board, plan, found.outcome.after, make, at_once).start()

    with st.container(horizontal=True, vertical_alignment="center"):
        bind.button(
            "rescore.ask",
            f"Ask the judge ({plural(left, 'call')})",
            start,
            icon="gavel",
            disabled=bool(problem),
            help="At most so many questions are asked; answers kept from before cost nothing.",
        )
        with st.container(width="stretch"):
            look.draw(box("note", _told(bench, problem)))
        if problem:
            with st.popover("How to set one up", type="tertiary"):
                st.text(HOW)
                safe.code(VARIABLES)


def _told(bench: Bench, problem: str) -> str:
    """Return what judged checks show meanwhile, and who would be asked."""
    shown = "show the scores that the file has" if bench.has_stored else "have no score yet"
    if problem:
        return f"{problem.rstrip('.')}. Judged checks {shown}."
    return f"Judged checks {shown}. {bench_state.judge_settings()} would be asked."


def _problem() -> str:
    """Return why no judge can be asked, "" if one can."""
    try:
        settings = bench_state.judge_settings()
    except EvaldeskError as error:
        return f"{error.message.rstrip('.')}. {error.hint}"
    return "" if settings.is_configured else NO_JUDGE


@st.fragment(run_every=EVERY)
def _panel(bench: Bench) -> None:
    """Draw how far a job is, until it ends; then the whole page is drawn once more."""
    job = bench.job
    if job is None or job.now.stage != "running":
        st.rerun()
        return
    now = job.now
    told = f"Asking the judge: {now.done:,} of {now.total:,} case results"
    with st.container(horizontal=True, vertical_alignment="center"):
        with st.container(width="stretch"):
            st.progress(
                value=now.share, text=safe.label(" · ".join(filter(None, (told, now.cost))))
            )
        bind.button("rescore.stop", "Cancel", job.cancel, icon="stop_circle")


def _last(bench: Bench) -> None:
    """Draw how the last job ended."""
    if bench.job is None:
        return
    now = bench.job.now
    if now.stage == "failed":
        look.draw(box("banner err", look.paragraph(f"! The judge was not asked: {now.problem}")))
    elif now.stage == "cancelled":
        look.draw(box("banner", look.paragraph("Cancelled. What was answered until then is kept.")))
    elif now.failed:
        told = f"! {plural(now.failed, 'score')} without an answer. The first: {now.problem}"
        look.draw(box("banner err", look.paragraph(told)))
    elif now.cost:
        st.caption(safe.label(f"The judge has answered: {now.cost}."))
