"""The runs of the open workspace: their store, one of them opened, and result files coming in."""

from __future__ import annotations

import atexit
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from weakref import WeakSet

import streamlit as st

from evalcore.errors import EvaldeskError, WorkspaceError
from evalcore.formats.base import Kind
from evalcore.report import Joins, joins_of, no_join
from evalcore.results import Run
from evalcore.store import (
    Manifest,
    Place,
    RunStore,
    StoredRun,
    place_of,
    writable_place_of,
)
from evalcore.store.place import VARIABLE
from evalcore.store.sets import set_of
from evalcore.verdicts import PassMark
from evalcore.views.run_bin import RunBin
from evalcore.views.run_import import Intake
from evalcore.views.run_index import Listing, RunIndex
from evalcore.workspace import Entry, Workspace
from pages._ui.desk import Desk

AT_ONCE = 0.3
"""Seconds that a page waits for files to come in before it shows how far that is."""


INTAKES: WeakSet[Intake] = WeakSet()


@dataclass(frozen=True, slots=True)
class Kept:
    """Where runs are kept; ``trouble`` is why that is memory, None where they stay."""

    store: RunStore
    trouble: WorkspaceError | None
    bin: RunBin
    intake: Intake
    index: RunIndex


def run_store(desk: Desk) -> RunStore:
    """Return the runs of the open workspace; the same object for all sessions."""
    return kept(desk).store


def kept(desk: Desk) -> Kept:
    """Return the runs of the open workspace, and why they are in memory only, if so."""
    return _kept(desk.workspace, os.environ.get(VARIABLE, ""))


def opened(desk: Desk, run_id: str, mark: PassMark | None = None) -> StoredRun:
    """Return a run for reading; ``mark`` judges where its system has no pass rule.

    Raises EvaldeskError for a run that is not there, is still being written or cannot be read.
    """
    return run_store(desk).open(run_id, mark)


def bring_in(desk: Desk, entries: Sequence[Entry], wait: float | None = None) -> Intake:
    """Have the new and changed result files of the workspace come in as runs.

    That goes on in the background; small files are there when this returns, after ``wait`` seconds
    (``AT_ONCE``) at most.
    """
    intake = kept(desk).intake
    intake.look(entries)
    intake.join(AT_ONCE if wait is None else wait)
    return intake


def listing(desk: Desk, wait: float | None = None) -> Listing | None:
    """Return all runs, None while the first reading of them is not done."""
    return kept(desk).index.read(AT_ONCE if wait is None else wait)


def set_path(desk: Desk, manifest: Manifest) -> str:
    """Return where the eval set of a run is today, "" where it is not in the workspace.

    A set that came, or moved, after the run was imported is found by what the run says of it.
    """
    path = manifest.eval_set.path
    with suppress(EvaldeskError, OSError):
        if path and desk.workspace.entry(path).kind is Kind.EVAL_SET:
            return path
    head = Run(
        format_id=manifest.format_id,
        eval_set_id=manifest.eval_set.id,
        eval_set_name=manifest.eval_set.name,
    )
    return set_of(head, manifest.source.path, desk.workspace.entries()) or ""


def joiner(desk: Desk, manifest: Manifest) -> Joins:
    """Return what finds the case of the eval set that a result belongs to, as the set is today.

    ``joiner(desk, run.manifest)(line)`` is a ``Join`` or None. Nothing is found where the set is
    not in the workspace or cannot be read any more. It is made anew when the set's file changes.
    """
    path = set_path(desk, manifest)
    if not path:
        return no_join
    try:
        entry = desk.workspace.entry(path)
        stamp = (str(desk.workspace.root), path, entry.modified_ns, entry.size)
        facts = manifest.eval_set.model_copy(update={"path": path})
        return _joins(stamp, desk.workspace, manifest.model_copy(update={"eval_set": facts}))
    except (EvaldeskError, OSError):
        # The page shows what the run itself says; its card says that the set is not here.
        return no_join


@lru_cache(maxsize=8)
def _kept(workspace: Workspace, _named: str) -> Kept:
    place, trouble = _place(workspace)
    store = RunStore(place)
    deleted = RunBin(store)
    index = RunIndex(store)
    intake = Intake(workspace, store, deleted.holds, index.touch)
    INTAKES.add(intake)
    return Kept(store, trouble, deleted, intake, index)


def _place(workspace: Workspace) -> tuple[Place, WorkspaceError | None]:
    """Return where runs are kept; nothing is written before there is a run to keep."""
    with suppress(WorkspaceError):
        place = place_of(workspace)
        if place.is_local and not place.exists(""):
            above = next(folder for folder in Path(place.root).parents if folder.exists())
            if above.is_dir() and os.access(above, os.W_OK | os.X_OK):
                return place, None
    return writable_place_of(workspace)


@atexit.register
def end() -> None:
    """Stop what is coming in: no thread may die while it writes, when the interpreter goes."""
    for intake in list(INTAKES):
        intake.cancel()
        intake.join(5)


@st.cache_resource(show_spinner=False, max_entries=32)
def _joins(key: tuple[str, str, int, int], _workspace: Workspace, _manifest: Manifest) -> Joins:
    return joins_of(_workspace, _manifest)
