"""Re-score: what the run comes to with other checks, pass marks and expectations, at once."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from evalcore import verdicts
from evalcore.errors import EvaldeskError
from evalcore.results import Run
from evalcore.scoring import Comparison
from evalcore.views import numbers
from evalcore.views.rescore import Plan
from evalcore.views.rescore_board import Outcome
from evalcore.views.rescore_lines import flip_lines, totals
from evalcore.views.words import plural
from evalcore.workspace import Entry
from pages._results import look, rescore_case, rescore_checks, rescore_flips, rescore_judge
from pages._results import rescore_state as bench_state
from pages._results.look import box, span
from pages._results.rescore_state import Bench
from pages._ui import bind, safe
from pages._ui.desk import Desk

MOST_DIFFERENCES = 50


@st.fragment
def draw(desk: Desk, entry: Entry, number: int, run: Run, set_path: str, mark: float) -> None:
    """Draw the tab; a fragment, so that a slider that moves redraws nothing else."""
    bind.show_flashes()
    with safe.boundary():
        try:
            bench = bench_state.bench(desk, entry, number, run, set_path, mark)
        except EvaldeskError as error:
            safe.report(error)
            st.caption(
                "Re-scoring needs the checks and what was expected: from the eval set in this "
                "folder, or from the result file itself."
            )
            return
        _tab(desk, bench, set_path)


def _tab(desk: Desk, bench: Bench, set_path: str) -> None:
    drafted = bench_state.draft_of(desk, set_path)
    plan = bench_state.plan(bench)
    draft = drafted[1] if drafted else None
    try:
        outcome = bench.board.outcome(plan, draft)
    except EvaldeskError as error:
        safe.report(error)
        outcome = bench.board.outcome(Plan(), draft)
    _sources(bench, set_path, len(drafted[0].changed_cases) if drafted else 0)
    left, right = st.columns([9, 16], gap="medium")
    with left:
        rescore_checks.draw(desk, bench, outcome)
    with right:
        flipped = flip_lines(outcome)
        _summary(bench, outcome, plan, len(flipped))
        rescore_judge.draw(bench, outcome, plan)
        chosen = rescore_flips.draw(bench, outcome, flipped)
        if chosen is not None:
            with st.container(border=True):
                rescore_case.draw(bench, outcome, chosen)
        _differences(bench.board.differences())


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
    st.caption(safe.label(f"Checks from {source}; {where}. The agent is not run again.", 400))


def _listed(source: str) -> str:
    """Return where checks come from; more than two files are counted by their folder."""
    names = source.split(", ")
    if len(names) < 3:
        return source
    folders = {name.rpartition("/")[0] for name in names}
    return f"{len(names)} files in {' and '.join(sorted(folders))}"


def _summary(bench: Bench, outcome: Outcome, plan: Plan, lines: int) -> None:
    found = totals(outcome)
    moved = [
        span("ok", f"▲ {found.better:,} pass now") if found.better else "",
        span("bad", f"▼ {found.worse:,} pass no longer") if found.worse else "",
    ]
    share = numbers.percent(found.passed_after, found.total) if found.total else "no cases"
    with st.container(horizontal=True, vertical_alignment="center"):
        with st.container(width="stretch"):
            look.draw(box("title", span("name", found.text(lines)), span("soft", share), *moved))
        if not plan.is_empty:
            bind.button(
                "rescore.reset",
                f"Drop {plural(plan.changes, 'change')}",
                lambda: bench_state.change(bench, lambda _old: Plan()),
                icon="undo",
                kind="tertiary",
                help="Back to the checks as their files have them.",
            )
    if plan.is_empty and not lines:
        st.caption("Move a pass mark or change a setting on the left: the flips appear here.")


def _differences(found: Sequence[Comparison]) -> None:
    """Draw where the stored scores are not those that the unchanged checks give today."""
    if not found:
        look.draw(
            box(
                "note",
                "With nothing changed, every stored score and verdict of these checks is what is "
                "computed here.",
            )
        )
        return
    unknown = sum(not c.is_explained for c in found)
    title = f"Stored scores that differ from those computed here: {len(found):,}"
    told = f", {unknown:,} without an explanation" if unknown else ""
    with st.expander(safe.label(title + told), expanded=bool(unknown)):
        look.draw(
            look.table(
                ("case", "check", "stored", "here", "why"),
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
