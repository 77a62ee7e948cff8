"""Small charts and tables whose marks can be clicked: plain HTML, reachable by keyboard.

Every text in them is shown as it is, never as markup. A mark with an ``act`` is a button; what is
clicked comes back as that text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

import streamlit as st

from evalcore.views.values import printable
from pages._ui.rows import Tone

HERE = Path(__file__).resolve().parent
Size = Literal["", "big", "small"]
Look = Literal["cards", "plain"]


@dataclass(frozen=True, slots=True)
class Bit:
    """A bit of text; ``on`` is chosen, what ``goes`` has a cross to take it away."""

    text: str
    tone: Tone = ""
    act: str = ""
    title: str = ""
    strong: bool = False
    chip: bool = False
    goes: bool = False
    on: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text; one that is ``clip`` stays one line however narrow it is."""

    bits: tuple[Bit, ...]
    size: Size = ""
    clip: bool = False
    kind: Literal["line"] = "line"


@dataclass(frozen=True, slots=True)
class Band:
    """An interval on a rail from 0 to 1, with the value in it; None for no value."""

    low: float
    high: float
    at: float | None
    kind: Literal["band"] = "band"


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a bar; ``share`` is that of the bar's full length."""

    share: float
    tone: Tone
    title: str
    act: str = ""
    on: bool = False


@dataclass(frozen=True, slots=True)
class Bar:
    """A labelled bar of segments, with a text behind it. ``act`` is that of the label."""

    label: str
    segments: tuple[Segment, ...]
    text: str = ""
    title: str = ""
    act: str = ""
    on: bool = False


@dataclass(frozen=True, slots=True)
class Bars:
    """Bars under each other; ``wide`` puts each label above its bar, for long ones."""

    bars: tuple[Bar, ...]
    wide: bool = False
    kind: Literal["bars"] = "bars"


@dataclass(frozen=True, slots=True)
class Pillar:
    """A column of a histogram: parts from the bottom up, as shares of the full height."""

    parts: tuple[tuple[float, Tone], ...]
    title: str
    act: str = ""
    on: bool = False


@dataclass(frozen=True, slots=True)
class Pillars:
    """A histogram. ``marks`` are lines across it: a place on 0–1 and a text."""

    pillars: tuple[Pillar, ...]
    low: str
    high: str
    label: str
    marks: tuple[tuple[float, str], ...] = ()
    kind: Literal["pillars"] = "pillars"


@dataclass(frozen=True, slots=True)
class MarkCell:
    """A cell: text, smaller text below, an interval, and a wash by a value from 0 to 1."""

    bits: tuple[Bit, ...] = ()
    below: tuple[Bit, ...] = ()
    band: Band | None = None
    wash: float | None = None
    act: str = ""
    title: str = ""
    on: bool = False


@dataclass(frozen=True, slots=True)
class MarkRow:
    """A row of a table; ``name`` is read aloud with its buttons."""

    cells: tuple[MarkCell, ...]
    name: str = ""
    act: str = ""
    on: bool = False


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a column; ``width`` is CSS, "" shares what is left."""

    text: str
    title: str = ""
    width: str = ""
    align: Literal["left", "right"] = "left"
    act: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table; ``height`` in CSS makes it scroll by itself."""

    label: str
    head: tuple[Head, ...]
    rows: tuple[MarkRow, ...]
    height: str = ""
    kind: Literal["table"] = "table"


@dataclass(frozen=True, slots=True)
class Fold:
    """Lines that are shown when their heading is clicked."""

    heading: str
    pairs: tuple[tuple[str, str], ...]
    kind: Literal["fold"] = "fold"


Item: TypeAlias = Line | Band | Bars | Pillars | Table | Fold


@dataclass(frozen=True, slots=True)
class Panel:
    """Things under a title; ``note`` stands beside it, ``grow`` is the share of the width."""

    title: str
    items: tuple[Item, ...]
    note: str = ""
    grow: float = 1.0


def marks(
    key: str,
    panels: Sequence[Panel],
    on_act: Callable[[str], None] | None = None,
    *,
    look: Look = "cards",
    least: str = "15rem",
) -> None:
    """Draw panels side by side, in as many rows as it takes.

    ``on_act`` gets the ``act`` of what is clicked; ``least`` is how narrow a panel may become.
    """

    def acted() -> None:
        state = st.session_state.get(key)
        chosen = state.get("act") if state is not None else None
        if isinstance(chosen, str) and on_act is not None:
            on_act(chosen)

    _component()(
        key=key,
        data={"look": look, "least": least, "panels": _clean([asdict(p) for p in panels])},
        on_act_change=acted,
    )


def _component() -> Any:
    return st.components.v2.component(
        "evaldesk_marks",
        html='<div class="marks"></div>\n',
        css=(HERE / "marks.css").read_text("utf-8"),
        js=(HERE / "marks.js").read_text("utf-8"),
    )


def _clean(value: Any) -> Any:
    """Return data with every text but those to be sent back made printable."""
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, list | tuple):
        return [_clean(item) for item in value]
    if isinstance(value, dict):
        return {k: v if k == "act" else _clean(v) for k, v in value.items()}
    return value
