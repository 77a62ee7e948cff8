"""Numbers over all cases: what a classifier's precision and recall are, and what it mixed up."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from evalcore.results import Score
from evalcore.store import StoredRun
from evalcore.store.documents import revived
from evalcore.views.totals import Matrix, Total, totals
from pages._results import look
from pages._results.look import box, cell, span
from pages._ui import safe


def draw_stored(run: StoredRun) -> None:
    """Draw every number over all cases that a run came with."""
    draw([revived(held) for held in run.manifest.dataset_scores])


def draw(scores: Sequence[Score]) -> None:
    """Draw every number over all cases, nothing where there are none."""
    found = totals(scores)
    if not found:
        return
    st.markdown("##### Over all cases")
    plain = [total for total in found if total.matrix is None]
    if plain:
        lines = [(t.name, t.said, t.counted, t.reason) for t in plain]
        head = ("number", "value", "counted", "how it comes about")
        look.draw(look.table(head, lines, "Numbers over all cases"))
    for total in plain:
        if total.per_class:
            with st.expander(safe.label(f"{total.name}: each label")):
                labels = ("label", "precision", "recall", "F", "cases")
                look.draw(look.table(labels, total.per_class, "Each label"))
    for total in found:
        if total.matrix is not None:
            _matrix(total, total.matrix)
    for caution in dict.fromkeys(text for total in found for text in total.cautions):
        look.draw(box("note", span("warn", "⚠ "), caution))


def _matrix(total: Total, matrix: Matrix) -> None:
    st.caption(
        safe.label(
            f"{total.name}: each row is the label that the agent gave, each column the one that "
            f"was expected; the diagonal is right. {total.counted}",
            300,
        )
    )
    lines = [
        (
            span("name", name),
            *(
                cell("ok" if row == column else "bad" if count else "", f"{count:,}")
                for column, count in enumerate(matrix.rows[row])
            ),
        )
        for row, name in enumerate(matrix.classes)
    ]
    look.draw(look.table(("given ╲ expected", *matrix.classes), lines, "Confusion matrix"))
