"""The tab for systems that replace nothing: that it is so, and what to do instead."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from evalcore.views import caseops
from evalcore.views.sheet import Sheet
from evalcore.views.words import plural
from pages._author import where
from pages._ui import bind, safe, state
from pages._ui.desk import open_desk
from pages._ui.rows import Column, Piece, Row, cell, link, rows

GENERAL = ("Its cases call the agent's real tools.",)
MOST = 200


def without(sheet: Sheet) -> None:
    """Say what the system of a set does, and lead to what can be simulated."""
    base = sheet.draft.base
    system = base.format.system if base.format is not None else "The system of this set"
    with st.container(border=True, gap="small"):
        safe.show(safe.el("strong", f"{system} has no mocks in its eval sets"))
        lines = [safe.el("li", text) for text in sheet.lens.mocks.instead or GENERAL]
        safe.show(safe.el("ul", *lines))
        _ways(sheet)
    if sheet.lens.has_simulated_users:
        _simulated_users(sheet)


def _ways(sheet: Sheet) -> None:
    with st.container(horizontal=True, gap="xsmall"):
        bind.button(
            "mocks.cases",
            "Open the cases",
            lambda: where.show_view("cases"),
            icon="arrow_forward",
            help="Session state and simulated users are part of a case's form",
        )
        bind.button(
            "mocks.evaluators",
            "Open Evaluators",
            lambda: state.go("evaluators", evaluator=_config(sheet)),
            icon="fact_check",
            help="The settings of the simulated user are part of the set's config",
        )


def _config(sheet: Sheet) -> str | None:
    """Return the first file of checks that the set's system applies, None if there is none."""
    files = open_desk().workspace.evaluator_files_of(sheet.draft.path)
    return next(iter(files), None)


def _simulated_users(sheet: Sheet) -> None:
    names = [name for name in sheet.names() if caseops.is_simulated(sheet, name)]
    if not names:
        st.caption("No case of this set has a simulated user. Each has its turns written out.")
        return
    st.caption(safe.label(_words(names, len(sheet.cases))))
    rows(
        f"simulated users {sheet.draft.path}",
        "Cases with a simulated user",
        [Column("Case")],
        [_row(sheet, name) for name in names[:MOST]],
        on_open=lambda name: where.open_case(sheet, name),
        height="24rem",
    )


def _words(names: Sequence[str], count: int) -> str:
    first = f" The first {MOST} are listed." if len(names) > MOST else ""
    return f"{plural(len(names), 'case')} of {count:,} with a simulated user.{first}"


def _row(sheet: Sheet, name: str) -> Row:
    title = sheet.title(name)
    href = link("author", set=sheet.draft.path, case=f"#{sheet.index_of(name) + 1}")
    return Row(name, title, (cell(Piece(title, strong=True, title=title)),), href)
