"""The turns of a case."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from evalcore.errors import Problem
from evalcore.jsontree import is_within
from evalcore.views import caseops
from evalcore.views.form import key_of, object_view
from evalcore.views.sheet import Place, Sheet
from pages._author import objects
from pages._ui import bind, safe


def turns(sheet: Sheet, case: str, problems: Sequence[Problem]) -> list[Problem]:
    """Draw every turn of a case; returns the problems that lie in none of them."""
    names = sheet.turns(case)
    left = list(problems)
    for index, name in enumerate(names):
        place = (case, name)
        pointer = sheet.pointer(place)
        mine = [p for p in left if is_within(p.pointer, pointer)]
        left = [p for p in left if p not in mine]
        with st.container(border=True, gap="small"):
            _turn(sheet, place, (index, len(names)), mine)
    if sheet.lens.has_turns and not sheet.lens.read_only:
        bind.button(
            key_of(sheet, (case,), "add turn"),
            "Add turn",
            caseops.add_turn,
            sheet,
            case,
            icon="add",
        )
    return left


def _turn(sheet: Sheet, place: Place, at: tuple[int, int], problems: Sequence[Problem]) -> None:
    view = object_view(sheet, place, problems)
    index, count = at
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        safe.show(safe.el("strong", f"Turn {index + 1}"), width="content")
        st.space("stretch")
        objects.add_menu(sheet, view)
        _menu(sheet, place, index, count, objects.removals(sheet, view))
    objects.rest(view)
    objects.fields(sheet, view.group("main", "expected"))
    objects.folded_groups(sheet, view)


def _menu(sheet: Sheet, place: Place, index: int, count: int, removals: dict[str, str]) -> None:
    case, turn = place
    steps: dict[str, Callable[[], object]] = {
        "up": lambda: caseops.move_turn(sheet, case, turn, -1),
        "down": lambda: caseops.move_turn(sheet, case, turn, 1),
        "delete": lambda: caseops.delete_turn(sheet, case, turn),
    }
    options = {"up": "Move up"} if index else {}
    options |= {"down": "Move down"} if index < count - 1 else {}
    options |= removals | {"delete": "Delete turn"}

    def chosen(name: str) -> None:
        if name in steps:
            steps[name]()
        else:
            objects.remove(sheet, object_view(sheet, place), name)

    bind.menu(
        key_of(sheet, place, "menu"),
        "More",
        options,
        chosen,
        disabled=sheet.lens.read_only,
    )
