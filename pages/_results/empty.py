"""What the Results page says where there is nothing to show: where result files come from."""

from __future__ import annotations

import streamlit as st

from evalcore.formats import built_in
from evalcore.formats.base import Format, Kind
from pages._results import look
from pages._results.look import box, span
from pages._ui import bind, safe, state
from pages._ui.safe import Markup, el

COMMANDS = {
    "adk": "adk eval my_agent my_agent/refunds.evalset.json",
    "harnest": "harnest eval --eval-output results/run.json",
    "uipath_coded": "uipath eval main evaluations/eval-sets/refunds.json --output-file result.json",
    "uipath_lowcode": "uip agent eval run results RUN_ID --set refunds --export-format json",
    "tenxgraph": "10xgraph eval --output eval_reports",
}
"""What to run in a terminal so that a result file appears, by format."""


def draw() -> None:
    """Draw the ways to get a first result."""
    st.subheader("No results in this folder yet")
    st.text(
        "Evaldesk reads the files that your eval runs write. Run your evals with their own tool, "
        "inside this folder, and the run appears here."
    )
    look.draw(box("steps", *(_system(f) for f in built_in() if _results(f))))
    st.space("small")
    bind.button(
        "results.library", "Go to the Library", lambda: state.go("library"), icon="folder_open"
    )


def nothing_ran() -> None:
    """Say that a run holds no case results."""
    st.info(
        "This run holds no case results: nothing was evaluated, which is not a pass. "
        "The set may be empty, or the run ended before its first case."
    )


def gone(file: str) -> None:
    """Say that the address names a file that holds no run here."""
    st.error(
        f"There is no result file {safe.label(file)} in this folder. "
        "It may have been moved or deleted. Choose a run above.",
        icon=":material/error:",
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
