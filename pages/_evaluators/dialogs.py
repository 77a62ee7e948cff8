"""Dialogs of the Evaluators page: make, rename, delete; a plan is shown before it runs."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from datetime import UTC, datetime

import streamlit as st

from evalcore.errors import EvaldeskError
from evalcore.evaluators import kinds
from evalcore.evaluators.base import JudgedEvaluator
from evalcore.saving import Diff
from evalcore.views.evaluators import ops
from evalcore.views.evaluators.create import (
    FAMILIES,
    PRESET_WORDS,
    Place,
    Wanted,
    families_here,
    kinds_for,
    nearest_place,
    path_for,
    places_for,
    tree_for,
)
from evalcore.views.words import plural
from evalcore.wiring import (
    EvaluatorFile,
    Plan,
    Wiring,
    apply,
    create_plan,
    delete_plan,
    rename_plan,
)
from evalcore.wiring.blank import USUAL_JUDGE
from pages._author.diff import diff_table
from pages._evaluators import where
from pages._ui import bind, safe, state
from pages._ui.desk import Desk

MOST_OPEN = 12
"""Lines of a change up to which it is unfolded."""
ASKED = "dialog of the evaluators"
WORDS = {
    "created": "+ new file",
    "changed": "± changed",
    "moved": "↕ gets another name",
    "deleted": "− deleted",
}


def ask(kind: str, path: str = "", check: str = "") -> None:
    """Open a dialog about a file; that for something new proposes its system and its folder."""
    st.session_state[ASKED] = (kind, path, check)


def close() -> None:
    """Ask for no dialog any more."""
    st.session_state.pop(ASKED, None)


def open_asked(desk: Desk, wiring: Wiring) -> None:
    """Draw the dialog that was asked for, until it is closed."""
    kind, path, check = st.session_state.get(ASKED, ("", "", ""))
    file = wiring.file(path)
    if kind == "new":
        new(desk, wiring, path)
    elif kind == "rename" and file is not None:
        if file.is_single:
            rename(desk, wiring, file)
        else:
            rename_inside(desk, file, check)
    elif kind == "delete" and file is not None:
        delete(desk, wiring, file)


@st.dialog("New check", width="medium", on_dismiss=close)
def new(desk: Desk, wiring: Wiring, beside: str) -> None:
    """Ask what to make and where, and write it; the file at ``beside`` says what is proposed."""
    family = st.selectbox(
        "What",
        families_here(wiring, beside),
        format_func=lambda name: FAMILIES[name],
        key=f"new.family.{beside}",
        help="Each system has its own kind of file for its checks.",
    )
    places = places_for(family, wiring)
    if not places:
        st.info("There is no set here that such a file could be for, or each has one already.")
        return
    index = st.selectbox(
        "For" if family == "evaldesk" else "Where",
        range(len(places)),
        index=nearest_place(places, beside),
        format_func=lambda at: safe.label(places[at].words),
        key=f"new.place.{family}.{beside}",
        help="The sets whose system finds the file there.",
    )
    wanted = _choices(family, places[index])
    suggested = path_for(wanted, wiring)
    fixed = family in ("adk", "harnest", "evaldesk")
    typed = ""
    if not fixed:
        typed = st.text_input(
            "File", placeholder=suggested, key="new.path", help="Empty: the suggestion."
        )
    st.caption(safe.label(f"A new file, {typed.strip() or suggested}."))
    with st.container(horizontal=True, horizontal_alignment="right"):
        go = st.button("Create", type="primary", icon=":material/add:", key="new.create")
    if go:
        _create(desk, wanted, typed.strip() or suggested)


def _choices(family: str, place: Place) -> Wanted:
    name = kind = model = ""
    presets: Sequence[str] = ()
    offered = kinds_for(family)
    if offered:
        kind = st.selectbox(
            "Kind", list(offered), format_func=lambda k: offered[k], key=f"new.kind.{family}"
        )
        st.caption(safe.label(kinds()[kind].help))
        name = st.text_input("Name", placeholder="Right decision", key="new.name")
        if issubclass(kinds()[kind], JudgedEvaluator):
            usual = USUAL_JUDGE if family == "uipath_coded" else "same-as-agent"
            model = st.text_input("Model that judges", placeholder=usual, key="new.model")
    if family == "tenxgraph":
        presets = st.multiselect(
            "Presets",
            list(PRESET_WORDS),
            default=["quick_check"],
            format_func=lambda p: f"{safe.label(p)}: {safe.label(PRESET_WORDS[p])}",
            key="new.presets",
            help="Several are combined: of two that set the same check, the later one wins.",
        )
    return Wanted(family, place, name, kind, model.strip(), tuple(presets))


def _create(desk: Desk, wanted: Wanted, path: str) -> None:
    try:
        if not path.casefold().endswith(".json"):
            path += ".json"
        tree = tree_for(wanted, path, datetime.now(UTC))
        plan = create_plan(desk.workspace, path, tree, wanted.family)
        apply(desk.workspace, plan, desk.drafts, state.owner())
    except EvaldeskError as error:
        safe.report(error)
        return
    for key in ("new.name", "new.path", "new.model"):
        st.session_state.pop(key, None)
    close()
    where.open_check(plan.changes[0].path)
    bind.flash("The file is there. Now set it up.")
    st.rerun()


@st.dialog("Rename check", width="large", on_dismiss=close)
def rename(desk: Desk, wiring: Wiring, file: EvaluatorFile) -> None:
    """Ask for another id or file name, show every file that changes, then do it."""
    old = file.checks[0].ref if file.checks else ""
    folder, name = posixpath.split(file.path)
    left, right = st.columns(2, gap="small")
    with left:
        ref = st.text_input(
            "Id", value=old, key=f"rename.ref {file.path}", help="What sets refer to."
        )
    with right:
        stem = st.text_input("File", value=name, key=f"rename.file {file.path}")
    st.caption("What results call it is its name, which is edited in its settings.")
    if (ref.strip(), stem.strip()) == (old, name):
        return
    dirty = desk.drafts.unsaved(state.owner(), desk.workspace)
    try:
        path = posixpath.join(folder, stem.strip())
        plan = rename_plan(desk.workspace, wiring, file, ref=ref, path=path, dirty=dirty)
    except EvaldeskError as error:
        safe.report(error)
        return
    _plan(desk, plan, dirty, "Rename")


@st.dialog("Rename check", on_dismiss=close)
def rename_inside(desk: Desk, file: EvaluatorFile, check: str) -> None:
    """Ask for another name of a check that only its own file names."""
    bench = desk.bench(state.owner(), file.path, file.family)
    found = bench.check(check)
    if found is None:
        close()
        return
    name = st.text_input("Name", value=found.ref, key=f"rename.check {file.path} {check}")
    with st.container(horizontal=True, horizontal_alignment="right"):
        go = st.button("Rename", type="primary", key="rename.check.do")
    if go:
        try:
            ops.rename(bench, found, name)
        except EvaldeskError as error:
            safe.report(error)
            return
        close()
        where.open_check(file.path, name.strip())
        st.rerun()


@st.dialog("Delete a file of checks", width="large", on_dismiss=close)
def delete(desk: Desk, wiring: Wiring, file: EvaluatorFile) -> None:
    """Show every file that changes, then do it."""
    dirty = desk.drafts.unsaved(state.owner(), desk.workspace)
    if file.path in dirty:
        st.warning("Your unsaved edits of this file go with it.", icon=":material/warning:")
    safe.show(safe.el("strong", file.path))
    users = [s for s, link in wiring.users(file) if link != "may"]
    if users and not file.is_single:
        st.text(f"{plural(len(users), 'set')} will no longer be scored by it.")
    try:
        plan = delete_plan(desk.workspace, wiring, file)
    except EvaldeskError as error:
        safe.report(error)
        return
    _plan(desk, plan, dirty, "Delete")


def _plan(desk: Desk, plan: Plan, dirty: Sequence[str], word: str) -> None:
    """Draw every file that a plan touches, with its change, and the button that does it."""
    st.text(f"{plural(len(plan.changes), 'file')} will be written at once, or none:")
    for number, change in enumerate(plan.changes):
        with st.container(border=True, gap="xsmall"):
            safe.show(
                safe.join(
                    safe.el("strong", f"{WORDS[change.kind]}  "),
                    safe.el("span", change.path),
                    safe.el("div", change.why, css="ed-muted"),
                )
            )
            if change.kind == "deleted":
                continue
            count = change.diff.added + change.diff.removed
            is_open = number == 0 and count <= MOST_OPEN
            with st.expander(safe.label(_lines(change.diff)), expanded=is_open):
                diff_table(change.diff)
    kept = [path for path in dirty if path in plan.edits]
    if kept:
        st.info(safe.label(f"Unsaved edits of {', '.join(kept)} follow, and stay unsaved."))
    for note in plan.notes:
        st.warning(safe.label(note), icon=":material/warning:")
    with st.container(horizontal=True, horizontal_alignment="right"):
        if st.button("Cancel", key="plan.cancel"):
            close()
            st.rerun()
        go = st.button(
            safe.label(f"{word} in {plural(len(plan.changes), 'file')}"),
            type="primary",
            key="plan.do",
        )
    if go:
        _do(desk, plan)


def _lines(diff: Diff) -> str:
    counts = ((diff.removed, "removed"), (diff.added, "added"))
    told = [f"{plural(count, 'line')} {what}" for count, what in counts if count]
    return ", ".join(told) or "No line differs"


def _do(desk: Desk, plan: Plan) -> None:
    try:
        written = apply(desk.workspace, plan, desk.drafts, state.owner())
    except EvaldeskError as error:
        safe.report(error)
        return
    close()
    last = plan.changes[-1]
    if last.data is not None:
        where.open_check(written[-1].path)
    else:
        state.remember(where.FILE, None)
        state.remember(where.CHECK, None)
    bind.flash(f"{plan.title}: done.")
    st.rerun()
