"""The list of evaluators on the left, and how it is narrowed."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from evalcore.errors import Problem
from evalcore.views.caselist import PAGE_SIZE, page_of
from evalcore.views.evaluators.listing import CheckRow, labels_of, matching
from evalcore.views.words import GLYPHS, plural, worst
from pages._evaluators import where
from pages._ui import bind, keys, safe, state
from pages._ui.pager import pager
from pages._ui.rows import Cell, Column, Piece, Row, Tone, cell, link, rows

COLUMNS = (
    Column("Check"),
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
    at = next((i for i, row in enumerate(shown) if row.id == _current(shown, path, check)), 0)
    page = page_of(range(len(shown)), state.kept("evaluators.page", at // PAGE_SIZE + 1))
    here = [shown[index] for index in page.indexes]
    known = {row.id: row for row in here}
    rows(
        "evaluators.list",
        "Checks",
        COLUMNS,
        [_row(row, row.path in dirty) for row in here],
        on_open=lambda chosen: _open(known[chosen]) if chosen in known else None,
        current=_current(shown, path, check),
        height="calc(100vh - 15rem)",
    )
    # A file of several checks is a line of its own, and no check.
    pager("evaluators.page", page, "lines")
    _steps(shown, at)


def _steps(shown: Sequence[CheckRow], at: int) -> None:
    """Draw the ways to the neighbours of the open evaluator, which have keys."""
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        st.caption(safe.label(plural(sum(1 for r in shown if r.check), "check")))
        for word, step, icon, shortcut in (
            ("Previous", -1, "arrow_upward", keys.PREVIOUS),
            ("Next", 1, "arrow_downward", keys.NEXT),
        ):
            there = 0 <= at + step < len(shown)
            bind.button(
                f"evaluators.{word}",
                word,
                _open,
                shown[at + step if there else at],
                icon=icon,
                kind="tertiary",
                disabled=not there,
                shortcut=shortcut,
            )


def _open(row: CheckRow) -> None:
    where.open_check(row.path, row.check if row.is_inner else "")


def _narrow(name: str, value: str) -> None:
    state.keep(name, value)
    state.keep("evaluators.page", 1)


def _narrowed(found: Sequence[CheckRow]) -> list[CheckRow]:
    text = state.kept("evaluators.text", "")
    labels = labels_of(found)
    with st.container(horizontal=True, gap="xsmall"):
        bind.search(
            "evaluators.search",
            "Search checks",
            text,
            lambda typed: _narrow("evaluators.text", typed),
            placeholder="Search checks",
        )
        family = state.kept("evaluators.family", "All systems")
        if len(labels) > 1:
            with st.container(width=150):
                bind.choice(
                    "evaluators.system",
                    "System",
                    ["All systems", *labels],
                    family if family in labels else "All systems",
                    lambda picked: _narrow("evaluators.family", picked),
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
