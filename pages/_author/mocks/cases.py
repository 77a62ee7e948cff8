"""The list of a set's cases, with what of each is replaced; mocks are copied from one to others."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from evalcore.views.caselist import CaseFilter, page_of
from evalcore.views.mocks import CaseMocks, MockIndex, case_mocks, copy_mocks, mock_problems
from evalcore.views.sheet import Sheet
from evalcore.views.words import GLYPHS, plural, problem_words, worst
from pages._author import where
from pages._ui import bind, state
from pages._ui.pager import pager
from pages._ui.rows import Column, Piece, Row, Tone, cell, link, rows

PAGE = 50
HEIGHT = "max(20rem, 100vh - 24rem)"


def index(sheet: Sheet) -> list[CaseMocks]:
    """Return what each case of the set replaces."""
    key = f"mock index {sheet.draft.path}"
    known = st.session_state.get(key)
    if not isinstance(known, MockIndex):
        known = st.session_state[key] = MockIndex(sheet.lens)
    return known.of(sheet.cases)


def found_cases(sheet: Sheet) -> list[str]:
    """Return the cases that the search and the filter let through, in order."""
    names = sheet.names()
    wanted = CaseFilter(text=state.kept(_text(sheet), ""))
    found = sheet.finder.find(sheet.cases, wanted, lambda _i: True, lambda _i: True)
    if state.kept(_only(sheet), False):
        replaced = index(sheet)
        found = [i for i in found if replaced[i].is_any]
    return [names[i] for i in found]


def case_list(sheet: Sheet, current: str, names: Sequence[str]) -> None:
    """Draw the list, and what can be done with the ticked cases."""
    ticked = [name for name in state.kept(_ticks(sheet), []) if name in set(sheet.names())]
    _tools(sheet, current, ticked)
    page = page_of(range(len(names)), state.kept(_page(sheet), 1), PAGE)
    shown = [names[i] for i in page.indexes]
    if not names:
        st.info("No case matches. Clear the search or the filter to see all cases.")
        return

    def ticked_now(chosen: list[str]) -> None:
        state.keep(_ticks(sheet), [*(n for n in ticked if n not in shown), *chosen])

    rows(
        f"mock cases {sheet.draft.path}",
        "Cases",
        [Column("Case"), Column("", "30px", "right")],
        [_row(sheet, name) for name in shown],
        on_open=lambda name: where.open_case(sheet, name, view="mocks"),
        on_tick=None if sheet.lens.read_only else ticked_now,
        ticked=ticked,
        current=current,
        height=HEIGHT,
    )
    pager(_page(sheet), page)


def _tools(sheet: Sheet, current: str, ticked: Sequence[str]) -> None:
    bind.search(
        _text(sheet),
        "Search cases",
        state.kept(_text(sheet), ""),
        lambda text: state.keep(_text(sheet), text),
        placeholder="Search cases",
    )
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        bind.flag(
            _only(sheet),
            "Only with mocks",
            bool(state.kept(_only(sheet), False)),
            lambda yes: state.keep(_only(sheet), yes),
        )
        others = [name for name in ticked if name != current]
        if others and not sheet.lens.read_only:
            bind.button(
                f"copy mocks {sheet.draft.path}",
                f"Copy mocks to {len(others):,} ticked",
                lambda: _copy(sheet, current, others),
                icon="content_copy",
                help="The ticked cases get the mocks of the case that is open, in place of theirs",
            )


def _copy(sheet: Sheet, current: str, others: Sequence[str]) -> None:
    if copy_mocks(sheet, current, others):
        bind.flash(f"Copied the mocks to {plural(len(others), 'case')}. Undo takes it back.")


def _row(sheet: Sheet, name: str) -> Row:
    at = sheet.index_of(name)
    found = case_mocks(sheet.lens, sheet.cases[at])
    about = mock_problems(sheet, name)
    severity = worst(about)
    mark = (
        cell(Piece(GLYPHS[severity], severity, title=problem_words(about), strong=True))
        if severity
        else cell()
    )
    title = sheet.title(name)
    href = link("author", set=sheet.draft.path, case=f"#{at + 1}", view="mocks")
    named = cell(Piece(title, strong=True, title=title), below=_words(found))
    return Row(name, title, (named, mark), href)


def _words(found: CaseMocks) -> list[Piece]:
    tone: Tone = "warning" if found.is_broken else "muted"
    words = [Piece(found.tools or "real tools", tone, chip=bool(found.tools))]
    return [*words, Piece("inputs made up", "muted", chip=True)] if found.inputs else words


def _only(sheet: Sheet) -> str:
    return f"only with mocks {sheet.draft.path}"


def _text(sheet: Sheet) -> str:
    return f"search mocks {sheet.draft.path}"


def _ticks(sheet: Sheet) -> str:
    return f"ticked for mocks {sheet.draft.path}"


def _page(sheet: Sheet) -> str:
    return f"mock page {sheet.draft.path}"
