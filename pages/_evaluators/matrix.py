"""The matrix: what each check expects of each case, and the form of one cell."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from evalcore.errors import EvaldeskError, Problem
from evalcore.jsontree import MISSING, is_within
from evalcore.views.caselist import page_of
from evalcore.views.evaluators.bench import Bench
from evalcore.views.evaluators.home import Home
from evalcore.views.evaluators.matrix import (
    Cell,
    Column,
    cell_of,
    columns_of,
    has_criteria,
    home_of,
    settings_for,
    start_of,
    why_none,
)
from evalcore.views.evaluators.settings import views_of
from evalcore.views.sheet import Sheet
from evalcore.views.words import plural
from evalcore.wiring import WiredSet, Wiring, refs
from pages._evaluators import used, where
from pages._evaluators.fields import draw
from pages._ui import bind, safe, state
from pages._ui.desk import Desk
from pages._ui.pager import pager
from pages._ui.problems import problem_list
from pages._ui.rows import Cell as Drawn
from pages._ui.rows import Column as Head
from pages._ui.rows import Piece, Row, Tone, cell, rows

SHOWN = 7
"""Checks that are shown at first; others can be chosen."""
TONES: dict[str, Tone] = {
    "own": "",
    "null": "accent",
    "empty": "accent",
    "absent": "muted",
    "file": "muted",
}
OPEN = "open cell"


def matrix(desk: Desk, wiring: Wiring) -> None:
    """Draw the matrix of one set."""
    path = where.matrix_set(wiring)
    of = wiring.set_at(path)
    if of is None:
        st.info("There is no eval set here yet. Make one in the library first.")
        return
    _choose_set(wiring, of)
    try:
        sheet = desk.sheet(state.owner(), of.path)
    except EvaldeskError as error:
        safe.report(error)
        return
    _head(sheet, of)
    own = _own(desk, wiring, of)
    columns = columns_of(wiring, of, sheet)
    reason = why_none(of.format_id)
    if reason:
        _no_criteria(wiring, of, reason, own)
    if not columns:
        st.info("No check scores this set yet. Attach or make one, then say here what it expects.")
        return
    shown = _shown_columns(of, columns)
    page = page_of(range(len(sheet.cases)), state.kept(f"matrix page {of.path}", 1))
    names = sheet.names()
    cases = [names[index] for index in page.indexes]
    current = _open_cell(of, cases, columns)
    _grid(sheet, of, cases, shown, own, current)
    pager(f"matrix page {of.path}", page)
    if current is not None:
        case, column = current
        with safe.boundary():
            _form(desk, sheet, of, case, column, own)
    elif has_criteria(of.format_id) and cases:
        st.caption("Choose a cell to say what this check expects of this case.")


def _choose_set(wiring: Wiring, of: WiredSet) -> None:
    titles = {s.path: f"{s.name} ({s.path})" for s in wiring.sets}
    by_title = {title: path for path, title in titles.items()}
    with st.container(width=640):
        bind.choice(
            "matrix.set",
            "Eval set",
            list(by_title),
            titles[of.path],
            lambda title: state.remember("set", by_title[title]),
        )


def _head(sheet: Sheet, of: WiredSet) -> None:
    draft = sheet.draft
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        bind.button(
            "matrix.open",
            "Open set",
            lambda: state.go("author", set=of.path, case=None),
            icon="arrow_forward",
            kind="tertiary",
        )
        if draft.is_dirty:
            safe.show(safe.el("span", "● unsaved", css="ed-unsaved"), width="content")
        bind.button(
            "matrix.undo",
            "Undo",
            draft.undo,
            icon="undo",
            kind="tertiary",
            disabled=draft.undo_label is None,
            help=draft.undo_label or "Nothing to undo",
        )
        bind.button(
            "matrix.redo",
            "Redo",
            draft.redo,
            icon="redo",
            kind="tertiary",
            disabled=draft.redo_label is None,
            help=draft.redo_label or "Nothing to redo",
        )
        bind.button(
            "matrix.review",
            "Review & save the set",
            lambda: state.go("author", set=of.path, view="review"),
            icon="save",
            kind="primary",
            disabled=not draft.is_dirty,
        )


def _own(desk: Desk, wiring: Wiring, of: WiredSet) -> Bench | None:
    file = wiring.file(of.own_file)
    if file is None:
        return None
    return desk.bench(state.owner(), file.path, file.family)


def _no_criteria(wiring: Wiring, of: WiredSet, reason: str, own: Bench | None) -> None:
    """Say why there is nothing to edit per case, and lead to what there is."""
    st.info(safe.label(reason))
    files = [f for f in wiring.files_of(of) if f.family != "evaldesk"]
    with st.container(horizontal=True, gap="xsmall"):
        for file in files[:6]:
            bind.button(
                f"matrix.file {file.path}",
                f"Open {file.path.rpartition('/')[2]}",
                where.open_check,
                file.path,
                icon="arrow_forward",
                kind="tertiary",
            )
    if own is not None:
        st.caption("Checks of Evaldesk's own can differ from case to case: their cells open.")


def _shown_columns(of: WiredSet, columns: Sequence[Column]) -> list[Column]:
    """Return the checks that are shown, and draw the choice of them where there are many."""
    if len(columns) <= SHOWN:
        return list(columns)
    names = {f"{c.title} ({c.ref})" if c.title != c.ref else c.ref: c for c in columns}
    kept = state.kept(f"matrix columns {of.path}", [])
    now = [name for name in kept if name in names] or _first(names)
    bind.tags(
        f"matrix.columns {of.path}",
        "Checks shown",
        list(names),
        now,
        lambda chosen: state.keep(f"matrix columns {of.path}", chosen),
        open_ended=False,
    )
    return [names[name] for name in now]


def _first(names: dict[str, Column]) -> list[str]:
    """Return the checks that are shown before anybody chose: the open evaluator's is among them."""
    opened = state.remembered(where.FILE)
    mine = [name for name, column in names.items() if column.file == opened]
    others = [name for name in names if name not in mine]
    chosen = {*mine[:SHOWN], *others[: max(0, SHOWN - len(mine))]}
    return [name for name in names if name in chosen]


def _open_cell(
    of: WiredSet, cases: Sequence[str], columns: Sequence[Column]
) -> tuple[str, Column] | None:
    case, ref = state.kept(f"{OPEN} {of.path}", ("", ""))
    column = next((c for c in columns if c.ref == ref), None)
    return (case, column) if case in cases and column is not None else None


def _grid(
    sheet: Sheet,
    of: WiredSet,
    cases: Sequence[str],
    shown: Sequence[Column],
    own: Bench | None,
    current: tuple[str, Column] | None,
) -> None:
    heads = [Head("Case", "230px"), *(Head(_column_title(c)) for c in shown)]

    def act(action: str, case: str) -> None:
        at = int(action)
        if at < len(shown) and shown[at].source == "file":
            where.open_check(shown[at].file or "", shown[at].check or "")
        elif at < len(shown):
            state.keep(f"{OPEN} {of.path}", (case, shown[at].ref))

    drawn = []
    for case in cases:
        cells = [
            _drawn(cell_of(column, sheet, case, own), number, column, current, case)
            for number, column in enumerate(shown)
        ]
        title = sheet.title(case)
        drawn.append(Row(case, title, (cell(Piece(title, strong=True, title=title)), *cells)))
    rows(
        "matrix.grid",
        "Cases and checks",
        heads,
        drawn,
        on_open=lambda case: state.go("author", set=of.path, case=sheet.link_of(case)),
        on_act=act,
        current=current[0] if current else "",
        height="46vh",
    )


def _column_title(column: Column) -> str:
    return column.title if column.is_attached else f"{column.title} (not attached)"


def _drawn(
    found: Cell, number: int, column: Column, current: tuple[str, Column] | None, case: str
) -> Drawn:
    is_open = current is not None and current[0] == case and current[1].ref == column.ref
    text = f"▸ {found.text}" if is_open else found.text
    piece = Piece(text, TONES[found.state], title=found.text, strong=is_open)
    return cell(piece, action=str(number))


def _form(
    desk: Desk, sheet: Sheet, of: WiredSet, case: str, column: Column, own: Bench | None
) -> None:
    """Draw what one case says of one check, with the check's own form."""
    home = home_of(column, sheet, case, own)
    if home is None:
        return
    value = home.read()
    with st.container(border=True, gap="small", key="matrix-cell"):
        with st.container(horizontal=True, vertical_alignment="center"):
            safe.show(
                safe.join(
                    safe.el("strong", sheet.title(case)),
                    safe.el("span", f"  ·  {column.title}", css="ed-muted"),
                )
            )
            bind.button("matrix.close", "Close", _close, of.path, icon="close", kind="tertiary")
        if not column.is_attached:
            _not_attached(desk, of, column)
        _states(column, value, lambda picked: _become(home, column, picked), home.key)
        if isinstance(value, dict):
            problems = _problems(sheet, case, home.pointer()) if column.source == "case" else []
            views, rest = views_of(home, settings_for(column), problems)
            if value or column.source == "own":
                for view in views:
                    draw(view)
            problem_list(rest)
            if not views:
                st.caption("Nobody knows what this check reads: edit it in the set's own form.")
        elif column.source == "case":
            problem_list(_problems(sheet, case, home.pointer()))


def _close(path: str) -> None:
    state.keep(f"{OPEN} {path}", ("", ""))


def _states(column: Column, value: object, commit: bind.Commit, key: str) -> None:
    """Draw the choice between what a case can say: the default, its own values, nothing."""
    own = column.source == "own"
    words = {
        "own": "Values of its own",
        "null": "Switched off" if own else "The check's default (null)",
        "empty": "As set ({})" if own else "The check's default ({})",
        "absent": "As the check is set" if own else "Not scored by this check",
    }
    now = _state_of(value)
    if now != "empty":
        del words["empty"]
    bind.segments(f"{key}|state", "What the case says", words, now, commit)
    if now in ("null", "empty") and not own and column.default is None and column.file:
        st.caption(
            "The check has no default: only an expected output of the case can stand in for it."
        )


def _state_of(value: object) -> str:
    if value is MISSING:
        return "absent"
    return "null" if value is None else "empty" if value == {} else "own"


def _become(home: Home, column: Column, picked: str) -> None:
    if _state_of(home.read()) == picked:
        return
    if picked == "own":
        home.change(lambda _old: start_of(column), "values of its own")
    elif picked == "null":
        home.change(lambda _old: None, "the default")
    else:
        home.change(lambda _old: MISSING, "nothing")


def _problems(sheet: Sheet, case: str, pointer: str) -> list[Problem]:
    found = sheet.problems().of_case(sheet.index_of(case))
    return [p for p in found if is_within(p.pointer, pointer)]


def _not_attached(desk: Desk, of: WiredSet, column: Column) -> None:
    st.warning("The set does not name this check, so what cases say of it is ignored.")
    ref = column.ref

    def attach() -> None:
        sheet = desk.sheet(state.owner(), of.path)
        sheet.edit(lambda tree: refs.attach(tree, of.format_id, ref), f"Attach {ref}")

    with st.container(horizontal=True, gap="xsmall"):
        bind.button("matrix.attach", "Attach it", attach, icon="add_link")
        bind.button(
            "matrix.forget",
            f"Take it out of {plural(used.said(desk, of, ref), 'case')}",
            lambda: used.detach(desk, of, ref, criteria=True),
            icon="backspace",
            kind="tertiary",
        )
