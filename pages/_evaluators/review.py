"""Review & save of a file of evaluators: the lines that change, and settling a conflict."""

from __future__ import annotations

from functools import partial

import streamlit as st

from evalcore import saving
from evalcore.drafts.merge import Side
from evalcore.views.evaluators.bench import Bench
from evalcore.views.evaluators.review import changes_in_words
from evalcore.views.review import version_text
from evalcore.views.words import plural
from pages._author.diff import diff_table
from pages._evaluators import where
from pages._ui import bind, keys, safe, state
from pages._ui.desk import Desk

SIDES = {"mine": "Keep mine", "disk": "Take the file’s"}


def review(desk: Desk, bench: Bench) -> None:
    """Draw what saving would change, and the button that saves."""
    draft, found = bench.draft, _known(bench)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader("Review changes", anchor=False, width="content")
        st.space("stretch")
        bind.button("review.back", "Keep editing", where.show_view, "checks", icon="arrow_back")
        if draft.is_dirty and found is None:
            bind.button(
                "review.drop",
                "Drop all edits",
                lambda: draft.apply(draft.base.document.value, "Drop all edits"),
                icon="undo",
                kind="tertiary",
                help="Back to what the file has; Undo brings them again.",
            )
            bind.button(
                "review.save",
                "Save",
                lambda: save(desk, bench),
                icon="save",
                kind="primary",
                shortcut=keys.SAVE,
            )
    if not draft.is_dirty:
        st.success("Everything is saved.", icon=":material/check_circle:")
        return
    if found is not None:
        _settle(desk, bench, found)
        return
    if bench.pending:
        count = plural(len(bench.pending), "field")
        st.warning(
            safe.label(f"{count} with text that cannot be used: it is not among the changes."),
            icon=":material/warning:",
        )
    left, right = st.columns([5, 7], gap="medium")
    with left:
        for words in changes_in_words(bench):
            safe.show(safe.el("div", words))
    with right:
        diff_table(saving.preview(draft).diff)


def save(desk: Desk, bench: Bench) -> None:
    """Write the file; a conflict is kept for the next run to settle."""
    try:
        saving.save(desk.workspace, bench.draft)
    except saving.SaveConflict as conflict:
        st.session_state[_slot(bench)] = conflict
        return
    where.show_view("checks")
    bind.flash("Saved.")


def _settle(desk: Desk, bench: Bench, found: saving.SaveConflict) -> None:
    """Draw what both sides changed, and the ways out."""
    safe.report(found)
    choices: dict[str, Side] = {}
    for conflict in found.conflicts:
        name = f"side {bench.path} {conflict.key}"
        with st.container(border=True, gap="small"):
            place = conflict.pointer.strip("/").replace("/", " › ") or "The whole file"
            safe.show(safe.el("strong", place))
            picked = state.kept(name, "")
            bind.segments(
                name,
                "Which version",
                {"": "Choose…", **SIDES},
                picked,
                partial(state.keep, name),
            )
            left, right = st.columns(2, gap="small")
            with left:
                st.caption("Mine")
                safe.code(version_text(conflict.mine), "json")
            with right:
                st.caption("In the file now")
                safe.code(version_text(conflict.disk), "json")
        if picked in ("mine", "disk"):
            choices[conflict.key] = picked
    ready = found.disk is not None and len(choices) == len(found.conflicts)
    with st.container(horizontal=True, gap="xsmall"):
        bind.button(
            "conflict.save",
            "Save both together",
            lambda: _save_both(desk, bench, found, choices),
            icon="save",
            kind="primary",
            disabled=not ready,
        )
        bind.button("conflict.back", "Not now", lambda: _forget(bench), kind="tertiary")
    if ready:
        diff_table(saving.preview_merged(bench.draft, found, choices).diff)


def _save_both(
    desk: Desk, bench: Bench, found: saving.SaveConflict, choices: dict[str, Side]
) -> None:
    try:
        saving.save_merged(desk.workspace, bench.draft, found, choices)
    except saving.SaveConflict as again:
        st.session_state[_slot(bench)] = again
        return
    _forget(bench)
    where.show_view("checks")
    bind.flash("Saved both together.")


def _known(bench: Bench) -> saving.SaveConflict | None:
    found = st.session_state.get(_slot(bench))
    return found if isinstance(found, saving.SaveConflict) else None


def _forget(bench: Bench) -> None:
    st.session_state.pop(_slot(bench), None)


def _slot(bench: Bench) -> str:
    return f"conflict {bench.path}"
