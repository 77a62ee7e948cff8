"""The evaluators of one set, for the set's own page: attach, detach, open each."""

from __future__ import annotations

import streamlit as st

from evalcore.views.sheet import Sheet
from evalcore.wiring import EvaluatorFile, WiredSet, Wiring
from pages._evaluators import dialogs, used, where
from pages._ui import bind, safe, state
from pages._ui.desk import Desk, open_desk

NONE_ATTACHED = "None yet: the cases run, and nothing is scored. Attach one, or make a new one."
NONE_FOUND = "None is found here: the system's own defaults apply, unless a run names others."


def of_set(sheet: Sheet) -> None:
    """Draw the evaluators that score a set, with links to them, and the ones that could."""
    desk = open_desk()
    wiring = desk.wiring(state.owner(), desk.workspace.entries())
    of = wiring.set_at(sheet.draft.path)
    if of is None:
        return
    safe.show(safe.el("strong", "Checks"))
    files = wiring.files_of(of)
    for file in files:
        _row(desk, of, file)
    for ref in wiring.unknown_refs(of):
        safe.show(
            safe.el(
                "div", safe.el("b", "✗ Unknown"), f" No file has the id “{ref}”.", css="ed-fact"
            )
        )
    if not files:
        st.caption(NONE_ATTACHED if of.format_id.startswith("uipath") else NONE_FOUND)
    with st.container(horizontal=True, gap="xsmall"):
        _attach(desk, wiring, of)
        bind.button(
            "details.new", "New check…", _new, of.path, icon="add", kind="tertiary", help="Make one"
        )
        bind.button(
            "details.matrix",
            "Cases × checks",
            lambda: _matrix(of.path),
            icon="grid_on",
            kind="tertiary",
            help="What each check expects of each case",
        )


def _row(desk: Desk, of: WiredSet, file: EvaluatorFile) -> None:
    title = file.checks[0].name if file.is_single and file.checks else file.path.rpartition("/")[2]
    count = "" if file.is_single else f", {len(file.checks)} checks"
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        safe.show(safe.el("span", f"{title}{count}", title=file.path), width="stretch")
        bind.button(
            f"details.open {file.path}",
            "Open",
            lambda: state.go("evaluators", evaluator=file.path, check=None),
            icon="arrow_forward",
            kind="tertiary",
        )
        ref = of.ref_for(file)
        if ref is not None:
            used.detach_menu(desk, of, ref, f"details.detach {file.path}")


def _attach(desk: Desk, wiring: Wiring, of: WiredSet) -> None:
    free = {f.path: f for f in wiring.files if of in wiring.candidates(f)}
    names = {path: f.checks[0].name if f.checks else path for path, f in free.items()}
    if not names:
        return
    bind.menu(
        "details.attach",
        "Attach",
        names,
        lambda path: used.attach(desk, of, free[path]),
        icon="add_link",
        kind="secondary",
    )


def _new(path: str) -> None:
    dialogs.ask("new", path)
    where.show_view("checks")
    state.go("evaluators")


def _matrix(path: str) -> None:
    where.show_view("matrix")
    state.go("evaluators", set=path, view="matrix")
