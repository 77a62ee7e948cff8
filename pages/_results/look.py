"""The look of the Results page: its style sheet and the small pieces that its parts share."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import streamlit as st

from evalcore import verdicts
from evalcore.explain.json_diff import Change
from evalcore.explain.text_diff import Piece
from evalcore.results import Verdict
from evalcore.views.values import as_text, printable
from pages._ui.rows import Tone
from pages._ui.safe import Markup, el, join, show

CSS = Path(__file__).with_name("style.css")
# Places on a rail, to the percent: classes, because file text never gets near a style attribute.
PLACES = "".join(f".evd .w{n}{{width:{n}%}}.evd .l{n}{{left:{n}%}}" for n in range(101))
CLASSES: dict[Verdict | None, str] = {
    Verdict.PASSED: "ok",
    Verdict.FAILED: "bad",
    Verdict.ERROR: "err",
    Verdict.NOT_EVALUATED: "none",
    None: "none",
}
TONES: dict[Verdict | None, Tone] = {
    Verdict.PASSED: "ok",
    Verdict.FAILED: "error",
    Verdict.ERROR: "violet",
    Verdict.NOT_EVALUATED: "muted",
    None: "muted",
}


def styles() -> None:
    """Put the style sheet on the page."""
    st.html(f"<style>{CSS.read_text('utf-8')}{PLACES}</style>")


def draw(*blocks: Markup) -> None:
    """Draw blocks in the look of this page."""
    show(el("div", *blocks, css="evd"))


def box(css: str, *children: str | Markup, title: str = "") -> Markup:
    """Return a div; foreign text in it is escaped and made printable."""
    return el("div", *map(_plain, children), css=css, title=printable(title))


def span(css: str, *children: str | Markup, title: str = "") -> Markup:
    """Return a span, likewise."""
    return el("span", *map(_plain, children), css=css, title=printable(title))


def paragraph(text: str) -> Markup:
    """Return a paragraph of foreign text."""
    return el("p", printable(text))


def chip(verdict: Verdict | None, text: str = "") -> Markup:
    """Return a verdict as glyph and word on a tinted ground."""
    return span(f"chip {CLASSES[verdict]}", text or verdicts.said(verdict))


def table(head: Iterable[str], lines: Iterable[Iterable[str | Markup]], name: str = "") -> Markup:
    """Return a table; a cell that is no ``td`` yet becomes one."""
    top = el("tr", *(el("th", _plain(text)) for text in head))
    body = [el("tr", *(_cell(value) for value in line)) for line in lines]
    return el("table", el("thead", top), el("tbody", *body), title=printable(name))


def cell(css: str, *children: str | Markup) -> Markup:
    """Return a table cell of a class."""
    return el("td", *map(_plain, children), css=css)


def marked(pieces: Iterable[Piece]) -> Markup:
    """Return a side of a text difference: what stands only here is struck out or underlined."""
    tags = {"removed": "del", "added": "ins"}
    return join(
        *(el(tags[p.kind], _visible(p.text)) if p.kind in tags else _plain(p.text) for p in pieces)
    )


def rail(share: float, mark: float | None, css: str) -> Markup:
    """Return a rail filled up to a share of it, with a mark across it; both from 0 to 1."""
    marks = () if mark is None else (el("span", css=f"mark l{_percent(mark)}"),)
    return box("rail", el("span", css=f"fill {css} w{_percent(share)}"), *marks)


def changes_table(changes: Iterable[Change]) -> Markup:
    """Return the places where two values differ, with both values."""
    words = {
        "missing": "✗ not there",
        "extra": "+ not expected",
        "changed": "✗ differs",
        "type": "✗ another type",
        "spelling": "≈ same number",
    }
    return table(
        ("where", "expected", "actual", ""),
        (
            (
                cell("mono where", c.path or "the whole value"),
                cell("mono", "" if c.kind == "extra" else el("del", _short(c.expected))),
                cell("mono", "" if c.kind == "missing" else el("ins", _short(c.actual))),
                cell("nowrap", words[c.kind]),
            )
            for c in changes
        ),
        "Places that differ",
    )


def _cell(value: str | Markup) -> Markup:
    if isinstance(value, Markup) and value.startswith("<td"):
        return value
    return el("td", _plain(value))


def _plain(value: str | Markup) -> str | Markup:
    return value if isinstance(value, Markup) else printable(value)


def _visible(text: str) -> str:
    """Return a changed text in which a lone line end can be seen."""
    return printable(text).replace("\n", "↵\n") if not text.strip() else printable(text)


def _short(value: object, limit: int = 300) -> str:
    text = as_text(value, indent=None)  # type: ignore[arg-type]
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _percent(share: float) -> int:
    return min(100, max(0, round(100 * share)))
