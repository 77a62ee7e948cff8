"""What a wrong expectation changes in the case file: shown before and after, staged, followed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from evalcore.errors import FormatError
from evalcore.store import StoredRun
from evalcore.views.review_bar import (
    Mending,
    Said,
    Subject,
    mended_fields,
    mending,
    sheet_or_why,
)
from evalcore.views.review_bar import (
    stage as put_in_draft,
)
from evalcore.views.sheet import Sheet
from pages._author.changes import fields_in_words
from pages._ui import bind, safe, state
from pages._ui.desk import Desk

Change = Callable[..., None]
"""Called with ``parts=``: the keys of those that are wanted."""


def draw(desk: Desk, run: StoredRun, subject: Subject, said: Said, change: Change) -> bool:
    """Draw the edit that saving stages, and which parts are wanted; False where there is none."""
    sheet, found = _found(desk, run, subject, said)
    with st.container(key="verdict-mend", gap="xsmall"):
        if sheet is None or found.why:
            st.caption(safe.label(f"{found.why} Your review is kept all the same.", 400))
            if found.index >= 0:
                _author(run, subject, sheet)
            return False
        chosen = found.chosen(said.parts)
        st.caption(safe.label(f"Saving stages this edit in your draft of {sheet.draft.path}:", 400))
        if len(found.parts) > 1:
            _parts(subject, said, found, change)
        fields = mended_fields(sheet.lens, sheet.tree, found, chosen)
        if fields:
            fields_in_words(fields, "mend")
        else:
            st.caption("No part is ticked: only the review is saved.")
        return bool(fields)


def stage(desk: Desk, run: StoredRun, subject: Subject, said: Said, who: str) -> tuple[str, ...]:
    """Put the edit into the draft; returns the labels of its parts, () where there is none."""
    sheet, found = _found(desk, run, subject, said)
    chosen = found.chosen(said.parts)
    if sheet is None or not chosen:
        return ()
    try:
        put_in_draft(sheet, found, chosen, who)
    except FormatError as error:
        raise FormatError(f"The edit cannot be staged: {error.message}", hint=error.hint) from error
    return tuple(part.label for part in chosen)


def waiting(desk: Desk, run: StoredRun) -> None:
    """Draw how many edits of the run's set wait in its draft, and the way to their review."""
    path = run.manifest.eval_set.path
    if not is_unsaved(desk, path):
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(safe.label(f"● Your draft of {path} has unsaved edits.", 300))
        way(path)


def way(path: str, key: str = "review.to_author") -> None:
    """Draw the way from a staged edit to where it is saved."""
    bind.button(
        key,
        "Review & save the set",
        to_review,
        path,
        icon="difference",
        kind="tertiary",
        help="Opens the set’s own review of changes, where each can be dropped.",
    )


def is_unsaved(desk: Desk, path: str) -> bool:
    """Return whether a set has edits in this browser's draft."""
    return bool(path) and path in desk.drafts.unsaved(state.owner(), desk.workspace)


def to_review(path: str) -> None:
    """Open the review of a set's changes."""
    state.keep("author.view", "review")
    state.go("author", set=path, view="review")


def _found(
    desk: Desk, run: StoredRun, subject: Subject, said: Said
) -> tuple[Sheet | None, Mending]:
    path = run.manifest.eval_set.path
    if not path:
        return None, Mending("The eval set of this run is not in this workspace.")
    sheet, why = sheet_or_why(lambda: desk.sheet(state.owner(), path))
    if sheet is None:
        return None, Mending(f"The eval set cannot be edited: {why}.")
    return sheet, mending(sheet, subject, said.turn)


def _parts(subject: Subject, said: Said, found: Mending, change: Change) -> None:
    """Draw a box for each part that can be replaced."""
    chosen = {part.key for part in found.chosen(said.parts)}

    def toggle(key: str, on: bool) -> None:
        change(parts=tuple(sorted(chosen | {key} if on else chosen - {key})))

    with st.container(horizontal=True, gap="small"):
        for part in found.parts:
            bind.flag(
                f"review.part {subject.run} {subject.line.case_row} {part.key}",
                part.label,
                part.key in chosen,
                partial(toggle, part.key),
            )


def _author(run: StoredRun, subject: Subject, sheet: Sheet | None) -> None:
    if sheet is None or sheet.lens.read_only:
        return
    path, case = run.manifest.eval_set.path, subject.line.case_id
    bind.button(
        "review.by_hand",
        "Edit the case by hand",
        lambda: state.go("author", set=path, case=case),
        icon="edit_note",
        kind="tertiary",
    )
