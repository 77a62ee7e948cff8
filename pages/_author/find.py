"""Find and replace: a text in many cases, each place of it looked at before it changes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import streamlit as st

from evalcore.bulk import Search
from evalcore.bulk.finding import searched_fields
from evalcore.errors import EvaldeskError
from evalcore.views.caselist import page_of
from evalcore.views.replacing import (
    Found,
    HitRow,
    button_words,
    deletes,
    found_words,
    times,
)
from evalcore.views.sheet import Sheet
from evalcore.views.words import plural
from pages._author import dialogs, where
from pages._ui import bind, jump, keys, safe, state
from pages._ui.pager import pager
from pages._ui.rows import Column, Piece, Row, Tone, cell, rows

LEFT_OUT, SCOPE, PAGE, LEFT = "find.left_out", "find.scope", "find.page", "find.left"
OPTIONS = {
    "case": ("Match case", "“Paris” finds no “paris”."),
    "words": ("Whole words", "“art” is not found inside “start”."),
    "pattern": (
        "Pattern",
        "Look for a shape instead of a text: \\d is any digit, . any character, + one or more of "
        "what stands before it, (a|b) either of two. \\1 in the replacement is what the first "
        "pair of brackets found. This is called a regular expression.",
    ),
}
LIVE_UP_TO = 10_000
"""Cases up to which a search is made while one types."""
HITS_SHOWN = 50
TONES: dict[str, Tone] = {"removed": "removed", "added": "added", "words": "muted", "name": ""}


def draw_button(sheet: Sheet) -> None:
    """Draw the way to find and replace."""
    bind.button(
        "author.find",
        "Replace",
        ask,
        sheet,
        icon="find_replace",
        help=f"Find and replace a text in the cases ({keys.FIND})",
        disabled=sheet.lens.read_only or not sheet.cases,
    )


def ask(sheet: Sheet) -> None:
    """Open the dialog for the cases that are ticked; else for all, or what the filter shows."""
    from pages._author import caselist

    chosen = caselist.ticked_cases(sheet)
    state.keep(SCOPE, "chosen" if chosen else "all")
    if not chosen and caselist.is_filtered(sheet):
        chosen = caselist.found_cases(sheet)
    dialogs.ask("find", *chosen)
    jump.into("st-key-find-text")


def ask_in(*chosen: str) -> None:
    """Open the dialog for these cases only."""
    state.keep(SCOPE, "chosen")
    dialogs.ask("find", *chosen)
    jump.into("st-key-find-text")


@st.dialog("Find and replace", width="large", on_dismiss=dialogs.close)
def find_and_replace(sheet: Sheet, chosen: list[str]) -> None:
    """Draw what is looked for, what was found, and the button that replaces it."""
    if st.session_state.pop(LEFT, False):
        st.rerun()
    left, right = st.columns(2, gap="small")
    with left:
        _text(sheet, "find.text", "Find")
    with right:
        _text(sheet, "find.replacement", "Replace with")
    with st.container(horizontal=True, vertical_alignment="center"):
        for name, (label, help) in OPTIONS.items():
            bind.flag(f"find.{name}", label, bool(_kept(name)), partial(_keep, name), help=help)
    with st.container(horizontal=True, vertical_alignment="center"):
        _fields(sheet)
        cases = _scope(sheet, chosen)
    try:
        with st.spinner("Searching…"):
            found = sheet.seeker.find(_search(), _kept("replacement") or "", cases)
    except EvaldeskError as error:
        safe.report(error)
        return
    _results(sheet, found)


def _text(sheet: Sheet, key: str, label: str) -> None:
    name = key.removeprefix("find.")
    now = _kept(name) or ""
    if len(sheet.cases) <= LIVE_UP_TO:
        bind.search(key, label, now, partial(_keep, name), placeholder=label)
    else:
        bind.line(key, label, now, partial(_keep, name), placeholder=label, hidden=True)


def _fields(sheet: Sheet) -> None:
    labels = {f.name: f.label for f in searched_fields(sheet.lens)}
    names = {label: name for name, label in labels.items()}
    wanted = [labels[name] for name in _kept("fields") or () if name in labels]
    with st.container():
        bind.tags(
            "find.fields",
            "Fields",
            list(names),
            wanted,
            lambda chosen: _keep("fields", tuple(names[label] for label in chosen)),
            placeholder="In all fields",
            open_ended=False,
            hidden=True,
        )


def _scope(sheet: Sheet, chosen: Sequence[str]) -> Sequence[str] | None:
    if not chosen:
        return None
    words = f"{len(chosen):,} chosen" if len(chosen) > 1 else "1 chosen"
    options = {"all": f"All {plural(len(sheet.cases), 'case')}", "chosen": f"The {words}"}
    now = str(state.kept(SCOPE, "all"))
    bind.segments(SCOPE, "Cases", options, now, partial(_keep, "scope"))
    return chosen if now == "chosen" else None


def _search() -> Search:
    fields = _kept("fields")
    return Search(
        _kept("text") or "",
        match_case=bool(_kept("case")),
        whole_words=bool(_kept("words")),
        is_pattern=bool(_kept("pattern")),
        fields=frozenset(fields) if fields else None,
    )


def _results(sheet: Sheet, found: Found) -> None:
    left_out = frozenset(state.kept(LEFT_OUT, ()))
    chosen = found.chosen(left_out)
    with st.container(horizontal=True, vertical_alignment="center"):
        safe.show(safe.el("span", _summary(found, len(found.hits) - len(chosen))))
        wanted = st.button(
            safe.label(button_words(found, times(chosen)), 80),
            type="secondary" if deletes(found) else "primary",
            icon=":material/backspace:" if deletes(found) else ":material/find_replace:",
            key="find.do",
            disabled=not chosen,
        )
    if wanted:
        with st.spinner("Replacing…"):
            bind.act(_replace, sheet, found, left_out)
        dialogs.close()
        st.rerun()
    if found.hits:
        _hits(sheet, found, left_out)


def _summary(found: Found, left_out: int) -> str:
    if not found.search.text:
        return "Type what is to be found."
    if not found.hits:
        return "Nothing was found. Names of cases and of values are not looked at."
    out = f"; {plural(left_out, 'field')} left out" if left_out else ""
    return f"Found {found_words(found.hits)}{out}"


def _replace(sheet: Sheet, found: Found, left_out: frozenset[str]) -> None:
    count = sheet.seeker.replace(found, left_out)
    state.keep(LEFT_OUT, ())
    verb = "Taken out" if deletes(found) else "Replaced"
    bind.flash(f"{verb} {plural(count, 'time')}. Undo takes it back.")


def _hits(sheet: Sheet, found: Found, left_out: frozenset[str]) -> None:
    page = page_of(range(len(found.hits)), state.kept(PAGE, 1), HITS_SHOWN)
    shown = [sheet.seeker.row(found, at) for at in page.indexes]
    here = {hit.key for hit in shown}

    def ticked_now(ticked: list[str]) -> None:
        state.keep(LEFT_OUT, tuple((left_out - here) | (here - set(ticked))))

    def turn(key: str) -> None:
        state.keep(LEFT_OUT, tuple(left_out ^ {key}))

    rows(
        "find hits",
        "Found",
        [Column("Where it was found, before and after"), Column("", "60px", "right")],
        [_hit(hit) for hit in shown],
        on_open=turn,
        on_act=lambda _action, key: _open(sheet, {h.key: h.case for h in shown}.get(key)),
        on_tick=ticked_now,
        ticked=[hit.key for hit in shown if hit.key not in left_out],
        height="min(24rem, 45vh)",
    )
    pager(PAGE, page)


def _hit(hit: HitRow) -> Row:
    more = [Piece(f" (and {hit.more:,} more in this field)", "muted")] if hit.more > 0 else []
    pieces = [Piece(piece.text, TONES.get(piece.kind, "")) for piece in hit.pieces]
    what = cell(
        Piece(hit.title, strong=True), Piece(hit.where, "muted"), below=[*pieces, *more], runs=True
    )
    return Row(hit.key, f"{hit.title}, {hit.where}", (what, cell("Open", action="open")))


def _open(sheet: Sheet, case: str | None) -> None:
    """Leave the dialog for the case in which something was found."""
    if case is not None:
        where.open_case(sheet, case)
        dialogs.close()
        st.session_state[LEFT] = True


def _kept(name: str) -> Any:
    return state.kept(f"find.{name}", None)


def _keep(name: str, value: object) -> None:
    state.keep(f"find.{name}", value)
    if name != "replacement":
        state.keep(LEFT_OUT, ())
    state.keep(PAGE, 1)
