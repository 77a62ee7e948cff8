"""The table of flips: what each check said of each case before, and what it says now."""

from __future__ import annotations

import streamlit as st

from evalcore import verdicts
from evalcore.results import Score, Verdict
from evalcore.store.rows import case_key
from evalcore.views import numbers
from evalcore.views.caselist import page_of
from evalcore.views.rescore_lines import Line, line_of
from evalcore.views.rescore_scoring import Rescored
from evalcore.views.results_table import short
from pages._results import address, look
from pages._results.rescore_state import Bench
from pages._ui import bind, state
from pages._ui.pager import pager
from pages._ui.rows import Cell, Column, Piece, Row, cell, link, rows

SHOWN = "rescore.shown"
PLACE = "rescore.place"
LINES_A_PAGE = 100
TALL = 5


def draw(bench: Bench, found: Rescored) -> int | None:
    """Draw the table and return the place of the case that is looked at.

    Until the user chooses, the flips are shown where there are any, else all scores.
    """
    flipped, every = found.flipped, found.every
    usual = "flips" if flipped else "all"
    wanted = state.kept(SHOWN, usual)
    bind.segments(
        f"{SHOWN} {usual}",
        "Lines",
        {"flips": f"Flips {len(flipped):,}", "all": f"All scores {len(every):,}"},
        wanted,
        # A widget that just went may still send what it showed, which nobody chose.
        lambda value: state.keep(SHOWN, value) if value != wanted else None,
    )
    count = len(flipped) if wanted == "flips" else len(every)
    page = page_of(range(count), state.kept("rescore.page", 1), LINES_A_PAGE)
    if wanted == "flips":
        shown = [flipped[index] for index in page.indexes]
    else:
        shown = [line_of(found.outcome, *every[index]) for index in page.indexes]
    current = _chosen(bench, found, shown)
    if not shown:
        st.caption("No verdict is another one than before.")
    else:
        _table(bench, shown, current, is_moved=found.outcome.before is not found.outcome.after)
        pager("rescore.page", page)
    return current


def _table(bench: Bench, shown: list[Line], current: int | None, *, is_moved: bool) -> None:
    named = {line.key: line for line in shown}
    marked = next((line.key for line in shown if line.place == current), "")
    verdict = [Column("Before", "112px"), Column("Now", "112px")] if is_moved else []
    rows(
        "rescore.lines",
        "Scores before and after",
        [
            Column("Case", "clamp(130px, 15vw, 220px)"),
            Column("Check", "clamp(90px, 11vw, 170px)"),
            *(verdict or [Column("Verdict", "130px")]),
            Column("Why"),
        ],
        [
            Row(key, _name(line), _cells(line, is_moved=is_moved), _href(bench, line))
            for key, line in named.items()
        ],
        on_open=lambda key: _open(bench, named[key]) if key in named else None,
        current=state.kept("rescore.line", marked) if _is_on(named, current) else marked,
        height="330px" if len(shown) > TALL else "",
    )


def _is_on(named: dict[str, Line], current: int | None) -> bool:
    line = named.get(state.kept("rescore.line", ""))
    return line is not None and line.place == current


def _name(line: Line) -> str:
    after = verdicts.said(line.verdict_after)
    return f"{line.title}, {line.label}: {verdicts.said(line.verdict_before)}, now {after}"


def _cells(line: Line, *, is_moved: bool) -> tuple[Cell, ...]:
    case = verdicts.said(line.case_after)
    if line.case_before is not line.case_after:
        case = f"{verdicts.said(line.case_before)} → {case}"
    caution = (Piece(f"⚠ {short(line.cautions[0], 160)}", "warning"),) if line.cautions else ()
    return (
        cell(Piece(short(line.title), strong=True), below=[Piece(f"case {case}", "muted")]),
        cell(short(line.label, 60)),
        *((_verdict(line.verdict_before, line.before),) if is_moved else ()),
        _verdict(line.verdict_after, line.after),
        Cell((Piece(short(line.why, 200), "", title=line.why[:1000]),), caution),
    )


def _verdict(verdict: Verdict | None, score: Score | None) -> Cell:
    if verdict is None and score is None:
        return cell(Piece("–", "muted"))
    chip = Piece(verdicts.said(verdict), look.TONES[verdict], chip=True)
    mark = score.threshold if score else None
    if score is None or score.native is None:
        return Cell((chip,))
    return Cell((chip,), (Piece(numbers.score(score.native, mark), "muted"),))


def _open(bench: Bench, line: Line) -> None:
    state.keep("rescore.line", line.key)
    state.keep(f"{PLACE} {bench.name}", line.place)
    case_id = _address(bench, line)
    if case_id:
        address.choose(case_id)


def _href(bench: Bench, line: Line) -> str:
    """Return the address of the page with a line's case opened."""
    case_id = _address(bench, line)
    return link("results", **{**address.query_params(), **({"case": case_id} if case_id else {})})


def _address(bench: Bench, line: Line) -> str:
    """Return the key by which an address names a line's case, "" where that names no single one."""
    cases = bench.board.material.run.cases
    case = cases[line.place] if line.place < len(cases) else None
    is_one = case is not None and case.case_id and bench.ids[case.case_id] == 1
    return case_key(case, line.place) if case is not None and is_one else ""


def _chosen(bench: Bench, found: Rescored, shown: list[Line]) -> int | None:
    """Return the case that was opened, else that of the address, else the first of the table."""
    kept = state.kept(f"{PLACE} {bench.name}", None)
    if isinstance(kept, int) and kept < len(found.outcome.after.run.cases):
        return kept
    asked = address.read().case
    for place, case in enumerate(bench.board.material.run.cases):
        if asked and case_key(case, place) == asked:
            return place
    return shown[0].place if shown else None
