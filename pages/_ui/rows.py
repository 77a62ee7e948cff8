"""A list of rows to open, and perhaps to tick: plain HTML, reachable by keyboard and by link."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlencode

import streamlit as st

from evalcore.views.values import printable

HERE = Path(__file__).resolve().parent
Tone = Literal[
    "", "error", "warning", "info", "ok", "accent", "muted", "violet", "removed", "added"
]


@dataclass(frozen=True, slots=True)
class Piece:
    """A bit of text in a cell."""

    text: str
    tone: Tone = ""
    chip: bool = False
    title: str = ""
    strong: bool = False
    tail: bool = False
    """Whether the end is what matters where there is no room for all of it, as in a path."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: a line, and perhaps smaller text below it. ``action`` makes it a button.

    ``runs`` shows the pieces below as one text, on as many lines as it takes.
    """

    line: tuple[Piece, ...] = ()
    below: tuple[Piece, ...] = ()
    action: str = ""
    runs: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """One row: ``id`` is what callbacks get, ``name`` is read aloud, ``href`` is its address."""

    id: str
    name: str
    cells: tuple[Cell, ...]
    href: str = ""


@dataclass(frozen=True, slots=True)
class Column:
    """A column; ``width`` is CSS (``90px``), "" shares what is left.

    It is left out of a list that is narrower than ``from_width`` pixels.
    """

    label: str
    width: str = ""
    align: Literal["left", "right"] = "left"
    from_width: Literal[0, 400, 900, 1000] = 0
    sort: str = ""
    """What ``on_sort`` gets when somebody asks for this order; "" where it cannot be had."""


def cell(
    *texts: str | Piece, below: Sequence[str | Piece] = (), action: str = "", runs: bool = False
) -> Cell:
    """Return a cell of texts."""
    return Cell(tuple(map(_piece, texts)), tuple(map(_piece, below)), action, runs)


def link(page: str, /, **query: str) -> str:
    """Return the address of a page, as seen from any other page."""
    return f"{page}?{urlencode(query)}" if query else page


def rows(
    key: str,
    label: str,
    columns: Sequence[Column],
    shown: Sequence[Row],
    *,
    on_open: Callable[[str], None],
    on_act: Callable[[str, str], None] | None = None,
    on_tick: Callable[[list[str]], None] | None = None,
    on_sort: Callable[[str], None] | None = None,
    sorted_by: str = "",
    ticked: Sequence[str] = (),
    current: str = "",
    height: str = "",
) -> None:
    """Draw rows.

    ``on_open`` gets a row's id, ``on_act`` a cell's action and the row's id, ``on_tick`` the ids of
    all ticked rows, ``on_sort`` a column's ``sort``, with "-" before it to turn the order round.
    ``sorted_by`` is such a text for the order that the rows are in.
    ``label`` is a fixed name for the list; ``height`` in CSS makes it scroll by itself.
    """
    key = _allowed(key)
    data = {
        "label": label,
        "columns": [asdict(column) for column in columns],
        "rows": [_plain(row) for row in shown],
        "tickable": on_tick is not None,
        "ticked": list(ticked),
        "current": current,
        "sorted": sorted_by,
        "height": height,
    }

    def opened() -> None:
        chosen = _trigger(key, "open")
        if isinstance(chosen, str):
            on_open(chosen)

    def acted() -> None:
        chosen = _trigger(key, "act")
        if isinstance(chosen, str) and on_act is not None:
            action, _, row = chosen.partition(":")
            on_act(action, row)

    def ticked_now() -> None:
        chosen = _trigger(key, "tick")
        if isinstance(chosen, list) and on_tick is not None:
            on_tick([str(item) for item in chosen])

    def sorted_now() -> None:
        chosen = _trigger(key, "sort")
        if isinstance(chosen, str) and on_sort is not None:
            on_sort(chosen)

    _component()(
        key=key,
        data=data,
        on_open_change=opened,
        on_act_change=acted,
        on_tick_change=ticked_now,
        on_sort_change=sorted_now,
    )


def _component() -> Any:
    return st.components.v2.component(
        "evaldesk_rows",
        html='<div class="rows"></div>\n',
        css=(HERE / "rows.css").read_text("utf-8"),
        js=(HERE / "rows.js").read_text("utf-8"),
    )


def _allowed(key: str) -> str:
    """Return a key without underscores: Streamlit keeps two in a row for itself."""
    return key.replace("%", "%25").replace("_", "%5F")


def _trigger(key: str, name: str) -> Any:
    state = st.session_state.get(key)
    return state.get(name) if state is not None else None


def _piece(value: str | Piece) -> Piece:
    return value if isinstance(value, Piece) else Piece(value)


def _plain(row: Row) -> dict[str, Any]:
    """Return a row as data; spelt out, for ``asdict`` takes most of the time of a long list."""
    cells = [
        {
            "line": _pieces(cell.line),
            "below": _pieces(cell.below),
            "action": cell.action,
            "runs": cell.runs,
        }
        for cell in row.cells
    ]
    return {"id": row.id, "name": printable(row.name), "cells": cells, "href": row.href}


def _pieces(pieces: tuple[Piece, ...]) -> list[dict[str, Any]]:
    return [
        {
            "text": printable(piece.text),
            "tone": piece.tone,
            "chip": piece.chip,
            "title": printable(piece.title),
            "strong": piece.strong,
            "tail": piece.tail,
        }
        for piece in pieces
    ]
