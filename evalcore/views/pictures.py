"""The charts of a run as SVG, to put into a document: black on white, each with its own title.

They look the same in every viewer: no style sheet, no font and no script is asked for. Colours are
told apart by their hatching too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from evalcore import verdicts
from evalcore.report.texts import xml_attribute, xml_text
from evalcore.results import Verdict
from evalcore.views.charts import Heat, Histogram, shorten
from evalcore.views.metrics import CheckLine
from evalcore.views.run_page import state_of, title_of

WIDTH = 900
PADDING = 24
TOP = 70
ROW = 26
LABELS = 230
FONT = "Helvetica, Arial, 'DejaVu Sans', sans-serif"
COLOURS = {
    Verdict.ERROR: "#8f63c7",
    Verdict.FAILED: "#d55e00",
    Verdict.NOT_EVALUATED: "#9a9a9a",
    Verdict.PASSED: "#009e73",
}
HATCHED = (Verdict.ERROR, Verdict.FAILED)
PALE = {
    Verdict.ERROR: "#e6dcf3",
    Verdict.FAILED: "#f7d9c4",
    Verdict.NOT_EVALUATED: "#ececec",
    Verdict.PASSED: "#cdeee3",
}
INK, SOFT, FAINT = "#1d1d24", "#5f6068", "#d9d9de"
HEIGHT = 240
PER_LETTER = 6.4


@dataclass(frozen=True, slots=True)
class Picture:
    """A chart: ``name`` says which, for a list and a file's name."""

    name: str
    svg: str


@dataclass(frozen=True, slots=True)
class Caption:
    """What stands above a picture: the run, and which part of it is shown."""

    run: str
    scope: str


def verdict_bars(lines: Iterable[CheckLine], caption: Caption) -> Picture | None:
    """Return a bar of verdicts for each check; None where no check gave a verdict."""
    judged = [line for line in lines if not line.metric.informational and line.counts]
    if not judged:
        return None
    whole = max(line.counts.total() for line in judged)
    span = WIDTH - LABELS - 2 * PADDING
    parts: list[str] = []
    for number, line in enumerate(judged):
        y = TOP + number * ROW
        parts.append(_text(LABELS + PADDING - 10, y + 15, shorten(line.metric.label), end=True))
        x = float(LABELS + PADDING)
        for verdict in verdicts.WORST_FIRST:
            if count := line.counts[verdict]:
                wide = span * count / whole
                parts += _bar(x, y + 2, wide, ROW - 6, verdict)
                told = f"{verdicts.GLYPHS[verdict]} {count:,}"
                if wide > PER_LETTER * len(told) + 8:
                    parts.append(_text(x + wide / 2, y + 16, told, colour="white", middle=True))
                x += wide
    height = TOP + len(judged) * ROW + 34
    parts += _legend(height - 20)
    return _picture("Verdicts per check", caption, parts, height)


def score_pillars(found: Histogram, caption: Caption) -> Picture:
    """Return how one check's scores lie, with its thresholds."""
    left, bottom = PADDING + 40, TOP + HEIGHT
    span = WIDTH - left - PADDING
    step = span / len(found.bins)
    parts = list(_scale(left, bottom, found.most, span))
    for number, each in enumerate(found.bins):
        y = float(bottom)
        plain = found.metric.informational
        for count, verdict in ((each.passed, Verdict.PASSED), (each.rest, Verdict.FAILED)):
            if count:
                tall = HEIGHT * count / found.most
                y -= tall
                used = Verdict.NOT_EVALUATED if plain else verdict
                parts += _bar(left + number * step + 1, y, step - 2, tall, used)
    for at, text in found.marks:
        x = left + at * span
        parts.append(_line(x, TOP - 14, x, bottom, dashed=True))
        anchored = at > 0.8
        where = x - 5 if anchored else x + 5
        parts.append(_text(where, TOP - 6, f"threshold {text}", end=anchored))
    parts.append(_text(left, bottom + 18, found.low_text, colour=SOFT))
    parts.append(_text(left + span, bottom + 18, found.high_text, colour=SOFT, end=True))
    if not found.metric.informational:
        parts += _legend(bottom + 44, (Verdict.PASSED, Verdict.FAILED), "not passed")
    name = f"Scores of {shorten(found.metric.label)}"
    return _picture(name, caption, parts, bottom + 58)


def heat_map(found: Heat, caption: Caption) -> Picture | None:
    """Return cases against checks, as far as they are on the page; None where there are none."""
    if not found.rows or not found.metrics:
        return None
    cell = max(84.0, (WIDTH - LABELS - 2 * PADDING) / len(found.metrics))
    left, letters = LABELS + PADDING, int(cell / PER_LETTER) - 1
    parts = [
        _text(left + (n + 0.5) * cell, TOP + 8, shorten(m.label, max(4, letters)), middle=True)
        for n, m in enumerate(found.metrics)
    ]
    for number, (fold, cells) in enumerate(found.rows):
        y = TOP + 16 + number * ROW
        came = state_of(fold)
        told = f"{shorten(title_of(fold), 30)}  {verdicts.GLYPHS[came.verdict]}"
        parts.append(_text(left - 10, y + 17, told, end=True))
        for place, each in enumerate(cells):
            fill = "#ffffff" if each.verdict is None else PALE[each.verdict]
            x = left + place * cell
            parts.append(_rect(x + 1, y + 1, cell - 2, ROW - 2, fill))
            parts.append(_text(x + cell / 2, y + 17, each.text, middle=True))
    height = TOP + 16 + len(found.rows) * ROW + 24
    if found.cases > len(found.rows):
        rest = f"The worst {len(found.rows):,} of {found.cases:,} cases"
        parts.append(_text(left, height - 6, rest, colour=SOFT))
        height += 12
    wide = int(left + cell * len(found.metrics) + PADDING)
    return _picture("Cases against checks", caption, parts, height, max(WIDTH, wide))


def _picture(
    name: str, caption: Caption, parts: Sequence[str], height: int, width: int = WIDTH
) -> Picture:
    head = [
        _text(PADDING, 26, f"{shorten(caption.run, 60)} · {name}", size=16, bold=True),
        _text(PADDING, 44, shorten(caption.scope, 130), colour=SOFT),
    ]
    body = "\n".join((*_patterns(), _rect(0, 0, width, height, "#ffffff"), *head, *parts))
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="{FONT}" role="img" '
        f'aria-label="{xml_attribute(name)}">\n{body}\n</svg>\n'
    )
    return Picture(name, svg)


def _patterns() -> Iterator[str]:
    yield "<defs>"
    for verdict in HATCHED:
        turned = 45 if verdict is Verdict.FAILED else -45
        yield (
            f'<pattern id="{verdict.value}" width="6" height="6" patternUnits="userSpaceOnUse" '
            f'patternTransform="rotate({turned})">'
            f'<rect width="6" height="6" fill="{COLOURS[verdict]}"/>'
            '<rect width="2" height="6" fill="#ffffff" fill-opacity="0.35"/></pattern>'
        )
    yield "</defs>"


def _bar(x: float, y: float, width: float, height: float, verdict: Verdict) -> Iterator[str]:
    yield _rect(
        x, y, width, height, f"url(#{verdict.value})" if verdict in HATCHED else COLOURS[verdict]
    )


def _legend(
    y: float, shown: Sequence[Verdict] = verdicts.WORST_FIRST, failed: str = ""
) -> Iterator[str]:
    x = float(LABELS + PADDING)
    for verdict in shown:
        words = verdicts.WORDS[verdict]
        told = f"{verdicts.GLYPHS[verdict]} {failed if failed and verdict in HATCHED else words}"
        yield from _bar(x, y - 10, 12, 12, verdict)
        yield _text(x + 18, y, told, colour=SOFT)
        x += 34 + PER_LETTER * len(told)


def _scale(left: float, bottom: float, most: int, span: float) -> Iterator[str]:
    for part in range(3):
        y = bottom - HEIGHT * part / 2
        yield _line(left, y, left + span, y)
        if part != 1 or most % 2 == 0:
            yield _text(left - 8, y + 4, f"{most * part // 2:,}", colour=SOFT, end=True)


def _rect(x: float, y: float, width: float, height: float, fill: str) -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" width="{max(0.0, width):.1f}" height="{height:.1f}"'
    return f'<rect {place} fill="{fill}"/>'


def _line(x: float, y: float, to_x: float, to_y: float, *, dashed: bool = False) -> str:
    stroke = f'stroke="{INK if dashed else FAINT}"' + (' stroke-dasharray="5 4"' if dashed else "")
    return f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}" {stroke}/>'


def _text(
    x: float,
    y: float,
    text: str,
    *,
    colour: str = INK,
    size: int = 12,
    bold: bool = False,
    end: bool = False,
    middle: bool = False,
) -> str:
    anchor = ' text-anchor="end"' if end else ' text-anchor="middle"' if middle else ""
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{colour}"{anchor}{weight}>'
        f"{xml_text(text)}</text>"
    )
