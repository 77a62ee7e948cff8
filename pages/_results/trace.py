"""What happened inside a case result: events, spans, visited nodes, a page of them at a time."""

from __future__ import annotations

import streamlit as st

from evalcore.store import StoredRun
from evalcore.views import numbers
from evalcore.views.case_page import CasePage
from evalcore.views.trace import PAGE, Line, Trace, trace_of
from evalcore.views.values import printable
from evalcore.views.words import plural
from pages._results import look
from pages._results.look import box, span
from pages._ui import bind, safe, state
from pages._ui.safe import Markup, el

FIND = "results.trace.find"
TEXT = 600
ICONS = {
    "user": "☺",
    "agent": "◆",
    "model": "◇",
    "tool": "→",
    "result": "←",
    "node": "▢",
    "span": "·",
}


def draw(run: StoredRun, page: CasePage) -> None:
    """Draw the steps of a case result."""
    found = _trace(run.key, page.line.case_row, run, page)
    if not found.lines:
        st.caption("Nothing is recorded of what happened inside this result.")
        return
    text = state.kept(FIND, "")
    slot = f"results.trace.page {run.manifest.id} {page.line.case_row} {text}"
    number = int(state.kept(slot, 1))
    lines, total = found.page(number, text)
    if len(found.lines) > 8:
        bind.search(
            FIND,
            "Search the steps",
            text,
            lambda value: state.keep(FIND, value),
            placeholder="Search the steps…",
        )
    _told(found, total, number, text)
    if not lines:
        st.caption("No step has these words.")
        return
    many = len(page.row.turns) > 1
    blocks = []
    for index, line in enumerate(lines):
        if many and (not index or lines[index - 1].turn != line.turn):
            blocks.append(el("h5", f"Turn {line.turn}"))
        blocks.append(_line(line, found.length_s))
    look.draw(box("trace", *blocks))
    pages = -(-total // PAGE)
    if pages > 1:
        key = f"{slot} {number}"
        st.pagination(
            pages,
            default=number,
            max_visible_pages=5,
            key=key,
            on_change=lambda: state.keep(slot, st.session_state.get(key, 1)),
        )


def _told(found: Trace, total: int, number: int, text: str) -> None:
    parts = []
    if total > PAGE:
        first = (number - 1) * PAGE + 1
        parts.append(f"Steps {first:,}–{min(first + PAGE - 1, total):,} of {total:,}")
    else:
        parts.append(plural(total, "step"))
    if text:
        parts.append(f"with these words, of {len(found.lines):,}")
    if found.is_cut:
        parts.append("the trace goes on, the rest is not looked at")
    if not found.is_recorded:
        parts.append("no events were recorded: this is what the result itself tells")
    elif found.length_s is None:
        parts.append("the record does not say when each happened")
    elif found.length_s:
        parts.append(f"{numbers.seconds(found.length_s)} in all")
    st.caption(safe.label(" · ".join(parts)))


def _line(line: Line, length: float | None) -> Markup:
    step = line.step
    facts = [
        numbers.seconds(step.duration_s) if step.duration_s is not None else "",
        f"{step.tokens:,} tokens" if step.tokens is not None else "",
    ]
    text = printable(step.text[:TEXT]) + ("…" if len(step.text) > TEXT else "")
    head = box(
        "step-head",
        span("soft", ICONS[step.kind], title=step.kind),
        span("strong bad" if step.failed else "strong", step.name[:200]),
        span("small soft", " · ".join(filter(None, facts))),
        span("bad", "✗ failed" if step.failed else ""),
    )
    more = line.details
    return box(
        f"step d{line.depth}",
        head,
        _bar(line, length),
        box("said", text) if text else "",
        el("details", el("summary", _summary(more)), el("pre", span("", printable(more))))
        if more
        else "",
    )


def _summary(details: str) -> str:
    first = " ".join(details[:400].split())
    return printable(first if len(first) <= 100 else first[:99] + "…")


def _bar(line: Line, length: float | None) -> str | Markup:
    """Return where a step lies in the whole time, where both are known."""
    if line.at_s is None or not length:
        return ""
    left = round(100 * min(1.0, line.at_s / length))
    width = max(1, min(100 - left, round(100 * (line.step.duration_s or 0.0) / length)))
    return box("rail thin", el("span", css=f"band l{left} w{width}"))


@st.cache_resource(show_spinner="Reading the trace…", max_entries=32)
def _trace(key: tuple[str, ...], case_row: int, _run: StoredRun, _page: CasePage) -> Trace:
    return trace_of(_page.row.case, _run.manifest.format_id)
