"""What a session scores again, and what it changes for that."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from evalcore.drafts import Draft
from evalcore.judges import JudgeSettings, connect, read_settings
from evalcore.judges.endpoint import EndpointJudge
from evalcore.model import EvalSet
from evalcore.results import Run
from evalcore.store import StoredRun
from evalcore.views import rescore_own
from evalcore.views.rescore import Plan, gather
from evalcore.views.rescore_board import Board
from evalcore.views.rescore_job import JudgeJob
from evalcore.views.rescore_run import whole_run
from evalcore.views.rescore_scoring import ScoringJob
from evalcore.workspace import Entry, Workspace
from pages._ui import state
from pages._ui.desk import Desk

AT_ONCE = 0.2
"""Seconds that a page waits for a scoring before it shows how far that is."""


@dataclass(slots=True)
class Bench:
    """One run on one user's bench: its scorings, and the judges that are being asked.

    ``has_stored`` is False for outputs without any scores of their own. ``ids`` counts the results
    of each case id.
    """

    board: Board
    name: str
    ids: Counter[str | None]
    job: JudgeJob | None = None
    has_stored: bool = True


def bench(desk: Desk, run: StoredRun, set_path: str, mark: float) -> Bench:
    """Return the bench of a run; it is made anew when a file that matters has changed.

    Raises EvaldeskError where there is nothing to score with.
    """
    workspace = desk.workspace
    key = (state.owner(), run.manifest.id, set_path, mark, *run.key)
    return _bench(key, _beside(workspace, set_path), workspace, run, set_path, mark)


def outputs_bench(desk: Desk, run: Run, digest: str, set_path: str, mark: float) -> Bench:
    """Return the bench of outputs that a user brought; ``digest`` tells them from any other.

    Raises EvaldeskError where there is nothing to score with.
    """
    workspace = desk.workspace
    key = (state.owner(), digest, set_path, mark)
    return _outputs_bench(key, _beside(workspace, set_path), workspace, run, set_path, mark)


def draft_of(desk: Desk, set_path: str) -> tuple[Draft, EvalSet] | None:
    """Return the user's draft of a set as it stands, None where nothing in it is edited."""
    draft = desk.drafts.get(state.owner(), desk.workspace, set_path) if set_path else None
    if draft is None or not draft.is_dirty or draft.lens is None:
        return None
    return draft, _drafted(state.owner(), set_path, id(draft), draft.revision, draft)


def plan(of: Bench) -> Plan:
    """Return what this session changes for a run."""
    found: Plan = state.kept(of.name, Plan())
    return found


def change(of: Bench, make: Callable[[Plan], Plan]) -> None:
    """Change the plan of this session for a run."""
    state.keep(of.name, make(plan(of)))


def scoring(of: Bench, draft: EvalSet | None) -> ScoringJob:
    """Return this session's scoring of a run under its plan, begun if it is a new question.

    It may be under way still: what was asked before is given up.
    """
    slot, wanted = f"scoring {of.name}", plan(of)
    known = state.kept(slot, None)
    if isinstance(known, ScoringJob) and known.fits(of.board, wanted, draft):
        return known
    if isinstance(known, ScoringJob):
        known.cancel()
    job = ScoringJob(of.board, wanted, draft).start()
    state.keep(slot, job)
    job.join(AT_ONCE)
    return job


def score_anew(of: Bench) -> None:
    """Let go of a scoring that ended early, so that the next run of the page begins it again."""
    state.keep(f"scoring {of.name}", None)


def judge_sources() -> tuple[Mapping[str, Any], ...]:
    """Return where the judge's settings are looked for: Streamlit's secrets, the environment."""
    if st.secrets.load_if_toml_exists():
        return st.secrets.to_dict(), os.environ
    return (os.environ,)


def judge_settings() -> JudgeSettings:
    """Return the judge's settings; raises JudgeError for one that cannot be used."""
    return read_settings(*judge_sources())


def judge_maker() -> Callable[[], EndpointJudge]:
    """Return what makes the judge, for a thread that has no session."""
    sources = judge_sources()
    return lambda: connect(*sources)


@st.cache_resource(show_spinner="Reading the eval set…", max_entries=16)
def _bench(
    key: tuple[object, ...],
    beside: tuple[object, ...],
    _workspace: Workspace,
    _stored: StoredRun,
    set_path: str,
    mark: float,
) -> Bench:
    run, source = whole_run(_stored), _stored.manifest.source
    board = Board(gather(_workspace, run, source.path, set_path, mark))
    is_outputs = source.kind == "outputs"
    return Bench(board, f"rescore {key[1]}", _ids(run), has_stored=not is_outputs)


@st.cache_resource(show_spinner="Reading the eval set…", max_entries=8)
def _outputs_bench(
    key: tuple[object, ...],
    beside: tuple[object, ...],
    _workspace: Workspace,
    _run: Run,
    set_path: str,
    mark: float,
) -> Bench:
    board = Board(gather(_workspace, _run, "", set_path, mark))
    return Bench(board, f"rescore outputs {key[1]} {set_path}", _ids(_run), has_stored=False)


def _ids(run: Run) -> Counter[str | None]:
    return Counter(case.case_id for case in run.cases)


@st.cache_resource(show_spinner=False, max_entries=16)
def _drafted(owner: str, path: str, identity: int, revision: int, _draft: Draft) -> EvalSet:
    lens = _draft.lens
    assert lens is not None
    return lens.read(_draft.tree)


def _beside(workspace: Workspace, set_path: str) -> tuple[object, ...]:
    """Return the state of the set and of the files that say how it is checked."""
    if not set_path:
        return ()
    names = (set_path, *workspace.evaluator_files_of(set_path))
    detection = workspace.entry(set_path).detection
    own = rescore_own.revision(workspace, set_path, detection.format_id) if detection else None
    return (*(stamp(workspace, workspace.entry(name)) for name in names), own)


def stamp(workspace: Workspace, entry: Entry) -> tuple[str, str, int, int]:
    """Return the key under which what was made of a file is kept."""
    return str(workspace.root), entry.path, entry.modified_ns, entry.size
