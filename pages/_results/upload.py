"""Result files that are dropped in the browser: they come in as runs like those of the folder."""

from __future__ import annotations

import streamlit as st

from evalcore.views.words import plural
from pages._results import address, incoming
from pages._ui import bind, runs, safe, state
from pages._ui.desk import Desk

NUMBER, TOLD = "runs.upload", "runs.upload.told"
LARGEST_MB = 500
"""A larger file is better put into the folder: a browser would send it through memory."""
KINDS = ["json", "jsonl"]


def offer(desk: Desk) -> None:
    """Draw the way to bring result files, folded."""
    with st.popover("Add results", icon=":material/upload_file:"):
        area(desk)


def area(desk: Desk) -> None:
    """Draw where result files can be dropped."""
    key = f"{NUMBER} {state.kept(NUMBER, 0)}"
    st.file_uploader(
        "Result files of ADK, Harnest, UiPath or 10xGraph, or outputs as JSONL",
        type=KINDS,
        accept_multiple_files=True,
        key=key,
        on_change=bind.act,
        args=(_dropped, desk, key),
        max_upload_size=LARGEST_MB,
    )
    st.caption("They are kept with the runs; your folder stays as it is.")


def _dropped(desk: Desk, key: str) -> None:
    files = st.session_state.get(key) or []
    if not files:
        return
    kept = runs.kept(desk)
    kept.intake.drop([(file.name, file.getvalue()) for file in files])
    state.keep(NUMBER, state.kept(NUMBER, 0) + 1)
    kept.intake.join(runs.AT_ONCE)
    kept.index.touch()


def settle(desk: Desk) -> None:
    """Tell what became of dropped files; a single run opens."""
    kept = runs.kept(desk)
    came = kept.intake.dropped()
    if came:
        kept.index.touch()
        ids = [run_id for one in came for run_id in one.ids]
        state.keep(TOLD, [one for one in came if one.problem is not None])
        if len(ids) == 1 and len(came) == 1:
            address.look_at(ids[0])
            st.rerun()
        if ids:
            bind.flash(f"{plural(len(ids), 'run')} came in from {plural(len(came), 'file')}.")
            st.rerun()
    failed = state.kept(TOLD, [])
    if failed:
        with st.container(border=True):
            st.markdown(f"**{safe.label(plural(len(failed), 'dropped file'))} could not be read**")
            for one in failed:
                incoming.came_from(one.path, one.problem)
            bind.button("runs.upload.seen", "I have seen this", _seen, icon="check")


def _seen() -> None:
    state.keep(TOLD, [])
