"""The list of a run's cases: worst first, repeats folded, a page of it at a time."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from evalcore.results import Verdict
from evalcore.store import RunQuery, StoredRun
from evalcore.store.folding import Fold, FoldPage
from evalcore.views.charts import heat_cell
from evalcore.views.results_table import short
from evalcore.views.review_queue import Mark
from evalcore.views.run_page import (
    METRIC,
    Baseline,
    change_of,
    columns_offered,
    columns_shown,
    found_text,
    plain_cell,
    state_of,
    title_of,
    why,
)
from evalcore.views.words import plural
from pages._results import address, filters, held, look, review
from pages._results.address import Address
from pages._ui import bind, safe
from pages._ui.desk import open_desk
from pages._ui.rows import Cell, Column, Piece, Row, Tone, cell, link, rows

HEIGHT = "max(24rem, 100vh - 15rem)"
"""What is left of the window once the list is scrolled to."""
WIDTHS = {"verdict": "clamp(88px, 9vw, 124px)", "delta": "92px", "tags": "120px"}
SCORE_WIDTH = "clamp(64px, 8vw, 104px)"
SORTS = {"duration": "duration", "verdict": "worst"}


def draw_list(run: StoredRun, asked: Address, baseline: Baseline | None = None) -> int | None:
    """Draw one page of the list; returns the place in the run of the case result to show.

    That is the one in the address, else the first that matches, None where nothing matches.
    """
    query, found = asked.query, held.page(run, asked.query, baseline)
    place = address.find(run, asked)
    if not found.folds:
        _nothing(run, asked, found)
        return place
    current = found.folds[0] if place is None else _holding(found, place)
    if current is None and place is not None:
        # Whoever steps through the cases walks off the page; it follows.
        query = held.page_with(run, query, place, baseline)
        found = held.page(run, query, baseline)
        current = _holding(found, place)
    _rows(run, query, baseline, found.folds, current)
    _foot(run, query, found)
    if current is None:
        st.caption("Open on the right, but not in this list: the filter leaves out the open case.")
        return place
    return current.at if place is None else place


def _holding(found: FoldPage, place: int) -> Fold | None:
    """Return the line of the page that a result belongs to."""
    return next((f for f in found.folds if any(x.case_row == place for x in f.lines)), None)


def _nothing(run: StoredRun, asked: Address, found: FoldPage) -> None:
    if found.cases:
        last = (found.cases - 1) // address.PAGE_SIZE + 1
        st.info(safe.label(f"There are only {plural(last, 'page')}."))
        bind.button("results.last", "Last page", address.narrow, "page", str(last))
        return
    filters.nothing(run)


def _rows(
    run: StoredRun,
    query: RunQuery,
    baseline: Baseline | None,
    folds: Sequence[Fold],
    current: Fold | None,
) -> None:
    shown = columns_shown(run, query, baseline, held.columns(run))
    offered = columns_offered(run, baseline)
    params = address.query_params()
    params.pop("repeat", None)
    marks = review.marks(open_desk(), run)
    rows(
        "results.cases",
        "Case results",
        [Column("Case", sort="name"), *(_column(key, offered[key]) for key in shown)],
        [_row(run, fold, shown, params, marks.of(*fold.lines)) for fold in folds],
        on_open=_choose,
        on_sort=lambda by: address.narrow("sort", "" if by == "worst" else by),
        sorted_by=f"-{query.sort}" if query.descending else query.sort,
        current=_name(current) if current else "",
        height=HEIGHT,
    )


def _column(key: str, label: str) -> Column:
    if key.startswith(METRIC):
        return Column(short(label, 24), SCORE_WIDTH, from_width=400, sort=key)
    is_number = key in ("duration", "tokens", "turns")
    return Column(
        label,
        WIDTHS.get(key, "76px"),
        "right" if is_number else "left",
        from_width=0 if key == "verdict" else 400,
        sort=SORTS.get(key, ""),
    )


def _row(
    run: StoredRun, fold: Fold, shown: Sequence[str], params: dict[str, str], mark: Mark | None
) -> Row:
    came, title, reason = state_of(fold), title_of(fold), why(fold)
    below = [Piece(reason, "muted", title=reason)] if reason else []
    name = [Piece(short(title), strong=True, title=short(title, 400))]
    if mark is not None:
        name.insert(0, Piece(mark.glyph, mark.tone, title=f"Review: {mark.words}"))
    first = cell(*name, below=below)
    case, repeat = address.of(fold.head)
    href = {**params, "case": case, **({"repeat": str(repeat)} if repeat > 1 else {})}
    cells = tuple(_cell(run, fold, key) for key in shown)
    return Row(_name(fold), f"{title}, {came.told}", (first, *cells), link("results", **href))


def _cell(run: StoredRun, fold: Fold, key: str) -> Cell:
    if key == "verdict":
        came = state_of(fold)
        tone: Tone = "warning" if came.is_flaky else look.TONES[came.verdict]
        strip = [Piece(came.strip, tone, title=came.told)] if came.strip else []
        return cell(Piece(came.text, tone, title=came.told), below=strip)
    if key == "delta":
        text, word = change_of(fold)
        return cell(Piece(text, _change_tone(text), title=word))
    if key.startswith(METRIC):
        metric = run.manifest.metric(key.removeprefix(METRIC))
        if metric is None:
            return cell()
        found = heat_cell(run, fold, metric)
        said = fold.verdicts(metric.key)
        mixed = bool(said[Verdict.PASSED] and len(said) > 1)
        score: Tone = "warning" if mixed else look.TONES[found.verdict]
        return cell(Piece(found.text, score))
    return cell(Piece(plain_cell(fold, key), "muted"))


def _change_tone(text: str) -> Tone:
    if text.startswith(("▼", "▽")):
        return "error"
    return "ok" if text.startswith(("▲", "△")) else "muted"


def _foot(run: StoredRun, query: RunQuery, found: FoldPage) -> None:
    """Draw how many there are, in which order, and the way to the other pages."""
    pages = -(-found.cases // address.PAGE_SIZE)
    number = query.offset // address.PAGE_SIZE + 1
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if pages > 1:
            key = f"results.pages {number}"
            st.pagination(
                pages,
                default=number,
                max_visible_pages=5,
                key=key,
                on_change=lambda: _leaf(key),
            )
        told = found_text(found, run)
        st.caption(safe.label(f"{told}, {_order_words(run, query)}"), width="content")
        if query.sort == "file":
            bind.button("results.worst", "Worst first", address.narrow, "sort", "", kind="tertiary")
        else:
            bind.button(
                "results.file", "File order", address.narrow, "sort", "file", kind="tertiary"
            )


def _leaf(key: str) -> None:
    address.narrow("page", str(st.session_state.get(key, 1)))
    address.choose("")


def _order_words(run: StoredRun, query: RunQuery) -> str:
    by = query.sort.removeprefix(METRIC)
    metric = run.manifest.metric(by)
    words = filters.ORDERS.get(query.sort, f"by {metric.label if metric else by}").lower()
    return f"{words}, the other way round" if query.descending else words


def _name(fold: Fold) -> str:
    return "\n".join(map(str, address.of(fold.head)))


def _choose(name: str) -> None:
    key, _, repeat = name.rpartition("\n")
    address.choose(key, int(repeat) if repeat.isdecimal() else 1)
