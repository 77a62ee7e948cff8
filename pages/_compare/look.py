"""The look of the Compare page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from evalcore.results import Verdict
from evalcore.views.compare import Fact
from pages._results.look import TONES, box, span
from pages._results.look import draw as draw_blocks
from pages._results.look import styles as result_styles
from pages._ui.rows import Tone
from pages._ui.safe import Markup, el

CSS = Path(__file__).with_name("style.css")


def styles() -> None:
    """Put the style sheets on the page."""
    result_styles()
    st.html(f"<style>{CSS.read_text('utf-8')}</style>")


def facts(shown: Sequence[Fact]) -> None:
    """Draw figures beside each other."""
    cards = [
        box(
            "card",
            el("h4", fact.label),
            box("figure", fact.value),
            box("soft small", fact.below),
            title=fact.help,
        )
        for fact in shown
    ]
    draw_blocks(box("facts", *cards))


def tone(good: bool | None) -> Tone:
    """Return the colour of what is for the better, the worse, or neither."""
    return "muted" if good is None else "ok" if good else "error"


def css(good: bool | None) -> str:
    """Return the same as a class."""
    return "soft" if good is None else "ok" if good else "bad"


def verdict_tone(verdict: Verdict | None) -> Tone:
    """Return the colour of a verdict."""
    return TONES[verdict]


def difference(low: float, high: float, at: float, margin: float | None) -> Markup:
    """Return an interval about zero on a rail, with a margin below zero where one is stated.

    All are shares from -1 to 1.
    """
    reach = max(abs(low), abs(high), margin or 0.0, 0.01) * 1.1

    def place(value: float) -> int:
        return min(100, max(0, round(50 + 50 * value / reach)))

    left, right = place(low), place(high)
    marks = [el("span", css="mark l50", title="no difference")]
    if margin is not None:
        marks.append(el("span", css=f"mark margin l{place(-margin)}", title="the stated margin"))
    return box(
        "rail difference",
        el("span", css=f"band l{left} w{max(1, right - left)}"),
        el("span", css=f"dot l{place(at)}"),
        *marks,
    )


def letter(text: str) -> Markup:
    """Return what a run is called, as a badge."""
    return span("letter", text)
