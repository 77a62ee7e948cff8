"""The turns of a case."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice

import streamlit as st

from evalcore.errors import Problem
from evalcore.jsontree import is_within, leaves
from evalcore.views import caseops
from evalcore.views.caselist import page_of
from evalcore.views.form import key_of, object_view
from evalcore.views.sheet import Place, Sheet
from pages._author import objects
from pages._author.run_record import run_record
from pages._ui import bind, safe, state
from pages._ui.pager import pager

MOST_TURNS = 10
MOST_VALUES = 300
"""Turns, and values in them, on one page: each value is a widget or more."""


def turns(sheet: Sheet, case: str, problems: Sequence[Problem]) -> list[Problem]:
    """Draw the turns of a case, by pages; returns the problems that lie in none of them."""
    names = sheet.turns(case)
    within = [sheet.pointer((case, name)) for name in names]
    slot = f"turns of {key_of(sheet, (case,))}"
    page = page_of(range(len(names)), state.kept(slot, 1), _page_size(sheet, case))
    for index in page.indexes:
        place = (case, names[index])
        mine = [p for p in problems if is_within(p.pointer, within[index])]
        with st.container(border=True, gap="small"):
            _turn(sheet, place, (index, len(names)), mine)
    pager(slot, page)
    if sheet.lens.has_turns and not sheet.lens.read_only:
        bind.button(
            key_of(sheet, (case,), "add turn"), "Add turn", _add, sheet, case, None, icon="add"
        )
    return [p for p in problems if not any(is_within(p.pointer, at) for at in within)]


def _page_size(sheet: Sheet, case: str) -> int:
    """Return how many turns are drawn at once: fewer where one of them holds very much."""
    turns = [sheet.raw((case, name)) for name in sheet.turns(case)]
    heaviest = max((sum(1 for _ in islice(leaves(t), MOST_VALUES)) for t in turns), default=1)
    return max(1, min(MOST_TURNS, MOST_VALUES // heaviest))


def _add(sheet: Sheet, case: str, after: str | None) -> None:
    _show(sheet, case, caseops.add_turn(sheet, case, after))


def _show(sheet: Sheet, case: str, turn: str) -> None:
    """Turn to the page that a turn is on."""
    page = sheet.turns(case).index(turn) // _page_size(sheet, case) + 1
    state.keep(f"turns of {key_of(sheet, (case,))}", page)


def _turn(sheet: Sheet, place: Place, at: tuple[int, int], problems: Sequence[Problem]) -> None:
    view = object_view(sheet, place, problems)
    index, count = at
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        safe.show(safe.el("strong", f"Turn {index + 1}"), width="content")
        st.space("stretch")
        objects.add_menu(sheet, view)
        _menu(sheet, place, index, count)
    objects.rest(view)
    objects.fields(sheet, view.group("main", "expected"))
    objects.folded_groups(sheet, view)
    run_record(sheet, place)


def _menu(sheet: Sheet, place: Place, index: int, count: int) -> None:
    case, turn = place
    steps: dict[str, Callable[[], object]] = {
        "up": lambda: _moved(sheet, case, turn, -1),
        "down": lambda: _moved(sheet, case, turn, 1),
        "below": lambda: _add(sheet, case, turn),
        "copy": lambda: _show(sheet, case, caseops.duplicate_turn(sheet, case, turn)),
        "delete": lambda: caseops.delete_turn(sheet, case, turn),
    }
    options = {"up": "Move up"} if index else {}
    options |= {"down": "Move down"} if index < count - 1 else {}
    if sheet.lens.has_turns:
        options |= {"below": "Add a turn below", "copy": "Duplicate"}
    options |= {"delete": "Delete turn"}
    bind.menu(
        key_of(sheet, place, "menu"),
        "More",
        options,
        lambda name: steps[name](),
        disabled=sheet.lens.read_only,
    )


def _moved(sheet: Sheet, case: str, turn: str, step: int) -> None:
    caseops.move_turn(sheet, case, turn, step)
    _show(sheet, case, turn)
