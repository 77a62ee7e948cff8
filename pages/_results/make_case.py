"""Make a case from this: a result's turns become a case in the draft of any set."""

from __future__ import annotations

import streamlit as st

from evalcore.errors import EvaldeskError
from evalcore.review import Made
from evalcore.store import StoredRun
from evalcore.views.make_case import (
    Plan,
    Source,
    Target,
    add,
    lines_of,
    preview,
    suggested,
    targets,
)
from evalcore.views.review_bar import Subject
from evalcore.views.sheet import Sheet
from evalcore.views.values import printable
from evalcore.views.words import plural
from pages._ui import bind, runs, safe, state
from pages._ui.desk import Desk

ASKED = "make.case"
CASES_SHOWN = 3
LINES_SHOWN = 12


def offer(run: StoredRun, subject: Subject) -> None:
    """Draw the button that opens the dialog."""
    bind.button(
        "review.make",
        "Make a case…",
        lambda: state.keep(ASKED, (run.manifest.id, subject.line.case_row)),
        icon="library_add",
        kind="tertiary",
        help="What was asked and done here becomes a new case in the draft of a set you choose.",
    )


def open_asked(desk: Desk, run: StoredRun, subject: Subject) -> None:
    """Draw the dialog, if it was asked for about this result."""
    if state.kept(ASKED, None) == (run.manifest.id, subject.line.case_row):
        _dialog(desk, run, subject)


def close() -> None:
    """Ask for no dialog any more."""
    state.keep(ASKED, None)


@st.dialog("Make a case from this", width="large", on_dismiss=close)
def _dialog(desk: Desk, run: StoredRun, subject: Subject) -> None:
    with safe.boundary():
        source = Source(subject, run.manifest, runs.joiner(desk, run.manifest)(subject.line))
        found = targets(desk.workspace.entries(), run.manifest.eval_set.path)
        if not found:
            st.info("This workspace has no eval set yet. Make one in the library first.")
            return
        if not subject.row.turns:
            st.info("This result holds no turn: what the agent did is not recorded.")
            return
        _form(desk, source, found)


def _form(desk: Desk, source: Source, found: list[Target]) -> None:
    words = {target.path: target.words for target in found}
    path = st.selectbox(
        "Into the set",
        list(words),
        key="make.path",
        format_func=lambda name: printable(words.get(name or "", "")),
    )
    try:
        sheet = desk.sheet(state.owner(), path)
    except EvaldeskError as error:
        safe.report(error)
        return
    turns = _turns(source, sheet)
    left, right = st.columns(2)
    with left:
        wished = suggested(source, sheet, turns or [0])
        typed = st.text_input(
            safe.label(sheet.lens.field("case", sheet.lens.label_field).label),
            key=f"make.label {path}",
            placeholder=wished,
            help="What the new case is called. Left empty, it is the name that stands here.",
        )
    with right:
        known = sorted(set(source.join.case.tags)) if source.join else []
        tags = st.multiselect(
            "Tags",
            known,
            key="make.tags",
            accept_new_options=True,
            format_func=printable,
            placeholder="None",
        )
    keep = st.radio(
        "What the new case expects",
        [True, False],
        key="make.keep",
        horizontal=True,
        format_func=_keep_label,
    )
    plan = Plan(path, typed.strip() or wished, tuple(turns), bool(keep), tuple(tags))
    _end(source, plan, sheet)


def _turns(source: Source, sheet: Sheet) -> list[int]:
    """Draw the choice of turns, where there are several."""
    words = source.turn_words()
    if len(words) == 1:
        st.caption(safe.label(next(iter(words.values()))))
        return list(words)
    chosen = st.multiselect(
        "Turns",
        list(words),
        default=list(words),
        key=f"make.turns {source.subject.run} {source.subject.line.case_row}",
        format_func=lambda number: printable(words[number]),
        help="Later turns often make no sense without those before them.",
    )
    if len(chosen) > 1 and not sheet.lens.has_turns:
        st.caption("A case of this format has one turn: each turn becomes a case of its own.")
    return list(chosen)


def _end(source: Source, plan: Plan, sheet: Sheet) -> None:
    """Draw what the case would be, and the button that stages it."""
    try:
        made = preview(source, plan, sheet)
    except EvaldeskError as error:
        safe.report(error)
        made = None
    if made is not None:
        _preview(made, sheet)
    with st.container(horizontal=True, horizontal_alignment="right", vertical_alignment="center"):
        st.caption("Nothing is saved yet: you review the set’s changes first.")
        is_ready = made is not None
        if st.button("Add to the draft", key="make.add", disabled=not is_ready):
            _add(source, plan, sheet, follow=False)
        if st.button(
            "Add and open it",
            key="make.open",
            type="primary",
            icon=":material/edit_note:",
            disabled=not is_ready,
        ):
            _add(source, plan, sheet, follow=True)


def _preview(made: Made, sheet: Sheet) -> None:
    """Draw what the new cases would hold, and what of the result they cannot."""
    found = lines_of(sheet, made)
    for name, lines in found[:CASES_SHOWN]:
        listed = [
            safe.el("li", safe.el("span", f"{line.what}: "), line.text)
            for line in lines[:LINES_SHOWN]
        ]
        if len(lines) > LINES_SHOWN:
            listed.append(safe.el("li", f"and {len(lines) - LINES_SHOWN:,} more", css="ed-muted"))
        title = safe.el("strong", f"+ {name}", css="ed-fact")
        safe.show(safe.join(title, safe.el("ul", *listed, css="ed-changes")))
    if len(found) > CASES_SHOWN:
        st.caption(safe.label(f"and {plural(len(found) - CASES_SHOWN, 'more case')}"))
    if made.left_out:
        told = ", ".join(made.left_out)
        st.caption(safe.label(f"Left out, because this format has no place for it: {told}."))


def _add(source: Source, plan: Plan, sheet: Sheet, *, follow: bool) -> None:
    try:
        labels = add(source, plan, sheet)
    except EvaldeskError as error:
        safe.report(error)
        return
    close()
    bind.flash(f"{', '.join(labels)[:120]} is in your draft of {plan.path}.")
    if follow:
        last = sheet.names()[-1]
        state.keep("author.view", "cases")
        state.go("author", set=plan.path, case=sheet.link_of(last))
    st.rerun()


def _keep_label(on: bool) -> str:
    return "What the agent did here" if on else "Nothing yet: I write it"
