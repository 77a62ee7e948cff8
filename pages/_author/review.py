"""Review & save: every change in words, each of which can be dropped, and the lines it makes."""

from __future__ import annotations

import streamlit as st

from evalcore import saving
from evalcore.errors import EvaldeskError
from evalcore.history import Commit
from evalcore.saving.diff import diff_lines
from evalcore.views.changes import ChangesView, changes_view, draft_changes
from evalcore.views.review import Unusable, can_touch, unusable
from evalcore.views.sheet import Sheet
from evalcore.views.words import plural
from pages._author import conflict, versions, where
from pages._author.changes import changes_in_words
from pages._author.conflict import TOUCH
from pages._author.diff import counted, diff_table
from pages._ui import bind, keys, safe, state
from pages._ui.desk import Desk

SHAPES = {"words": "In words", "lines": "Lines of the file"}
SHAPE = "review.shape"
UNUSABLE_SHOWN = 20


def review(desk: Desk, sheet: Sheet) -> None:
    """Draw the review of a draft."""
    _head(desk, sheet)
    known = conflict.known(sheet) if sheet.draft.is_dirty else None
    if known is not None:
        conflict.settle(desk, sheet, known)
        return
    _unusable(sheet)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        shape = state.kept(SHAPE, "words")
        bind.segments(SHAPE, "Show", SHAPES, shape, lambda name: state.keep(SHAPE, name))
        st.space("stretch")
        commit = versions.chosen(desk, sheet)
    if commit is not None:
        with safe.boundary(), st.spinner("Comparing with the older version…"):
            _older(desk, sheet, commit, shape)
    elif not sheet.draft.is_dirty:
        st.success("Everything is saved.", icon=":material/check_circle:")
    elif shape == "lines":
        diff_table(saving.preview(sheet.draft, touch=_touches()).diff)
    else:
        st.caption(safe.label(counted(saving.preview(sheet.draft, touch=_touches()).diff)))
        changes_in_words(draft_changes(sheet.draft), sheet.draft)
    if commit is None and sheet.draft.is_dirty and can_touch(sheet):
        bind.flag(
            TOUCH,
            "Update the ‘edited’ times",
            _touches(),
            lambda on: state.keep(TOUCH, on),
            help="Also write the current time into the set and the cases that changed.",
        )


def save(desk: Desk, sheet: Sheet) -> None:
    """Write the file; a conflict is kept for the next run to settle."""
    count = len(sheet.draft.changed_cases)
    try:
        saving.save(desk.workspace, sheet.draft, touch=_touches())
    except saving.SaveConflict as found:
        conflict.keep(sheet, found)
        return
    where.show_view("cases")
    bind.flash(f"Saved {plural(count, 'case')}." if count else "Saved.")


def _head(desk: Desk, sheet: Sheet) -> None:
    draft = sheet.draft
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader("Review changes", anchor=False, width="content")
        st.space("stretch")
        bind.button("review.back", "Keep editing", where.show_view, "cases", icon="arrow_back")
        if not draft.is_dirty or conflict.known(sheet) is not None:
            return
        bind.button(
            "review.drop",
            "Drop all edits",
            draft.revert_all,
            icon="undo",
            help="Go back to the file as you opened it; Undo brings the edits back",
        )
        bind.button(
            "review.save",
            "Save",
            lambda: save(desk, sheet),
            icon="save",
            kind="primary",
            shortcut=keys.SAVE,
        )


def _older(desk: Desk, sheet: Sheet, commit: Commit, shape: str) -> None:
    """Draw how the draft differs from an older version; nothing of that can be dropped."""
    try:
        old = versions.read(desk, sheet, commit)
    except EvaldeskError as error:
        safe.report(error)
        return
    if shape == "lines":
        diff_table(diff_lines(old.document.data, sheet.draft.rendered()), "The two are the same.")
        return
    found = changes_view(old.document.value, sheet.tree, sheet.lens)
    st.caption(safe.label(_since(found, commit)))
    changes_in_words(found)


def _since(found: ChangesView, commit: Commit) -> str:
    if found.is_empty:
        return f"Nothing differs from {commit.short}, apart from how the file is written."
    count = len(found.cases) + found.more
    return (
        f"{plural(count, 'case')} changed since {commit.short} ({commit.subject}), "
        "unsaved edits included."
    )


def _touches() -> bool:
    return bool(state.kept(TOUCH, False))


def _unusable(sheet: Sheet) -> None:
    found = unusable(sheet)
    if not found:
        return
    with st.container(border=True, gap="small"):
        st.warning(
            f"{plural(len(found), 'field')} with text that cannot be used: "
            "it is not among the changes below.",
            icon=":material/warning:",
        )
        for number, one in enumerate(found[:UNUSABLE_SHOWN]):
            _unusable_one(sheet, one, number)


def _unusable_one(sheet: Sheet, one: Unusable, number: int) -> None:
    """Draw where a text was typed, how it begins, why it cannot be used, and the way there."""
    title = sheet.title(one.case) if one.case is not None else "Details of the set"
    with st.container(
        horizontal=True, vertical_alignment="center", gap="xsmall", key=f"lead-unusable {number}"
    ):
        safe.show(
            safe.join(
                safe.el("strong", title),
                safe.el("span", f" “{one.typed}”: ", css="ed-fact"),
                safe.el("span", str(one.error), css="ed-muted"),
            )
        )
        bind.button(
            f"unusable {number}",
            "Go to",
            lambda: _go_to(sheet, one),
            icon="arrow_forward",
            kind="tertiary",
            help="Open the place where it was typed",
        )


def _go_to(sheet: Sheet, one: Unusable) -> None:
    if one.case is None:
        where.show_view("details")
        return
    state.keep("case.mode", "text" if one.is_whole else "form")
    where.open_case(sheet, one.case)
