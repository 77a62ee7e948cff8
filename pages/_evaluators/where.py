"""What the Evaluators page shows: which file, which check of it, which part; in the URL."""

from __future__ import annotations

import streamlit as st

from evalcore.wiring import EvaluatorFile, Wiring
from pages._ui import state

VIEWS = ("checks", "matrix", "review")
PARTS = ("settings", "prompt", "try", "used")
FILE, CHECK, VIEW, PART = "evaluator", "check", "view of evaluators", "part"


def chosen(wiring: Wiring) -> tuple[EvaluatorFile | None, str]:
    """Return the open file and the name of its open check, "" for the file itself.

    It is the one that the URL names, else the one last open, else the first.
    """
    file = wiring.file(state.remembered(FILE))
    if file is None:
        file = next(iter(wiring.files), None)
        state.remember(FILE, file.path if file else None)
        state.remember(CHECK, None)
    return file, state.remembered(CHECK) or ""


def shown(wiring: Wiring) -> str:
    """Return the path of the file that is shown: a set's in the matrix; "" where there is none."""
    if view() == "matrix":
        return matrix_set(wiring) or ""
    file, _check = chosen(wiring)
    return file.path if file is not None else ""


def open_check(path: str, check: str = "") -> None:
    """Show a file, or one check of it."""
    state.remember(FILE, path)
    state.remember(CHECK, check or None)
    show_view("checks")


def view() -> str:
    """Return which of the page's views is shown."""
    asked = st.query_params.get("view") or state.kept(VIEW, "checks")
    return asked if asked in VIEWS else "checks"


def show_view(name: str) -> None:
    """Show another view."""
    state.keep(VIEW, name)
    if name == "checks":
        st.query_params.pop("view", None)
    else:
        st.query_params["view"] = name


def part(offered: tuple[str, ...]) -> str:
    """Return which part of a check is shown."""
    asked = state.remembered(PART)
    return asked if asked in offered else offered[0]


def show_part(name: str) -> None:
    """Show another part of the check."""
    state.remember(PART, name)


def matrix_set(wiring: Wiring) -> str | None:
    """Return the set whose matrix is shown.

    It is the one that the URL names, else one that uses the open evaluator, else one with checks.
    """
    asked = state.remembered("set")
    if wiring.set_at(asked) is not None:
        return asked
    file = wiring.file(state.remembered(FILE))
    for of, _link in wiring.users(file) if file is not None else ():
        return of.path
    first = next((s for s in wiring.sets if s.refs), None) or next(iter(wiring.sets), None)
    return first.path if first else None
