"""A case over all runs of its eval set: dots with dates, and which run broke it."""

from __future__ import annotations

from datetime import UTC, datetime

from evalcore import verdicts
from evalcore.results import Verdict
from evalcore.store import StoredRun
from evalcore.verdicts import PassMark
from evalcore.views.case_history import RUNS, CaseHistory, Point, history
from evalcore.views.case_page import CasePage
from evalcore.views.words import ago, plural
from pages._results import address, look
from pages._results.look import box, span
from pages._ui import bind, runs, state
from pages._ui.desk import Desk
from pages._ui.rows import Cell, Column, Piece, Row, Tone, cell, link, rows
from pages._ui.safe import Markup

ALL = "results.history.all"
STRIP = 60
DOT = {
    Verdict.PASSED: "●",
    Verdict.FAILED: "○",
    Verdict.ERROR: "!",
    Verdict.NOT_EVALUATED: "–",
    None: "·",
}


def draw(desk: Desk, run: StoredRun, page: CasePage) -> None:
    """Draw the runs of a case, newest first."""
    most = None if state.kept(ALL, False) else RUNS
    found = _history(desk, run, page.line.case_key, most)
    look.draw(box("strong", found.told), _strip(found))
    rows(
        "results.history",
        "Runs of this case",
        [Column("When", "170px"), Column("Came out", "150px"), Column("Run")],
        [_row(desk, n, p, found, page) for n, p in reversed(list(enumerate(found.points)))],
        on_open=_open,
        current=run.manifest.id,
    )
    if found.older:
        bind.button(
            "results.history.more",
            f"Look at {plural(found.older, 'older run')} too",
            lambda: state.keep(ALL, True),
            kind="tertiary",
        )


def _history(desk: Desk, run: StoredRun, case_key: str, most: int | None) -> CaseHistory:
    store = runs.run_store(desk)
    mark = PassMark(run.pass_mark) if run.pass_mark is not None else None
    return history(run, case_key, store.runs(), lambda name: store.open(name, mark), most)


def _strip(found: CaseHistory) -> Markup:
    """Return the verdicts as dots, oldest first."""
    dots = []
    for number, point in list(enumerate(found.points))[-STRIP:]:
        if point.changed:
            dots.append(span("soft", "|", title="The case was changed here"))
        css = look.CLASSES[point.verdict] + (" here" if point.is_this else "")
        if number == found.first_broken:
            css += " broke"
        title = f"{point.at:%d %b %Y}: {verdicts.said(point.verdict) if point.seen else 'not run'}"
        dots.append(span(f"dotted {css}", DOT[point.verdict], title=title))
    return box("strip", *dots)


def _row(desk: Desk, number: int, point: Point, found: CaseHistory, page: CasePage) -> Row:
    manifest = point.manifest
    name = manifest.name or manifest.id
    below = []
    if number == found.first_broken:
        below.append(Piece("▼ broke here", "error", strong=True))
    if point.changed:
        below.append(
            Piece(
                "≠ the case was changed before this run",
                "warning",
                title="What the set says of the case is not what it said in the run before.",
            )
        )
    if point.is_this:
        below.append(Piece("this run", "muted"))
    when = cell(Piece(f"{point.at:%d %b %Y, %H:%M}"), below=[_age(point)])
    href = link("results", run=manifest.id, case=address.of(page.line)[0])
    return Row(manifest.id, name, (when, _verdict(point), cell(Piece(name), below=below)), href)


def _age(point: Point) -> Piece:
    return Piece(ago(point.at, datetime.now(UTC)), "muted")


def _verdict(point: Point) -> Cell:
    if point.trouble:
        return cell(Piece("cannot be read", "warning", title=point.trouble))
    if point.seen is None:
        return cell(Piece("not in this run", "muted"))
    told = "~ flaky" if point.seen.is_flaky else verdicts.said(point.verdict)
    strip = "".join(DOT[v] for v in point.seen.verdicts[:20])
    many = len(point.seen.verdicts) > 1
    tone: Tone = "warning" if point.seen.is_flaky else look.TONES[point.verdict]
    return cell(Piece(told, tone), below=[Piece(strip, tone)] if many else [])


def _open(run_id: str) -> None:
    case = address.text("case")
    address.look_at(run_id)
    address.choose(case)
