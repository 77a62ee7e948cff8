"""Problems on the page: a glyph, a word, what is wrong, and what to do about it."""

from __future__ import annotations

from collections.abc import Sequence

from evalcore.errors import Problem
from evalcore.views.words import GLYPHS, NOUNS
from pages._ui import safe


def problem_markup(problem: Problem, *, place: bool = False) -> safe.Markup:
    """Return one problem; ``place`` also says the line."""
    where = f" Line {problem.line}." if place and problem.line else ""
    more = f" {problem.hint}{where}".rstrip()
    message = (
        problem.message if problem.message.endswith((".", "?", "!")) else f"{problem.message}."
    )
    return safe.el(
        "div",
        safe.el("b", f"{GLYPHS[problem.severity]} {NOUNS[problem.severity].capitalize()}"),
        f" {message}",
        safe.el("span", more, css="more"),
        css=f"ed-problem ed-{problem.severity}",
    )


def problem_list(problems: Sequence[Problem], *, place: bool = False) -> None:
    """Draw problems one below the other; nothing where there are none."""
    if problems:
        safe.show(safe.join(*(problem_markup(p, place=place) for p in problems)))
