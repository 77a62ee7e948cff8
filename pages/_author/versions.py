"""Older versions of the open set: which there are, and one of them read from git."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from time import monotonic

import streamlit as st

from evalcore.changes import require_alike
from evalcore.errors import EvaldeskError
from evalcore.history import Commit, Repository
from evalcore.views.changes import version_options
from evalcore.views.sheet import Sheet, now
from evalcore.workspace import OpenFile
from pages._ui import bind, state
from pages._ui.desk import Desk

SECONDS = 20.0
"""How long the list of commits is taken for current while the page is open."""


@dataclass(frozen=True, slots=True)
class Versions:
    """The commits of a file; ``why`` says why there are none to be had."""

    at: float
    commits: tuple[Commit, ...] = ()
    why: str = ""


def chosen(desk: Desk, sheet: Sheet) -> Commit | None:
    """Draw the choice of what to compare with; returns a commit, None for the opened file."""
    found = _versions(desk, sheet.draft.path)
    options = version_options(found.commits, now())
    slot = _slot(sheet)
    kept = state.kept(slot, "")
    current = kept if kept in options else ""
    labels = {label: commit for commit, label in options.items()}
    with st.container(width=420):
        bind.choice(
            "review.against",
            "Compare with",
            list(labels),
            options[current],
            lambda label: state.keep(slot, labels.get(label, "")),
            help=found.why or "The file as you opened it, or as one of its last commits has it.",
            disabled=not found.commits,
        )
    return next((commit for commit in found.commits if commit.id == current), None)


def forget(sheet: Sheet) -> None:
    """Compare with the opened file again."""
    state.keep(_slot(sheet), "")


def read(desk: Desk, sheet: Sheet, commit: Commit) -> OpenFile:
    """Return the set as a commit has it.

    Raises WorkspaceError where git cannot give it, DocumentError where it cannot be read, and
    FormatError where it was another kind of file then.
    """
    root, path = str(desk.workspace.root), sheet.draft.path
    opened = desk.workspace.opened(path, _data(root, path, commit.id))
    require_alike(opened, sheet.draft.base)
    return opened


@lru_cache(maxsize=4)
def _data(root: str, path: str, commit: str) -> bytes:
    """Return what a file held at a commit, which never changes."""
    return Repository(Path(root, path)).version(commit).data


def _versions(desk: Desk, path: str) -> Versions:
    slot = f"versions {path}"
    known = st.session_state.get(slot)
    if isinstance(known, Versions) and monotonic() - known.at < SECONDS:
        return known
    try:
        commits = tuple(Repository(desk.workspace.root / path).commits())
        why = "" if commits else "This file is in no commit yet."
        found = Versions(monotonic(), commits, why)
    except EvaldeskError as error:
        found = Versions(monotonic(), (), f"There are no older versions: {error.message}.")
    st.session_state[slot] = found
    return found


def _slot(sheet: Sheet) -> str:
    return f"review.against {sheet.draft.path}"
