"""The list of a set's cases: search, filter, tick, open."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from evalcore.views import caseops
from evalcore.views.caselist import CaseFilter, CaseRow, all_tags, page_of, row_of
from evalcore.views.sheet import Sheet
from evalcore.views.words import GLYPHS, plural, problem_words, worst
from pages._author import dialogs, where
from pages._ui import bind, safe, state
from pages._ui.pager import pager
from pages._ui.rows import Column, Piece, Row, cell, link, rows

HEIGHT = "max(26rem, 100vh - 22rem)"
"""What is left of the window below the head of the page and the list's own tools."""


def found_cases(sheet: Sheet) -> list[str]:
    """Return the cases that the list's filter lets through, in order."""
    names = sheet.names()
    problems = sheet.problems()
    changed = changed_indexes(sheet)
    wanted = _filter(sheet)
    indexes = sheet.finder.find(
        sheet.cases,
        wanted,
        with_problems=lambda i: bool(problems.of_case(i)),
        is_changed=lambda i: i in changed,
    )
    return [names[i] for i in indexes]


def changed_indexes(sheet: Sheet) -> frozenset[int]:
    """Return where the cases stand that differ from the file."""
    return frozenset(c.after for c in sheet.draft.changed_cases if c.after is not None)


def case_list(sheet: Sheet, current: str | None, found: Sequence[str]) -> None:
    """Draw the list, its search and its buttons."""
    ticked = [name for name in state.kept(_ticks(sheet), []) if name in set(sheet.names())]
    _tools(sheet)
    _buttons(sheet, current, ticked)
    if not sheet.cases:
        st.info("This set has no cases yet.")
    elif not found:
        st.info("No case matches. Clear the search or the filters to see all cases.")
    else:
        _rows(sheet, current, found, ticked)


def _tools(sheet: Sheet) -> None:
    wanted = _filter(sheet)
    tags = all_tags(sheet.lens, sheet.cases)
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        with st.container():
            bind.search(
                f"search {sheet.draft.path}",
                "Search cases",
                wanted.text,
                lambda text: _keep(sheet, "text", text),
                placeholder="Search cases",
            )
        on = bool(wanted.tags) + wanted.with_problems + wanted.changed
        with st.popover(
            safe.label(f"Filter · {on}") if on else "Filter", icon=":material/filter_list:"
        ):
            bind.flag(
                "filter problems",
                "Only with problems",
                wanted.with_problems,
                lambda yes: _keep(sheet, "problems", yes),
            )
            bind.flag(
                "filter changed",
                "Only with unsaved edits",
                wanted.changed,
                lambda yes: _keep(sheet, "changed", yes),
            )
            if tags:
                bind.tags(
                    "filter tags",
                    "Tags",
                    tags,
                    wanted.tags,
                    lambda chosen: _keep(sheet, "tags", tuple(chosen)),
                    placeholder="All tags",
                    open_ended=False,
                )


def _rows(sheet: Sheet, current: str | None, found: Sequence[str], ticked: list[str]) -> None:
    page = page_of(range(len(found)), state.kept(where.page_slot(sheet), 1))
    names = [found[i] for i in page.indexes]
    place_of = {name: i for i, name in enumerate(sheet.names())}
    changed = changed_indexes(sheet)
    columns = [Column("Case"), Column("Turns", "56px", "right"), Column("", "34px", "right")]
    if not sheet.lens.has_turns:
        columns.pop(1)
    shown = [
        _row(
            sheet,
            name,
            row_of(sheet.lens, sheet.cases[place_of[name]], place_of[name]),
            place_of[name] in changed,
        )
        for name in names
    ]

    def ticked_now(chosen: list[str]) -> None:
        state.keep(_ticks(sheet), [*(n for n in ticked if n not in names), *chosen])

    rows(
        f"cases {sheet.draft.path}",
        "Cases",
        columns,
        shown,
        on_open=lambda name: where.open_case(
            sheet, name, found.index(name) if name in found else None
        ),
        on_tick=None if sheet.lens.read_only else ticked_now,
        ticked=ticked,
        current=current or "",
        height=HEIGHT,
    )
    pager(where.page_slot(sheet), page)


def _row(sheet: Sheet, name: str, row: CaseRow, is_changed: bool) -> Row:
    problems = sheet.problems().of_case(row.index)
    severity = worst(problems)
    mark = (
        cell(Piece(GLYPHS[severity], severity, title=problem_words(problems), strong=True))
        if severity
        else cell()
    )
    dot = (Piece("●", "accent", title="Has unsaved edits"),) if is_changed else ()
    chips = [Piece(tag, chip=True) for tag in row.tags[:4]]
    words = [Piece(row.words, "muted")] if row.words else []
    cells = [cell(*dot, Piece(row.title, strong=True, title=row.title), below=[*words, *chips])]
    if sheet.lens.has_turns:
        cells.append(cell(Piece(str(row.turns), "muted")))
    href = link("author", set=sheet.draft.path, case=f"#{row.index + 1}")
    return Row(name, row.title, (*cells, mark), href)


def _buttons(sheet: Sheet, current: str | None, ticked: list[str]) -> None:
    if sheet.lens.read_only:
        return
    with st.container(horizontal=True, gap="xsmall"):
        bind.button("case.add", "Add case", _add, sheet, current, icon="add")
        if ticked:
            bind.button(
                "case.delete.ticked",
                f"Delete {plural(len(ticked), 'case')}…",
                dialogs.ask,
                "delete",
                *ticked,
                icon="delete",
            )


def _add(sheet: Sheet, current: str | None) -> None:
    new = caseops.add_case(sheet, after=current)
    for part in ("text", "problems", "changed", "tags"):
        state.keep(_slot(sheet, part), None)
    where.open_case(sheet, new)


def _filter(sheet: Sheet) -> CaseFilter:
    return CaseFilter(
        state.kept(_slot(sheet, "text"), "") or "",
        state.kept(_slot(sheet, "tags"), ()) or (),
        bool(state.kept(_slot(sheet, "problems"), False)),
        bool(state.kept(_slot(sheet, "changed"), False)),
    )


def _keep(sheet: Sheet, part: str, value: object) -> None:
    state.keep(_slot(sheet, part), value)
    state.keep(where.page_slot(sheet), 1)


def _slot(sheet: Sheet, part: str) -> str:
    return f"filter {part} {sheet.draft.path}"


def _ticks(sheet: Sheet) -> str:
    return f"ticked {sheet.draft.path}"
