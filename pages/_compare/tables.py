"""What lies beside the cases: the checks, the slices, and how the runs were set up."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from evalcore.compare import Comparison, MetricChange, Pair, SliceChange
from evalcore.compare.costs import COSTS
from evalcore.stats.words import p_text
from evalcore.views import compare as words
from evalcore.views import numbers
from evalcore.views.compare_setup import setup_rows
from evalcore.views.results_table import short
from evalcore.views.words import plural
from pages._compare import address, held, look
from pages._compare.address import Address
from pages._results.look import box, span, table
from pages._results.look import draw as draw_blocks
from pages._ui import bind, safe, state
from pages._ui.rows import Column, Piece, Row, cell, rows

SHOWN_SLICES = 100


def metrics(pair: Pair, right: str, asked: Address) -> None:
    """Draw every check that both runs have: both means, the change, how sure that is."""
    changes = held.metrics(pair)
    if not changes:
        st.info("The runs have no check in common.")
        return
    st.caption(safe.label(f"{words.metric_note(changes)} Grey where no difference is shown."))
    _changes("compare.metrics", "Checks of both runs", "Check", changes, right, asked.check)
    methods = sorted({change.change.interval.method for change in changes})
    st.caption(
        safe.label(
            f"Means over the cases with a score on both sides, on 0–1. Interval: "
            f"{', '.join(methods)}. Open a check to see the cases that it moved.",
            500,
        )
    )
    costs = held.costs(pair)
    if costs:
        st.caption(safe.label(f"What a case takes. {words.metric_note(costs)} Less is better."))
        _changes("compare.costs", "Time and tokens of both runs", "Cost", costs, right, "")


def _changes(
    key: str, name: str, head: str, changes: Sequence[MetricChange], right: str, current: str
) -> None:
    rows(
        key,
        name,
        [
            Column(head),
            Column("Cases", "90px", "right", from_width=400),
            Column("A", "90px", "right"),
            Column(right, "90px", "right"),
            Column("Change", "120px", "right"),
            Column("95 % interval", "190px", "right", from_width=900),
            Column("p", "90px", "right", from_width=900),
            Column("p, corrected", "110px", "right"),
        ],
        [_metric(change) for change in changes],
        on_open=_open_check,
        current=current,
    )


def _open_check(key: str) -> None:
    if key in COSTS:
        return
    address.narrow("check", key)
    st.session_state["compare.part"] = "Cases"


def _metric(change: MetricChange) -> Row:
    metric, interval = change.metric, change.change.interval
    delta = interval.estimate
    shown = words.is_shown(change.p_adjusted)
    arrow, good = words.arrow(delta or 0.0, metric.better)
    tone = look.tone(good if shown else None)
    p = change.change.p
    low, high = interval.low, interval.high
    ends = "–"
    if low is not None and high is not None:
        ends = f"{words.signed(low, 3)} to {words.signed(high, 3)}"
    return Row(
        metric.key,
        metric.label,
        (
            cell(Piece(short(metric.label, 80), strong=True)),
            cell(f"{change.n:,}"),
            cell(numbers.score(change.left_mean, change.right_mean)),
            cell(numbers.score(change.right_mean, change.left_mean)),
            cell(Piece("–" if delta is None else f"{arrow} {words.signed(delta, 3)}", tone)),
            cell(ends),
            cell("–" if p is None else p_text(p).removeprefix("p = ").removeprefix("p ")),
            cell(
                Piece(
                    "–"
                    if change.p_adjusted is None
                    else p_text(change.p_adjusted).removeprefix("p = ").removeprefix("p "),
                    tone,
                )
            ),
        ),
        address.link_to(check=metric.key),
    )


def slices(pair: Pair, right: str, asked: Address) -> None:
    """Draw how the runs differ within the groups of a slice."""
    names = held.names(pair)
    if not names:
        st.info(
            "No case of these runs has a tag or metadata. Give the cases of the set tags, and "
            "import or score the runs again: the comparison can then be cut by them."
        )
        return
    chosen = state.kept("compare.slices by", names[0])
    if chosen not in names:
        chosen = names[0]
    with st.container(width=300):
        bind.choice(
            "compare.slices by",
            "Slice by",
            list(names),
            chosen,
            lambda name: state.keep("compare.slices by", name),
        )
    found = held.slices(pair, chosen)
    if not found.changes:
        st.info("No case in common belongs to a group of this slice.")
        return
    tested = len(found.changes)
    said = f"{plural(tested, 'comparison')}; p is corrected for them by Holm."
    if found.groups > tested:
        said += f" Those are the largest of {found.groups:,} groups; the others are not tested."
    st.caption(safe.label(f"{said} Grey where no difference is shown.", 500))
    rows(
        "compare.slices",
        "Slices of the cases",
        [
            Column(short(chosen, 40)),
            Column("Cases", "80px", "right"),
            Column("A", "90px", "right"),
            Column(right, "90px", "right"),
            Column("Fixed / broke", "110px", "right"),
            Column("Difference", "130px", "right"),
            Column("95 % interval", "160px", "right", from_width=900),
            Column("p, corrected", "110px", "right"),
        ],
        [_slice(chosen, change) for change in found.changes[:SHOWN_SLICES]],
        on_open=partial(_open_slice, chosen),
        current=asked.slice[1] if asked.slice and asked.slice[0] == chosen else "",
    )
    if tested > SHOWN_SLICES:
        st.caption(safe.label(f"The largest {SHOWN_SLICES} are shown."))


def _open_slice(name: str, group: str) -> None:
    address.narrow("slice", address.slice_text(name, group))
    st.session_state["compare.part"] = "Cases"


def _slice(name: str, change: SliceChange) -> Row:
    counts = change.counts
    tone = look.tone(words.slice_tone(change))
    old, new = counts.both + counts.broke, counts.both + counts.fixed
    return Row(
        change.group,
        f"{name} {change.group}",
        (
            cell(Piece(short(change.group, 80) or "(empty)", strong=True)),
            cell(f"{counts.n:,}"),
            cell(numbers.percent(old, counts.n)),
            cell(numbers.percent(new, counts.n)),
            cell(f"{counts.fixed:,} / {counts.broke:,}"),
            cell(Piece(words.points(change.interval.estimate), tone)),
            cell(words.span(change.interval.low, change.interval.high)),
            cell(Piece(p_text(change.p_adjusted).removeprefix("p = ").removeprefix("p "), tone)),
        ),
        address.link_to(slice=address.slice_text(name, change.group)),
    )


def setup(comparison: Comparison, asked: Address) -> None:
    """Draw how each run was set up; by default only what differs."""
    bind.flag(
        "compare.setup diff",
        "Diff only",
        state.kept("compare.setup diff", True),
        lambda on: state.keep("compare.setup diff", on),
        help="Leave out what is the same in all runs.",
    )
    found = setup_rows([run.manifest for run in comparison.runs])
    shown = [row for row in found if row.differs or not state.kept("compare.setup diff", True)]
    if not shown:
        st.success(safe.label(f"All {len(found)} properties are the same in these runs."))
        return
    head = ["", *(words.letter(number) for number in range(len(comparison.runs)))]
    body = [
        (
            span("strong" if row.differs else "", row.label),
            *(box("", value) for value in row.values),
        )
        for row in shown
    ]
    draw_blocks(table(head, body, "How the runs were set up"))
    if len(shown) < len(found):
        st.caption(safe.label(f"{len(found) - len(shown)} more are the same in all runs."))
