"""The scores of a case: each on its rail, with its verdict, reason and details."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from evalcore import verdicts
from evalcore.counting import Cell
from evalcore.errors import EvaldeskError
from evalcore.explain import Counterfactual, votes_of
from evalcore.explain.votes import sample_votes
from evalcore.jsontree import MISSING, JsonValue
from evalcore.model import MaybeJson
from evalcore.results import Score, Verdict
from evalcore.store import StoredRun
from evalcore.verdicts import PassMark
from evalcore.views import numbers
from evalcore.views.case_page import CasePage
from evalcore.views.expectations import Join, criterion_of
from evalcore.views.metrics import native
from evalcore.views.turn_detail import SHOWN
from evalcore.views.values import as_text, printable
from evalcore.views.what_if import failed_checks, what_if
from evalcore.workspace import Workspace
from pages._results import look, votes
from pages._results.look import box, span
from pages._ui import state
from pages._ui.desk import Desk
from pages._ui.safe import Markup, el, join

MAX_LINES = 200
_ORDER = (
    Verdict.ERROR,
    Verdict.FAILED,
    Verdict.NOT_EVALUATED,
    Verdict.PASSED,
    None,
)
WHY = {
    Verdict.NOT_EVALUATED: "Not evaluated: this check gave no score, so it neither passed nor "
    "failed.",
    Verdict.ERROR: "The check itself did not finish. That is no zero: it says nothing about "
    "the agent.",
}


@dataclass(frozen=True, slots=True)
class Context:
    """What all scores of a case are drawn with; ``what_if`` is by check, told once."""

    labels: dict[str, str]
    mark: PassMark
    found: Join | None
    what_if: dict[str, tuple[Counterfactual, ...]]


def draw(desk: Desk, run: StoredRun, page: CasePage, found: Join | None) -> None:
    """Draw the scores of the whole case, then those of its turns; failed ones first."""
    row = page.row
    of = Context(page.labels, page.mark, found, dict(_what_if(desk, run, page, found)))
    scored_turns = [turn for turn in row.turns if turn.turn.scores]
    told_once = row.is_told_by_its_turn and bool(scored_turns)
    if row.case.scores and not told_once:
        if scored_turns:
            look.draw(el("h5", "The whole case"))
        _group(row.case.scores, of)
    for turn in scored_turns:
        if not told_once:
            look.draw(el("h5", f"Turn {turn.number}"))
        _group(turn.turn.scores, of, turn.cells)
    if not row.cells:
        st.caption(
            "No check scored this case." + (" It ended in an error." if row.case.error else "")
        )


def _what_if(
    desk: Desk, run: StoredRun, page: CasePage, found: Join | None
) -> dict[str, tuple[Counterfactual, ...]]:
    """Return what would have passed; {} where nothing failed or there is nothing to try it with."""
    if page.row.verdict is not Verdict.FAILED or not failed_checks(page.row.case):
        return {}
    path = found.path if found is not None else ""
    key = (state.owner(), *run.key, page.line.case_row, *_stamp(desk, path))
    try:
        return _tried(key, desk.workspace, run, page, found)
    except EvaldeskError:
        # The Re-score tab says what is missing; here the scores themselves are what matters.
        return {}


def _stamp(desk: Desk, path: str) -> tuple[object, ...]:
    if not path:
        return ()
    names = (path, *desk.workspace.evaluator_files_of(path))
    entries = [desk.workspace.entry(name) for name in names]
    return tuple((e.path, e.modified_ns, e.size) for e in entries)


@st.cache_resource(show_spinner="Trying what would have passed…", max_entries=128)
def _tried(
    key: tuple[object, ...],
    _workspace: Workspace,
    _run: StoredRun,
    _page: CasePage,
    _found: Join | None,
) -> dict[str, tuple[Counterfactual, ...]]:
    return what_if(_workspace, _run, _page.row.case, _found)


def _group(scores: Sequence[Score], of: Context, cells: dict[str, Cell] | None = None) -> None:
    plain = [s for s in scores if s.line is None]
    judged = []
    for score in (s for s in plain if not s.informational):
        cell = (cells or {}).get(score.evaluator)
        elsewhere = cell is not None and cell.verdict is None
        judged.append((score, None if elsewhere else verdicts.of_score(score, of.mark)))
    blocks = []
    for score, verdict in sorted(judged, key=lambda pair: _ORDER.index(pair[1])):
        lines = [s for s in scores if s.line is not None and s.evaluator == score.evaluator]
        blocks.append(_check(score, verdict, of, lines))
    look.draw(*blocks)
    told = [s for s in plain if s.informational]
    if told:
        look.draw(_informational(told, of.labels))


def _check(score: Score, verdict: Verdict | None, of: Context, lines: Sequence[Score]) -> Markup:
    label, mark, found = of.labels.get(score.evaluator, score.evaluator), of.mark, of.found
    wanted = criterion_of(score.evaluator, score.evaluator_name, found)
    rubrics, cast = votes_of(score), sample_votes(score)
    return box(
        "check",
        box(
            "head",
            span("strong", label),
            span("small soft", score.evaluator if score.evaluator != label else ""),
            look.chip(verdict),
            span("push", _number(score, verdict, mark)),
        ),
        _rail(score, verdict, mark),
        _why(score, verdict),
        box("reason", printable(score.reason)[:SHOWN]) if score.reason else "",
        box("note", f"The judge answered {votes.answers(cast)}") if cast else "",
        votes.table(rubrics),
        box("banner", *map(look.paragraph, score.cautions)) if score.cautions else "",
        _would_pass(of.what_if.pop(score.evaluator, ())) if verdict is Verdict.FAILED else "",
        _fold("What it expects of this case", wanted, found),
        _lines(lines, mark),
        _details(score.details),
    )


def _would_pass(found: Sequence[Counterfactual]) -> Markup:
    """Return what would have passed, each tried on this case alone."""
    if not found:
        return box("")
    told = [one.text.replace("`", "“", 1).replace("`", "”", 1) for one in found]
    head = span("strong", "Tried on this case: ")
    return box("tried", head, "it " + "; it ".join(told) + ".", title="By the set as it is today")


def _number(score: Score, verdict: Verdict | None, mark: PassMark) -> str:
    value = native(Cell(score, verdict))
    if value is None:
        return "no score"
    scale = score.scale
    if score.threshold is not None:
        return f"{numbers.score(value, score.threshold)} of at least " + numbers.score(
            score.threshold, value
        )
    if score.verdict is None and scale is not None:
        edge = scale.worst + mark.value * (scale.best - scale.worst)
        return f"{numbers.score(value, edge)} of at least {numbers.score(edge, value)} (your mark)"
    return numbers.score(value) + ("" if scale else " on an unknown scale")


def _rail(score: Score, verdict: Verdict | None, mark: PassMark) -> Markup:
    value, scale = native(Cell(score, verdict)), score.scale
    if value is None or scale is None or scale.worst == scale.best:
        return box("")
    edge = score.threshold
    line = None if edge is None else scale.normalise(edge)
    if edge is None and score.verdict is None:
        line = mark.value
    inside = min(scale) <= value <= max(scale)
    return join(
        look.rail(scale.normalise(value), line, look.CLASSES[verdict]),
        box("ends", span("", f"{scale.worst:g}"), span("", f"{scale.best:g}")),
        "" if inside else box("note", "This score lies outside the scale."),
    )


def _why(score: Score, verdict: Verdict | None) -> Markup:
    if verdict is None:
        return box("note", "Looks at the whole conversation: scored once, at the last turn.")
    return box("note", WHY.get(verdict, ""))


def _informational(scores: Sequence[Score], labels: dict[str, str]) -> Markup:
    return join(
        el("h5", "For information: no better or worse"),
        look.table(
            ("", "value"),
            (
                (labels.get(s.evaluator, s.evaluator), numbers.score(native(Cell(s, None))))
                for s in scores
            ),
            "Informational scores",
        ),
    )


def _lines(lines: Sequence[Score], mark: PassMark) -> Markup:
    if not lines:
        return box("")
    body = [
        (
            str(s.line),
            look.chip(verdicts.of_score(s, mark)),
            numbers.score(s.native, s.threshold),
            s.reason[:1000],
        )
        for s in lines[:MAX_LINES]
    ]
    name = f"{len(lines):,} lines" + (f", the first {MAX_LINES}" if len(lines) > MAX_LINES else "")
    head = ("line", "verdict", "score", "reason")
    return el("details", el("summary", name), look.table(head, body, "Score of each line"))


def _fold(name: str, value: MaybeJson, found: Join | None) -> Markup:
    if value is MISSING or found is None:
        return box("")
    text = "its default" if value is None else as_text(value)
    where = f"{name}, from {found.path} as it is today"
    return el("details", el("summary", where), el("pre", span("", text[:SHOWN])))


def _details(details: MaybeJson) -> Markup:
    """Return details for reading: short values and lists of records as tables, the rest as JSON."""
    if details is MISSING or details in (None, {}, [], ""):
        return box("")
    if not isinstance(details, dict):
        text = details if isinstance(details, str) else as_text(details)
        return el("details", el("summary", "Details"), el("pre", span("", text[:SHOWN])))
    small = [(k, _flat(v)) for k, v in details.items() if not isinstance(v, dict | list)]
    parts = []
    for key, value in details.items():
        if _is_records(value):
            parts += [el("h5", span("", key.replace("_", " ").capitalize())), _records(value)]
    rest: JsonValue = {
        k: v for k, v in details.items() if isinstance(v, dict | list) and v and not _is_records(v)
    }
    folded = []
    if small:
        folded.append(look.table(("", "value"), small, "Details"))
    if rest:
        folded.append(el("pre", span("", as_text(rest)[:SHOWN])))
    if folded:
        parts.append(el("details", el("summary", "Details"), *folded))
    return join(*parts)


def _is_records(value: JsonValue) -> bool:
    """Return whether a value is a list of objects with plain values, such as rubric verdicts."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(
            isinstance(item, dict)
            and item
            and not any(isinstance(part, dict | list) for part in item.values())
            for item in value
        )
    )


def _records(value: JsonValue) -> Markup:
    items = [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
    names = list(dict.fromkeys(key for item in items for key in item))
    shown = ([_flat(item.get(n)) for n in names] for item in items[:MAX_LINES])
    return look.table([n.replace("_", " ") for n in names], shown, "Parts of this score")


def _flat(value: JsonValue, limit: int = 2000) -> str:
    if value is None:
        return "–"
    text = value if isinstance(value, str) else as_text(value, indent=None)
    return printable(text[:limit]) + ("…" if len(text) > limit else "")
