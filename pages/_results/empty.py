"""What the Results page says where there is nothing to show: where result files come from."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from evalcore.formats import built_in
from evalcore.formats.base import Format, Kind
from pages._results import look, run_actions, upload
from pages._results.look import box, span
from pages._ui import bind, safe, state
from pages._ui.desk import Desk
from pages._ui.safe import Markup, el

COMMANDS = {
    "adk": "adk eval my_agent my_agent/refunds.evalset.json",
    "harnest": "harnest eval --eval-output results/run.json",
    "uipath_coded": "uipath eval main evaluations/eval-sets/refunds.json --output-file result.json",
    "uipath_lowcode": "uip agent eval run results RUN_ID --set refunds --export-format json",
    "tenxgraph": "10xgraph eval --output eval_reports",
}
"""What to run in a terminal so that a result file appears, by format."""


def draw(desk: Desk, score_outputs: Callable[[], None]) -> None:
    """Draw what a run is and the ways to a first one; ``score_outputs`` draws one of them."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader("No runs yet", anchor=False)
        if run_actions.has_deleted(desk):
            run_actions.more(desk)
    st.text(
        "A run is what one go through an eval set came to: what the agent answered in each case, "
        "and what each check says of it. There are three ways to a first one:"
    )
    first, second, third = st.columns(3, gap="medium")
    with first, st.container(border=True, height="stretch"):
        st.markdown("**1. Drop result files here**")
        upload.area(desk)
    with second, st.container(border=True, height="stretch"):
        st.markdown("**2. Run your evals in this folder**")
        st.text("with their own tool, as below. What it writes comes in by itself.")
        bind.button(
            "results.library", "Go to the Library", lambda: state.go("library"), icon="folder_open"
        )
    with third, st.container(border=True, height="stretch"):
        st.markdown("**3. Score recorded outputs**")
        st.text("What any agent answered, one JSON object a line, with the checks of an eval set.")
        score_outputs()
        st.caption("Or in a terminal:")
        safe.code("evaldesk score SET --outputs FILE --save\nevaldesk import FILE…")
    look.draw(box("steps", *(_system(f) for f in built_in() if _results(f))))


def nothing_ran() -> None:
    """Say that a run holds no case results."""
    st.info(
        "This run holds no case results: nothing was evaluated, which is not a pass. "
        "The set may be empty, or the run ended before its first case."
    )


def _results(known: Format) -> list[str]:
    return [f.where for f in known.known_files if f.kind is Kind.RESULT]


def _system(known: Format) -> Markup:
    command = COMMANDS.get(known.id, "")
    return box(
        "card",
        box("strong", known.label),
        el("pre", span("mono", command)) if command else "",
        box("small soft", "Read from: ", "; ".join(_results(known))),
    )
