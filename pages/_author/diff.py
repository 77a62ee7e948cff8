"""The lines that saving would change."""

from __future__ import annotations

import streamlit as st

from evalcore.saving import Diff
from evalcore.views.review import DiffRow, diff_rows
from evalcore.views.values import printable
from evalcore.views.words import plural
from pages._ui import safe

SIGNS = {"same": " ", "added": "+", "removed": "−", "gap": "…"}


def diff_table(diff: Diff, same: str = "The file stays as it is.") -> None:
    """Draw the changed lines with their numbers, a sign and a colour each.

    ``same`` is what is said where no line differs.
    """
    if not diff.hunks:
        st.caption(safe.label(same))
        return
    st.caption(safe.label(counted(diff)))
    changed_lines(diff)


def counted(diff: Diff) -> str:
    """Return how many lines of the file change, and that no others do."""
    return (
        f"{plural(diff.added, 'line')} added, {plural(diff.removed, 'line')} removed. "
        "Nothing else in the file changes."
    )


def changed_lines(diff: Diff) -> None:
    """Draw the changed lines alone."""
    lines, left = diff_rows(diff)
    body = safe.join(*map(_line, lines))
    safe.show(safe.el("div", safe.el("table", body), css="ed-diff"))
    if left:
        st.caption(safe.label(f"and {plural(left, 'more line')}"))


def _line(row: DiffRow) -> safe.Markup:
    kind, old, new, text = row
    return safe.el(
        "tr",
        safe.el("td", old, css="n"),
        safe.el("td", new, css="n"),
        safe.el("td", SIGNS[kind], css="s"),
        safe.el("td", printable(text)),
        css=kind,
    )
