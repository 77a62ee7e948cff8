"""The review of a run for all parts of the page: what was said, marks for lists, who is asking."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import streamlit as st

from evalcore.errors import EvaldeskError
from evalcore.review import Item, People, ReviewBook, next_open, review_path
from evalcore.store import StoredRun
from evalcore.views.review_queue import (
    WHICH,
    Failed,
    Marks,
    RunReview,
    SetHashes,
    Which,
    failed_of,
    review_of,
)
from evalcore.workspace import Workspace
from pages._ui import runs, state
from pages._ui.desk import Desk

QUEUE = "review.which"
GO_ON = "review.go_on"
BLIND = "review.blind"


def book(desk: Desk, run: StoredRun) -> ReviewBook:
    """Return what was said of a run and its set, for reading and adding."""
    place, path = runs.run_store(desk).place, run.manifest.eval_set.path
    if not _is_there(desk, path):
        return ReviewBook(place, run.manifest.id)
    beside = review_path(path, run.manifest.format_id)
    return ReviewBook(place, run.manifest.id, desk.workspace, beside)


def state_of(desk: Desk, run: StoredRun) -> RunReview:
    """Return the review of a run as it is now."""
    held = book(desk, run)
    stamp = _set_stamp(desk, run.manifest.eval_set.path)
    return _state((*run.key, *map(str, held.stamp), stamp), desk.workspace, run, held)


def marks(desk: Desk, run: StoredRun) -> Marks:
    """Return what marks results in lists: ``.of(line)`` is a glyph with its words, or None.

    ``.of(*lines)`` is that of all repeats of a case. ``.needing`` are the places of the results
    that wait for a review, for ``RunQuery.rows``.
    """
    return Marks(state_of(desk, run))


def me(desk: Desk) -> str:
    """Return what the reviewer at this browser is called, "" where nobody said."""
    return people(desk.workspace).name(state.owner())


@lru_cache(maxsize=8)
def people(workspace: Workspace) -> People:
    """Return the names of the reviewers of a workspace."""
    return People(workspace.root)


def which() -> Which:
    """Return which results the queue shows."""
    kept = state.kept(QUEUE, "open")
    return next((name for name in WHICH if name == kept), "open")


def following(desk: Desk, run: StoredRun, after: int | None) -> Item | None:
    """Return the next result to be reviewed behind a place of the run, and round again.

    Whoever works through what they have not reviewed themselves gets the next of those.
    """
    found = state_of(desk, run)
    if which() == "mine":
        rows = [item.case_row for item in found.items]
        start = rows.index(after) + 1 if after in rows else 0
        turned = [*found.items[start:], *found.items[:start]]
        name = me(desk)
        return next((i for i in turned if not i.is_by(name) and i.case_row != after), None)
    return next_open(found.items, after)


def _is_there(desk: Desk, path: str) -> bool:
    if not path:
        return False
    try:
        desk.workspace.entry(path)
    except (EvaldeskError, OSError):
        return False
    return True


def _set_stamp(desk: Desk, path: str) -> str:
    if not path:
        return ""
    try:
        entry = desk.workspace.entry(path)
    except (EvaldeskError, OSError):
        return ""
    return f"{path} {entry.modified_ns} {entry.size}"


@st.cache_resource(show_spinner=False, max_entries=8)
def _failed(key: tuple[str, ...], _run: StoredRun) -> Failed:
    return failed_of(_run)


@st.cache_resource(show_spinner=False, max_entries=8)
def _hashes(key: tuple[str, str], _workspace: Workspace, path: str) -> Mapping[str, str] | None:
    if not path or not key[1]:
        return None
    try:
        return SetHashes(_workspace, path)
    except (EvaldeskError, OSError):
        # What is out of date cannot be told; the card of the run says that the set is not there.
        return None


@st.cache_resource(show_spinner=False, max_entries=16)
def _state(
    key: tuple[Any, ...], _workspace: Workspace, _run: StoredRun, _book: ReviewBook
) -> RunReview:
    path = _run.manifest.eval_set.path
    hashes = _hashes((str(_workspace.root), key[-1]), _workspace, path)
    return review_of(_run, lambda: _failed(_run.key, _run), _book.read(), hashes)
