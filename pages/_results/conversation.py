"""The turns of a case: what was said, expected beside actual, tool calls lined up, nodes."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from evalcore.counting import CaseRow, TurnRow
from evalcore.explain.json_diff import diff_json
from evalcore.explain.tool_alignment import Match, Pair
from evalcore.jsontree import MISSING
from evalcore.model import ToolCall
from evalcore.results import Verdict
from evalcore.views import numbers
from evalcore.views.expectations import Join
from evalcore.views.results_table import cell_text, short
from evalcore.views.tool_alignment import WORDS, differing
from evalcore.views.turn_detail import (
    SHOWN,
    SHOWN_IN_FULL,
    Reply,
    TurnDetail,
    shown,
    turn_detail,
    whole,
)
from evalcore.views.values import as_text
from evalcore.views.words import plural
from pages._results import look, reveal
from pages._results.look import box, cell, span
from pages._ui import bind, safe, state
from pages._ui.safe import Markup, el, join

MAX_TURNS = 50
"""Turns that are drawn at once; a longer conversation is unfolded on demand."""


def draw(
    row: CaseRow, found: Join | None, labels: Mapping[str, str], failing: int | None = None
) -> None:
    """Draw the turns of a case result; ``labels`` are the names of the checks by their refs.

    Beside a ``failing`` turn (its number) those that did not fail are folded.
    """
    if not row.turns:
        st.caption("This result holds no conversation: the case ended before its first turn.")
        return
    limit = len(row.turns) if state.kept(f"results.turns of {row.place}", False) else MAX_TURNS
    shown_turns = [*row.turns[:limit], *(t for t in row.turns[limit:] if t.number == failing)]
    for turn in shown_turns:
        is_folded = failing is not None and turn.verdict not in (Verdict.FAILED, Verdict.ERROR)
        _turn(row, turn, found, labels, is_folded=is_folded, is_first=turn.number == failing)
    if len(row.turns) > limit:
        more = len(row.turns) - limit
        bind.button(
            "results.more_turns",
            f"Show {more:,} more turns",
            lambda: state.keep(f"results.turns of {row.place}", True),
        )
    _state(row, found)


def _turn(
    row: CaseRow,
    turn: TurnRow,
    found: Join | None,
    labels: Mapping[str, str],
    *,
    is_folded: bool,
    is_first: bool,
) -> None:
    key = f"results.whole {row.place} {turn.number}"
    detail = turn_detail(turn, found, SHOWN_IN_FULL if st.session_state.get(key) else SHOWN)
    head = _head(row, turn, detail, labels)
    body = (
        box("banner err", look.paragraph("! " + detail.error))
        if detail.error and detail.error != row.case.error
        else "",
        _said(detail),
        _reply(detail, found, labels),
        _calls(detail),
        _nodes(detail),
    )
    if is_folded:
        said = span("soft clip", short(detail.said, 90))
        look.draw(el("details", el("summary", head, said), *body, css="turn folded"))
    else:
        look.draw(box(f"turn {reveal.FAILED}" if is_first else "turn", head, *body))
    if detail.reply.length > SHOWN:
        _long(detail.reply, key)


def _head(row: CaseRow, turn: TurnRow, detail: TurnDetail, labels: Mapping[str, str]) -> Markup:
    names = [
        f"{short(labels.get(key, key), 40)} {cell_text(c)}"
        for key, c in turn.cells.items()
        if c.verdict is not None
    ]
    alone = len(row.turns) == 1
    return box(
        "turn-head",
        span("strong", "" if alone else f"Turn {turn.number}"),
        look.chip(turn.verdict) if turn.verdict is not None and not alone else "",
        span("", "" if alone or detail.duration_s is None else numbers.seconds(detail.duration_s)),
        span("", "" if alone else " · ".join(names)),
    )


def _said(detail: TurnDetail) -> Markup:
    origin = detail.expected.origin("input")
    return box(
        "says",
        box("cap", "User says", f" · {origin}" if origin else ""),
        box(_looks(detail.said), *(p.text for p in whole(detail.said)))
        if detail.said
        else box("note", "What the user said is not recorded."),
    )


def _criteria(found: Join | None, labels: Mapping[str, str]) -> list[Markup]:
    """Return what each check expects of the case, where its set says that by check."""
    given = {} if found is None else found.case.criteria
    return [
        join(
            el("h5", span("", labels.get(key, key))),
            box("text mono", (shown(value) or "")[:SHOWN]),
        )
        for key, value in given.items()
        if value not in (None, {})
    ]


def _reply(detail: TurnDetail, found: Join | None, labels: Mapping[str, str]) -> Markup:
    reply, origin = detail.reply, detail.expected.origin("output")
    criteria = [] if reply.expected is not None else _criteria(found, labels)
    if criteria:
        return box(
            "pair",
            box("side", box("cap", f"Expected by each check · from {detail.expected.path}, "
                "as it is today"), *criteria),
            _side("Actual", reply.actual, _alone(reply), "No reply was recorded."),
        )  # fmt: skip
    if reply.expected is None:
        behavior = detail.expected.behavior
        return box(
            "",
            box("pair one", _side("Reply", reply.actual, _alone(reply), "No reply was recorded.")),
            box("note", "This case has no expected reply." if not behavior else ""),
            box("note", f"Expected behavior: {behavior}") if behavior else "",
        )
    left = reply.diff.expected if reply.diff else whole(reply.expected, reply.limit)
    right = reply.diff.actual if reply.diff else whole(reply.actual or "", reply.limit)
    caption = f"Expected · {origin}" if origin else "Expected"
    changes = reply.changes
    return box(
        "",
        box(
            "pair",
            _side(caption, reply.expected, look.marked(left), "An empty reply is expected."),
            _side("Actual", reply.actual, look.marked(right), "No reply was recorded."),
        ),
        box("note", reply.note),
        join(el("h5", "Where they differ"), look.changes_table(changes.changes))
        if changes and changes.changes
        else "",
        box("note", "Only the first differences are listed.") if changes and changes.cut else "",
    )


def _alone(reply: Reply) -> Markup:
    return look.marked(whole(reply.actual or "", reply.limit))


def _side(caption: str, text: str | None, body: Markup, empty: str) -> Markup:
    if not text:
        return box("side", box("cap", caption), box("note", empty))
    return box("side", box("cap", caption), box(_looks(text), body))


def _looks(text: str) -> str:
    return "text mono" if text[:1] in ("{", "[") else "text"


def _long(reply: Reply, key: str) -> None:
    """Offer the rest of a text that was cut, and each side as a file."""
    with st.container(horizontal=True, vertical_alignment="center"):
        many = numbers.count(min(reply.limit, reply.length))
        told = f"Long reply ({numbers.size(reply.length)} characters): "
        st.caption(safe.label(f"{told}the first {many} are shown and compared."))
        most = "Show all" if reply.length <= SHOWN_IN_FULL else "Show the first million"
        st.toggle(safe.label(most), key=key)
        for name, text in (("expected", reply.expected), ("actual", reply.actual)):
            if text and len(text) > SHOWN:
                st.download_button(
                    safe.label(f"Download {name}"),
                    text.encode("utf-8", "replace"),
                    file_name=f"{name}.txt",
                    mime="text/plain",
                    key=f"{key} {name}",
                    on_click="ignore",
                    type="tertiary",
                    icon=":material/download:",
                )


def _calls(detail: TurnDetail) -> Markup:
    if detail.pairs is None:
        return box("")
    origin = detail.expected.origin("tool_calls")
    if not detail.pairs:
        return box("note", "No tool call was expected, and none was made.")
    title = el("h5", "Tool calls" + (f" · expected {origin}" if origin else ""))
    if not detail.calls_expected:
        lines = [(str(p.actual_step), _call(p.actual)) for p in detail.pairs if p.actual]
        return join(
            title,
            look.table(("step", "called"), ((cell("step", n), c) for n, c in lines), "Tool calls"),
            box("note", "No list of expected calls is given."),
        )
    body = [_pair(pair) for pair in detail.pairs]
    head = ("step", "expected", "actual", "")
    return join(title, look.table(head, body, "Tool calls, expected beside actual"))


def _pair(pair: Pair) -> tuple[Markup, Markup, Markup, Markup]:
    step = str(pair.expected_step or "+")
    if pair.is_moved:
        step += f"→{pair.actual_step}"
    wrong = {change.path.split(".")[0].split("[")[0] for change in pair.changes}
    good = pair.match is Match.MATCHED
    css = "ok" if good else "warn" if pair.match in (Match.MOVED, Match.EXTRA) else "bad"
    moved = ", another step" if pair.is_moved and pair.changes else ""
    return (
        cell("step", step),
        cell("", _call(pair.expected, wrong, "del", gone=pair.match is Match.MISSING)),
        cell("", _call(pair.actual, wrong, "ins", gone=pair.match is Match.EXTRA)),
        cell(
            "verdict",
            span(css, WORDS[pair.match] + moved),
            box("note", differing(pair)) if pair.changes else "",
        ),
    )


def _call(
    call: ToolCall | None,
    wrong: set[str] | None = None,
    tag: str = "del",
    *,
    gone: bool = False,
) -> Markup:
    """Return a call with an argument per line; those that differ are marked."""
    if call is None:
        return span("soft", "–")
    name = span("strong", call.name)
    parts = [el(tag, name) if gone else name]
    if isinstance(call.args, dict):
        for key, value in call.args.items():
            text = span("mono", f"{key} = {_short(as_text(value, indent=None))}")
            parts.append(span("arg", el(tag, text) if key in (wrong or ()) else text))
    elif call.args is not MISSING and call.args is not None:
        parts.append(span("arg mono", _short(as_text(call.args, indent=None))))
    if call.result is not MISSING and call.result is not None:
        told = call.result if isinstance(call.result, str) else as_text(call.result)
        parts.append(el("details", el("summary", "result"), el("pre", span("", told[:SHOWN]))))
    return join(*parts)


def _nodes(detail: TurnDetail) -> Markup:
    if not detail.nodes:
        return box("")
    origin = detail.expected.origin("node_order")
    if not detail.nodes_expected:
        path = " → ".join(right or "" for _, right in detail.nodes)
        return join(el("h5", "Nodes visited"), box("mono", path))
    title = el("h5", "Nodes, in order" + (f" · expected {origin}" if origin else ""))
    lines = [
        (
            span("bad" if right is None else "", left or ""),
            span("warn" if left is None else "", right or ""),
            "✓" if left == right else "✗ not visited" if right is None else "+ not expected",
        )
        for left, right in detail.nodes
    ]
    return join(title, look.table(("expected", "visited", ""), lines, "Nodes in order"))


def _state(row: CaseRow, found: Join | None) -> None:
    """Draw how the session's state ended up against what the set expects of it."""
    ended = row.case.final_state
    wanted = MISSING if found is None else found.case.expected_state
    if wanted is MISSING:
        if ended not in (MISSING, None, {}):
            text = (shown(ended) or "")[:SHOWN]
            name = el("summary", "State of the session at the end")
            look.draw(el("details", name, el("pre", span("", text))))
        return
    title = el("h5", "State of the session at the end")
    if ended is MISSING or ended is None:
        told = box("note", "A state is expected, and the result file does not hold what came.")
        look.draw(join(title, told, el("pre", span("", (shown(wanted) or "")[:SHOWN]))))
        return
    found_changes = diff_json(wanted, ended)
    more = [c for c in found_changes.changes if c.kind == "extra"]
    wrong = [c for c in found_changes.changes if c.kind != "extra"]
    same = box("note", "✓ Everything that is expected of it is there.")
    rest = f"{plural(len(more), 'more value')} that nothing is expected of"
    look.draw(
        join(
            title,
            look.changes_table(wrong) if wrong else same,
            el("details", el("summary", rest), look.changes_table(more)) if more else "",
        )
    )


def _short(text: str, limit: int = 400) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"
