"""Narrowing a run's cases: by words, by mode, and by what was clicked, each a chip to take away."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode

import streamlit as st

from evalcore import verdicts
from evalcore.results import Verdict
from evalcore.store import MetricFilter, RunQuery, StoredRun, moment
from evalcore.store.query import TAG
from evalcore.views.charts import Bin, shorten, shown_side
from evalcore.views.report_card import name_of
from evalcore.views.run_page import Baseline, columns_offered, columns_shown
from evalcore.views.words import plural
from pages._results import address, held
from pages._results.address import Address
from pages._ui import bind, runs, safe
from pages._ui.desk import Desk, open_desk
from pages._ui.marks import Bit, Line, Panel, marks

CHANGED = "changed"
ORDERS = {
    "worst": "Worst first",
    "file": "File order",
    "name": "By name",
    "duration": "Longest first",
}
NO_BASELINE = "no baseline"
HANGING = ("verdict", "score")
"""What hangs on the check that the list is narrowed by."""
MOST_BASELINES = 30


def act(**wanted: str) -> str:
    """Return what a mark sends so that the list is narrowed by it, or is no longer if it was."""
    return urlencode(wanted, errors="surrogatepass")


def of_check(key: str, verdict: Verdict | None = None) -> str:
    """Return what narrows the list to what a check said."""
    return act(check=key, verdict=str(verdict)) if verdict is not None else act(check=key)


def of_bin(key: str, found: Bin) -> str:
    """Return what narrows the list to the scores of a column of a histogram."""
    low = [] if found.low is None else [address.score_text(">=", found.low)]
    high = [] if found.high is None else [address.score_text("<", found.high)]
    return act(check=key, score=",".join([*low, *high]))


def of_slice(name: str, group: str) -> str:
    """Return what narrows the list to a group of a slice."""
    return (
        act(tag=group)
        if name == TAG
        else act(slice=urlencode([(name, group)], errors="surrogatepass"))
    )


@dataclass(frozen=True, slots=True)
class Now:
    """What the list is narrowed by at present, read once for all the marks of a page."""

    values: dict[str, str]
    query: RunQuery

    def has(self, text: str) -> bool:
        """Return whether the list is narrowed by just what a mark would send."""
        wanted = dict(_parsed(text))
        for name, value in wanted.items():
            if name == "tag":
                if value not in self.query.tags:
                    return False
            elif name == "slice":
                if not set(_parsed(value)) <= set(self.query.slices):
                    return False
            elif self.values.get(name, "") != value:
                return False
        rest = HANGING if "check" in wanted else ()
        return all(name in wanted or not self.values.get(name) for name in rest)


def _parsed(text: str) -> list[tuple[str, str]]:
    """Return the pairs of what a mark sends; texts with half an emoji stay as they are."""
    return parse_qsl(text, keep_blank_values=True, errors="surrogatepass")


def now() -> Now:
    """Return what the list is narrowed by."""
    held = {name: address.text(name) for name in address.FILTERS}
    return Now(held, address.read().query)


def follow(text: str) -> None:
    """Narrow the list by what was clicked, or take that away again; show the list."""
    at = now()
    take_away, query = at.has(text), at.query
    wanted = dict(_parsed(text))
    for name, value in wanted.items():
        if name == "tag":
            tags = [tag for tag in query.tags if tag != value] + [value] * (not take_away)
            address.narrow("tag", address.tags_text(tuple(tags)))
        elif name == "slice":
            pairs = _parsed(value)
            kept = [pair for pair in query.slices if pair not in pairs]
            slices = (*kept, *([] if take_away else pairs))
            address.narrow("slice", address.slices_text(slices))
        elif name in address.FILTERS:
            address.narrow(name, "" if take_away else value)
    address.choose("")


def to_cases(text: str) -> None:
    """Narrow the list by what was clicked, and show it."""
    follow(text)
    st.session_state["results.shown"] = "Cases"


def bar(run: StoredRun, asked: Address) -> Baseline | None:
    """Draw search, modes and view of the list; returns the run that it is held against."""
    desk = open_desk()
    baseline = held.baseline(desk, run)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="results-bar"):
        with st.container(width=280):
            bind.search(
                "results.find",
                "Search the cases",
                asked.query.text,
                lambda text: address.narrow("find", text),
                placeholder="Search ids, texts, tools, reasons",
            )
        _modes(run, asked, baseline)
        st.space("stretch")
        with st.popover("View", icon=":material/tune:", help="Columns, order, baseline"):
            _view(desk, run, asked, baseline)
    chips(run, asked, baseline)
    return baseline


def _modes(run: StoredRun, asked: Address, baseline: Baseline | None) -> None:
    options: dict[str, str] = dict(held.modes(run, asked.query).items())
    now: str = asked.query.mode
    if baseline is not None:
        options[CHANGED] = f"Δ Changed {held.changed(run, asked.query, baseline):,}"
        now = CHANGED if baseline.only else now

    def choose(mode: str) -> None:
        if mode == CHANGED:
            address.narrow("mode", "")
            address.narrow("only", address.text("base") or address.text("only"))
        else:
            address.narrow("base", address.text("base") or address.text("only"))
            address.narrow("only", "")
            address.narrow("mode", "" if mode == "all" else mode)
        address.choose("")

    bind.segments("results.mode", "Show", options, now, choose)


def chips(run: StoredRun, asked: Address, baseline: Baseline | None = None) -> None:
    """Draw what the list is narrowed by; each can be taken away by a click."""
    found = list(_chips(run, asked.query))
    if not found:
        return
    bits = [Bit(text, chip=True, goes=True, act=sent, title=title) for text, sent, title in found]
    clear = Bit("Clear filters", "accent", act=act(clear="all"))
    marks(
        "results.chips",
        [Panel("", (Line((*bits, clear)),))],
        lambda text: address.clear() if text == clear.act else follow(text),
        look="plain",
    )


def _chips(run: StoredRun, query: RunQuery) -> list[tuple[str, str, str]]:
    """Return a text, what takes it away, and a title, of each thing the list is narrowed by."""
    found = []
    if query.metrics:
        key = query.metrics[0].key
        sent = {"check": key}
        sent |= {n: value for n in ("verdict", "score") if (value := address.text(n))}
        text = metric_words(run, query.metrics)
        found.append((text, act(**sent), f"Only case results where {text}"))
    if query.cause is not None:
        text = f"because: {shorten(query.cause, 60)}"
        found.append((text, act(cause=query.cause), query.cause))
    found += [(f"tag: {shorten(tag)}", of_slice(TAG, tag), tag) for tag in query.tags]
    for name, group in query.slices:
        text = f"{shorten(name)}: {shorten(group)}"
        found.append((text, of_slice(name, group), f"{name} is {group}"))
    return found


def metric_words(run: StoredRun, wanted: tuple[MetricFilter, ...]) -> str:
    """Return what a check must have said, in words."""
    metric = run.manifest.metric(wanted[0].key)
    if metric is None:
        return wanted[0].key
    said = [verdicts.said(w.verdict) for w in wanted if w.verdict is not None]
    sides = [shown_side(metric, w) for w in wanted if w.comparison is not None]
    return f"{shorten(metric.label)} {' and '.join([*said, *sides]) or 'says something'}"


def scope(run: StoredRun, asked: Address) -> None:
    """Say which case results the numbers below are of, and draw what narrows them."""
    count, total = run.count(asked.query), run.manifest.cases.total
    what = "case results" if run.manifest.repeats > 1 else "cases"
    if asked.query.is_open or count == total:
        st.caption(safe.label(f"Of all {total:,} {what} of this run. Click to filter the list."))
        return
    narrowed = [
        f"mode “{asked.query.mode.replace('_', ' ')}”" if asked.query.mode != "all" else "",
        f"the words “{asked.query.text.strip()}”" if asked.query.text.strip() else "",
        "changed since the baseline" if asked.query.cases is not None else "",
    ]
    more = ", ".join(filter(None, narrowed))
    told = (
        f"Of the {count:,} of {total:,} {what} that match the filter{' ' + more if more else ''}."
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(safe.label(told), width="content")
        bind.button("results.all", "Clear filters", address.clear, kind="tertiary")
    chips(run, asked)


def _view(desk: Desk, run: StoredRun, asked: Address, baseline: Baseline | None) -> None:
    offered = columns_offered(run, baseline)
    labels = {label: key for key, label in reversed(offered.items())}
    chosen = held.columns(run)
    now = [offered[key] for key in columns_shown(run, asked.query, baseline, chosen)]
    bind.tags(
        "results.columns",
        "Columns",
        list(offered.values()),
        now,
        lambda names: held.keep_columns(run, [labels[name] for name in names if name in labels]),
        placeholder="Add a column",
        open_ended=False,
        help="Remembered for the runs of this eval set.",
    )
    if chosen is not None:
        bind.button("results.usual", "Usual columns", held.keep_columns, run, None, kind="tertiary")
    by = {label: key for key, label in ORDERS.items()}
    bind.choice(
        "results.order",
        "Order",
        list(by),
        ORDERS.get(asked.query.sort, asked.query.sort.removeprefix("metric:")),
        lambda label: address.narrow("sort", by.get(label, "").replace("worst", "")),
        help="Worst first: errors, failures, flaky, near the threshold, the rest. "
        "A click on a column's head sorts by it.",
    )
    _baselines(desk, run, baseline)


def _baselines(desk: Desk, run: StoredRun, baseline: Baseline | None) -> None:
    mine = run.manifest
    others = [
        m
        for m in runs.run_store(desk).runs()
        if m.id != mine.id
        and m.cases.total
        and (m.eval_set.path, m.eval_set.id) == (mine.eval_set.path, mine.eval_set.id)
    ][:MOST_BASELINES]
    names = {NO_BASELINE: ""}
    for other in others:
        at = moment(other)
        when = f"{at:%d %b %Y %H:%M}" if at.year > 1 else "time not recorded"
        text = f"{when} · {other.name or name_of(other)}"
        names[text if text not in names else f"{text} · {other.id[:8]}"] = other.id
    now = baseline.pair.left.manifest.id if baseline else ""
    shown = next((name for name, held_id in names.items() if held_id == now), NO_BASELINE)

    def choose(name: str) -> None:
        address.narrow("only", "")
        address.narrow("base", names.get(name, ""))

    bind.choice(
        "results.baseline",
        "Baseline",
        list(names),
        shown,
        choose,
        disabled=not others,
        help="Another run of this set to hold this one against: what fell most comes first."
        if others
        else "There is no other run of this set.",
    )


def nothing(run: StoredRun) -> None:
    """Say that nothing matches, out of how many, and offer to clear the filter."""
    total = run.manifest.distinct
    st.info(safe.label(f"0 of {plural(total, 'case')} match."))
    bind.button("results.clear", "Clear filters", address.clear, icon="filter_alt_off")
