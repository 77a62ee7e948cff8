"""The two tables of the Library: eval sets and result files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

import streamlit as st

from evalcore.results import Verdict
from evalcore.views.caselist import page_of
from evalcore.views.library import ResultRow, SetRow, sorted_sets
from evalcore.views.words import ago, plural, problem_words
from evalcore.workspace import Entry
from pages._convert import dialog as converting
from pages._library import dialogs
from pages._ui import state
from pages._ui.desk import Desk
from pages._ui.pager import pager
from pages._ui.rows import Cell, Column, Piece, Row, Tone, cell, link, rows

SET_COLUMNS = (
    Column("Set", sort="name"),
    Column("Format", "150px", from_width=900, sort="format"),
    Column("Cases", "76px", "right", sort="cases"),
    Column("Checks", "70px", "right", from_width=1000),
    Column("Problems", "190px", sort="problems"),
    Column("Last run", "176px", sort="run"),
    Column("Edited", "110px", from_width=900, sort="edited"),
    Column("Actions", "100px", from_width=900),
)
RESULT_COLUMNS = (
    Column("Result file"),
    Column("Format", "150px"),
    Column("Of set", "260px", from_width=900),
    Column("Case results", "110px", "right"),
    Column("Recorded", "120px"),
)
VERDICT_TONES: dict[Verdict, Tone] = {
    Verdict.PASSED: "ok",
    Verdict.FAILED: "error",
    Verdict.ERROR: "violet",
    Verdict.NOT_EVALUATED: "muted",
}
TONES: dict[str | None, Tone] = {
    "error": "error",
    "warning": "warning",
    "info": "info",
    None: "ok",
}


def set_table(desk: Desk, found: Sequence[SetRow], entries: Sequence[Entry]) -> None:
    """Draw one page of the eval sets."""
    if not found:
        st.info("No set matches. Clear the search or the filters to see all sets.")
        return
    now = datetime.now(UTC)
    by = state.remembered("sort") or ""
    found = sorted_sets(found, by)
    page = page_of(range(len(found)), state.kept("library.page", None) or 1)
    shown = [found[i] for i in page.indexes]
    rows(
        "library.sets",
        "Eval sets",
        SET_COLUMNS,
        [
            _set_row(row, desk.checks(row.path, entries) if row.is_readable else None, now)
            for row in shown
        ],
        on_open=lambda path: _open(path, {r.path: r for r in shown}),
        on_act=lambda action, path: _act(action, path, {r.path: r for r in shown}),
        on_sort=_sort,
        sorted_by=by,
    )
    pager("library.page", page)


def _sort(by: str) -> None:
    state.remember("sort", by)
    state.keep("library.page", None)


def result_table(found: Sequence[ResultRow], text: str) -> None:
    """Draw the result files whose name, path or set holds a text."""
    needle = text.casefold().strip()
    listed = [
        r
        for r in found
        if any(needle in word.casefold() for word in (r.name, r.path, r.format_label, *r.sets))
    ]
    st.caption(plural(len(listed), "result file"))
    if not listed:
        st.info(
            "No result files here yet. Run your evals with their own tool; "
            "what it writes into this folder appears here."
        )
        return
    page = page_of(range(len(listed)), state.kept("library.results.page", 1))
    now = datetime.now(UTC)
    rows(
        "library.results",
        "Result files",
        RESULT_COLUMNS,
        [_result_row(listed[i], now) for i in page.indexes],
        on_open=lambda path: state.go("results", file=path),
    )
    pager("library.results.page", page)


def _set_row(row: SetRow, checks: int | None, now: datetime) -> Row:
    draft = (Piece("● unsaved", "accent", chip=True),) if row.has_draft else ()
    run = _last_run(row, now)
    return Row(
        row.path,
        row.name,
        (
            cell(
                Piece(row.name, strong=True),
                *draft,
                below=[Piece(row.path, tail=True, title=row.path)],
            ),
            cell(Piece(row.format_label, "" if row.is_readable else "error")),
            cell("–" if row.cases is None else f"{row.cases:,}"),
            cell("–" if checks is None else str(checks)),
            _problems(row),
            run if row.is_readable else cell("–"),
            cell(Piece(ago(row.edited, now), "muted")),
            cell(Piece("Convert…", "muted"), action="convert") if row.is_readable else cell(""),
        ),
        link("author", set=row.path) if row.is_readable else "",
    )


def _last_run(row: SetRow, now: datetime) -> Cell:
    if row.run is not None:
        bars = [Piece(row.run.spark, "muted", title="Its last pass rates")] if row.run.spark else []
        return cell(
            Piece(row.run.went, VERDICT_TONES[row.run.verdict]),
            below=[Piece(ago(row.run.at, now), "muted"), *bars],
            action="run",
        )
    if row.last_run_at is not None:
        return cell(Piece(ago(row.last_run_at, now), "accent"), action="run")
    return cell(Piece("○ never", "muted"))


def _problems(row: SetRow) -> Cell:
    if not row.is_checked:
        return cell(Piece("checked when opened", "muted"))
    words = Piece(problem_words(row.problems), TONES[row.severity])
    return cell(words, action="problems" if row.problems else "")


def _result_row(row: ResultRow, now: datetime) -> Row:
    return Row(
        row.path,
        row.name,
        (
            cell(Piece(row.name, strong=True), below=[Piece(row.path, tail=True, title=row.path)]),
            cell(row.format_label),
            cell(", ".join(row.sets) or "–"),
            cell("–" if row.cases is None else f"{row.cases:,}"),
            cell(Piece(ago(row.recorded, now), "muted")),
        ),
        link("results", file=row.path),
    )


def _open(path: str, shown: Mapping[str, SetRow]) -> None:
    if path in shown and not shown[path].is_readable:
        dialogs.ask_problems(path)
    else:
        state.go("author", set=path, case=None)


def _act(action: str, path: str, shown: Mapping[str, SetRow]) -> None:
    row = shown.get(path)
    if action == "run" and row is not None and row.run is not None:
        state.go("results", run=row.run.id)
    elif action == "run" and row is not None and row.last_run:
        state.go("results", file=row.last_run)
    elif action == "convert":
        converting.ask(path)
    else:
        dialogs.ask_problems(path)
