"""What was read of result files, shared by all sessions, for as long as the files stay as are."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from evalcore.counting import RunView
from evalcore.views.run_files import RunFile, open_run_file
from evalcore.workspace import Entry, Workspace

Stamp = tuple[str, str, int, int]
"""Which state of which file: root, path, time and size."""


@dataclass(frozen=True, slots=True)
class Counted:
    """A run with all that is computed from it once."""

    view: RunView


def stamp(workspace: Workspace, entry: Entry) -> Stamp:
    """Return the key under which what was made of a file is kept."""
    return str(workspace.root), entry.path, entry.modified_ns, entry.size


def run_stamp(workspace: Workspace, entry: Entry) -> Stamp:
    """Return the key of a result file: its scales come from its evaluators' files too."""
    beside = [workspace.entry(path) for path in workspace.evaluator_files_of(entry.path)]
    newest = max((e.modified_ns for e in beside), default=0)
    return str(workspace.root), entry.path, max(entry.modified_ns, newest), entry.size


def run_file(workspace: Workspace, entry: Entry) -> RunFile:
    """Return a result file, read and checked; raises as ``open_run_file`` does."""
    return _run_file(run_stamp(workspace, entry), workspace)


@st.cache_resource(show_spinner="Reading the run…", max_entries=6)
def _run_file(key: Stamp, _workspace: Workspace) -> RunFile:
    return open_run_file(_workspace, key[1])
