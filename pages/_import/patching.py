"""An edited export as changes to its set: each can be left out, nothing is deleted unasked."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from evalcore.importing.applying import wanted
from evalcore.importing.edits import CellEdit, Patch
from evalcore.views.caselist import page_of
from evalcore.views.import_words import edit_place, edit_texts, patch_words
from evalcore.views.importing import ImportJob
from evalcore.views.sheet import Sheet
from evalcore.views.words import first_words, plural
from pages._import.preview import problems
from pages._ui import bind, safe, state
from pages._ui.pager import pager

EDITS_SHOWN = 50


def draw(job: ImportJob, sheet: Sheet, apply: Callable[[], None]) -> None:
    """Draw the changes and the button that puts them into the draft."""
    with st.spinner("Comparing the sheet with the set…"):
        patch = job.patch(sheet.lens, sheet.tree)
    with st.container(border=True):
        safe.show(safe.el("strong", patch_words(patch)))
        _elsewhere(job)
        problems(patch.problems, job.source.unit)
        _stale(patch)
        _edits(job, patch)
        _additions(job, patch)
        _missing(job, patch)
        _apply(job, patch, apply)


def _elsewhere(job: ImportJob) -> None:
    origin = job.source.set_path
    if origin and origin != job.into:
        st.warning(
            safe.label(f"This sheet was exported from {origin}, which is another set.", 400),
            icon=":material/warning:",
        )


def _stale(patch: Patch) -> None:
    if not patch.stale:
        return
    both = sum(edit.is_stale for edit in patch.edits)
    names = ", ".join(title for _index, title in patch.stale[:5])
    more = f" and {len(patch.stale) - 5:,} more" if len(patch.stale) > 5 else ""
    choose = (
        f" {plural(both, 'field')} changed on both sides: tick those to take from the sheet."
        if both
        else " What only you changed in the sheet is taken, the rest stays."
    )
    st.warning(
        safe.label(
            f"The set was edited after the sheet was exported: {names}{more}.{choose}", limit=600
        ),
        icon=":material/sync_problem:",
    )


def _edits(job: ImportJob, patch: Patch) -> None:
    ranked = sorted(patch.edits, key=lambda edit: not edit.is_stale)
    page = page_of(range(len(ranked)), state.kept("import.edits", None) or 1, size=EDITS_SHOWN)
    for number in page.indexes:
        _edit(job, ranked[number], number)
    pager("import.edits", page)


def _edit(job: ImportJob, edit: CellEdit, number: int) -> None:
    on = edit.key in job.taken if edit.is_stale else edit.key not in job.dropped
    place = edit_place(edit)
    left, right = st.columns([4, 8], gap="small", vertical_alignment="top")
    with left:
        mark = "Changed on both sides: " if edit.is_stale else ""
        bind.flag(
            f"import.edit {number} {edit.key}",
            f"{mark}{place}",
            on,
            lambda yes: _take(job, edit, yes),
        )
    with right:
        before, after = (first_words(text, 400) for text in edit_texts(edit))
        safe.show(
            safe.join(
                safe.el("del", before),
                safe.el("span", " → "),
                safe.el("ins", after),
            )
        )


def _take(job: ImportJob, edit: CellEdit, yes: bool) -> None:
    names, add = (job.taken, yes) if edit.is_stale else (job.dropped, not yes)
    (names.add if add else names.discard)(edit.key)


def _additions(job: ImportJob, patch: Patch) -> None:
    if patch.new_cases:
        names = ", ".join(case.id or "(unnamed)" for case in patch.new_cases[:5])
        _flag(job, "add_cases", f"Add {plural(len(patch.new_cases), 'case')}: {names}")
    if patch.new_turns:
        names = ", ".join(turn.title for turn in patch.new_turns[:5])
        _flag(job, "add_turns", f"Add {plural(len(patch.new_turns), 'turn')} to {names}")


def _missing(job: ImportJob, patch: Patch) -> None:
    if patch.missing_cases:
        names = ", ".join(title for _index, title in patch.missing_cases[:5])
        count = plural(len(patch.missing_cases), "case")
        _flag(job, "delete_cases", f"Delete {count} that the sheet does not have: {names}")
    if patch.missing_turns:
        names = ", ".join(dict.fromkeys(title for _c, _t, title in patch.missing_turns[:5]))
        count = plural(len(patch.missing_turns), "turn")
        _flag(job, "delete_turns", f"Delete {count} that the sheet does not have, of {names}")


def _flag(job: ImportJob, name: str, label: str) -> None:
    bind.flag(f"import.{name}", label, getattr(job, name), lambda on: setattr(job, name, on))


def _apply(job: ImportJob, patch: Patch, apply: Callable[[], None]) -> None:
    count = len(wanted(patch, job.choices()))
    count += len(patch.new_cases) * job.add_cases + len(patch.new_turns) * job.add_turns
    count += len(patch.missing_cases) * job.delete_cases
    count += len(patch.missing_turns) * job.delete_turns
    with st.container(horizontal=True, horizontal_alignment="right"):
        bind.button(
            "import.apply",
            f"Apply {plural(count, 'change')} to the draft",
            apply,
            icon="playlist_add_check",
            kind="primary",
            disabled=not count,
            help="Nothing is saved yet: you review the set first.",
        )
