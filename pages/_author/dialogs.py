"""Dialogs of the Author page: rename, delete, save under another name."""

from __future__ import annotations

import posixpath

import streamlit as st

from evalcore import saving
from evalcore.errors import EvaldeskError
from evalcore.views import caseops
from evalcore.views.newset import slug, suggested_path
from evalcore.views.sheet import Sheet
from evalcore.views.values import printable
from evalcore.views.words import plural
from pages._author import where
from pages._import.export import export
from pages._ui import bind, safe, state
from pages._ui.desk import Desk

ASKED = "dialog of the author"


def ask(kind: str, *cases: str) -> None:
    """Open a dialog about some cases."""
    st.session_state[ASKED] = (kind, cases)


def close() -> None:
    """Ask for no dialog any more."""
    st.session_state.pop(ASKED, None)


def open_asked(desk: Desk, sheet: Sheet) -> None:
    """Draw the dialog that was asked for, until it is closed."""
    kind, cases = st.session_state.get(ASKED, ("", ()))
    there = set(sheet.names())
    known = [case for case in cases if case in there]
    if kind == "rename" and known:
        rename(sheet, known[0])
    elif kind == "delete" and known:
        delete(sheet, known)
    elif kind == "modernise":
        modernise(desk, sheet)
    elif kind == "export":
        export_set(sheet)
    elif kind:
        of_many(sheet, kind, known)


def of_many(sheet: Sheet, kind: str, cases: list[str]) -> None:
    """Draw a dialog about many cases at once."""
    from pages._author import bulk, find

    if kind == "find":
        find.find_and_replace(sheet, cases)
    elif kind in bulk.DIALOGS and cases:
        bulk.DIALOGS[kind](sheet, cases)


@st.dialog("Rename case", on_dismiss=close)
def rename(sheet: Sheet, case: str) -> None:
    """Ask for another name of a case."""
    key = f"rename {case}"
    if key not in st.session_state:
        st.session_state[key] = printable(sheet.title(case))
    with st.form("rename", border=False):
        name = st.text_input("Name", key=key, help="Results refer to the case by it.")
        with st.container(horizontal=True, horizontal_alignment="right"):
            wanted = st.form_submit_button("Rename", type="primary", key="rename.do")
    if wanted:
        try:
            caseops.rename_case(sheet, case, name)
        except EvaldeskError as error:
            safe.report(error)
            return
        st.session_state.pop(key, None)
        close()
        st.rerun()


@st.dialog("Delete cases", on_dismiss=close)
def delete(sheet: Sheet, cases: list[str]) -> None:
    """Ask whether cases should really go."""
    titles = [sheet.title(case) for case in cases]
    listed = ", ".join(titles[:5]) + (f" and {len(titles) - 5:,} more" if len(titles) > 5 else "")
    safe.text(f"Delete {plural(len(cases), 'case')}: {listed}?")
    st.caption("The file changes when you save, and Undo brings them back.")
    with st.container(horizontal=True, horizontal_alignment="right"):
        if st.button("Keep", key="delete.keep"):
            close()
            st.rerun()
        if st.button("Delete", type="primary", icon=":material/delete:", key="delete.do"):
            nearest = caseops.delete_cases(sheet, cases)
            if nearest is not None:
                where.open_case(sheet, nearest)
            close()
            st.rerun()


@st.dialog("Export", width="medium", on_dismiss=close)
def export_set(sheet: Sheet) -> None:
    """Offer the set, or the cases that are chosen in its list, as a file."""
    from pages._author import caselist

    export(sheet, caselist.ticked_cases(sheet), caselist.found_cases(sheet))


@st.dialog("Save as a new-style set", width="medium", on_dismiss=close)
def modernise(desk: Desk, sheet: Sheet) -> None:
    """Ask where the new-style copy of an old set goes."""
    base = sheet.draft.base
    folder, file = posixpath.split(base.path)
    stem = file.split(".")[0]
    name = st.text_input("Name", value=printable(stem), key="modernise.name")
    suggested = ""
    if base.format is not None:
        entries = desk.workspace.entries()
        beside = [e for e in entries if posixpath.dirname(e.path) == folder]
        suggested = suggested_path(base.format, name or stem, beside)
    path = st.text_input("File", placeholder=suggested, key="modernise.path")
    st.caption("The old file stays as it is.")
    with st.container(horizontal=True, horizontal_alignment="right"):
        wanted = st.button("Save", type="primary", key="modernise.do")
    if wanted:
        try:
            made = saving.modernise(
                desk.workspace, base, path.strip() or suggested, set_id=slug(name), name=name
            )
        except EvaldeskError as error:
            safe.report(error)
            return
        close()
        bind.flash("The new-style set is saved.")
        state.go("author", set=made.path, case=None)
        st.rerun()
