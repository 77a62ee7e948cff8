"""One case in two runs side by side: both answers, both lists of calls, both lists of scores."""

from __future__ import annotations

import streamlit as st

from evalcore import verdicts
from evalcore.compare import Comparison, Pair, PairLine, PairQuery, Side, address_of
from evalcore.explain.tool_alignment import Match
from evalcore.explain.tool_alignment import Pair as CallPair
from evalcore.jsontree import MISSING
from evalcore.model import ToolCall
from evalcore.results import CaseResult, Score, Verdict
from evalcore.store import StoredRun
from evalcore.verdicts import PassMark
from evalcore.views import compare as words
from evalcore.views import numbers
from evalcore.views.compare_case import (
    TwoScores,
    TwoTurns,
    call_words,
    two_scores,
    two_turns,
)
from evalcore.views.results_table import short
from evalcore.views.values import as_text
from pages._compare import address, look
from pages._compare.address import Address
from pages._compare.cases import NAMELESS
from pages._results.look import box, cell, chip, marked, paragraph, span, table
from pages._results.look import draw as draw_blocks
from pages._ui import bind, keys, safe, state
from pages._ui.safe import Markup, el, join

MOST_TURNS = 50
LONGEST_REASON = 600
DOTS = {"passed": "●", "failed": "○", "error": "!", "not_evaluated": "·"}


def draw(
    comparison: Comparison, chosen: int, asked: Address, line: PairLine, mark: PassMark
) -> None:
    """Draw a case; the mark judges where a run has no rule of its own."""
    pair, right = comparison.pairs[chosen], words.letter(chosen + 1)
    _head(comparison, chosen, asked, line)
    sides = [(pair.left, line.left, "A"), (pair.right, line.right, right)]
    held = [_result(run, side, letter, line) for run, side, letter in sides]
    _both(sides, held)
    turns = two_turns(held[0], held[1])
    for turn in turns[:MOST_TURNS]:
        draw_blocks(_turn(turn, right, alone=len(turns) == 1))
    if len(turns) > MOST_TURNS:
        st.caption(safe.label(f"and {len(turns) - MOST_TURNS:,} more turns"))
    found = two_scores(held[0], held[1], mark)
    if found:
        draw_blocks(el("h5", "Checks"), _scores(found, right))


def _head(comparison: Comparison, chosen: int, asked: Address, line: PairLine) -> None:
    pair = comparison.pairs[chosen]
    with st.container(horizontal=True, vertical_alignment="center"):
        outcome = words.outcome_text(line.outcome)
        css = look.css(words.tone_of(line.outcome))
        draw_blocks(
            box(
                "title",
                span(
                    "name", short(line.case_key, 160) or NAMELESS, title=short(line.case_key, 400)
                ),
                span(f"chip {css}", outcome),
            )
        )
        st.space("stretch")
        before, after = _neighbours(pair, asked, line)
        _go("previous", "Previous", "keyboard_arrow_up", before, keys.PREVIOUS)
        _go("next", "Next", "keyboard_arrow_down", after, keys.NEXT)
        bind.button(
            "compare.close", "Close", address.narrow, "case", "", icon="close", kind="tertiary"
        )
    if line.why:
        st.caption(safe.label(words.why_text(line, words.letter(chosen + 1))))
    if len(comparison.pairs) > 1:
        _switcher(comparison, chosen)


def _switcher(comparison: Comparison, chosen: int) -> None:
    """Draw which of several runs stands beside the baseline."""
    options = {
        pair.right.manifest.id: f"A and {words.letter(number + 1)}"
        for number, pair in enumerate(comparison.pairs)
    }
    bind.segments(
        "compare.beside",
        "Which two runs",
        options,
        comparison.pairs[chosen].right.manifest.id,
        lambda run_id: address.narrow("against", run_id),
    )


def _neighbours(pair: Pair, asked: Address, line: PairLine) -> tuple[str, str]:
    """Return the addresses of the cases before and after this one, as they are listed."""
    query = asked.query
    place = pair.place(query, line.case_key)
    if place is None:
        return "", ""
    around = PairQuery(
        query.outcomes,
        query.text,
        query.check,
        query.slice,
        sort=query.sort,
        limit=3,
        offset=max(0, place - 1),
    )
    found = [other.case_key for other in pair.page(around)[0]]
    at = found.index(line.case_key)
    before = address_of(found[at - 1]) if at else ""
    return before, address_of(found[at + 1]) if at + 1 < len(found) else ""


def _go(name: str, label: str, icon: str, where: str, key: str) -> None:
    bind.button(
        f"compare.{name}",
        label,
        address.narrow,
        "case",
        where,
        icon=icon,
        kind="tertiary",
        disabled=not where,
        shortcut=key,
    )


def _result(run: StoredRun, side: Side | None, letter: str, line: PairLine) -> CaseResult | None:
    """Return the case result to show: of several repeats the one chosen, else the worst."""
    if side is None:
        return None
    if side.repeats == 1:
        return run.case(side.case_row)
    repeats = run.repeats(line.case_key)
    options = {
        str(found.case_row): f"{letter}{number} {DOTS[found.verdict.value]}"
        for number, found in enumerate(repeats, 1)
    }
    slot = f"compare.repeat {run.manifest.id} {line.case_key}"
    now = state.kept(slot, str(side.case_row))
    bind.segments(slot, f"Repeat of {letter}", options, now, lambda value: state.keep(slot, value))
    return run.case(int(now) if now in options else side.case_row)


def _both(
    sides: list[tuple[StoredRun, Side | None, str]], results: list[CaseResult | None]
) -> None:
    """Draw, for each side, its run, verdict and cost, and the way to the case in its run."""
    columns = st.columns(2, gap="small")
    for column, (run, side, letter), result in zip(columns, sides, results, strict=True):
        with column, st.container(horizontal=True, vertical_alignment="center", gap="small"):
            draw_blocks(
                box(
                    "title",
                    look.letter(letter),
                    chip(words.verdict_of(side), words.verdict_text(side))
                    if side
                    else span("soft", "does not have this case"),
                    span("soft small", _cost(result)),
                )
            )
            if side is not None and result is not None:
                bind.button(
                    f"compare.see {letter}",
                    "Open",
                    _open,
                    run.manifest.id,
                    side.case_row,
                    icon="open_in_new",
                    kind="tertiary",
                    help="Open this case on the Results page.",
                )
    errors = [(sides[i][2], r.error) for i, r in enumerate(results) if r is not None and r.error]
    for letter, error in errors:
        draw_blocks(box("banner err", paragraph(f"! {letter}: {error[:2000]}")))


def _open(run_id: str, case_row: int) -> None:
    state.go("results", run=run_id, case=f"#{case_row + 1}", repeat=None, file=None)


def _cost(result: CaseResult | None) -> str:
    if result is None:
        return ""
    parts = []
    if result.duration_s is not None:
        parts.append(numbers.seconds(result.duration_s))
    if result.total_tokens is not None:
        parts.append(f"{result.total_tokens:,} tokens")
    return " · ".join(parts)


def _turn(turn: TwoTurns, right: str, *, alone: bool) -> Markup:
    return box(
        "turn",
        box("turn-head", span("strong", f"Turn {turn.number}")) if not alone else "",
        box("says", box("cap", "User says"), box("text", turn.said)) if turn.said else "",
        box("says", box("cap", f"User says in {right}"), box("text", turn.said_right))
        if turn.said_right
        else "",
        _expected(turn),
        box(
            "answers",
            _side("A", turn.left, turn.errors[0]),
            _side(right, turn.right, turn.errors[1]),
        ),
        box("note", turn.note) if turn.note else "",
        box("note", "The replies are long: their beginnings are shown.") if turn.is_cut else "",
        _calls(turn.calls, right),
    )


def _expected(turn: TwoTurns) -> Markup:
    if not turn.expected:
        return box("")
    return el("details", el("summary", "Expected reply"), el("pre", span("", turn.expected)))


def _side(letter: str, pieces: object, error: str) -> Markup:
    held = pieces if isinstance(pieces, tuple) else None
    if held is None:
        body: Markup = box("note", "No reply was recorded.")
    elif not held:
        body = box("note", "The reply is empty.")
    else:
        first = held[0].text[:1]
        body = box("text mono" if first in ("{", "[") else "text", marked(held))
    failed = box("banner err", paragraph("! " + error[:2000])) if error else ""
    return box("side", box("cap", f"Reply of {letter}"), failed, body)


def _calls(pairs: tuple[CallPair, ...] | None, right: str) -> Markup:
    if pairs is None:
        return box("")
    if not pairs:
        return box("note", "Neither run called a tool.")
    body = [
        (
            cell("step", str(pair.expected_step or pair.actual_step or "")),
            cell("", _call(pair.expected, pair, "del", gone=pair.match is Match.MISSING)),
            cell("", _call(pair.actual, pair, "ins", gone=pair.match is Match.EXTRA)),
            cell("verdict soft", call_words(pair.match, right)),
        )
        for pair in pairs
    ]
    return join(
        el("h5", "Tool calls"), table(("step", "A", right, ""), body, "Tool calls of both runs")
    )


def _call(call: ToolCall | None, pair: CallPair, tag: str, *, gone: bool) -> Markup:
    """Return a call with an argument per line; those that differ are marked."""
    if call is None:
        return span("soft", "–")
    wrong = {change.path.split(".")[0].split("[")[0] for change in pair.changes}
    name = span("strong", call.name)
    parts = [el(tag, name) if gone else name]
    if isinstance(call.args, dict):
        for key, value in call.args.items():
            text = span("mono", short(f"{key} = {as_text(value, indent=None)}", 400))
            parts.append(span("arg", el(tag, text) if key in wrong else text))
    elif call.args is not MISSING and call.args is not None:
        parts.append(span("arg mono", short(as_text(call.args, indent=None), 400)))
    return join(*parts)


def _scores(found: list[TwoScores], right: str) -> Markup:
    body = [
        (
            cell("", span("strong", short(scores.label, 60))),
            cell("", _score(scores.left, scores, 0)),
            cell("", _score(scores.right, scores, 1)),
            cell("num", _moved(scores)),
        )
        for scores in found
    ]
    return table(("check", "A", right, "change"), body, "Checks in both runs")


def _score(score: Score | None, scores: TwoScores, side: int) -> Markup:
    if score is None:
        return span("soft", "–")
    verdict = scores.verdicts[side]
    said = verdicts.said(verdict) if verdict is not None else "not judged"
    native = score.native if score.native is not None else score.value
    css = look.css(True) if verdict is Verdict.PASSED else ""
    if verdict is Verdict.FAILED:
        css = look.css(False)
    reason = box("small soft", short(score.reason, LONGEST_REASON)) if score.reason else ""
    return join(span(css, f"{numbers.score(native)} {said}"), reason)


def _moved(scores: TwoScores) -> Markup:
    a, b = scores.left, scores.right
    if a is None or b is None or a.value is None or b.value is None or a.informational:
        return span("soft", "–")
    delta = b.value - a.value
    arrow, good = words.arrow(delta)
    return span(look.css(good), f"{arrow} {words.signed(delta)}" if delta else "=")
