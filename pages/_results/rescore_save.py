"""Keeping what a re-scoring came to as a run of its own, to be compared and shared like any."""

from __future__ import annotations

from functools import partial

import streamlit as st

from evalcore.errors import DocumentError, EvaldeskError
from evalcore.views.rescore_board import Scored
from evalcore.views.rescore_run import Saving, save_scored
from pages._results import address, run_actions
from pages._results.rescore_state import Bench
from pages._ui import bind, runs, safe, state
from pages._ui.desk import open_desk


def draw(bench: Bench, scored: Scored, how: Saving) -> None:
    """Draw the way to keep a scoring, and to the run once it is kept."""
    slot, kept_slot = f"save {bench.name}", f"saved {bench.name}"
    with st.container(horizontal=True, vertical_alignment="center"):
        bind.button(
            f"rescore.save {bench.name}",
            "Save as a run",
            partial(state.keep, slot, True),
            icon="save",
            help="Keeps these scores beside the other runs. No file of your folder changes.",
        )
        if state.kept(slot, False):
            state.keep(slot, None)
            with st.spinner("Saving…"):
                _save(bench, scored, how, kept_slot)
        _kept(state.kept(kept_slot, None), scored)


def _save(bench: Bench, scored: Scored, how: Saving, slot: str) -> None:
    try:
        found = save_scored(bench.board, scored, how)
    except DocumentError as error:
        raise EvaldeskError(f"{how.set_path} cannot be read: {error.message}") from error
    runs.kept(open_desk()).index.touch()
    state.keep(slot, (scored, found.id, found.is_new))


def _kept(saved: tuple[Scored, str, bool] | None, scored: Scored) -> None:
    if saved is None or saved[0] is not scored:
        return
    _scored, run_id, is_new = saved
    told = "✓ Kept as a run." if is_new else "✓ These scores were kept as a run before."
    st.caption(safe.label(told), width="content")
    bind.button("rescore.open", "Open it", _open, run_id, icon="open_in_new", kind="tertiary")
    now = address.text("run")
    if now and now != run_id:
        bind.button(
            "rescore.compare",
            "Compare with this run",
            run_actions.compare,
            [now, run_id],
            icon="compare_arrows",
            kind="tertiary",
        )


def _open(run_id: str) -> None:
    state.go("results", run=run_id, outputs=None)
