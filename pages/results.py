"""Results: what failed in a run, why, and how far to trust it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from evalcore.counting import CaseRow
from evalcore.errors import DocumentError, EvaldeskError
from evalcore.verdicts import PassMark
from evalcore.views.expectations import Joiner
from evalcore.views.results import select
from evalcore.views.run_files import RunFile, RunSummary
from evalcore.workspace import Entry
from pages._results import (
    address,
    cache,
    card,
    case_list,
    detail,
    empty,
    look,
    overview,
    picker,
    rescore,
    rescore_outputs,
)
from pages._results.address import Address
from pages._results.cache import Counted
from pages._ui import problems, safe
from pages._ui.desk import Desk, open_desk


def main() -> None:
    """Draw the page."""
    look.styles()
    desk = open_desk()
    entries = desk.workspace.entries()
    lines = cache.runs(desk.workspace, entries)
    asked = address.read()
    if rescore_outputs.is_open():
        rescore_outputs.draw(desk, entries)
        return
    if not lines:
        empty.draw()
        rescore_outputs.way_in(entries)
        return
    line = picker.pick(lines, asked.file, asked.run, lambda: rescore_outputs.way_in(entries))
    if line is not None:
        address.settle(line.path, line.number)
    if line is None:
        empty.gone(asked.file)
    elif line.problem is not None:
        problems.problem_list([line.problem], place=True)
    else:
        run_page(desk, entries, line, asked)


def run_page(desk: Desk, entries: Sequence[Entry], line: RunSummary, asked: Address) -> None:
    """Draw one run: report card, checks, list of cases, one case."""
    entry = next(e for e in entries if e.path == line.path)
    try:
        file = cache.run_file(desk.workspace, entry)
    except (OSError, DocumentError, EvaldeskError) as error:
        safe.report(error if isinstance(error, EvaldeskError) else EvaldeskError(str(error)))
        return
    if line.number > len(file.runs):
        empty.nothing_ran()
        return
    run = file.runs[line.number - 1]
    mark = PassMark() if run.has_pass_rule else card.mark()
    counted = cache.counted(desk.workspace, entry, line.number, mark)
    joiner = cache.joiner(desk.workspace, entries, entry, line.number)
    card.draw(counted.card, run, file, joiner, counted.summaries)
    card.draw_problems(file.problems)
    if not run.cases:
        empty.nothing_ran()
        return
    found = select(counted.view.rows, asked.wanted)
    names = ["Cases", "Checks", "Every turn", "Re-score"]
    tabs = st.tabs(names, key="results.shown", on_change="rerun")
    if tabs[0].open:
        with tabs[0]:
            cases(counted, found, file, joiner, asked)
    if tabs[1].open:
        with tabs[1]:
            overview.draw_checks(counted)
    if tabs[2].open:
        with tabs[2]:
            overview.draw_turns(counted, found)
    if tabs[3].open:
        with tabs[3]:
            set_path = joiner.path if joiner else ""
            rescore.draw(desk, entry, line.number, run, set_path, card.mark().value)


def cases(
    counted: Counted,
    found: Sequence[CaseRow],
    file: RunFile,
    joiner: Joiner | None,
    asked: Address,
) -> None:
    """Draw the list of case results beside the chosen one."""
    current = address.find(counted.view.by_place, asked.case) or (found[0] if found else None)
    left, right = st.columns([11, 13], gap="medium")
    with left:
        case_list.filters(counted.view, counted.summaries, asked.wanted)
        case_list.draw(found, counted.summaries, current, asked.wanted, len(counted.view.rows))
    with right, st.container(border=True):
        one_case(counted, current, found, file, joiner)


def one_case(
    counted: Counted,
    current: CaseRow | None,
    found: Sequence[CaseRow],
    file: RunFile,
    joiner: Joiner | None,
) -> None:
    """Draw the chosen case; a fault in it leaves the list usable."""
    if current is None:
        st.caption("Choose a case on the left.")
        return
    with safe.boundary():
        detail.draw(counted, current, found, file, joiner)


if __name__ == "__main__":
    main()
