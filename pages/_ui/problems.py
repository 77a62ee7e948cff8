"""Problems on the page: a glyph, a word, what is wrong, and what to do about it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from evalcore.errors import Problem
from evalcore.views.words import GLYPHS, NOUNS
from pages._ui import safe

CSS = """<style>
.ed-problem{font-size:.93rem;line-height:1.45;margin:0 0 .35rem;padding:.35rem .6rem;
border-radius:.3rem;border-left:3px solid var(--ed-tone);
background:color-mix(in srgb,var(--ed-tone) 9%,transparent)}
.ed-problem b{color:color-mix(in srgb,var(--ed-tone) 75%,currentColor);margin-right:.35rem}
.ed-problem .more{opacity:.75}
.ed-error{--ed-tone:#d5383f}.ed-warning{--ed-tone:#c77700}.ed-info{--ed-tone:#3b6fd8}
</style>"""


def problem_markup(problem: Problem, *, place: bool = False) -> safe.Markup:
    """Return one problem; ``place`` also says the line."""
    where = f" Line {problem.line}." if place and problem.line else ""
    more = f" {problem.hint}{where}".rstrip()
    return safe.el(
        "div",
        safe.el("b", f"{GLYPHS[problem.severity]} {NOUNS[problem.severity].capitalize()}"),
        problem.message,
        safe.el("span", more, css="more"),
        css=f"ed-problem ed-{problem.severity}",
    )


def problem_list(problems: Sequence[Problem], *, place: bool = False) -> None:
    """Draw problems one below the other; nothing where there are none."""
    if problems:
        safe.show(safe.join(*(problem_markup(p, place=place) for p in problems)))


def styles() -> None:
    """Bring the look of problems to the page; called once by the shell."""
    st.html(CSS)
