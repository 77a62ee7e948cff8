"""The history of a draft: every step by its name, and the way to any of them."""

from __future__ import annotations

import streamlit as st

from evalcore.views.history import StepRow, button_words, step_rows
from evalcore.views.sheet import Sheet, now
from pages._author import dialogs, where
from pages._ui import bind, keys, state
from pages._ui.desk import Desk
from pages._ui.rows import Column, Piece, Row, Tone, cell, rows

ASKED = "history asked"
MOVED = "history moved"


def buttons(sheet: Sheet) -> None:
    """Draw Undo and Redo, which say what they would do, and the way to all steps."""
    draft = sheet.draft
    for key, verb, do, label, combo in (
        ("author.undo", "Undo", draft.undo, draft.undo_label, keys.UNDO),
        ("author.redo", "Redo", draft.redo, draft.redo_label, keys.REDO),
    ):
        words, help = button_words(verb, label)
        bind.button(
            key,
            words,
            do,
            icon=verb.lower(),
            kind="tertiary",
            disabled=label is None,
            help=f"{help} ({combo})",
        )
    bind.button(
        "author.history",
        "History",
        ask,
        icon="history",
        kind="tertiary",
        help="All steps of your edits, and the versions of the file in git",
    )


def ask() -> None:
    """Open the list of steps."""
    dialogs.close()
    st.session_state[ASKED] = True


def close() -> None:
    """Ask for the list no more."""
    st.session_state.pop(ASKED, None)


def open_asked(sheet: Sheet) -> None:
    """Draw the list if it was asked for, until it is closed."""
    if st.session_state.get(ASKED):
        history(sheet)


@st.dialog("History of your edits", width="medium", on_dismiss=close)
def history(sheet: Sheet) -> None:
    """Let somebody go to any step."""
    if st.session_state.pop(MOVED, False):
        st.rerun()
    bind.button(
        "history.older",
        "Compare with older versions",
        _compare,
        icon="compare_arrows",
        help="What changed since a commit of the file, in words",
    )
    if not sheet.draft.history:
        st.info("You have not edited this set since it was opened.")
        return
    found = step_rows(sheet.draft.history, now())
    st.caption(
        "The latest step is on top. Open a line to go there; nothing is lost, as long as you do "
        "not edit from there."
    )
    rows(
        "history",
        "Steps",
        [Column("Step"), Column("When", "110px", "right")],
        [_row(step) for step in found],
        on_open=lambda done: _go(sheet, int(done)),
        on_act=lambda _go_to, done: _go(sheet, int(done)),
        current=next(str(step.done) for step in found if step.is_now),
        height="min(26rem, 60vh)",
    )


def drop_lost(desk: Desk, path: str) -> None:
    """Let somebody drop the unsaved edits of a file that can no longer be opened."""
    if path not in desk.drafts.unsaved(state.owner(), desk.workspace):
        return
    st.info("You have unsaved edits of this file. They are kept until it can be opened again.")
    with st.popover("Drop these edits…", icon=":material/delete:"):
        st.caption("They cannot be brought back.")
        bind.button("lost.drop", "Drop them", _drop_lost, desk, path, icon="delete")


def _drop_lost(desk: Desk, path: str) -> None:
    desk.drafts.discard(state.owner(), desk.workspace, path)
    state.remember("set", None)


def _compare() -> None:
    close()
    where.show_view("review")
    st.session_state[MOVED] = True


def _go(sheet: Sheet, done: int) -> None:
    sheet.draft.go_to(done)
    st.session_state[MOVED] = True


def _row(step: StepRow) -> Row:
    tone: Tone = "muted" if step.is_undone else ""
    marks = []
    if step.is_now:
        marks.append(Piece("you are here", "accent", chip=True))
    if step.is_undone:
        marks.append(Piece("undone", "muted", chip=True))
    name = step.label + (", you are here" if step.is_now else "")
    return Row(
        str(step.done),
        name,
        (
            cell(
                Piece(step.label, tone, strong=step.is_now, title=step.label), *marks, action="go"
            ),
            cell(Piece(step.when, "muted")),
        ),
    )
