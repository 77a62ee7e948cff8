"""Every problem of a set, with the way to the case that has it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from evalcore.errors import Problem
from evalcore.views.sheet import Sheet
from evalcore.views.words import problem_words
from pages._author import where
from pages._ui import bind, safe
from pages._ui.problems import problem_markup

SHOWN = 200


def problems(sheet: Sheet) -> None:
    """Draw the problems, those of the set first, then case by case."""
    index = sheet.problems()
    if sheet.is_large and not sheet.is_checked:
        st.info("This set is large, so it is checked only when you ask.")
        bind.button("check now", "Check now", lambda: sheet.problems(now=True), icon="fact_check")
        if not index.all:
            return
        st.caption("Found when it was last checked, before your latest edits:")
    elif not index.all:
        st.success("No problems found.", icon=":material/check_circle:")
        return
    st.caption(problem_words(index.all))
    left = SHOWN
    if index.around:
        _group("The set itself", index.around, lambda: where.show_view("details"), "details", left)
        left -= len(index.around)
    names = sheet.names()
    for at, found in sorted(index.by_case.items()):
        if left <= 0:
            st.caption(safe.label(f"The first {SHOWN} problems are shown."))
            return
        if at < len(names):
            name = names[at]
            _group(sheet.title(name), found, partial(where.open_case, sheet, name), name, left)
            left -= len(found)


def _group(
    title: str, found: tuple[Problem, ...], jump: Callable[[], None], key: str, limit: int
) -> None:
    with st.container(border=True, gap="small"):
        with st.container(horizontal=True, vertical_alignment="center"):
            safe.show(safe.el("strong", title))
            bind.button(f"jump {key}", "Open", jump, icon="arrow_forward", kind="tertiary")
        safe.show(safe.join(*(problem_markup(p, place=True) for p in found[:limit])))
