"""The list of runs: what ran, how it went, and whether it is better than the one before."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import streamlit as st

from evalcore.store import Status
from evalcore.views.caselist import page_of
from evalcore.views.run_index import Listing
from evalcore.views.run_list import (
    RunFilter,
    RunRow,
    counts_glyphs,
    counts_text,
    interval_text,
    matching,
    set_label,
    source_text,
    system_label,
    went,
)
from evalcore.views.words import ago, plural
from pages._results import address, empty, incoming, look, rescore_outputs, run_actions, upload
from pages._ui import bind, runs, safe
from pages._ui.desk import Desk
from pages._ui.rows import Cell, Column, Piece, Row, cell, link, rows

COLUMNS = (
    Column("Run"),
    Column("Eval set", "clamp(120px, 16vw, 260px)", from_width=900),
    Column("Result", "230px"),
    Column("Against the last", "140px", from_width=900),
    Column("Repeats", "84px", "right", from_width=1000),
    Column("System", "132px", from_width=900),
    Column("When", "112px"),
)
ANY_SET, ANY_SYSTEM = "Any eval set", "Any system"


def draw(desk: Desk) -> None:
    """Draw the list, or the ways to begin where there is nothing in it."""
    bind.show_flashes()
    entries = desk.workspace.entries()
    intake = runs.bring_in(desk, entries)
    found = runs.listing(desk)
    run_actions.open_asked(desk)
    upload.settle(desk)
    if found is None:
        incoming.reading()
        return
    is_empty = not found.rows and not found.broken
    if is_empty and intake.now.stage != "running":
        incoming.draw(desk, found)
        run_actions.undo()
        empty.draw(desk, lambda: rescore_outputs.way_in(entries))
        return
    _top(desk, found, lambda: rescore_outputs.way_in(entries))
    incoming.draw(desk, found)
    wanted = _filter(found)
    shown = matching(found.rows, wanted)
    run_actions.bar(found.rows)
    _table(shown, wanted, len(found.rows))


def _top(desk: Desk, found: Listing, score_outputs: object) -> None:
    sets = plural(len([key for key in found.sets if key]), "eval set")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader("Runs", anchor=False, width="content")
        st.caption(safe.label(f"{plural(len(found.rows), 'run')} of {sets}"), width="content")
        st.space("stretch")
        upload.offer(desk)
        if callable(score_outputs):
            score_outputs()
        run_actions.more(desk)


def _filter(found: Listing) -> RunFilter:
    """Draw the filters and return what they ask for."""
    wanted = RunFilter(address.text("named"), address.text("of"), address.text("system"))
    with st.container(horizontal=True, vertical_alignment="center"):
        with st.container(width=280):
            bind.search(
                "runs.named",
                "Search runs",
                wanted.text,
                lambda value: _narrow("named", value),
                placeholder="Search runs, sets, files",
            )
        if len(found.sets) > 1 or wanted.eval_set:
            _choice("runs.of", "Eval set", ANY_SET, found.sets, wanted.eval_set, "of", 230)
        if len(found.systems) > 1 or wanted.system:
            _choice(
                "runs.system", "System", ANY_SYSTEM, found.systems, wanted.system, "system", 180
            )
        if wanted.is_on:
            bind.button("runs.clear", "Clear", _clear, icon="filter_alt_off", kind="tertiary")
    return wanted


def _choice(
    key: str, label: str, nothing: str, options: dict[str, str], now: str, name: str, width: int
) -> None:
    labels = {nothing: ""}
    for value, text in options.items():
        unique = text if text not in labels else f"{text} ({value})"
        if value:
            labels[unique] = value
    shown = next((text for text, value in labels.items() if value == now), now)
    with st.container(width=width):
        bind.choice(
            key,
            label,
            list(labels),
            shown,
            lambda text: _narrow(name, labels.get(text, "")),
            hidden=True,
        )


def _narrow(name: str, value: str) -> None:
    address.narrow(name, value)
    address.narrow("leaf", "")


def _clear() -> None:
    for name in address.LIST_NAMES:
        address.narrow(name, "")


def _table(shown: Sequence[RunRow], wanted: RunFilter, total: int) -> None:
    if not shown and wanted.is_on:
        st.info(safe.label(f"0 of {plural(total, 'run')} match. Clear the filters to see all."))
        return
    number = address.text("leaf")
    page = page_of(range(len(shown)), int(number[:6]) if number.isdecimal() else 1)
    on_page = [shown[index] for index in page.indexes]
    now = datetime.now(UTC)
    ids = [row.id for row in on_page]
    rows(
        "results.list",
        "Runs",
        COLUMNS,
        [_row(row, now) for row in on_page],
        on_open=address.look_at,
        on_tick=lambda ticked: run_actions.tick(ids, ticked),
        ticked=[run_id for run_id in run_actions.ticked() if run_id in set(ids)],
    )
    if page.pages > 1:
        key = f"runs.leaf {page.number} {len(shown)}"
        with st.container(horizontal=True, vertical_alignment="center"):
            st.pagination(
                page.pages,
                default=page.number,
                max_visible_pages=7,
                key=key,
                on_change=lambda: address.narrow("leaf", str(st.session_state.get(key, 1))),
            )
            st.caption(safe.label(f"{page.first:,}–{page.last:,} of {page.found:,}"))
    elif wanted.is_on:
        st.caption(safe.label(f"{len(shown):,} of {plural(total, 'run')}"))


def _row(row: RunRow, now: datetime) -> Row:
    manifest = row.manifest
    source = source_text(manifest)
    told = went(manifest)
    return Row(
        row.id,
        f"{row.title}, {row.status or told}",
        (
            cell(
                Piece(row.title, strong=True, title=row.title),
                below=[Piece(source, "muted", tail=True, title=source)],
            ),
            cell(Piece(set_label(manifest), title=manifest.eval_set.path or "not in this folder")),
            _result(row),
            _change(row),
            _repeats(row),
            cell(Piece(system_label(manifest), "muted")),
            _when(row, now),
        ),
        link("results", run=row.id),
    )


def _result(row: RunRow) -> Cell:
    manifest = row.manifest
    if manifest.status is not Status.FINISHED:
        is_running = manifest.status is Status.RUNNING
        chip = (
            Piece("◔ running", "accent", True) if is_running else Piece("◌ interrupted", "warning")
        )
        texts = [f"{plural(manifest.cases.total, 'result')} so far", counts_text(manifest)]
        return cell(chip, below=[Piece(text, "muted") for text in texts if text])
    told = counts_text(manifest)
    texts = [interval_text(row.rate), counts_glyphs(manifest)]
    return cell(
        Piece(went(manifest), look.TONES[row.verdict], strong=True, title=told),
        below=[Piece(text, "muted", title=told) for text in texts if text],
    )


def _when(row: RunRow, now: datetime) -> Cell:
    if row.when.year == 1:
        return cell(Piece("–", "muted"))
    age = ago(row.when, now)
    is_date = age[0].isdigit() and not age.endswith("ago")
    exact = f"{row.when:%H:%M} UTC" if is_date else f"{row.when:%d %b, %H:%M}".lstrip("0")
    return cell(Piece(age), below=[Piece(exact, "muted", title=f"{row.when:%d %b %Y, %H:%M} UTC")])


def _change(row: RunRow) -> Cell:
    change = row.change
    if change is None or row.before is None:
        return cell(Piece("–", "muted"))
    against = f"against {row.before.name or row.before.id}: {went(row.before)}"
    if row.before.eval_set.content != row.manifest.eval_set.content:
        against += "; the set's cases have changed in between"
    return cell(
        Piece(change.text, change.tone, title=against),
        below=[Piece(change.note, "muted", title=against)] if change.note else [],
    )


def _repeats(row: RunRow) -> Cell:
    manifest = row.manifest
    below = [Piece(f"~ {manifest.flaky:,} flaky", "warning")] if manifest.flaky else []
    return cell(f"× {manifest.repeats}" if manifest.repeats > 1 else "1", below=below)


def back() -> None:
    """Draw the way from a run to the list."""
    bind.button("results.runs", "All runs", address.look_at, "", icon="arrow_back", kind="tertiary")
