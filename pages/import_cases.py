"""Import: a file of any kind becomes cases in a draft, looked at before anything is saved."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from evalcore.errors import EvaldeskError
from evalcore.importing.targets import Members, members_of
from evalcore.views.importing import (
    ImportJob,
    add_to,
    apply_to,
    begin_new,
    blank_set,
    place_of,
    readable,
)
from evalcore.views.sheet import Sheet
from evalcore.views.words import plural
from pages._import import jobs, mapping, patching, preview, source, target
from pages._ui import bind, safe, state
from pages._ui.desk import Desk, open_desk

if TYPE_CHECKING:
    from evalcore.formats.evalset import EvalSetLens


def main() -> None:
    """Draw the page."""
    desk = open_desk()
    head()
    job = jobs.current()
    source.choose(desk, job)
    if job is None:
        source.explain()
        return
    error = readable(job)
    with st.container(border=True):
        source.recognised(job)
    if error is not None:
        safe.report(error)
        return
    with st.container(border=True):
        target.draw(desk, job)
    with safe.boundary():
        body(desk, job)


def head() -> None:
    """Draw the way back and the title."""
    into = state.remembered("into")
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        bind.button(
            "import.back",
            "Back to the set" if into else "Library",
            leave,
            icon="arrow_back",
            kind="tertiary",
        )
        safe.show(safe.el("span", "Import cases", css="ed-title"))


def leave() -> None:
    """Go back to where the import was started from."""
    into = state.remembered("into")
    jobs.begin(None)
    state.remember("into", None)
    if into:
        state.go("author", set=into, case=None)
    else:
        state.go("library")


def body(desk: Desk, job: ImportJob) -> None:
    """Draw what becomes of the file, and the button that puts it into the draft."""
    sheet = desk.sheet(state.owner(), job.into) if job.into else None
    if sheet is not None and sheet.lens.read_only:
        st.info("This set is in an old shape. It can be read here, but not added to.")
        return
    if sheet is not None and job.is_patch():
        patching.draw(job, sheet, lambda: applied(job, sheet))
        return
    lens, tree = (sheet.lens, sheet.tree) if sheet else blank_set(job.new.format_id)
    job.members = names_inside(desk, job, lens)
    with st.container(border=True):
        mapping.draw(job, lens, tree)
    with st.spinner("Reading the rows…"):
        plan = job.plan(lens, tree)
    with st.container(border=True):
        preview.draw(job, lens, tree, plan)
        with st.container(horizontal=True, horizontal_alignment="right"):
            bind.button(
                "import.add",
                f"Add {plural(len(plan.cases), 'case')} to the draft",
                add,
                desk,
                job,
                sheet,
                icon="playlist_add",
                kind="primary",
                disabled=not plan.cases,
                help="Nothing is saved yet: you review the cases first.",
            )


def names_inside(desk: Desk, job: ImportJob, lens: EvalSetLens) -> Members:
    """Return what the project calls its inputs and outputs, () where the place cannot be used."""
    try:
        place = job.into or place_of(job, desk.workspace.entries())
        return members_of(lens.schemas(desk.workspace.near(place)))
    except EvaldeskError:
        # The place is told to be wrong where the cases are added to it.
        return ()


def add(desk: Desk, job: ImportJob, sheet: Sheet | None) -> None:
    """Put the new cases into the draft and show what saving would change."""
    draft = sheet.draft if sheet else None
    begun = draft is None
    if draft is None:
        entries = desk.workspace.entries()
        draft = begin_new(job, desk.workspace, desk.drafts, state.owner(), entries)
    try:
        count, left_out = add_to(job, draft)
    except EvaldeskError:
        if begun:
            desk.drafts.discard(state.owner(), desk.workspace, draft.path)
        raise
    more = f", {plural(left_out, job.source.unit)} left out" if left_out else ""
    finish(draft.path, f"{plural(count, 'case')} added to the draft{more}. Review and save.")


def applied(job: ImportJob, sheet: Sheet) -> None:
    """Apply a patch to the draft and show what saving would change."""
    apply_to(job, sheet.draft)
    finish(sheet.draft.path, "The changes of the sheet are in the draft. Review and save.")


def finish(path: str, news: str) -> None:
    """Forget the file and open the review of the set."""
    jobs.begin(None)
    state.remember("into", None)
    bind.flash(news)
    state.keep("author.view", "review")
    state.go("author", set=path, case=None, view="review")


if __name__ == "__main__":
    main()
