"""Runs and sets that were read, kept for as long as their files and drafts stay as they are."""

from __future__ import annotations

import streamlit as st

from evalcore.model import EvalSet
from evalcore.views.evaluators.runs import LastRun, last_run
from evalcore.views.sheet import Sheet
from evalcore.workspace import Entry, Workspace
from pages._results.cache import Stamp, run_stamp

LOOKED_AT = 5
"""How many of a set's latest result files are looked at."""
SLOT = "eval set of the preview"


def latest_run(workspace: Workspace, entry: Entry) -> LastRun | None:
    """Return the latest run of an eval set, None if none is here that can be read."""
    results = workspace.results_of(entry.path)[:LOOKED_AT]
    if not results or entry.detection is None:
        return None
    known = EvalSet(format_id=entry.detection.format_id, id=entry.id, name=entry.name)
    key = tuple(run_stamp(workspace, result) for result in results)
    return _latest(key, str(workspace.root), entry.path, workspace, known)


def eval_set_of(sheet: Sheet) -> EvalSet:
    """Return a set as its draft is now; that of the last call is kept for the next one."""
    key = (sheet.draft.path, id(sheet.draft), sheet.draft.revision)
    known = st.session_state.get(SLOT)
    if known is None or known[0] != key:
        known = st.session_state[SLOT] = (key, sheet.lens.read(sheet.tree))
    found: EvalSet = known[1]
    return found


@st.cache_resource(show_spinner="Reading the last run…", max_entries=8)
def _latest(
    key: tuple[Stamp, ...], root: str, path: str, _workspace: Workspace, _known: EvalSet
) -> LastRun | None:
    return last_run(_workspace, path, _known)
