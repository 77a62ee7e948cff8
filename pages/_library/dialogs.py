"""Dialogs of the Library: making a set, and reading what is wrong with a file."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from evalcore import saving
from evalcore.errors import EvaldeskError, FormatError
from evalcore.views.library import set_title
from evalcore.views.newset import choosable_formats, slug, suggested_path
from evalcore.views.problems import grouped
from evalcore.views.words import problem_words
from evalcore.workspace import Entry
from pages._ui import bind, safe, state
from pages._ui.desk import Desk
from pages._ui.problems import problem_list, what_is_this

ASKED = "dialog of the library"
KINDS_SHOWN, OF_A_KIND = 30, 10


def ask_new() -> None:
    """Open the dialog for a new set."""
    st.session_state[ASKED] = ("new", "")


def ask_problems(path: str) -> None:
    """Open the list of a file's problems."""
    st.session_state[ASKED] = ("problems", path)


def close() -> None:
    """Ask for no dialog any more."""
    st.session_state.pop(ASKED, None)


def open_asked(desk: Desk, entries: Sequence[Entry]) -> None:
    """Draw the dialog that was asked for, until it is closed."""
    kind, path = st.session_state.get(ASKED, ("", ""))
    if kind == "new":
        new_set(desk, entries)
    elif kind == "problems":
        entry = next((e for e in entries if e.path == path), None)
        if entry is not None:
            show_problems(entry)


@st.dialog("New eval set", width="medium", on_dismiss=close)
def new_set(desk: Desk, entries: Sequence[Entry]) -> None:
    """Ask for a format and a name, make the file and open it."""
    formats = choosable_formats()
    used = [e.detection.format_id for e in entries if e.detection]
    first = max(formats, key=used.count)
    format_id = st.selectbox(
        "Format",
        list(formats),
        index=list(formats).index(first),
        format_func=lambda name: formats[name].label,
        help="The system that runs your agent reads this format. The one that most sets here have "
        "is chosen already; ask whoever builds the agent if you are not sure.",
        key="new.format",
    )
    name = st.text_input(
        "Name",
        placeholder="Refunds, happy path",
        key="new.name",
        help="What people call the set.",
        live=True,
    )
    suggested = suggested_path(formats[format_id], name or "new set", entries)
    typed = st.text_input(
        "File",
        placeholder=suggested,
        key="new.path",
        help="Where the set is stored in this workspace. Leave it empty to take the suggestion.",
    )
    with st.container(horizontal=True, horizontal_alignment="right"):
        wanted = st.button("Create", type="primary", icon=":material/add:", key="new.create")
    if wanted:
        _create(desk, format_id, name.strip(), typed.strip() or suggested)


def _create(desk: Desk, format_id: str, name: str, path: str) -> None:
    try:
        if not name:
            raise FormatError("The set needs a name", hint="Write one above.")
        if not path.casefold().endswith(".json"):
            path += ".json"
        made = saving.create(
            desk.workspace, path, format_id=format_id, set_id=slug(name), name=name
        )
    except EvaldeskError as error:
        safe.report(error)
        return
    for key in ("new.name", "new.path"):
        st.session_state.pop(key, None)
    close()
    bind.flash("The set is there. Add its first case.")
    state.go("author", set=made.path, case=None)
    st.rerun()


@st.dialog("Problems", width="medium", position="right", on_dismiss=close)
def show_problems(entry: Entry) -> None:
    """List what is wrong with one file."""
    safe.show(
        safe.join(
            safe.el("strong", set_title(entry)),
            safe.el("div", entry.path, css="ed-muted"),
            safe.el("p", problem_words(entry.problems)),
        )
    )
    for group in grouped(entry.problems)[:KINDS_SHOWN]:
        with st.container(border=True, gap="small"):
            with st.container(horizontal=True, vertical_alignment="center"):
                safe.show(safe.el("strong", f"{group.title} ({len(group.problems):,})"))
                what_is_this(group.code, f"library {group.severity}")
            problem_list(group.problems[:OF_A_KIND], place=True)
            if len(group.problems) > OF_A_KIND:
                st.caption(f"The first {OF_A_KIND} are shown. Open the set to see all of them.")
    if entry.error is not None:
        st.caption(
            "Until the file can be read, its cases cannot be shown, and Evaldesk leaves it as it "
            "is. Mend it with a text editor, or ask whoever wrote it; then reload this page."
        )
    elif st.button("Open the set", type="primary", key="problems.open"):
        close()
        state.go("author", set=entry.path, case=None)
        st.rerun()
