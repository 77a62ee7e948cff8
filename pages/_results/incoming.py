"""What is coming in as runs, how far that is, and the files that cannot."""

from __future__ import annotations

import streamlit as st

from evalcore.errors import EvaldeskError, Problem
from evalcore.store import BrokenRun
from evalcore.views.run_import import Came, Intake
from evalcore.views.run_index import Listing, RunIndex
from evalcore.views.words import plural
from pages._results import look, run_actions
from pages._results.look import box
from pages._ui import bind, problems, runs, safe
from pages._ui.desk import Desk

EVERY = 0.7
OFTEN = 25
"""After how many files the list is drawn again while they come in."""
FEW = 3
MOST_BROKEN = 20


def draw(desk: Desk, found: Listing) -> None:
    """Draw where runs are kept if that is memory, what is coming in, and what is broken."""
    kept = runs.kept(desk)
    if kept.trouble is not None:
        told = f"{kept.trouble.message}. Runs are kept in memory until the server stops."
        st.warning(safe.label(f"{told} {kept.trouble.hint}", 600), icon=":material/warning:")
    if found.error is not None:
        safe.report(found.error)
    progress(kept.intake)
    is_behind = kept.index.is_behind or kept.index.read(0.0) is not found
    if is_behind and kept.intake.now.stage != "running":
        _catch_up(kept.index)
    is_alone = not found.rows
    _troubles(kept.intake.troubles, is_alone)
    _broken(found, is_alone)


def progress(intake: Intake) -> None:
    """Draw how far the import is, with a way to stop it; nothing where there is none."""
    stage = intake.now.stage
    if stage == "running":
        _panel(intake, intake.now.done)
    elif stage == "cancelled":
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption("You stopped reading the result files of this folder.")
            bind.button("runs.resume", "Go on", intake.resume, icon="play_arrow", kind="tertiary")


def reading() -> None:
    """Say that the runs are being listed for the first time."""
    _listing()


def waiting(intake: Intake, path: str) -> None:
    """Say that the file of a link is being read."""
    st.caption(safe.label(f"{path} comes in as a run, and opens when it is there.", 400))
    progress(intake)


@st.fragment(run_every=EVERY)
def _panel(intake: Intake, shown: int) -> None:
    """Draw how far it is; the list is drawn again now and then, with what has come in."""
    now = intake.now
    if now.stage != "running" or now.done >= shown + OFTEN:
        st.rerun()
        return
    what = f"Reading result files: {now.done:,} of {now.total:,}"
    if now.path:
        read = f", {plural(now.results, 'result')} so far" if now.results else ""
        what += f" · {now.path}{read}"
    with st.container(horizontal=True, vertical_alignment="center"):
        with st.container(width="stretch"):
            st.progress(value=min(1.0, now.share), text=safe.label(what, 300))
        bind.button("runs.cancel", "Stop", intake.cancel, icon="stop_circle")


@st.fragment(run_every=EVERY)
def _catch_up(index: RunIndex) -> None:
    """Draw the page again once the list is as the store is."""
    index.read(0.0)
    if not index.is_behind:
        st.rerun()
    st.caption("Reading the list of runs…")


@st.fragment(run_every=0.4)
def _listing() -> None:
    from pages._ui.desk import open_desk

    if runs.listing(open_desk(), 0.0) is not None:
        st.rerun()
    st.progress(value=0.0, text="Reading the list of runs…")


def _troubles(troubles: list[Came], is_open: bool) -> None:
    """Draw the result files that cannot be read, each with its problem."""
    if not troubles:
        return
    title = _title("result file", [came.path for came in troubles])
    with st.expander(safe.label(title), expanded=is_open):
        for came in troubles:
            if came.problem is not None:
                came_from(came.path, came.problem)


def _title(noun: str, names: list[str]) -> str:
    """Return how many cannot be read, and which where they are few."""
    told = f": {', '.join(names)}" if len(names) <= FEW else ""
    return f"! {plural(len(names), noun)} cannot be read{told}"


def came_from(path: str, problem: Problem) -> None:
    """Draw one file that cannot be read: which, what is wrong, and what to do."""
    look.draw(box("small strong", path))
    problems.problem_list([problem], place=True)


def _broken(found: Listing, is_open: bool) -> None:
    """Draw the folders among the runs that hold no run that can be read."""
    if not found.broken:
        return
    title = _title("kept run", [broken.id for broken in found.broken])
    with st.expander(safe.label(title), expanded=is_open):
        for broken in found.broken[:MOST_BROKEN]:
            _broken_line(broken)
        if len(found.broken) > MOST_BROKEN:
            st.caption(safe.label(f"{len(found.broken) - MOST_BROKEN:,} more are not listed."))


def _broken_line(broken: BrokenRun) -> None:
    error: EvaldeskError = broken.error
    with st.container(horizontal=True, vertical_alignment="center"):
        with st.container(width="stretch"):
            came_from(broken.id, Problem("error", "run.broken", error.message, error.hint))
        bind.button(
            f"runs.broken {broken.id}",
            "Delete…",
            run_actions.ask_delete,
            [broken.id],
            icon="delete",
            kind="tertiary",
        )
