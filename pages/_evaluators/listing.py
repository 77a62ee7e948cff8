"""The list of evaluators on the left, and how it is narrowed."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from evalcore.errors import Problem
from evalcore.views.evaluators.listing import CheckRow, labels_of, matching
from evalcore.views.words import GLYPHS, plural, worst
from pages._evaluators import where
from pages._ui import bind, safe, state
from pages._ui.rows import Cell, Column, Piece, Row, Tone, cell, link, rows

COLUMNS = (
    Column("Evaluator"),
    Column("Used by", "96px", from_width=400),
    Column("⚠", "44px", "right"),
)
TONES: dict[str, Tone] = {"error": "error", "warning": "warning", "info": "info"}


def check_list(found: Sequence[CheckRow], path: str, check: str, dirty: set[str]) -> None:
    """Draw the list; the row of the open check is marked."""
    shown = _narrowed(found)
    if not shown:
        st.caption("Nothing matches.")
        return
    known = {row.id: row for row in shown}
    rows(
        "evaluators.list",
        "Evaluators",
        COLUMNS,
        [_row(row, row.path in dirty) for row in shown],
        on_open=lambda chosen: _open(known[chosen]) if chosen in known else None,
        current=_current(shown, path, check),
        height="calc(100vh - 15rem)",
    )
    st.caption(safe.label(plural(sum(1 for r in shown if r.check), "check")))


def _open(row: CheckRow) -> None:
    where.open_check(row.path, row.check if row.is_inner else "")


def _narrowed(found: Sequence[CheckRow]) -> list[CheckRow]:
    text = state.kept("evaluators.text", "")
    labels = labels_of(found)
    with st.container(horizontal=True, gap="xsmall"):
        bind.search(
            "evaluators.search",
            "Search evaluators",
            text,
            lambda typed: state.keep("evaluators.text", typed),
            placeholder="Search evaluators",
        )
        family = state.kept("evaluators.family", "All systems")
        if len(labels) > 1:
            with st.container(width=150):
                bind.choice(
                    "evaluators.system",
                    "System",
                    ["All systems", *labels],
                    family if family in labels else "All systems",
                    lambda picked: state.keep("evaluators.family", picked),
                    hidden=True,
                )
    return matching(found, text, family if family in labels else "")


def _current(shown: Sequence[CheckRow], path: str, check: str) -> str:
    for row in shown:
        if row.path == path and (row.check == check if row.is_inner else not check):
            return row.id
    return next((row.id for row in shown if row.path == path), "")


def _row(row: CheckRow, dirty: bool) -> Row:
    muted: Tone = "muted" if row.is_off else ""
    title = [Piece(row.title, muted, strong=not row.is_inner)]
    if dirty and not row.is_inner:
        title.append(Piece("● unsaved", "accent", chip=True))
    below = [Piece(row.kind, title=row.path)]
    if row.is_inner:
        title.insert(0, Piece("└ ", "muted"))
    used = Piece(row.used, "muted" if not row.uses else "")
    query = {where.FILE: row.path, **({where.CHECK: row.check} if row.is_inner else {})}
    return Row(
        row.id,
        row.title,
        (cell(*title, below=below), cell(used), _problems(row.problems)),
        link("evaluators", **query),
    )


def _problems(found: tuple[Problem, ...]) -> Cell:
    severity = worst(found)
    if severity is None:
        return cell(Piece("✓", "ok", title="No problems"))
    return cell(Piece(f"{GLYPHS[severity]} {len(found)}", TONES[severity]))
