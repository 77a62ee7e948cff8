"""The dialog that exports a set, or some of its cases."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence

import streamlit as st

from evalcore.exporting import ExportKind, exported
from evalcore.views.sheet import Sheet
from evalcore.views.words import plural
from pages._ui import bind, safe, state

KINDS = {
    ExportKind.XLSX: "Excel (XLSX)",
    ExportKind.CSV: "CSV",
    ExportKind.JSONL: "JSONL",
}
WHAT = {
    ExportKind.XLSX: "For people: ids are locked, choices are drop-downs, numbers stay numbers.",
    ExportKind.CSV: "For any spreadsheet program. Such a program may change dates and leading "
    "zeros when it opens the file; Excel files are safer.",
    ExportKind.JSONL: "For programs: one line for each case, nothing is turned into text.",
}
MIMES = {
    ExportKind.XLSX: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ExportKind.CSV: "text/csv",
    ExportKind.JSONL: "application/jsonl",
}


def export(sheet: Sheet, ticked: Sequence[str], found: Sequence[str]) -> None:
    """Draw the choice of a kind and of cases, and the button that downloads the file.

    ``ticked`` and ``found`` are the cases that are ticked, and those that the list shows.
    """
    names = sheet.names()
    offers = {"all": (f"All {plural(len(names), 'case')}", list(names))}
    if 0 < len(found) < len(names):
        offers["found"] = (f"{plural(len(found), 'case')} that the filter shows", list(found))
    if ticked:
        offers["ticked"] = (f"{plural(len(ticked), 'ticked case')}", list(ticked))
    kind = ExportKind(state.kept("export.kind", ExportKind.XLSX))
    labels = {of.value: label for of, label in KINDS.items()}
    bind.segments("export.kind", "Kind", labels, kind.value, lambda v: state.keep("export.kind", v))
    st.caption(WHAT[kind])
    scope = _scope(offers)
    indexes = sorted(sheet.index_of(name) for name in offers[scope][1])
    if not indexes:
        st.info("There are no cases to export yet.")
        return
    with st.spinner("Writing the file…"):
        data = _data(sheet, kind, tuple(indexes))
    if sheet.draft.is_dirty:
        st.caption("Your unsaved edits are in the file.")
    st.caption(
        "Edit it and choose it under Import: you see each change before anything is written."
    )
    stem = posixpath.basename(sheet.draft.path).removesuffix(".json").removesuffix(".evalset")
    with st.container(horizontal=True, horizontal_alignment="right"):
        st.download_button(
            safe.label(f"Download {plural(len(indexes), 'case')}"),
            data,
            file_name=f"{stem}.{kind.value}",
            mime=MIMES[kind],
            key="export.download",
            icon=":material/download:",
            type="primary",
            on_click="ignore",
        )


def _scope(offers: dict[str, tuple[str, list[str]]]) -> str:
    asked = state.kept("export.scope", "all")
    scope = asked if asked in offers else "all"
    if len(offers) > 1:
        labels = {name: label for name, (label, _cases) in offers.items()}
        bind.segments(
            "export.scope", "Cases", labels, scope, lambda v: state.keep("export.scope", v)
        )
    return scope


def _data(sheet: Sheet, kind: ExportKind, indexes: tuple[int, ...]) -> bytes:
    """Return the file, written anew only when the set or the choice has changed."""
    key = (sheet.draft.path, sheet.draft.revision, kind, indexes)
    known = st.session_state.get("exported")
    if known is not None and known[0] == key:
        data: bytes = known[1]
        return data
    data = exported(kind, sheet.lens, sheet.tree, sheet.draft.path, indexes)
    st.session_state["exported"] = (key, data)
    return data
