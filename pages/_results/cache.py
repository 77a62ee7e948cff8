"""What was read and counted, shared by all sessions, for as long as the files stay as they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from evalcore.counting import RunView, build
from evalcore.formats.base import Kind
from evalcore.results import Run
from evalcore.verdicts import PassMark
from evalcore.views.expectations import Joiner
from evalcore.views.metrics import Summary, summarise
from evalcore.views.report_card import ReportCard, report_card
from evalcore.views.run_files import (
    RunFile,
    RunSummary,
    joiner_for,
    list_runs,
    open_run_file,
    read_summaries,
)
from evalcore.workspace import Entry, Workspace

Stamp = tuple[str, str, int, int]
"""Which state of which file: root, path, time and size."""


@dataclass(frozen=True, slots=True)
class Counted:
    """A run with all that is computed from it once."""

    view: RunView
    summaries: tuple[Summary, ...]
    card: ReportCard


def stamp(workspace: Workspace, entry: Entry) -> Stamp:
    """Return the key under which what was made of a file is kept."""
    return str(workspace.root), entry.path, entry.modified_ns, entry.size


def run_stamp(workspace: Workspace, entry: Entry) -> Stamp:
    """Return the key of a result file: its scales come from its evaluators' files too."""
    beside = [workspace.entry(path) for path in workspace.evaluator_files_of(entry.path)]
    newest = max((e.modified_ns for e in beside), default=0)
    return str(workspace.root), entry.path, max(entry.modified_ns, newest), entry.size


def runs(workspace: Workspace, entries: Sequence[Entry]) -> list[RunSummary]:
    """Return the runs of the workspace, newest first."""
    return list_runs(
        entries, lambda entry: _summaries(run_stamp(workspace, entry), workspace, entry)
    )


def run_file(workspace: Workspace, entry: Entry) -> RunFile:
    """Return a result file, read and checked; raises as ``open_run_file`` does."""
    return _run_file(run_stamp(workspace, entry), workspace)


def counted(workspace: Workspace, entry: Entry, number: int, mark: PassMark) -> Counted:
    """Return the ``number``-th run of a file (from 1), counted under a pass mark."""
    return _counted(run_stamp(workspace, entry), number, mark.value, workspace)


def joiner(
    workspace: Workspace, entries: Sequence[Entry], entry: Entry, number: int
) -> Joiner | None:
    """Return what finds the cases of a run in the workspace's eval sets, None without such a set.

    It is made anew when any eval set has changed.
    """
    sets = tuple(stamp(workspace, e) for e in entries if e.kind is Kind.EVAL_SET)
    return _joiner(run_stamp(workspace, entry), sets, number, workspace, entries)


@st.cache_resource(show_spinner=False, max_entries=2000)
def _summaries(key: Stamp, _workspace: Workspace, _entry: Entry) -> tuple[RunSummary, ...]:
    return read_summaries(_workspace, _entry)


@st.cache_resource(show_spinner="Reading the run…", max_entries=6)
def _run_file(key: Stamp, _workspace: Workspace) -> RunFile:
    return open_run_file(_workspace, key[1])


@st.cache_resource(show_spinner="Counting…", max_entries=12)
def _counted(key: Stamp, number: int, mark: float, _workspace: Workspace) -> Counted:
    view = build(_run(key, number, _workspace), PassMark(mark))
    return Counted(view, summarise(view), report_card(view))


@st.cache_resource(show_spinner=False, max_entries=12)
def _joiner(
    key: Stamp,
    sets: tuple[Stamp, ...],
    number: int,
    _workspace: Workspace,
    _entries: Sequence[Entry],
) -> Joiner | None:
    return joiner_for(_workspace, _entries, _run(key, number, _workspace), key[1])


def _run(key: Stamp, number: int, workspace: Workspace) -> Run:
    return _run_file(key, workspace).runs[number - 1]
