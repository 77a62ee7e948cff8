"""Runs and sets that were read, kept for as long as their files and drafts stay as they are."""

from __future__ import annotations

import streamlit as st

from evalcore.model import EvalSet
from evalcore.views.evaluators.runs import LastRun, last_run
from evalcore.views.sheet import Sheet
from evalcore.workspace import Entry, Workspace

Stamp = tuple[str, str, int, int]
"""Which state of which file: root, path, time and size."""
LOOKED_AT = 5
"""How many of a set's latest result files are looked at."""
SLOT = "eval set of the preview"


def latest_run(workspace: Workspace, entry: Entry) -> LastRun | None:
    """Return the latest run of an eval set, None if none is here that can be read."""
    results = workspace.results_of(entry.path)[:LOOKED_AT]
    if not results or entry.detection is None:
        return None
    known = EvalSet(format_id=entry.detection.format_id, id=entry.id, name=entry.name)
    key = tuple(_stamp(workspace, result) for result in results)
    return _latest(key, str(workspace.root), entry.path, workspace, known)


def eval_set_of(sheet: Sheet) -> EvalSet:
    """Return a set as its draft is now; that of the last call is kept for the next one."""
    key = (sheet.draft.path, id(sheet.draft), sheet.draft.revision)
    known = st.session_state.get(SLOT)
    if known is None or known[0] != key:
        known = st.session_state[SLOT] = (key, sheet.lens.read(sheet.tree))
    found: EvalSet = known[1]
    return found


def _stamp(workspace: Workspace, entry: Entry) -> Stamp:
    """Return the key of a result file: its scales come from its evaluators' files too."""
    beside = [workspace.entry(path) for path in workspace.evaluator_files_of(entry.path)]
    newest = max((e.modified_ns for e in beside), default=0)
    return str(workspace.root), entry.path, max(entry.modified_ns, newest), entry.size


@st.cache_resource(show_spinner="Reading the last run…", max_entries=8)
def _latest(
    key: tuple[Stamp, ...], root: str, path: str, _workspace: Workspace, _known: EvalSet
) -> LastRun | None:
    return last_run(_workspace, path, _known)
