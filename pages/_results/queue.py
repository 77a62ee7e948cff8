"""The queue of a run's review: how far it is, what waits, one row for each result."""

from __future__ import annotations

import streamlit as st

from evalcore.results import Verdict
from evalcore.review import Item
from evalcore.store import RunQuery, StoredRun
from evalcore.verdicts import said
from evalcore.views.caselist import Page, page_of
from evalcore.views.results_table import short
from evalcore.views.review_queue import WHICH, RunReview, Which, finding_words, mark_of
from pages._results import address, look, review
from pages._ui import bind, safe, state
from pages._ui.desk import Desk
from pages._ui.pager import pager
from pages._ui.rows import Cell, Column, Piece, Row, cell, link, rows

PAGE = "review.page"
HEIGHT = "560px"


def draw(desk: Desk, run: StoredRun, held: RunReview, current: int | None) -> tuple[int, ...]:
    """Draw the queue; returns the places of all results in it, in their order.

    ``current`` is the place of the one that is shown.
    """
    which = review.which()
    found = held.select(which, review.me(desk))
    _filter(held, which, review.me(desk))
    if not found:
        _nothing(held, which)
        return ()
    page = page_of(range(len(found)), _number(found, current))
    shown = [found[index] for index in page.indexes]
    _rows(run, shown, current, page)
    return tuple(item.case_row for item in found)


def _filter(held: RunReview, which: Which, me: str) -> None:
    counts = {name: len(held.select(name, me)) for name in WHICH}
    is_useful = {"open", "all", which} | {name for name, count in counts.items() if count}
    if counts["mine"] == counts["open"]:
        is_useful.discard("mine")
    options: dict[str, str] = {
        name: f"{words} {counts[name]:,}"
        for name, words in WHICH.items()
        if name in is_useful or name == which
    }
    bind.segments("review.which", "Which results", options, which, _choose)


def _choose(which: str) -> None:
    state.keep(review.QUEUE, which)
    state.keep(PAGE, None)


def _nothing(held: RunReview, which: Which) -> None:
    if which in ("open", "mine") and held.items:
        st.success("All failures are reviewed.", icon=":material/check_circle:")
    elif which in ("open", "mine"):
        st.success("Nothing failed in this run: nothing needs a review.", icon=":material/check:")
    else:
        st.caption(safe.label(f"{WHICH[which]}: none."))


def _number(found: tuple[Item, ...], current: int | None) -> int:
    """Return the page that was leafed to, else that of the current result."""
    leafed = state.kept(PAGE, None)
    if leafed is not None:
        return int(leafed)
    at = next((i for i, item in enumerate(found) if item.case_row == current), 0)
    return at // 100 + 1


def _rows(run: StoredRun, shown: list[Item], current: int | None, page: Page) -> None:
    wanted = tuple(item.case_row for item in shown)
    lines = {line.case_row: line for line in run.page(RunQuery(rows=wanted, limit=500)).lines}
    query = address.query_params()
    rows(
        "review.queue",
        "Results to review",
        [Column("Result"), Column("Scored", "clamp(84px, 9vw, 112px)")],
        [
            Row(
                str(item.case_row),
                f"{item.case_id}, {mark_of(item).words}",
                (_title(item), _scored(item, lines[item.case_row].verdict)),
                link("results", **{**query, "case": address.of(lines[item.case_row])[0]}),
            )
            for item in shown
            if item.case_row in lines
        ],
        on_open=lambda row: address.choose_row(run, int(row)),
        current="" if current is None else str(current),
        height=HEIGHT if len(shown) > 8 else "",
    )
    pager(PAGE, page)


def _title(item: Item) -> Cell:
    mark = mark_of(item)
    repeat = f" · run {item.repeat + 1}" if item.repeat else ""
    name = Piece(short(item.case_id) + repeat, strong=True, title=short(item.case_id, 400))
    who = f" · {item.entry.reviewer}" if item.entry is not None else ""
    title = "" if item.entry is None else f"{finding_words(item.entry)}{who}: {item.entry.note}"
    below = Piece(f"{mark.glyph} {mark.words}{who}", mark.tone, title=short(title, 300))
    return cell(name, below=[below])


def _scored(item: Item, verdict: Verdict) -> Cell:
    given = item.override
    if given is None:
        return cell(Piece(said(verdict), look.TONES[verdict]))
    return cell(
        Piece(said(verdict), "removed"),
        below=[Piece(said(given.verdict), look.TONES[given.verdict], title="override")],
    )
