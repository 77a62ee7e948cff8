"""What the shell says of drafts on disk: which files have one, and what could not be read."""

from __future__ import annotations

from functools import partial

import streamlit as st

from evalcore.errors import WorkspaceError
from evalcore.formats.base import Kind
from evalcore.scoring.sidecar import SUFFIX
from evalcore.views.words import plural
from pages._ui import bind, safe, state
from pages._ui.desk import Desk

SHOWN = 40


def unsaved_menu(desk: Desk) -> None:
    """Draw which files have edits that are not saved, each leading to its page."""
    paths = desk.drafts.unsaved(state.owner(), desk.workspace)
    if not paths:
        return
    pages = {path: page_of(desk, path) for path in paths[:SHOWN]}
    noun = "file" if "evaluators" in pages.values() else "set"
    with st.popover(
        safe.label(f"● {plural(len(paths), noun)} with unsaved edits"), type="tertiary"
    ):
        st.caption("Edits are kept here, also when the server stops, until you save or drop them.")
        for path in paths[:SHOWN]:
            bind.button(
                f"unsaved {path}",
                path,
                partial(_open, pages[path], path),
                icon="edit",
                kind="tertiary",
            )
        if len(paths) > SHOWN:
            st.caption(safe.label(f"and {len(paths) - SHOWN:,} more, marked in the library"))


def page_of(desk: Desk, path: str) -> str:
    """Return the page on which a file is edited."""
    if path.endswith(SUFFIX):
        return "evaluators"
    try:
        kind = desk.workspace.entry(path).kind
    except WorkspaceError:
        # A new set that is not on disk yet, or a file that is gone: its draft says what it is.
        return "author"
    return "evaluators" if kind in (Kind.EVALUATOR, Kind.CRITERIA) else "author"


def _open(page: str, path: str) -> None:
    if page == "evaluators":
        state.go(page, evaluator=path, check=None)
    else:
        state.go(page, set=path, case=None)


def reports(desk: Desk) -> None:
    """Say which drafts could not be read back, until that is noted."""
    owner = state.owner()
    told = desk.drafts.reports(owner, desk.workspace)
    if not told:
        return
    for message in told:
        st.warning(safe.label(message, 1000), icon=":material/warning:")
    bind.button(
        "reports.noted",
        "I have seen this",
        desk.drafts.dismiss_reports,
        owner,
        desk.workspace,
        icon="check",
    )
