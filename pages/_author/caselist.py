"""The list of a set's cases: search, filter, tick, open."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from evalcore.views import caseops
from evalcore.views.caselist import SORTS, CaseFilter, CaseRow, Sort, all_tags, page_of, row_of
from evalcore.views.sheet import Sheet
from evalcore.views.words import GLYPHS, problem_words, worst
from pages._author import bulk, find, where
from pages._ui import bind, safe, state
from pages._ui.pager import pager
from pages._ui.rows import Column, Piece, Row, cell, link, rows

HEIGHT = "max(26rem, 100vh - {used}rem)"
"""What is left of the window below the head of the page and the list's own tools."""
TOOLS, BAR = 22, 9
"""Heights of what is above the list, in rem: all but the bar for many cases, and that bar."""


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
    in_order = sheet.finder.sort(sheet.cases, indexes, sort_now(), lambda i: _weight(sheet, i))
    return [names[i] for i in in_order]


def sort_now() -> Sort:
    """Return the order in which the lists of cases are shown."""
    asked = state.kept("cases.sort", "file")
    return next((by for by in SORTS if by == asked), "file")


def ticked_cases(sheet: Sheet) -> list[str]:
    """Return the cases that are ticked and still there."""
    known = set(sheet.names())
    return [name for name in state.kept(_ticks(sheet), []) if name in known]


def tick(sheet: Sheet, cases: Sequence[str]) -> None:
    """Tick these cases and no others."""
    state.keep(_ticks(sheet), list(cases))


def is_filtered(sheet: Sheet) -> bool:
    """Return whether the list leaves cases out."""
    return _filter(sheet).is_on


def changed_indexes(sheet: Sheet) -> frozenset[int]:
    """Return where the cases stand that differ from the file."""
    return frozenset(c.after for c in sheet.draft.changed_cases if c.after is not None)


def case_list(sheet: Sheet, current: str | None, found: Sequence[str]) -> None:
    """Draw the list, its search and its buttons."""
    ticked = ticked_cases(sheet)
    _tools(sheet)
    _buttons(sheet, current)
    if not sheet.cases:
        return
    has_bar = bulk.bar(sheet, ticked, found, is_filtered=is_filtered(sheet))
    if not found:
        st.info("No case matches. Clear the search or the filters to see all cases.")
    else:
        height = HEIGHT.format(used=TOOLS + BAR * has_bar)
        _rows(sheet, current, found, ticked, height)


def _tools(sheet: Sheet) -> None:
    wanted = _filter(sheet)
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
            _filters(sheet, wanted)
        find.draw_button(sheet)


def _filters(sheet: Sheet, wanted: CaseFilter) -> None:
    tags = all_tags(sheet.lens, sheet.cases)
    bind.flag(
        "filter problems",
        "Only with problems",
        wanted.with_problems,
        lambda yes: _keep(sheet, "problems", yes),
    )
    bind.flag(
        "filter changed",
        "Only changed in this draft",
        wanted.changed,
        lambda yes: _keep(sheet, "changed", yes),
        help="Cases with edits that are not saved yet",
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
            help="Cases that have all of these",
        )
    words = {label: by for by, label in SORTS.items() if by != "turns" or sheet.lens.has_turns}
    bind.choice(
        "cases.sort",
        "Sort by",
        list(words),
        SORTS[sort_now()],
        lambda label: _sort(sheet, words[label]),
        help="How the list is shown; the file keeps its order.",
    )
    if wanted.is_on:
        bind.button(
            "filter clear", "Clear all filters", clear_filter, sheet, icon="filter_list_off"
        )


def clear_filter(sheet: Sheet) -> None:
    """Show all cases again."""
    for part in ("text", "problems", "changed", "tags"):
        state.keep(_slot(sheet, part), None)
    state.keep(where.page_slot(sheet), 1)


def _sort(sheet: Sheet, by: Sort) -> None:
    state.keep("cases.sort", by)
    state.keep(where.page_slot(sheet), 1)


def _rows(
    sheet: Sheet, current: str | None, found: Sequence[str], ticked: list[str], height: str
) -> None:
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
        here = set(names)
        tick(sheet, [*(n for n in ticked if n not in here), *chosen])

    rows(
        f"cases {sheet.draft.path}",
        "Cases",
        columns,
        shown,
        on_open=lambda name: where.open_case(
            sheet, name, found.index(name) if name in found else None
        ),
        on_tick=None if sheet.lens.read_only else ticked_now,
        ticked=sorted(set(ticked) & set(names)),
        current=current or "",
        height=height,
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


def _buttons(sheet: Sheet, current: str | None) -> None:
    if sheet.lens.read_only or not sheet.cases:
        return
    bind.button("case.add", "Add case", add, sheet, current, icon="add")


def add(sheet: Sheet, current: str | None = None) -> None:
    """Add a case behind the open one, and open it."""
    new = caseops.add_case(sheet, after=current)
    clear_filter(sheet)
    where.open_case(sheet, new)


def _weight(sheet: Sheet, index: int) -> int:
    problems = sheet.problems().of_case(index)
    heaviest = {"error": 2_000_000, "warning": 1_000_000}.get(worst(problems) or "", 0)
    return heaviest + len(problems)


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
