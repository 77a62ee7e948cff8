"""The new cases as they will be, and the rows that are left out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from evalcore.importing.building import Plan
from evalcore.importing.source import RowProblem
from evalcore.jsontree import JsonValue
from evalcore.views.import_words import plan_words, preview_frame, problem_place, why_nothing
from evalcore.views.importing import PREVIEWED, ImportJob
from evalcore.views.words import GLYPHS
from pages._ui import safe

if TYPE_CHECKING:
    from evalcore.formats.evalset import EvalSetLens

PROBLEMS_SHOWN = 50
ROWS_SHOWN = 10


def draw(job: ImportJob, lens: EvalSetLens, tree: JsonValue, plan: Plan) -> None:
    """Draw the first of the new cases, and what is wrong with rows."""
    unit = job.source.unit
    if why := why_nothing(job.source, job.mapping(lens, tree)):
        st.info(safe.label(why, 600))
        if not job.source.rows:
            problems(plan.problems, unit)
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        words = plan_words(len(plan.cases), plan.left_out, unit)
        safe.show(safe.el("strong", words))
    problems(plan.problems, unit)
    if not plan.cases:
        return
    shown, indexes = job.preview(lens, tree)
    frame = preview_frame(lens, shown, indexes, job.mapping(lens, tree))
    st.dataframe(
        frame,
        hide_index=True,
        height="content" if len(frame) <= ROWS_SHOWN else 380,
        width="stretch",
        alt="The new cases",
    )
    if len(plan.cases) > PREVIEWED:
        st.caption(safe.label(f"The first {PREVIEWED} of {len(plan.cases):,} cases."))


def problems(found: Sequence[RowProblem], unit: str) -> None:
    """List what is wrong, errors first, each with its row and column."""
    if not found:
        return
    order = {"error": 0, "warning": 1, "info": 2}
    ranked = sorted(found, key=lambda p: (order[p.severity], p.row or 0))
    with st.container(height="content" if len(ranked) <= 4 else 240, border=False):
        for problem in ranked[:PROBLEMS_SHOWN]:
            place = f"{GLYPHS[problem.severity]} {problem_place(problem, unit)}:"
            hint = f" {problem.hint}" if problem.hint else ""
            safe.show(
                safe.el(
                    "div",
                    safe.el("b", place),
                    safe.el("span", f"{problem.message}."),
                    safe.el("span", hint, css="ed-muted"),
                    css=f"ed-problem ed-{problem.severity}",
                )
            )
        if len(ranked) > PROBLEMS_SHOWN:
            st.caption(safe.label(f"and {len(ranked) - PROBLEMS_SHOWN:,} more"))
