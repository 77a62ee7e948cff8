"""What the shell says of drafts on disk: which files have one, and what could not be read."""

from __future__ import annotations

import streamlit as st

from evalcore.views.words import plural
from pages._ui import bind, safe, state
from pages._ui.desk import Desk

SHOWN = 40


def unsaved_menu(desk: Desk) -> None:
    """Draw which files have edits that are not saved, each leading to its page."""
    paths = desk.drafts.unsaved(state.owner(), desk.workspace)
    if not paths:
        return
    with st.popover(
        safe.label(f"● {plural(len(paths), 'set')} with unsaved edits"), type="tertiary"
    ):
        st.caption("Edits are kept here, also when the server stops, until you save or drop them.")
        for path in paths[:SHOWN]:
            bind.button(
                f"unsaved {path}",
                path,
                lambda path=path: state.go("author", set=path, case=None),
                icon="edit",
                kind="tertiary",
            )
        if len(paths) > SHOWN:
            st.caption(safe.label(f"and {len(paths) - SHOWN:,} more, marked in the library"))


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
