"""The three ways to begin: type a case, import a file, take what an agent did in a recorded run."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial

import streamlit as st

from evalcore.views.importing import start
from evalcore.views.library import library
from evalcore.views.words import ago
from pages._import import jobs
from pages._ui import bind, safe, state
from pages._ui.desk import Desk

RUNS_SHOWN = 30
ELSEWHERE = ""
WAYS = (
    (
        "Type a case.",
        "One scenario that the agent should get right: what is said, what is expected.",
    ),
    ("Import a file.", "A spreadsheet, a chat log, or the tests of another tool."),
    (
        "Take cases from a recorded run.",
        "What an agent did and answered becomes what is expected of it; then correct it.",
    ),
)


def ways(desk: Desk, type_case: Callable[[], object], typing: str, into: str | None = None) -> None:
    """Draw the three ways and their buttons; ``typing`` is what the button for the first says."""
    for number, (way, text) in enumerate(WAYS, 1):
        safe.show(safe.join(safe.el("strong", f"{number}. {way}"), safe.el("span", f" {text}")))
    with st.container(horizontal=True):
        bind.button("begin.type", typing, type_case, icon="add", kind="primary")
        bind.button("begin.import", "Import a file…", _import, into, icon="upload_file")
        runs = _runs(desk)
        bind.menu(
            "begin.run",
            "From a recorded run…",
            {**runs, ELSEWHERE: "A recording from this computer…"},
            partial(_from_run, desk, into),
            icon="history",
            kind="secondary",
        )


def _runs(desk: Desk) -> dict[str, str]:
    now = datetime.now(UTC)
    found = library(desk.workspace.entries()).results[:RUNS_SHOWN]
    return {run.path: f"{run.name} · {ago(run.recorded, now)}" for run in found}


def _import(into: str | None) -> None:
    jobs.begin(None)
    state.go("import_cases", into=into)


def _from_run(desk: Desk, into: str | None, path: str) -> None:
    if path == ELSEWHERE:
        _import(into)
        return
    job = start(path, desk.workspace.read(path), into or "", desk.workspace.entries())
    jobs.begin(job)
    state.keep("import.file", path)
    state.go("import_cases", into=into)
