"""Which sets an evaluator scores, with links to them, and attaching it to others."""

from __future__ import annotations

import streamlit as st

from evalcore.errors import EvaldeskError
from evalcore.jsontree import JsonValue
from evalcore.views.words import plural
from evalcore.wiring import EvaluatorFile, WiredSet, Wiring, refs
from evalcore.wiring.reading import Link
from pages._evaluators import where
from pages._ui import bind, safe, state
from pages._ui.desk import Desk

WHY: dict[Link, str] = {
    "names": "names it",
    "applies": "lies in the same folder",
    "own": "these are its own checks",
    "may": "if 10xGraph is started with this config",
}


def used(desk: Desk, wiring: Wiring, file: EvaluatorFile) -> None:
    """Draw the sets that a file's evaluators score, and those that they could."""
    users = wiring.users(file)
    if file.family == "tenxgraph":
        st.caption("10xGraph's sets name no config: whoever starts a run chooses one.")
    if not users:
        st.info("No set uses it yet.")
    for of, link in users:
        with st.container(border=True, gap="xsmall"):
            _set(desk, file, of, link)
    _candidates(desk, wiring, file)


def attach(desk: Desk, of: WiredSet, file: EvaluatorFile) -> None:
    """Make a set name an evaluator, as an unsaved edit of the set."""
    sheet = desk.sheet(state.owner(), of.path)
    ref, format_id = of.ref_to_write(file), of.format_id
    name = file.checks[0].name if file.checks else ref
    sheet.edit(lambda tree: refs.attach(tree, format_id, ref), f"Attach {name}")


def detach(desk: Desk, of: WiredSet, ref: str, *, criteria: bool = False) -> None:
    """Make a set name an evaluator no more, as one unsaved edit of the set."""
    sheet = desk.sheet(state.owner(), of.path)
    format_id = of.format_id

    def edit(tree: JsonValue) -> JsonValue:
        without = refs.detach(tree, format_id, ref)
        return refs.without_criteria(without, ref) if criteria else without

    sheet.edit(edit, f"Detach {ref}")


def said(desk: Desk, of: WiredSet, ref: str) -> int:
    """Return how many cases of a set say something of an evaluator."""
    try:
        return len(refs.cases_with(desk.sheet(state.owner(), of.path).tree, ref))
    except EvaldeskError:
        return 0


def _set(desk: Desk, file: EvaluatorFile, of: WiredSet, link: Link) -> None:
    ref = of.ref_for(file)
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        cases = "" if of.cases is None else f", {plural(of.cases, 'case')}"
        safe.show(
            safe.join(
                safe.el("strong", of.name),
                safe.el("span", f"  {WHY[link]}{cases}", css="ed-muted"),
                safe.el("div", of.path, css="ed-muted"),
            )
        )
        bind.button(
            f"used.open {of.path}",
            "Open set",
            lambda: state.go("author", set=of.path, case=None),
            icon="arrow_forward",
            kind="tertiary",
        )
        bind.button(
            f"used.matrix {of.path}",
            "Matrix",
            lambda: _matrix(of.path),
            icon="grid_on",
            kind="tertiary",
        )
        if ref is not None:
            detach_menu(desk, of, ref, f"used.detach {of.path}")


def detach_menu(desk: Desk, of: WiredSet, ref: str, key: str) -> None:
    """Draw the ways to detach an evaluator from a set."""
    count = said(desk, of, ref)
    options = {"only": "Detach" + (f", keep what {plural(count, 'case')} say" if count else "")}
    if count:
        options["all"] = f"Detach, and take it out of {plural(count, 'case')}"
    bind.menu(key, "Detach", options, lambda how: detach(desk, of, ref, criteria=how == "all"))


def _matrix(path: str) -> None:
    state.remember("set", path)
    where.show_view("matrix")


def _candidates(desk: Desk, wiring: Wiring, file: EvaluatorFile) -> None:
    free = {of.path: f"{of.name} ({of.path})" for of in wiring.candidates(file)}
    if not file.is_single:
        return
    bind.menu(
        "used.attach",
        "Attach to a set",
        free,
        lambda path: _attach(desk, wiring, file, path),
        icon="add_link",
        kind="secondary",
        help="" if free else "Every set of this project uses it.",
    )


def _attach(desk: Desk, wiring: Wiring, file: EvaluatorFile, path: str) -> None:
    of = wiring.set_at(path)
    if of is not None:
        attach(desk, of, file)
        bind.flash("Attached. The set has an unsaved edit now.")
