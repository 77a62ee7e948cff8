"""When the file on disk is no longer the one that was opened: put both together, or choose."""

from __future__ import annotations

import posixpath

import streamlit as st

from evalcore import saving
from evalcore.drafts import Conflict
from evalcore.drafts.merge import Side
from evalcore.errors import EvaldeskError
from evalcore.jsontree import JsonValue, Missing
from evalcore.saving.diff import diff_lines
from evalcore.views.review import conflict_title, side_fields, side_words, version_text
from evalcore.views.sheet import Sheet
from pages._author import where
from pages._author.changes import fields_in_words
from pages._author.diff import changed_lines, diff_table
from pages._ui import bind, safe, state
from pages._ui.desk import Desk

TOUCH = "review.touch"
SIDES = {"mine": "Keep mine", "disk": "Take the file’s"}


def keep(sheet: Sheet, found: saving.SaveConflict) -> None:
    """Remember a conflict until it is settled."""
    st.session_state[_slot(sheet)] = found


def known(sheet: Sheet) -> saving.SaveConflict | None:
    """Return the conflict of a set that is still to be settled."""
    found = st.session_state.get(_slot(sheet))
    return found if isinstance(found, saving.SaveConflict) else None


def settle(desk: Desk, sheet: Sheet, found: saving.SaveConflict) -> None:
    """Draw what happened and the ways out of it."""
    safe.report(found)
    choices = {c.key: side for c in found.conflicts if (side := _chosen(sheet, c))}
    for conflict in found.conflicts:
        _choose(sheet, conflict)
    left, right = st.columns([5, 7], gap="medium")
    with left:
        ready = found.merge is not None and len(choices) == len(found.conflicts)
        if found.disk is not None:
            bind.button(
                "conflict.save",
                "Save both together",
                _save,
                desk,
                sheet,
                found,
                choices,
                icon="save",
                kind="primary",
                disabled=not ready,
            )
        bind.button("conflict.back", "Not now", forget, sheet, kind="tertiary")
        _save_copy(desk, sheet)
    with right:
        if ready:
            st.caption("What saving both changes in the file as it is now:")
            diff_table(saving.preview_merged(sheet.draft, found, choices).diff)


def forget(sheet: Sheet) -> None:
    """Stop settling a conflict; the draft stays as it is."""
    st.session_state.pop(_slot(sheet), None)


def _chosen(sheet: Sheet, conflict: Conflict) -> Side | None:
    side = state.kept(f"side {sheet.draft.path} {conflict.key}", None)
    return side if side in SIDES else None


def _choose(sheet: Sheet, conflict: Conflict) -> None:
    name = f"side {sheet.draft.path} {conflict.key}"
    with st.container(border=True, gap="small"):
        with st.container(horizontal=True, vertical_alignment="center"):
            safe.show(safe.el("strong", conflict_title(conflict)))
            options = {"": "Choose…", **SIDES}
            bind.segments(
                name,
                "Which version",
                options,
                _chosen(sheet, conflict) or "",
                lambda side: state.keep(name, side),
            )
        _said(sheet, conflict, "+ Mine", conflict.mine)
        _said(sheet, conflict, "− In the file now", conflict.disk)
        mine, disk = version_text(conflict.mine), version_text(conflict.disk)
        with st.expander("The lines that differ"):
            changed_lines(diff_lines(disk.encode(), mine.encode()))
        with st.expander("Both versions in full"):
            left, right = st.columns(2, gap="small")
            with left:
                st.caption("Mine")
                safe.code(mine, "json")
            with right:
                st.caption("In the file now")
                safe.code(disk, "json")


def _said(sheet: Sheet, conflict: Conflict, title: str, value: JsonValue | Missing) -> None:
    fields = side_fields(sheet, conflict, value)
    said = ":" if fields else f": {side_words(sheet, conflict, value)}"
    safe.show(safe.el("div", safe.el("strong", title), safe.el("span", said, css="ed-muted")))
    fields_in_words(fields, f"{title} {conflict.key}")


def _save(desk: Desk, sheet: Sheet, found: saving.SaveConflict, choices: dict[str, Side]) -> None:
    touch = bool(state.kept(TOUCH, False))
    try:
        saving.save_merged(desk.workspace, sheet.draft, found, choices, touch=touch)
    except saving.SaveConflict as again:
        keep(sheet, again)
        return
    forget(sheet)
    where.show_view("cases")
    bind.flash("Saved both together.")


def _save_copy(desk: Desk, sheet: Sheet) -> None:
    stem, dot, ending = posixpath.basename(sheet.draft.path).partition(".")
    folder = posixpath.dirname(sheet.draft.path)
    with st.expander("Save mine as a copy"):
        path = st.text_input(
            "File", value=posixpath.join(folder, f"{stem}_copy{dot}{ending}"), key="conflict.copy"
        )
        if st.button("Save the copy", key="conflict.copy.save"):
            try:
                made = saving.save_as(desk.workspace, sheet.draft, path)
            except EvaldeskError as error:
                safe.report(error)
                return
            desk.drafts.discard(state.owner(), desk.workspace, sheet.draft.path)
            forget(sheet)
            bind.flash("Your version is saved as a copy.")
            state.go("author", set=made.path, case=None)
            st.rerun()


def _slot(sheet: Sheet) -> str:
    return f"conflict {sheet.draft.path}"
