"""Review & save: every change in words, each of which can be dropped, and the lines it makes."""

from __future__ import annotations

import streamlit as st

from evalcore import saving
from evalcore.views.review import GLYPHS, ChangeView, can_touch, change_views
from evalcore.views.sheet import Sheet
from evalcore.views.words import plural
from pages._author import conflict, where
from pages._author.conflict import TOUCH
from pages._author.diff import diff_table
from pages._ui import bind, keys, safe, state
from pages._ui.desk import Desk

SHOWN = 100


def review(desk: Desk, sheet: Sheet) -> None:
    """Draw the review of a draft."""
    draft = sheet.draft
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader("Review changes", anchor=False, width="content")
        st.space("stretch")
        bind.button("review.back", "Keep editing", where.show_view, "cases", icon="arrow_back")
        if draft.is_dirty and conflict.known(sheet) is None:
            bind.button(
                "review.save",
                "Save",
                lambda: save(desk, sheet),
                icon="save",
                kind="primary",
                shortcut=keys.SAVE,
            )
    if not draft.is_dirty:
        st.success("Everything is saved.", icon=":material/check_circle:")
        return
    known = conflict.known(sheet)
    if known is not None:
        conflict.settle(desk, sheet, known)
        return
    _unusable(sheet)
    left, right = st.columns([5, 7], gap="medium")
    touch = bool(state.kept(TOUCH, False))
    with left:
        _changes(sheet)
        if can_touch(sheet):
            bind.flag(
                TOUCH,
                "Update the ‘edited’ times",
                touch,
                lambda on: state.keep(TOUCH, on),
                help="Also write the current time into the set and the cases that changed.",
            )
    with right:
        diff_table(saving.preview(draft, touch=touch).diff)


def save(desk: Desk, sheet: Sheet) -> None:
    """Write the file; a conflict is kept for the next run to settle."""
    count, touch = len(sheet.draft.changed_cases), bool(state.kept(TOUCH, False))
    try:
        saving.save(desk.workspace, sheet.draft, touch=touch)
    except saving.SaveConflict as found:
        conflict.keep(sheet, found)
        return
    where.show_view("cases")
    bind.flash(f"Saved {plural(count, 'case')}." if count else "Saved.")


def _changes(sheet: Sheet) -> None:
    views = change_views(sheet)
    for number, view in enumerate(views[:SHOWN]):
        _change(sheet, view, number)
    if len(views) > SHOWN:
        st.caption(safe.label(f"and {len(views) - SHOWN:,} more cases"))
    if sheet.draft.changed_around:
        with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
            safe.show(
                safe.join(
                    safe.el("strong", "± Details of the set"),
                    safe.el("span", " edited", css="ed-muted"),
                )
            )
            bind.button(
                "drop around", "Drop", sheet.draft.revert_around, icon="undo", kind="tertiary"
            )


def _change(sheet: Sheet, view: ChangeView, number: int) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        safe.show(
            safe.join(
                safe.el("strong", f"{GLYPHS[view.change.kind]} {view.title}"),
                safe.el("span", f" {view.what}", css="ed-muted"),
                safe.el("div", ", ".join(view.parts), css="ed-muted") if view.parts else "",
            )
        )
        bind.button(
            f"drop {number} {view.title}",
            "Drop",
            sheet.draft.revert_case,
            view.change,
            icon="undo",
            kind="tertiary",
            help="Go back to what the file has for this case",
        )


def _unusable(sheet: Sheet) -> None:
    count = len(sheet.pending)
    if count:
        st.warning(
            safe.label(
                f"{plural(count, 'field')} with text that cannot be used: it is not among the "
                "changes below."
            ),
            icon=":material/warning:",
        )
