"""The dialog "Convert to…": a format, then what would become of the set, then the file."""

from __future__ import annotations

import streamlit as st

from evalcore.convert import Options
from evalcore.drafts import Draft
from evalcore.errors import EvaldeskError
from evalcore.views.convert import (
    Offer,
    Row,
    Section,
    can_split,
    offer,
    room_for_notes,
    suggestion,
    targets,
    written,
)
from pages._ui import bind, safe, state
from pages._ui.desk import Desk

ASKED = "set to convert"
PATH = "convert.path"
REPORT_HEIGHT = 380
"""Pixels: what is below it, the file and the button, is seen without scrolling."""


def ask(path: str) -> None:
    """Open the dialog for a set."""
    st.session_state[ASKED] = path


def close() -> None:
    """Ask for no dialog any more."""
    st.session_state.pop(ASKED, None)
    st.session_state.pop(PATH, None)


def open_asked(desk: Desk) -> None:
    """Draw the dialog if a set is to be converted, until it is closed."""
    path = st.session_state.get(ASKED)
    if path is not None:
        convert_set(desk, path)


@st.dialog("Convert to…", width="large", on_dismiss=close)
def convert_set(desk: Desk, path: str) -> None:
    """Ask for a format, show what would become of the set, and write it when that is accepted."""
    with safe.boundary():
        draft = desk.drafts.open(state.owner(), desk.workspace, path)
        format_id = _format(draft)
        options = _options(draft, format_id)
        suggested = suggestion(draft, format_id, desk.workspace.entries())
        typed = str(st.session_state.get(PATH, "")).strip()
        wanted = typed or suggested
        if not wanted.casefold().endswith(".json"):
            wanted += ".json"
        found = _offer(desk, draft, format_id, wanted, options)
        if found is not None:
            _report(draft, found)
        _destination(suggested, found)


def _format(draft: Draft) -> str:
    names = targets(draft)
    labels = {label: name for name, label in names.items()}
    known = state.kept("convert.format", "")
    now = known if known in names else next(iter(names))
    bind.choice(
        "convert.format",
        "New format",
        list(labels),
        names[now],
        lambda label: state.keep("convert.format", labels[label]),
        help="The system that will run the new set. The old file stays as it is.",
    )
    return now


def _options(draft: Draft, format_id: str) -> Options:
    split = can_split(draft, format_id)
    room = room_for_notes(format_id)
    with st.container(horizontal=True):
        if split:
            _flag("convert.split", "A case for each turn", "A case of the new format has one turn.")
        if room:
            _flag("convert.carry", "Keep the rest as notes", room)
    return Options(
        split_turns=split and state.kept("convert.split", False),
        carry=bool(room) and state.kept("convert.carry", False),
    )


def _flag(key: str, label: str, help_: str) -> None:
    bind.flag(key, label, state.kept(key, False), lambda on: state.keep(key, on), help=help_)


def _offer(desk: Desk, draft: Draft, format_id: str, path: str, options: Options) -> Offer | None:
    """Return what would be written, worked out anew only when the set or a choice has changed."""
    key = (draft.path, draft.revision, id(draft.tree), format_id, path, options)
    known = st.session_state.get("conversion")
    if known is not None and known[0] == key:
        kept: Offer = known[1]
        return kept
    try:
        with st.spinner("Following each value…"):
            found = offer(desk.workspace, draft, format_id, path, options)
    except EvaldeskError as error:
        safe.report(error)
        return None
    # The tree is kept with its key, so that no other one can get its id.
    st.session_state["conversion"] = (key, found, draft.tree)
    return found


def _report(draft: Draft, found: Offer) -> None:
    line = f"{found.lead} {found.summary}"
    if found.lost:
        st.warning(safe.label(line, 400), icon=":material/warning:")
    else:
        st.success(safe.label(line, 400), icon=":material/check_circle:")
    if draft.is_dirty:
        st.caption("Your unsaved edits are in it.")
    with st.container(height=REPORT_HEIGHT, border=False, gap="small"):
        for section in found.sections:
            with st.expander(safe.label(section.title), expanded=section.status == "lost"):
                _section(section)
        if found.checks:
            st.caption(safe.label(found.checks, 1000))


def _section(section: Section) -> None:
    st.caption(safe.label(section.help))
    safe.show(safe.join(*map(_row, section.rows)))
    if section.more:
        st.caption(safe.label(f"and {section.more:,} more; “evaldesk convert” lists all of them"))


def _row(row: Row) -> safe.Markup:
    count = safe.el("span", f" {row.count}", css="ed-muted")
    examples = [safe.el("li", example) for example in row.examples]
    return safe.join(
        safe.el("div", safe.el("strong", row.title), count),
        safe.el("div", row.why),
        safe.el("ul", *examples, css="ed-muted"),
    )


def _destination(suggested: str, found: Offer | None) -> None:
    st.text_input(
        "New file",
        placeholder=suggested,
        key=PATH,
        help="Where the new set is stored. Leave it empty to take the suggestion.",
    )
    with st.container(horizontal=True, horizontal_alignment="right"):
        if st.button("Cancel", key="convert.cancel"):
            close()
            st.rerun()
        wanted = st.button(
            safe.label(found.action if found else "Convert"),
            type="primary",
            icon=":material/swap_horiz:",
            key="convert.do",
            disabled=found is None,
        )
    if wanted and found is not None:
        _write(found)


def _write(found: Offer) -> None:
    try:
        path = written(found)
    except EvaldeskError as error:
        safe.report(error)
        return
    close()
    bind.flash("The converted set is saved and open.")
    state.go("author", set=path, case=None)
    st.rerun()
