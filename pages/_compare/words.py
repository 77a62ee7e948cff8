"""What a comparison comes to: one sentence, what makes it doubtful, and the figures behind it."""

from __future__ import annotations

import streamlit as st

from evalcore.compare import Comparison, Pair, banners, lettered
from evalcore.compare.report import TOLD
from evalcore.stats import Outcome, outcome_of, paired_rate
from evalcore.stats.words import p_text
from evalcore.views.compare import (
    HELP,
    METHODS,
    facts,
    letter,
    margin_text,
    outcome_text,
    points,
    several_text,
    span,
)
from pages._compare import address, look
from pages._compare.address import Address
from pages._results.look import box, paragraph
from pages._results.look import draw as draw_blocks
from pages._ui import bind, safe
from pages._ui.rows import Column, Piece, Row, cell, rows

GOOD = {Outcome.IMPROVED: True, Outcome.NO_WORSE: True, Outcome.WORSE: False}


def sentences(comparison: Comparison, chosen: int, asked: Address) -> None:
    """Draw the sentence of the pair that is shown, and those of the others below it."""
    draw_blocks(_sentence(comparison, chosen, asked.margin))
    if len(comparison.pairs) > 1:
        _others(comparison, chosen, asked.margin)
        st.caption(safe.label(several_text(comparison), 500))


def _sentence(comparison: Comparison, number: int, margin: float | None) -> safe.Markup:
    outcome = outcome_of(comparison.pairs[number].paired, margin, comparison.alpha(number))
    tone = GOOD.get(outcome)
    return box(
        f"sentence {look.css(tone) if tone is not None else ''}",
        comparison.sentence(number, margin),
    )


def _others(comparison: Comparison, chosen: int, margin: float | None) -> None:
    adjusted = comparison.adjusted()
    shown = []
    for number, pair in enumerate(comparison.pairs):
        interval, p = paired_rate(pair.paired)
        good = GOOD.get(outcome_of(pair.paired, margin, comparison.alpha(number)))
        shown.append(
            Row(
                pair.right.manifest.id,
                comparison.sentence(number, margin),
                (
                    cell(Piece(letter(number + 1), strong=True)),
                    cell(comparison.sentence(number, margin), runs=True),
                    cell(Piece(points(interval.estimate), look.tone(good))),
                    cell(span(interval.low, interval.high)),
                    cell(p_text(p)),
                    cell(p_text(adjusted[number])),
                ),
                address.link_to(against=pair.right.manifest.id),
            )
        )
    rows(
        "compare.sentences",
        "Every run against the baseline",
        [
            Column("Run", "54px"),
            Column("Against A"),
            Column("Difference", "120px", "right"),
            Column("95 % interval", "150px", "right", from_width=900),
            Column("Exact test", "100px", "right", from_width=900),
            Column("Corrected (Holm)", "130px", "right", from_width=900),
        ],
        shown,
        on_open=lambda run_id: address.narrow("against", run_id),
        current=comparison.pairs[chosen].right.manifest.id,
    )


def doubts(pair: Pair, right: str) -> None:
    """Draw what differs between the runs beside their answers."""
    found = banners(pair.left, pair.right, lettered("A", right))
    if not found:
        return
    lines = [box("banner", paragraph(f"! {banner.message}")) for banner in found]
    draw_blocks(box("banners", *lines))


def figures(comparison: Comparison, chosen: int, asked: Address) -> None:
    """Draw the numbers behind the sentence, and the margin that a user states."""
    pair, right = comparison.pairs[chosen], letter(chosen + 1)
    look.facts(facts(pair, right))
    interval = paired_rate(pair.paired)[0]
    with st.container(horizontal=True, vertical_alignment="bottom", gap="large"):
        if interval.low is not None and interval.high is not None and interval.estimate is not None:
            with st.container(width=420):
                draw_blocks(
                    box("soft small", f"{right} worse ← difference of the pass rates → better"),
                    look.difference(interval.low, interval.high, interval.estimate, asked.margin),
                )
        with st.container(width=250):
            _margin(asked)
        if asked.margin is not None:
            holds, said = margin_text(pair, asked.margin, comparison.alpha(chosen))
            draw_blocks(box(look.css(True) if holds else "soft", said))


def methods() -> None:
    """Draw the names of the methods behind the figures."""
    with st.popover("How this is counted", icon=":material/help:", type="tertiary"):
        for method in METHODS:
            st.caption(safe.label(method, 2000))
        for outcome in TOLD:
            st.caption(safe.label(f"{outcome_text(outcome)}: {HELP[outcome]}"))


def _margin(asked: Address) -> None:
    key = "compare.margin"
    bind.seed(key, None if asked.margin is None else round(100 * asked.margin, 2))
    st.number_input(
        "No worse by more than (points)",
        min_value=0.0,
        max_value=100.0,
        step=1.0,
        key=key,
        placeholder="state a margin",
        on_change=_set_margin,
        args=(key,),
        help="Non-inferiority: the loss of pass rate, in points of a hundred, that you would "
        "accept. State it before you look.",
    )


def _set_margin(key: str) -> None:
    value = st.session_state.get(key)
    address.narrow("margin", f"{value:g}" if value else "")
