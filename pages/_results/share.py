"""Handing on a run, or what a filter leaves of it: as a link, as a file, as pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from io import BytesIO
from typing import NamedTuple

import streamlit as st

from evalcore.report import ReportKind, Selection, file_name, write
from evalcore.report.facts import chosen_words
from evalcore.report.making import Making
from evalcore.store import RunQuery, StoredRun
from evalcore.views import pictures
from evalcore.views.pictures import Caption, Picture
from evalcore.views.words import plural
from pages._results import held, share_browser
from pages._ui import bind, runs, safe, state
from pages._ui.desk import Desk

AT_ONCE = 2_000
"""Of more case results a report is made beside the page, which shows how far it is."""
EVERY = 0.5
WIDTH = 440
BUTTON = 140
MEGABYTE = 1_000_000
_JOB = "share.making"


class Offer(NamedTuple):
    """One kind of file: what it is called, what it is for, and its type on the web."""

    label: str
    use: str
    mime: str


OFFERS = {
    ReportKind.HTML: Offer(
        "HTML page", "to send: it needs no Evaldesk and no network", "text/html"
    ),
    ReportKind.MARKDOWN: Offer("Markdown", "a summary for a pull request", "text/markdown"),
    ReportKind.XLSX: Offer(
        "Excel",
        "numbers, case results and turns on sheets",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ),
    ReportKind.CSV: Offer("CSV", "a row for each case result", "text/csv"),
    ReportKind.JSON: Offer("JSON", "everything, for programs", "application/json"),
    ReportKind.JUNIT: Offer("JUnit XML", "for build servers", "application/xml"),
}


def draw(desk: Desk, run: StoredRun, query: RunQuery) -> None:
    """Draw the menu Share in the header of a run."""
    menu = st.popover("Share", icon=":material/share:", key="results.share", on_change="rerun")
    if not menu.open:
        return
    with menu, st.container(width=WIDTH, gap="xsmall"), safe.boundary():
        _menu(desk, run, query)


def _menu(desk: Desk, run: StoredRun, query: RunQuery) -> None:
    everything = run.manifest.cases.total
    part = _with_changed(desk, run, replace(query, limit=1, offset=0))
    share_browser.link(run.manifest)
    st.markdown("**Save as a file**")
    if not part.is_open:
        count = run.count(part)
        scopes = {"part": f"What is filtered ({count:,})", "all": f"All ({everything:,})"}
        asked = state.kept("share.scope", "part")
        bind.segments("share.scope", "What to save", scopes, asked, partial(_keep, "share.scope"))
        part = part if asked == "part" else RunQuery()
    chosen = Selection(run, part, runs.joiner(desk, run.manifest))
    st.caption(safe.label(covers(chosen), 600))
    _files(chosen)
    folded = st.expander("Charts as pictures", key="share.charts", on_change="rerun")
    if folded.open:
        with folded:
            share_browser.pictures(run.manifest.name or run.manifest.id, _pictures(chosen))


def _with_changed(desk: Desk, run: StoredRun, query: RunQuery) -> RunQuery:
    """Return the query with the cases that changed, where the list shows only those."""
    baseline = held.baseline(desk, run)
    if baseline is None or not baseline.only:
        return query
    asked = replace(query, limit=run.manifest.cases.total)
    folds = held.page(run, asked, baseline).folds
    return replace(query, cases=frozenset(fold.head.case_key for fold in folds))


def covers(selection: Selection) -> str:
    """Return what a file will hold: ``37 of 240 case results: only failures and errors``."""
    run, query = selection.run, selection.query
    total = run.manifest.cases.total
    if query.is_open:
        return f"All {plural(total, 'case result')} of this run"
    words = chosen_words(query, run.manifest)
    return f"{run.count(query):,} of {plural(total, 'case result')}: {words}"


def _files(chosen: Selection) -> None:
    count = chosen.run.count(chosen.query)
    if not count:
        st.caption("No case result matches, so there is nothing to save.")
        return
    if count > AT_ONCE:
        _large(chosen)
        return
    for kind, offer in OFFERS.items():
        with _line(offer):
            _download(chosen, kind, partial(_made, kind, chosen))


def _pictures(chosen: Selection) -> list[Picture]:
    run, query = chosen.run, chosen.query
    caption = Caption(run.manifest.name or run.manifest.id, covers(chosen))
    bars = pictures.verdict_bars(held.checks(run, query), caption)
    heat = pictures.heat_map(held.heat(run, query, 1), caption)
    columns = [pictures.score_pillars(h, caption) for h in held.histograms(run, query)]
    return [each for each in (bars, *columns, heat) if each is not None]


@contextmanager
def _line(offer: Offer) -> Iterator[None]:
    """Draw what a kind of file is for, behind the button that the block draws."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        with st.container(width=BUTTON):
            yield
        st.caption(safe.label(offer.use), width="stretch")


def _download(chosen: Selection, kind: ReportKind, make: Callable[[], bytes]) -> None:
    st.download_button(
        safe.label(OFFERS[kind].label),
        make,
        file_name=file_name(kind, chosen),
        mime=OFFERS[kind].mime,
        key=f"share.{kind.value}",
        icon=":material/download:",
        type="tertiary",
        on_click="ignore",
    )


def _made(kind: ReportKind, chosen: Selection) -> bytes:
    """Return a report; called when the button is pressed, in a thread of its own."""
    stream = BytesIO()
    write(kind, chosen, stream)
    return stream.getvalue()


def _large(chosen: Selection) -> None:
    job = _job(chosen)
    if job is not None and job.now.stage == "running":
        _waiting(job)
        return
    for kind, offer in OFFERS.items():
        with _line(offer):
            if job is not None and job.kind is kind and job.now.stage == "ready":
                _download(chosen, kind, job.data)
            else:
                bind.button(
                    f"make {kind.value}",
                    f"Make {offer.label}",
                    _begin,
                    kind,
                    chosen,
                    kind="tertiary",
                    icon="hourglass_empty",
                )
    if job is not None:
        _outcome(job)


def _outcome(job: Making) -> None:
    now, label = job.now, OFFERS[job.kind].label
    if now.stage == "ready":
        size = f"{now.size / MEGABYTE:,.1f} MB"
        st.success(safe.label(f"{label} is ready: {size}"), icon=":material/check_circle:")
    elif now.stage == "stopped":
        st.caption("Stopped: nothing was made.")
    elif now.error is not None:
        safe.report(now.error)
    else:
        st.error("Something went wrong in Evaldesk itself; the server's log says what it was.")


@st.fragment(run_every=EVERY)
def _waiting(job: Making) -> None:
    """Draw how far a report is, until it ends; then the whole page is drawn once more."""
    now = job.now
    if now.stage != "running":
        st.rerun()
        return
    told = f"{OFFERS[job.kind].label}: {now.done:,} of {plural(now.total, 'case result')}"
    st.progress(value=now.share, text=safe.label(told))
    bind.button("share.stop", "Stop", job.stop, icon="stop_circle", kind="tertiary")


def _begin(kind: ReportKind, chosen: Selection) -> None:
    old = state.kept(_JOB, None)
    if isinstance(old, Making):
        old.stop()
    state.keep(_JOB, Making(kind, chosen).start())


def _job(chosen: Selection) -> Making | None:
    """Return this session's report if it is of what is chosen now."""
    job = state.kept(_JOB, None)
    if not isinstance(job, Making):
        return None
    held = job.selection
    same = held.run.key == chosen.run.key and held.query == chosen.query
    return job if same else None


def _keep(name: str, value: object) -> None:
    state.keep(name, value)
