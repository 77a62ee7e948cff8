"""A file of several checks: add checks and presets to it, and set what lies around them."""

from __future__ import annotations

from functools import partial

import streamlit as st

from evalcore.views.evaluators import ops
from evalcore.views.evaluators.bench import Bench
from evalcore.views.evaluators.create import PRESET_WORDS
from evalcore.views.evaluators.form import Section, file_sections
from evalcore.views.evaluators.prompts import SIMULATOR, prompt_view
from evalcore.views.words import plural
from pages._evaluators import where
from pages._evaluators.fields import draw
from pages._evaluators.prompt import highlighted
from pages._ui import bind, safe, state
from pages._ui.problems import problem_list
from pages._ui.rows import Column, Piece, Row, Tone, cell, link, rows

COLUMNS = (
    Column("Check"),
    Column("State", "90px"),
    Column("Kind", "170px", from_width=900),
    Column("Name in the file", "240px", from_width=400),
)


def whole_file(bench: Bench) -> None:
    """Draw the checks of a file and the settings around them."""
    sections, rest = file_sections(bench)
    problem_list(rest)
    checks = bench.checks
    if checks:
        rows(
            "evaluators.checks",
            "Checks",
            COLUMNS,
            _rows(bench),
            on_open=partial(where.open_check, bench.path),
        )
    else:
        st.info("There are no checks in this file yet. Add the first one.")
    with st.container(horizontal=True, gap="xsmall"):
        _add(bench)
        if bench.family == "tenxgraph":
            _presets(bench)
    if bench.family in ("adk", "harnest"):
        _custom(bench)
    for section in sections:
        _section(section)


def _rows(bench: Bench) -> list[Row]:
    found = []
    for check in bench.checks:
        words = {"on": "✓ on", "off": "○ off", "null": "○ off (null)"}[check.state]
        tone: Tone = "" if check.state == "on" else "muted"
        query = {where.FILE: bench.path, where.CHECK: check.ref}
        found.append(
            Row(
                check.ref,
                check.title,
                (
                    cell(Piece(check.title, tone, strong=True)),
                    cell(Piece(words, tone)),
                    cell(check.label),
                    cell(Piece(check.ref, "muted")),
                ),
                link("evaluators", **query),
            )
        )
    return found


def _add(bench: Bench) -> None:
    def add(name: str) -> None:
        where.open_check(bench.path, ops.add(bench, name))

    bind.menu("evaluators.add", "Add check", ops.addable(bench), add, icon="add", kind="secondary")


def _presets(bench: Bench) -> None:
    words = {name: f"{name}: {words}" for name, words in PRESET_WORDS.items() if name != "custom"}
    bind.menu(
        "evaluators.preset",
        "Use preset",
        words,
        lambda name: ops.use_preset(bench, name),
        icon="tune",
        kind="secondary",
        help="Its checks take the place of those in the file. All other settings stay.",
    )
    bind.menu(
        "evaluators.combine",
        "Combine with preset",
        words,
        lambda name: ops.add_preset(bench, name),
        icon="library_add",
        kind="secondary",
        help="Its checks are added; where both set the same check, the preset's wins.",
    )


def _custom(bench: Bench) -> None:
    with st.expander("Add a check that is Python code of your project"):
        st.caption("Evaldesk writes its name and its path and never loads it.")
        with st.form("evaluators.custom", border=False, clear_on_submit=True):
            left, right = st.columns(2, gap="small")
            name = left.text_input("Name", key="custom.name", placeholder="tone")
            function = right.text_input(
                "Function", key="custom.function", placeholder="my_checks.tone"
            )
            go = st.form_submit_button("Add", key="custom.add", icon=":material/add:")
        if go:
            with safe.boundary():
                ops.add_custom(bench, name, function)
                where.open_check(bench.path, name.strip())
                st.rerun()


def _section(section: Section) -> None:
    key = section.home.inner("section")
    wrong = any(view.problems for view in section.views)
    present = [view for view in section.views if view.is_present]
    count = f": {plural(len(present), 'setting')}" if present else ": not set"
    is_open = bool(state.kept(key, wrong))
    if is_open:
        state.keep(key, True)
    st.session_state[key] = is_open
    box = st.expander(
        safe.label(f"{section.title}{count}"),
        key=key,
        icon=":material/warning:" if wrong else None,
        on_change=lambda: state.keep(key, st.session_state.get(key, False)),
    )
    if not box.open:
        return
    with box:
        if section.note:
            st.caption(safe.label(section.note))
        columns = st.columns(2, gap="small")
        narrow = [v for v in section.views if v.setting.kind not in ("object", "value")]
        for number, view in enumerate(narrow):
            with columns[number % 2]:
                draw(view)
        for view in section.views:
            if view not in narrow:
                draw(view)
        instructions = section.view("custom_instructions")
        if instructions is not None and isinstance(instructions.value, str):
            highlighted(prompt_view(instructions.value, SIMULATOR))
        if section.unread:
            names = ", ".join(section.unread)
            st.caption(safe.label(f"Also in the file, not read and kept: {names}"))
