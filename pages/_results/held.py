"""What was asked of a stored run, kept for all sessions: by the run, and by what was asked."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from evalcore.compare import Pair, compare
from evalcore.errors import EvaldeskError
from evalcore.store import RunQuery, StoredRun
from evalcore.store.folding import FoldPage
from evalcore.store.query import Mode
from evalcore.views import charts, metrics, report_card, run_page, slices
from evalcore.views.run_page import Baseline
from pages._results import address
from pages._ui import runs, state
from pages._ui.desk import Desk

Key = tuple[str, ...]


def card(run: StoredRun) -> report_card.ReportCard:
    """Return the report card of a run."""
    return _card(run.key, run)


def checks(run: StoredRun, query: RunQuery) -> tuple[metrics.CheckLine, ...]:
    """Return how every check did on the case results that match."""
    return _checks(run.key, _plain(query), run, query)


def histograms(run: StoredRun, query: RunQuery) -> tuple[charts.Histogram, ...]:
    """Return how the scores of every check lie, those with most trouble first."""
    return _histograms(run.key, _plain(query), run, query)


def causes(run: StoredRun, query: RunQuery) -> tuple[tuple[str, int], ...]:
    """Return the causes of failures and errors with how many results have them."""
    return _causes(run.key, _plain(query), run, query)


def page(run: StoredRun, query: RunQuery, baseline: Baseline | None) -> FoldPage:
    """Return one page of the cases that match."""
    return _page(run.key, repr(query), _base(baseline), run, query, baseline)


def narrowed(desk: Desk, run: StoredRun, query: RunQuery) -> RunQuery:
    """Return a query of just what the list shows, for all that knows of no baseline."""
    base = baseline(desk, run)
    if base is None or not base.only:
        return query
    return _narrowed(run.key, repr(query), _base(base), run, query, base)


def changed(run: StoredRun, query: RunQuery, baseline: Baseline) -> int:
    """Return how many of the cases that match changed since the baseline, in any mode."""
    rest = replace(query, mode="all", sort="worst", descending=False, limit=1, offset=0)
    return page(run, rest, replace(baseline, only=True)).cases


def page_with(run: StoredRun, query: RunQuery, place: int, baseline: Baseline | None) -> RunQuery:
    """Return the query with the page that a result stands on."""
    return _page_with(run.key, repr(query), place, _base(baseline), run, query, baseline)


def modes(run: StoredRun, query: RunQuery) -> dict[Mode, str]:
    """Return the modes to offer with their counts."""
    return _modes(run.key, repr(query), run, query)


def heat(run: StoredRun, query: RunQuery, number: int) -> charts.Heat:
    """Return one page of cases against checks."""
    return _heat(run.key, _plain(query), number, run, query)


def slice_names(run: StoredRun) -> list[str]:
    """Return what a run can be sliced by."""
    return _slice_names(run.key, run)


def sliced(run: StoredRun, name: str, query: RunQuery) -> slices.SliceTable:
    """Return how the groups of a slice did."""
    return _sliced(run.key, name, _plain(query), run, query)


def baseline(desk: Desk, run: StoredRun) -> Baseline | None:
    """Return the run that this one is held against, None where none is chosen or it is gone."""
    only = address.text("only")
    chosen = only or address.text("base")
    if not chosen or chosen == run.manifest.id:
        return None
    try:
        other = runs.opened(desk, chosen)
    except EvaldeskError:
        # The list says that the baseline is gone; the run itself is still there to be read.
        return None
    return Baseline(_pair(other.key, run.key, other, run), only=bool(only))


def columns(run: StoredRun) -> list[str] | None:
    """Return the columns that somebody chose for runs of this eval set, None for the usual ones."""
    found: list[str] | None = state.kept(_columns_slot(run), None)
    return found


def keep_columns(run: StoredRun, chosen: list[str] | None) -> None:
    """Remember the columns for runs of this eval set."""
    state.keep(_columns_slot(run), chosen)


def _columns_slot(run: StoredRun) -> str:
    held = run.manifest.eval_set
    return f"results.columns {held.path or held.id or held.name or run.manifest.id}"


def _plain(query: RunQuery) -> str:
    """Return what numbers over a query are kept by: neither its order nor its page changes them."""
    rest = replace(query, sort="worst", descending=False, limit=0, offset=0, cases=None)
    return f"{rest!r} {sorted(query.cases or ())!r}"


def _base(chosen: Baseline | None) -> Key:
    return () if chosen is None else (*chosen.pair.left.key, str(chosen.only))


@st.cache_resource(show_spinner="Counting…", max_entries=64)
def _card(key: Key, _run: StoredRun) -> report_card.ReportCard:
    return report_card.report_card(_run)


@st.cache_resource(show_spinner=False, max_entries=128)
def _checks(
    key: Key, asked: str, _run: StoredRun, _query: RunQuery
) -> tuple[metrics.CheckLine, ...]:
    return metrics.check_lines(_run, _query)


@st.cache_resource(show_spinner=False, max_entries=128)
def _histograms(
    key: Key, asked: str, _run: StoredRun, _query: RunQuery
) -> tuple[charts.Histogram, ...]:
    return charts.histograms(_run, _query)


@st.cache_resource(show_spinner=False, max_entries=128)
def _causes(key: Key, asked: str, _run: StoredRun, _query: RunQuery) -> tuple[tuple[str, int], ...]:
    return tuple(_run.causes(_query))


@st.cache_resource(show_spinner=False, max_entries=128)
def _page(
    key: Key,
    asked: str,
    base: Key,
    _run: StoredRun,
    _query: RunQuery,
    _baseline: Baseline | None,
) -> FoldPage:
    return run_page.page_of(_run, _query, _baseline)


@st.cache_resource(show_spinner=False, max_entries=128)
def _page_with(
    key: Key,
    asked: str,
    place: int,
    base: Key,
    _run: StoredRun,
    _query: RunQuery,
    _baseline: Baseline | None,
) -> RunQuery:
    return run_page.page_with(_run, _query, place, _baseline)


@st.cache_resource(show_spinner=False, max_entries=256)
def _modes(key: Key, asked: str, _run: StoredRun, _query: RunQuery) -> dict[Mode, str]:
    return run_page.modes(_run, _query)


@st.cache_resource(show_spinner=False, max_entries=32)
def _narrowed(
    key: Key,
    asked: str,
    base: Key,
    _run: StoredRun,
    _query: RunQuery,
    _baseline: Baseline,
) -> RunQuery:
    return run_page.narrowed(_run, _query, _baseline)


@st.cache_resource(show_spinner=False, max_entries=64)
def _heat(key: Key, asked: str, number: int, _run: StoredRun, _query: RunQuery) -> charts.Heat:
    return charts.heat(_run, _query, number)


@st.cache_resource(show_spinner=False, max_entries=64)
def _slice_names(key: Key, _run: StoredRun) -> list[str]:
    return _run.slice_names()


@st.cache_resource(show_spinner=False, max_entries=64)
def _sliced(
    key: Key, name: str, asked: str, _run: StoredRun, _query: RunQuery
) -> slices.SliceTable:
    return slices.slice_table(_run, name, _query)


@st.cache_resource(show_spinner="Comparing…", max_entries=16)
def _pair(base: Key, key: Key, _base: StoredRun, _run: StoredRun) -> Pair:
    return compare(_base, _run)
