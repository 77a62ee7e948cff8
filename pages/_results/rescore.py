"""Re-score: what the run comes to with other checks, pass marks and expectations, at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import streamlit as st

from evalcore import verdicts
from evalcore.errors import EvaldeskError
from evalcore.results import Run
from evalcore.scoring import Comparison
from evalcore.store import StoredRun
from evalcore.views import numbers
from evalcore.views.rescore import Plan
from evalcore.views.rescore_run import Saving
from evalcore.views.rescore_scoring import Rescored
from evalcore.views.words import plural
from pages._results import (
    look,
    rescore_case,
    rescore_checks,
    rescore_flips,
    rescore_judge,
    rescore_save,
    rescore_wait,
    totals,
)
from pages._results import rescore_state as bench_state
from pages._results.look import box, span
from pages._results.rescore_state import Bench
from pages._ui import bind, runs, safe, state
from pages._ui.desk import Desk

MOST_DIFFERENCES = 50


@dataclass(frozen=True, slots=True)
class Kept:
    """What a scoring is kept under as a run: a name, where its outputs are from, of which set."""

    name: str
    source: str
    set_path: str


@st.fragment
def draw_run(desk: Desk, run: StoredRun, mark: float) -> None:
    """Draw the tab of a run; a fragment, so that a slider that moves redraws nothing else."""
    set_path = runs.set_path(desk, run.manifest)
    kept = Kept(f"{run.manifest.name}, re-scored", run.manifest.source.path, set_path)
    _draw(desk, kept, lambda: bench_state.bench(desk, run, set_path, mark))


@st.fragment
def draw_outputs(desk: Desk, run: Run, name: str, digest: str, set_path: str, mark: float) -> None:
    """Draw the same for outputs that a user brought in a file of a name."""
    kept = Kept(f"{name}, scored", name, set_path)
    _draw(desk, kept, lambda: bench_state.outputs_bench(desk, run, digest, set_path, mark))


def _draw(desk: Desk, kept: Kept, make: Callable[[], Bench]) -> None:
    if state.GO in st.session_state:
        # A fragment cannot leave its page: the whole page can.
        st.rerun()
    bind.show_flashes()
    with safe.boundary():
        try:
            bench = make()
        except EvaldeskError as error:
            safe.report(error)
            st.caption(
                "Re-scoring needs the checks and what was expected: from the eval set in this "
                "folder, or from the result file itself."
            )
            return
        _bench(desk, bench, kept)


def _bench(desk: Desk, bench: Bench, kept: Kept) -> None:
    """Draw the checks beside what they come to, or how far their scoring is."""
    drafted = bench_state.draft_of(desk, kept.set_path)
    job = bench_state.scoring(bench, drafted[1] if drafted else None)
    found = job.result
    _sources(bench, kept.set_path, len(drafted[0].changed_cases) if drafted else 0)
    left, right = st.columns([9, 16], gap="medium")
    with left, safe.boundary():
        rescore_checks.draw(desk, bench, found.outcome if found else None)
    with right:
        if found is None:
            rescore_wait.draw(bench, job)
        else:
            store = runs.run_store(desk)
            name = kept.name if job.plan.is_empty else f"{kept.name} ({_changes(job.plan)})"
            how = Saving(
                store, desk.workspace, name, kept.source, kept.set_path, drafted is not None
            )
            _found(bench, found, job.plan, how)


def _changes(plan: Plan) -> str:
    return plural(plan.changes, "change")


def _found(bench: Bench, found: Rescored, plan: Plan, how: Saving) -> None:
    _summary(bench, found, plan)
    rescore_save.draw(bench, found.outcome.after, how)
    rescore_judge.draw(bench, found, plan)
    totals.draw(found.outcome.after.run.dataset_scores)
    chosen = rescore_flips.draw(bench, found)
    if chosen is not None:
        with st.container(border=True), safe.boundary():
            rescore_case.draw(bench, found.outcome, chosen)
    if bench.has_stored:
        _differences(found.differences)


def _sources(bench: Bench, set_path: str, edited: int) -> None:
    material = bench.board.material
    source = _listed(material.project.source) or "no file"
    if edited:
        where = f"expectations from your unsaved draft of {set_path} ({plural(edited, 'case')} "
        where += "edited); “before” is the saved file"
    elif material.has_set:
        where = f"expectations from {set_path} as it is today"
    else:
        where = "the set is not in this folder: expectations are those that the run recorded"
    source = source.removeprefix("the checks ")
    st.caption(safe.label(f"Checks from {source}; {where}. The agent is not run again.", 400))


def _listed(source: str) -> str:
    """Return where checks come from; more than two files are counted by their folder."""
    names = source.split(", ")
    if len(names) < 3:
        return source
    folders = {name.rpartition("/")[0] for name in names}
    return f"{len(names)} files in {' and '.join(sorted(folders))}"


def _summary(bench: Bench, found: Rescored, plan: Plan) -> None:
    counts, lines = found.totals, len(found.flipped)
    moved = [
        span("ok", f"▲ {counts.better:,} pass now") if counts.better else "",
        span("bad", f"▼ {counts.worse:,} pass no longer") if counts.worse else "",
    ]
    with st.container(horizontal=True, vertical_alignment="center"):
        with st.container(width="stretch"):
            look.draw(box("title", span("name", counts.text(lines)), *moved))
        if not plan.is_empty:
            bind.button(
                "rescore.reset",
                f"Drop {plural(plan.changes, 'change')}",
                lambda: bench_state.change(bench, lambda _old: Plan()),
                icon="undo",
                kind="tertiary",
                help="Back to the checks as their files have them.",
            )
    told = counts.rate
    if plan.is_empty and not lines:
        told += " Move a pass mark or change a setting on the left: what flips appears here."
    st.caption(safe.label(told, 300))


def _differences(found: Sequence[Comparison]) -> None:
    """Draw where the stored scores are not those that the unchanged checks give today."""
    if not found:
        look.draw(
            box(
                "note",
                "✓ With nothing changed, every score and verdict in the file is the one that is "
                "computed here.",
            )
        )
        return
    unknown = sum(not c.is_explained for c in found)
    title = f"Scores in the file that differ from those computed here: {len(found):,}"
    told = f", {unknown:,} without an explanation" if unknown else ""
    with st.expander(safe.label(title + told), expanded=bool(unknown)):
        look.draw(
            look.table(
                ("case", "check", "in the file", "here", "why"),
                (_difference(c) for c in found[:MOST_DIFFERENCES]),
                "Stored scores that differ",
            )
        )
        if len(found) > MOST_DIFFERENCES:
            st.caption(safe.label(f"{len(found) - MOST_DIFFERENCES:,} more are not listed."))


def _difference(c: Comparison) -> tuple[str, ...]:
    score = c.ours or c.stored
    name = (score.evaluator_name or c.evaluator) if score else "the case as a whole"
    turn = "" if c.turn is None or not c.evaluator else f", turn {c.turn + 1}"
    return (
        c.case,
        name + turn,
        _said(c.stored.native if c.stored else None, verdicts.said(c.stored_verdict)),
        _said(c.ours.native if c.ours else None, verdicts.said(c.our_verdict)),
        ("" if c.is_explained else "! ") + c.explanation,
    )


def _said(native: float | None, verdict: str) -> str:
    return verdict if native is None else f"{numbers.score(native)} {verdict}"
