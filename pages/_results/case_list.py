"""The list of case results: found by words, verdict and check, failures first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from evalcore import verdicts
from evalcore.counting import CaseRow, Metric, RunView
from evalcore.results import Verdict
from evalcore.store import StoredRun
from evalcore.views.caselist import PAGE_SIZE, Page, page_of
from evalcore.views.metrics import Summary
from evalcore.views.results import Filter, select
from evalcore.views.results_table import cell_text, column_names, short, verdict_text
from evalcore.views.words import plural
from pages._results import address, look, whole
from pages._results.address import Address
from pages._ui import bind, safe, state
from pages._ui.pager import pager
from pages._ui.rows import Cell, Column, Piece, Row, cell, link, rows

SCORE_WIDTH = "clamp(60px, 8.2vw, 104px)"
COLUMNS = 2
"""Checks that have a column of their own: those with most trouble."""
ANY = "Any check"


def draw_list(run: StoredRun, asked: Address) -> int | None:
    """Draw the filters and the list of case results; returns the place of the current one.

    That is the one in the address, else the first that matches, None where nothing matches.
    """
    counted = whole.counted(run)
    by_place = {row.place: row for row in counted.view.rows}
    page = run.page(asked.query)
    found = [by_place[line.case_row] for line in page.lines if line.case_row in by_place]
    lines = {line.case_row: line for line in page.lines}
    place = address.find(run, asked)
    current = by_place.get(place) if place is not None else (found[0] if found else None)
    wanted = _wanted(asked)
    filters(counted.view, counted.summaries, wanted)
    names = {row.place: "\n".join(map(str, address.of(lines[row.place]))) for row in found}
    draw(found, counted.summaries, current, wanted, page.total, names)
    return current.place if current else None


def _wanted(asked: Address) -> Filter:
    modes = {"failures": Verdict.FAILED, "errors": Verdict.ERROR, "passes": Verdict.PASSED}
    metric = asked.query.metrics[0] if asked.query.metrics else None
    if metric is not None:
        return Filter(asked.query.text, metric.verdict, metric.key)
    idle = Verdict.NOT_EVALUATED if asked.query.mode == "not_evaluated" else None
    return Filter(asked.query.text, modes.get(asked.query.mode, idle), "")


def filters(view: RunView, summaries: Sequence[Summary], wanted: Filter) -> None:
    """Draw the search box and the filters by verdict and check."""
    judged = [s.metric for s in summaries if not s.metric.informational]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        bind.search(
            "results.find",
            "Search the cases",
            wanted.text,
            lambda text: address.narrow("find", text),
            placeholder="Search ids, texts, tools, reasons",
        )
        if len(judged) > 1:
            labels = dict(zip(column_names(judged), (m.key for m in judged), strict=True))
            now = next((name for name, key in labels.items() if key == wanted.metric), ANY)
            with st.container(width=180):
                bind.choice(
                    "results.check",
                    "Check",
                    [ANY, *labels],
                    now,
                    lambda name: address.narrow("check", labels.get(name, "")),
                    hidden=True,
                )
    _verdicts(view, wanted)


def _verdicts(view: RunView, wanted: Filter) -> None:
    """Draw the filter by verdict, with the counts of what the rest of the filter leaves."""
    rest = select(view.rows, replace(wanted, verdict=None))
    if wanted.metric:
        given = [row.cells[wanted.metric].verdict for row in rest]
    else:
        given = [row.verdict for row in rest]
    counts = Counter(given)
    options = {"": f"All {len(rest):,}"}
    for verdict in (Verdict.FAILED, Verdict.ERROR, Verdict.NOT_EVALUATED, Verdict.PASSED):
        if counts[verdict] or wanted.verdict is verdict:
            options[str(verdict)] = f"{verdicts.said(verdict)} {counts[verdict]:,}"
    bind.segments(
        "results.verdict",
        "Verdict",
        options,
        str(wanted.verdict or ""),
        lambda value: address.narrow("verdict", value),
    )


def draw(
    found: Sequence[CaseRow],
    summaries: Sequence[Summary],
    current: CaseRow | None,
    wanted: Filter,
    total: int,
    names: dict[int, str],
) -> None:
    """Draw one page of the list, the one with the current case unless another was leafed to."""
    if not found:
        st.info(safe.label(f"0 of {total:,} case results match."))
        bind.button("results.clear", "Clear the filter", address.clear, icon="filter_alt_off")
        return
    page = _page(found, current)
    shown = [found[index] for index in page.indexes]
    metrics = _columns(summaries, wanted)
    by_address = {names[row.place]: row for row in shown}
    query = address.query_params()
    rows(
        "results.cases",
        "Case results",
        [
            Column("Case"),
            Column("Verdict", "clamp(84px, 9.3vw, 118px)"),
            *(Column(short(m.label, 24), SCORE_WIDTH, from_width=400) for m in metrics),
        ],
        [
            Row(name, f"{row.title}, {verdicts.said(row.verdict)}", _cells(row, metrics),
                link("results", **{**query, "case": name.partition("\n")[0]}))
            for name, row in by_address.items()
        ],
        on_open=_choose,
        current=names.get(current.place, "") if current else "",
        height="640px",
    )  # fmt: skip
    pager("results.page", page)
    left_out = len([s for s in summaries if not s.metric.informational]) - len(metrics)
    more = f" {plural(left_out, 'more check')} in each case's Scores." if left_out > 0 else ""
    st.caption(safe.label(f"{len(found):,} of {total:,}, worst first.{more}"))


def _choose(name: str) -> None:
    key, _, repeat = name.partition("\n")
    address.choose(key, int(repeat))


def _page(found: Sequence[CaseRow], current: CaseRow | None) -> Page:
    leafed = state.kept("results.page", None)
    if leafed is None and current is not None:
        at = next((i for i, row in enumerate(found) if row is current), 0)
        return page_of(range(len(found)), at // PAGE_SIZE + 1)
    return page_of(range(len(found)), leafed or 1)


def _columns(summaries: Sequence[Summary], wanted: Filter) -> list[Metric]:
    judged = [s.metric for s in summaries if not s.metric.informational]
    asked = [m for m in judged if m.key == wanted.metric]
    return [*asked, *(m for m in judged if m.key != wanted.metric)][:COLUMNS]


def _cells(row: CaseRow, metrics: Sequence[Metric]) -> tuple[Cell, ...]:
    why = why_not(row)
    scores = []
    for metric in metrics:
        found = row.cells.get(metric.key)
        tone = look.TONES[found.verdict if found else None]
        scores.append(cell(Piece(cell_text(found), tone)))
    return (
        cell(
            Piece(short(row.title), strong=True, title=short(row.title, 400)),
            below=[Piece(why, "muted", title=why)] if why else [],
        ),
        cell(Piece(verdict_text(row), look.TONES[row.verdict])),
        *scores,
    )


def why_not(row: CaseRow) -> str:
    """Return one line that tells why a case did not pass, else what was said in it."""
    if row.case.error:
        return short(row.case.error, 90)
    for cell_ in row.cells.values():
        if cell_.verdict in (Verdict.ERROR, Verdict.FAILED) and cell_.score.reason:
            return short(cell_.score.reason, 90)
    said = [turn.turn.input for turn in row.turns if isinstance(turn.turn.input, str)]
    return short(str(said[0]), 90) if said else short(row.case.name, 90)
