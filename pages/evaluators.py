"""Evaluators: every check of the project, how strict it is, who uses it, and trying it out."""

from __future__ import annotations

import streamlit as st

from evalcore.errors import EvaldeskError
from evalcore.views.evaluators.bench import Bench, CheckView
from evalcore.views.evaluators.listing import rows_of
from evalcore.wiring import EvaluatorFile, Wiring
from pages._evaluators import dialogs, where
from pages._evaluators.file import whole_file
from pages._evaluators.header import header
from pages._evaluators.listing import check_list
from pages._evaluators.matrix import matrix
from pages._evaluators.prompt import prompt
from pages._evaluators.review import review
from pages._evaluators.settings import settings
from pages._evaluators.trying import trying
from pages._evaluators.used import used
from pages._ui import bind, safe, state
from pages._ui.desk import Desk, open_desk
from pages._ui.problems import mending, problem_list


def main() -> None:
    """Draw the page."""
    desk = open_desk()
    with st.spinner("Looking through the folder…"):
        wiring = desk.wiring(state.owner(), desk.workspace.entries())
    dialogs.open_asked(desk, wiring)
    view = where.view()
    if not wiring.files and view != "matrix":
        empty(bool(wiring.sets))
        return
    top(wiring, view)
    if view == "matrix":
        with safe.boundary():
            matrix(desk, wiring)
        return
    file, check = where.chosen(wiring)
    if file is None:
        return
    if view == "review":
        opened(desk, wiring, file, check, reviewing=True)
        return
    left, right = st.columns([4.4, 8], gap="small")
    with left, st.container(key="evaluator-list", gap="small"):
        dirty = set(desk.drafts.unsaved(state.owner(), desk.workspace))
        check_list(rows_of(wiring), file.path, check, dirty)
    with right, safe.boundary():
        opened(desk, wiring, file, check)


def top(wiring: Wiring, view: str) -> None:
    """Draw the choice of the view, and the button that makes something new."""
    count = sum(len(file.checks) for file in wiring.files)
    with st.container(horizontal=True, vertical_alignment="center"):
        bind.segments(
            "evaluators.view",
            "View",
            {"checks": f"Checks {count:,}", "matrix": "Matrix"},
            "matrix" if view == "matrix" else "checks",
            where.show_view,
        )
        st.space("stretch")
        bind.button(
            "evaluators.new",
            "New check",
            lambda: dialogs.ask("new", where.shown(wiring)),
            icon="add",
        )


def opened(
    desk: Desk, wiring: Wiring, file: EvaluatorFile, check: str, *, reviewing: bool = False
) -> None:
    """Draw an open file, or one check of it."""
    if file.error is not None and not file.checks:
        safe.show(safe.el("span", file.path, css="ed-title"))
        problem_list([file.error], place=True)
        st.caption("Mend the file with a text editor; it is shown here again then.")
        return
    try:
        bench = desk.bench(state.owner(), file.path, file.family)
    except EvaldeskError as error:
        safe.report(error)
        return
    found = bench.check(check) if check or bench.is_single else None
    header(desk, bench, found)
    if reviewing:
        review(desk, bench)
        return
    with mending(desk.mender(bench)):
        parts(desk, wiring, file, bench, found)


def parts(
    desk: Desk, wiring: Wiring, file: EvaluatorFile, bench: Bench, check: CheckView | None
) -> None:
    """Draw the choice of a check's parts, and the one that is open."""
    count = len(wiring.users(file))
    words = {"settings": "Settings" if check else "Checks", "used": f"Used by {count:,}"}
    if check is not None and check.is_judged:
        words = {"settings": "Settings", "prompt": "Prompt", "try": "Try it", **words}
    elif check is not None and check.cls is not None:
        words = {"settings": "Settings", "try": "Try it", **words}
    now = where.part(tuple(words))
    bind.segments("evaluators.part", "Part", words, now, where.show_part)
    with safe.boundary():
        if now == "used":
            used(desk, wiring, file)
        elif check is None:
            whole_file(bench)
        elif now == "prompt":
            prompt(desk, wiring, file, bench, check)
        elif now == "try":
            trying(desk, bench, check)
        else:
            settings(desk, wiring, file, bench, check)


def empty(has_sets: bool) -> None:
    """Say what an evaluator is and how the first one is made."""
    st.space("small")
    with st.container(border=True, width=760):
        st.subheader("No checks here yet", anchor=False)
        st.text(
            "A check, which some systems call an evaluator, looks at what the agent did in a case "
            "and gives a score. Some compute it, by comparing texts or tool calls; others ask a "
            "language model to judge. Each system keeps its checks in files of its own, and "
            "Evaldesk edits them all."
        )
        st.text("UiPath: one file for each check, which sets then name.")
        st.text("Google ADK and Harnest: test_config.json, for all sets of its folder.")
        st.text("10xGraph: a config that is chosen when a run is started.")
        st.text("Evaldesk: checks of our own beside a set, which no other system reads.")
        if not has_sets:
            st.caption("There is no eval set in this folder either: begin with one in the library.")
        with st.container(horizontal=True):
            if not has_sets:
                bind.button(
                    "evaluators.library",
                    "Open the library",
                    state.go,
                    "library",
                    icon="folder_open",
                    kind="primary",
                )
            bind.button(
                "evaluators.new",
                "New check",
                dialogs.ask,
                "new",
                icon="add",
                kind="primary" if has_sets else "secondary",
            )


if __name__ == "__main__":
    main()
