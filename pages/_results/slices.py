"""How the groups of a run's cases did: by tag and by each field of their metadata."""

from __future__ import annotations

import streamlit as st

from evalcore.stats.words import p_text
from evalcore.store import StoredRun
from evalcore.views.charts import shorten
from evalcore.views.slices import SliceLine, SliceTable, slice_label
from pages._results import card, filters, held
from pages._results.address import Address
from pages._results.filters import Now
from pages._ui import bind, safe, state
from pages._ui.marks import Band, Bit, Head, MarkCell, MarkRow, Panel, Table, marks
from pages._ui.rows import Tone

CHOSEN = "results.sliced"


def draw_slices(run: StoredRun, asked: Address) -> None:
    """Draw the tab Slices of a run; a click on a group narrows the list to it."""
    names = held.slice_names(run)
    if not names:
        st.caption(
            "Nothing to slice by: the cases of this run have no tags and no metadata. "
            "Tag cases in Author, and import the run again."
        )
        return
    filters.scope(run, asked)
    chosen = state.kept(CHOSEN, names[0])
    now = chosen if chosen in names else names[0]
    if len(names) > 1:
        options = {name: f"By {shorten(slice_label(name), 40)}" for name in names}
        choose = lambda name: state.keep(CHOSEN, name)  # noqa: E731
        if len(names) <= 6:
            bind.segments("results.slicing", "Slice by", options, now, choose)
        else:
            bind.choice("results.slicing", "Slice by", names, now, choose)
    found = held.sliced(run, now, asked.query)
    marks("results.slices", [Panel("", (_table(found),))], filters.to_cases, look="plain")
    st.caption(safe.label(found.told))


def _table(found: SliceTable) -> Table:
    head = (
        Head(shorten(slice_label(found.name), 40), width="24%"),
        Head("Cases", "Cases of the group, each once", align="right", width="5rem"),
        Head("Passed", "Of the cases that were scored, with Wilson's 95 % interval", "24%"),
        Head("Verdicts of its results", "Case results by verdict", "26%"),
        Head("Against the rest", "p of passing as often as the rest, corrected by Holm"),
    )
    at = filters.now()
    rows = tuple(_line(found.name, line, at) for line in found.lines)
    return Table(f"Groups by {slice_label(found.name)}", head, rows, "40rem")


def _line(name: str, line: SliceLine, at: Now) -> MarkRow:
    group = line.group
    sent = filters.of_slice(name, group.name)
    low, high = line.interval
    band = None if group.share is None else Band(low, high, group.share)
    verdict_bar = card.figures(group.counts)
    cells = (
        MarkCell((Bit(shorten(group.name, 80) or "(empty)", strong=True, title=group.name),)),
        MarkCell((Bit(f"{group.cases:,}"),)),
        MarkCell(
            (Bit(line.share_text), Bit(line.interval_text, "muted")),
            (Bit(f"of {group.judged:,} scored"),),
            band=band,
        ),
        MarkCell((Bit(verdict_bar),)),
        MarkCell(_against(line)),
    )
    return MarkRow(cells, f"{slice_label(name)} {group.name}", sent, on=at.has(sent))


def _against(line: SliceLine) -> tuple[Bit, ...]:
    if line.p is None:
        return (Bit("–", "muted", title="There is no rest to compare with"),)
    if not line.differs:
        return (Bit("no difference to be told", "muted"), Bit(p_text(line.p), "muted"))
    tone: Tone = "error" if line.lower else "ok"
    return (Bit("▼ lower" if line.lower else "▲ higher", tone), Bit(p_text(line.p), "muted"))
