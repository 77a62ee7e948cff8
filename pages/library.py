"""Library: every eval set and result file of the workspace, and how healthy each is."""

from __future__ import annotations

import streamlit as st

from evalcore.views.folders import MANY_SETS, FolderRow, folder_rows, in_folder
from evalcore.views.library import Library, ProblemFilter, SetFilter, library, matching, summary
from pages._convert import dialog as converting
from pages._library import dialogs, welcome
from pages._library.tables import result_table, set_table
from pages._ui import bind, runs, safe, state
from pages._ui.desk import open_desk
from pages._ui.rows import Column, Piece, Row, cell, link, rows

SHOWN = {"sets": "Eval sets", "results": "Result files"}
PROBLEMS: dict[ProblemFilter, str] = {
    "any": "Any health",
    "problems": "With problems",
    "errors": "With errors",
    "healthy": "Healthy",
}


def main() -> None:
    """Draw the page."""
    desk = open_desk()
    with st.spinner("Looking through the folder…"):
        entries = desk.workspace.entries()
    drafts = set(desk.drafts.unsaved(state.owner(), desk.workspace))
    entries = desk.edited(state.owner(), entries)
    runs.bring_in(desk, entries, 0.0)
    kept = runs.listing(desk)
    found = library(entries, drafts, kept.latest if kept else None)
    dialogs.open_asked(desk, entries)
    converting.open_asked(desk)
    if not found.sets and not found.results:
        welcome.draw(desk)
        return
    wanted = filters(found)
    if shown_now() == "results":
        result_table(found.results, wanted.text)
        return
    if not found.sets:
        welcome.draw(desk)
        return
    texts = desk.texts.holding((e for e in entries if e.error is None), wanted.text)
    shown = matching(found.sets, wanted, texts)
    st.caption(safe.label(summary(found, shown, is_filtered=wanted.is_on)))
    if len(found.sets) < MANY_SETS:
        set_table(desk, shown, entries)
        return
    left, right = st.columns([2, 9], gap="small")
    with left:
        tree(found)
    with right:
        set_table(desk, shown, entries)


def tree(found: Library) -> None:
    """Draw the folders in which the sets are; one can be chosen."""
    chosen = folder(found)
    listed = folder_rows((row.path for row in found.sets), chosen)
    rows(
        "library.folders",
        "Folders",
        [Column("Folder"), Column("", "48px", "right")],
        [_folder(row) for row in listed],
        on_open=lambda path: narrow("folder", path.removeprefix("/")),
        current=f"/{chosen}",
        height="max(20rem, 100vh - 16rem)",
    )


def _folder(row: FolderRow) -> Row:
    indent = "\u2003" * row.depth
    name = cell(Piece(indent + row.label, title=row.path))
    counted = (name, cell(Piece(f"{row.sets:,}", "muted")))
    return Row(f"/{row.path}", row.label, counted, link("", folder=row.path))


def filters(found: Library) -> SetFilter:
    """Draw the tool bar and return what it asks for."""
    with st.container(horizontal=True, vertical_alignment="center"):
        options = {
            "sets": f"Eval sets {len(found.sets):,}",
            "results": f"Result files {len(found.results):,}",
        }
        bind.segments(
            "library.shown",
            "Show",
            options,
            shown_now(),
            lambda v: state.remember("show", v if v != "sets" else None),
        )
        with st.container(width=200):
            bind.search(
                "library.text",
                "Search sets and cases",
                state.remembered("search") or "",
                lambda v: narrow("search", v),
                placeholder="Search sets and cases",
            )
        if shown_now() == "sets":
            more_filters(found)
        st.space("stretch")
        bind.button(
            "library.import", "Import…", import_cases, icon="upload_file", help="Cases from a file"
        )
        bind.button("library.new", "New set", dialogs.ask_new, icon="add", kind="primary")
    wanted = state.remembered("format")
    return SetFilter(
        state.remembered("search") or "", (wanted,) if wanted else (), health_now(), folder(found)
    )


def folder(found: Library) -> str:
    """Return the chosen folder; "" for all, as where there is no tree to choose from."""
    chosen = state.remembered("folder") or ""
    has_tree = len(found.sets) >= MANY_SETS
    return chosen if has_tree and any(in_folder(r.path, chosen) for r in found.sets) else ""


def import_cases() -> None:
    """Go where a file becomes cases of a set."""
    state.go("import_cases", into=None)


def shown_now() -> str:
    """Return which list is shown, by the URL or as last chosen."""
    asked = state.remembered("show")
    return asked if asked in SHOWN else "sets"


def health_now() -> ProblemFilter:
    """Return the filter by health, by the URL or as last chosen."""
    asked = state.remembered("health")
    return next((name for name in PROBLEMS if name == asked), "any")


def narrow(name: str, value: str) -> None:
    """Set one part of the filter; "" takes it away."""
    state.remember(name, value)
    state.keep("library.page", None)


def more_filters(found: Library) -> None:
    """Draw the filters by format and by health."""
    labels = {"": "Any format", **found.formats}
    ids = {label: name for name, label in labels.items()}
    now = labels.get(state.remembered("format") or "", "Any format")
    with st.container(width=150):
        bind.choice(
            "library.format",
            "Format",
            list(ids),
            now,
            lambda v: narrow("format", ids.get(v, "")),
            hidden=True,
        )
    words = {label: name for name, label in PROBLEMS.items()}
    with st.container(width=140):
        bind.choice(
            "library.problems",
            "Problems",
            list(words),
            PROBLEMS[health_now()],
            lambda v: narrow("health", words[v] if words[v] != "any" else ""),
            hidden=True,
        )


if __name__ == "__main__":
    main()
