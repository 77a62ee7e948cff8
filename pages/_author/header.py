"""The head of the Author page: which set this is, what is unsaved, and the way to save it."""

from __future__ import annotations

import streamlit as st

from evalcore.drafts import is_stale
from evalcore.views.sheet import Sheet
from evalcore.views.words import plural
from pages._author import dialogs, history, where
from pages._convert import dialog as converting
from pages._ui import bind, keys, safe, state
from pages._ui.desk import Desk

MORE = {"import": "Import cases…", "export": "Export…", "convert": "Convert to…"}


def header(desk: Desk, sheet: Sheet) -> None:
    """Draw the head."""
    draft = sheet.draft
    with st.container(
        key="author-head", horizontal=True, vertical_alignment="center", gap="xsmall"
    ):
        bind.button(
            "author.back",
            "Library",
            state.go,
            "library",
            icon="arrow_back",
            kind="tertiary",
            help="Back to the library",
        )
        safe.show(_title(sheet))
        count = edit_count(sheet)
        if count:
            safe.show(
                safe.el("span", f"● {plural(count, 'unsaved edit')}", css="ed-unsaved"),
                width="content",
            )
        history.buttons(sheet)
        if where.view() == "review":
            return
        bind.menu("author.more", "More", MORE, lambda what: more(sheet, what), icon="more_vert")
        bind.button(
            "author.review",
            "Review & save",
            where.show_view,
            "review",
            icon="save",
            kind="primary",
            disabled=not draft.is_dirty,
            shortcut=keys.SAVE,
        )
    _banners(desk, sheet)


def more(sheet: Sheet, what: str) -> None:
    """Do what was chosen of the menu."""
    if what == "import":
        state.go("import_cases", into=sheet.draft.path)
    elif what == "convert":
        converting.ask(sheet.draft.path)
    else:
        dialogs.ask(what)


def edit_count(sheet: Sheet) -> int:
    """Return how many cases, and the set's details as one, have edits that are not saved."""
    return len(sheet.draft.changed_cases) + sheet.draft.changed_around


def _title(sheet: Sheet) -> safe.Markup:
    base = sheet.draft.base
    shown = sheet.lens.read_header(sheet.tree)
    name = shown.name or shown.id or base.path.rsplit("/", 1)[-1].split(".", 1)[0]
    label = base.format.label if base.format else ""
    reason = f"Recognised because {base.detection.reason}." if base.detection else ""
    return safe.join(
        safe.el("span", name, css="ed-title"),
        safe.el("span", label, css="ed-chip", title=reason),
        safe.el("div", base.path, css="ed-muted"),
    )


def _banners(desk: Desk, sheet: Sheet) -> None:
    if sheet.lens.read_only:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.info("This set is in an old shape. It can be read here, but not edited in place.")
            bind.button(
                "author.modernise",
                "Save as a new-style set",
                dialogs.ask,
                "modernise",
                icon="upgrade",
            )
    if sheet.draft.is_dirty and is_stale(desk.workspace, sheet.draft):
        st.warning(
            "The file was changed by somebody else since you opened it. Your edits are safe; "
            "both are put together when you save.",
            icon=":material/sync_problem:",
        )
    if sheet.draft.trouble:
        st.warning(
            safe.label(
                f"Your edits cannot be kept on disk: {sheet.draft.trouble}. They are safe while "
                "this server runs; save them soon."
            ),
            icon=":material/warning:",
        )
