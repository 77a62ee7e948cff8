"""A stored run held whole, for the parts of the page that still count it in memory."""

from __future__ import annotations

import streamlit as st

from evalcore.counting import build
from evalcore.results import CaseResult, Run
from evalcore.store import Manifest, RunQuery, StoredRun
from evalcore.verdicts import PassMark
from pages._results.cache import Counted

MOST = 5_000


def counted(run: StoredRun) -> Counted:
    """Return a run with all that is computed from it once; of a large one, its worst results."""
    return _counted(run.key, run)


def header(manifest: Manifest, cases: tuple[CaseResult, ...] = ()) -> Run:
    """Return what a run says of itself, with the given case results only."""
    return Run(
        format_id=manifest.format_id,
        name=manifest.name,
        eval_set_id=manifest.eval_set.id,
        eval_set_name=manifest.eval_set.name,
        created_at=manifest.started_at,
        stored_status=manifest.stored_status,
        error=manifest.error,
        has_pass_rule=manifest.has_pass_rule,
        cases=cases,
    )


@st.cache_resource(show_spinner="Counting…", max_entries=4)
def _counted(key: tuple[str, ...], _run: StoredRun) -> Counted:
    rows = sorted(line.case_row for line in _run.page(RunQuery(limit=MOST)).lines)
    made = header(_run.manifest, tuple(_run.cases(rows)))
    view = build(made, PassMark(_run.pass_mark or 0.8))
    return Counted(view)
