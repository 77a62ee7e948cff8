"""Problems on the page: what is wrong, what to do about it, and where it can be, the way to fix it.

Within ``mending`` a problem of the set that is open comes with a button that fixes it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from zlib import crc32

import streamlit as st

from evalcore.errors import Problem
from evalcore.formats.fixes import Fix
from evalcore.lint.catalog import Rule, known_rule
from evalcore.lint.explain import examples
from evalcore.views.mending import Mender
from evalcore.views.words import GLYPHS, NOUNS
from pages._ui import bind, safe


@dataclass(slots=True)
class _Mending:
    mender: Mender
    used: dict[str, int] = field(default_factory=dict)

    def key(self, problem: Problem) -> str:
        """Return a key for a problem's button; one that is drawn twice gets two."""
        name = f"fix {problem.code} {problem.pointer} {_sum(problem.message)}"
        number = self.used[name] = self.used.get(name, 0) + 1
        return f"{name} {number}"


_MENDING: ContextVar[_Mending | None] = ContextVar("what mends problems", default=None)


@contextmanager
def mending(mender: Mender, *, is_on: bool = True) -> Iterator[None]:
    """Draw a button beside each problem that ``mender`` can fix, until the block ends."""
    token = _MENDING.set(_Mending(mender) if is_on else None)
    try:
        yield
    finally:
        _MENDING.reset(token)


def anchor(problem: Problem) -> str:
    """Return the CSS class of a problem, by which the page can be scrolled to it."""
    return f"ed-at-{_sum(f'{problem.code} {problem.pointer}'):08x}"


def _sum(text: str) -> int:
    """Return a number for any text, halves of broken emoji included."""
    return crc32(text.encode("utf-8", "surrogatepass"))


def problem_markup(problem: Problem, *, line: int | None = None) -> safe.Markup:
    """Return one problem; ``line`` is named where it is given."""
    where = f" Line {line:,}." if line else ""
    more = f" {problem.hint}{where}".rstrip()
    message = (
        problem.message if problem.message.endswith((".", "?", "!")) else f"{problem.message}."
    )
    return safe.el(
        "div",
        safe.el("b", f"{GLYPHS[problem.severity]} {NOUNS[problem.severity].capitalize()}"),
        f" {message}",
        safe.el("span", more, css="more"),
        css=f"ed-problem ed-{problem.severity} {anchor(problem)}",
    )


def problem_list(problems: Sequence[Problem], *, place: bool = False) -> None:
    """Draw problems one below the other, each with its fix; nothing where there are none."""
    plain: list[safe.Markup] = []
    for problem in problems:
        plain.append(problem_markup(problem, line=problem.line if place else None))
        fix = fix_of(problem)
        if fix is not None:
            safe.show(safe.join(*plain))
            plain.clear()
            fix_button(problem, fix, with_words=True)
    if plain:
        safe.show(safe.join(*plain))


def fix_of(problem: Problem) -> Fix | None:
    """Return what would mend a problem here, None where nothing can."""
    now = _MENDING.get()
    return now.mender.fix_of(problem) if now is not None else None


def fix_button(problem: Problem, fix: Fix, *, with_words: bool = False) -> None:
    """Draw the button that mends a problem; ``with_words`` also says on it what it will do."""
    now = _MENDING.get()
    if now is None:
        return
    mender = now.mender

    def mend() -> None:
        bind.flash(f"{mender.mend(problem)}. Undo takes it back.")

    label = f"Fix: {fix.label}" if with_words else "Fix"
    help_ = fix.label if fix.is_safe else f"{fix.label}. This changes what is tested: look at it."
    bind.button(now.key(problem), label, mend, icon="auto_fix_high", kind="tertiary", help=help_)


def what_is_this(code: str, key: str) -> None:
    """Draw the button that opens the explanation of a kind of problem, if there is one."""
    rule = known_rule(code)
    if rule is None:
        return
    with st.popover(
        "What is this?", icon=":material/help:", type="tertiary", key=f"what {key} {code}"
    ):
        explain(rule)


def explain(rule: Rule) -> None:
    """Draw all about one rule."""
    safe.show(
        safe.join(
            safe.el("strong", rule.title),
            safe.el("p", rule.why),
            safe.el("p", f"What to do: {rule.fix}"),
            safe.el("div", f"{', '.join(rule.codes)} · {rule.systems}", css="ed-muted"),
        )
    )
    for side, text in examples(rule):
        safe.show(safe.el("div", {"bad": "Like this:", "good": "Better:"}[side], css="ed-muted"))
        safe.code(text, "json" if not text.startswith("/") else None)
