"""The top of the page: the numbers, which are there without any script."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from evalcore.report.facts import Facts
from evalcore.report.texts import reading_text
from evalcore.results import Verdict
from evalcore.store import MetricNumbers
from evalcore.verdicts import GLYPHS, WORDS, WORST_FIRST
from evalcore.views import numbers

MOST_CAUSES = 12
ORDER = {
    Verdict.PASSED: "passed",
    Verdict.FAILED: "failed",
    Verdict.ERROR: "errors",
    Verdict.NOT_EVALUATED: "not evaluated",
}


def summary(facts: Facts, notes: Iterable[str]) -> str:
    """Return the head of the page as HTML; ``notes`` say what the file does not hold."""
    return "\n".join(_parts(facts, notes)) + "\n"


def _parts(facts: Facts, notes: Iterable[str]) -> Iterator[str]:
    yield '<header class="top">'
    yield f'<h1><span class="kind">Eval report</span> <bdi>{_text(facts.title)}</bdi></h1>'
    yield '<div class="card">'
    yield f'<p class="rate">{_text(facts.headline)}</p>'
    yield f"<p>{_text(facts.rate.interval_text)}</p>"
    yield f"<p>{_text(facts.scored)}</p>"
    yield '<p class="chips" role="group" aria-label="Show by verdict">'
    yield from (_chip(facts, code, verdict) for code, verdict in enumerate(WORST_FIRST))
    yield "</p>"
    yield from (f'<p class="note">{_text(note)}</p>' for note in notes)
    yield from (
        f'<p class="caution"><strong>Caution:</strong> <bdi>{_text(str(said))}</bdi></p>'
        for said in facts.cautions
    )
    yield "</div>"
    yield from _checks(facts)
    yield from _causes(facts)
    yield from _about(facts)
    yield "</header>"


def _chip(facts: Facts, code: int, verdict: Verdict) -> str:
    number = facts.counts[verdict]
    state = "" if number else " disabled"
    return (
        f'<button type="button" class="chip {verdict.value}" data-verdict="{code}"'
        f' aria-pressed="false"{state}>{GLYPHS[verdict]} {number:,} {WORDS[verdict]}</button>'
    )


def _checks(facts: Facts) -> Iterator[str]:
    if not facts.metrics:
        return
    yield '<section class="checks" aria-labelledby="checks-title">'
    yield '<h2 id="checks-title">Checks</h2><div class="scroll" tabindex="0"><table><thead><tr>'
    heads = ("check", "scored", *ORDER.values(), "mean", "lowest", "highest")
    yield "".join(f'<th scope="col">{head}</th>' for head in heads)
    yield "</tr></thead><tbody>"
    yield from (_check(place, found, facts.total) for place, found in enumerate(facts.metrics))
    yield "</tbody></table></div></section>"


def _check(place: int, found: MetricNumbers, total: int) -> str:
    cells = [f"{found.scored:,} of {total:,}"]
    for verdict in ORDER:
        number = found.counts[verdict]
        if found.metric.informational:
            cells.append("")
        elif number and verdict is not Verdict.PASSED:
            code = WORST_FIRST.index(verdict)
            label = _text(f"{found.metric.label}: show {number:,} {WORDS[verdict]}")
            cells.append(
                f'<button type="button" class="link" data-check="{place}" data-said="{code}"'
                f' aria-label="{label}">{number:,}</button>'
            )
        else:
            cells.append(f"{number:,}")
    shown = numbers.score if found.metric.informational else numbers.cut
    cells += [shown(value) for value in (found.mean, found.low, found.high)]
    row = "".join(f"<td>{cell}</td>" for cell in cells)
    return f'<tr><th scope="row"><bdi>{_text(found.metric.label)}</bdi></th>{row}</tr>'


def _causes(facts: Facts) -> Iterator[str]:
    if not facts.causes:
        return
    yield '<section class="causes" aria-labelledby="causes-title">'
    yield '<h2 id="causes-title">Why</h2><ul>'
    for cause, times in facts.causes[:MOST_CAUSES]:
        yield (
            f'<li><button type="button" class="link" data-cause="{_text(cause)}">'
            f'<span class="times">{times:,} ×</span> <bdi>{_text(cause)}</bdi></button></li>'
        )
    yield "</ul>"
    if len(facts.causes) > MOST_CAUSES:
        yield '<p class="note">Further causes are in the list of filters below.</p>'
    yield "</section>"


def _about(facts: Facts) -> Iterator[str]:
    yield '<details class="about"><summary>About this run</summary><dl>'
    for name, text in facts.about:
        yield f"<div><dt>{_text(name)}</dt><dd><bdi>{_text(text)}</bdi></dd></div>"
    yield "</dl></details>"


def _text(text: str) -> str:
    return escape(reading_text(text))
