"""The rules of a case in their order, and the form of the one that is open."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from evalcore.errors import Problem
from evalcore.formats.mocks import StrategyForm
from evalcore.jsontree import MISSING, JsonValue, join
from evalcore.mocking import Heard, Standing
from evalcore.views import parts
from evalcore.views.mocks import left_over, parts_of, rule_line
from evalcore.views.problems import divide
from evalcore.views.slots import Slot
from evalcore.views.words import GLYPHS, problem_words, worst
from pages._author.lists import heading, item_menu
from pages._author.mocks.answers import answers, blank_answer
from pages._author.mocks.arguments import Arguments, arguments
from pages._author.names import arguments as known_arguments
from pages._author.names import name_field
from pages._author.typed import shown_json, take_json, typed_error
from pages._ui import bind, safe, state
from pages._ui.problems import problem_list
from pages._ui.rows import Cell, Column, Piece, Row, Tone, cell, rows

HEIGHT = "17rem"
EVERY, THESE = "every", "these"
CALLS = {EVERY: "Every call", THESE: "Calls with these arguments"}
ORDER = "Asked from the last to the first: the first that fits answers. Put general rules on top."
STANDINGS: dict[Standing, tuple[str, Tone]] = {
    Standing.ANSWERS: ("answers", "ok"),
    Standing.HIDDEN: ("hidden", "warning"),
    Standing.UNKNOWN: ("unsure", "warning"),
    Standing.MISFIT: ("does not fit", "muted"),
}


@dataclass(frozen=True, slots=True)
class Rules:
    """The list of rules that is drawn.

    ``slot`` holds the list, which lies at ``pointer``; ``problems`` are all that lie in it.
    ``heard`` is what each rule is to the call being tried; ``try_rule`` puts a rule's call into the
    box, None where there is no box. ``href`` is the address of the page.
    """

    slot: Slot
    form: StrategyForm
    pointer: str
    problems: Sequence[Problem]
    off: bool
    heard: Mapping[int, Heard] = field(default_factory=dict)
    try_rule: Callable[[JsonValue], None] | None = None
    href: str = ""


def rules(shown: Rules) -> None:
    """Draw the list, what adds a rule, and what of it belongs to no rule."""
    found = shown.slot.items()
    by_place, rest = divide(shown.problems, [join(shown.pointer, i) for i in range(len(found))])
    problem_list(rest)
    if not found:
        st.info("No rule yet: every function runs for real. Add the first one.")
    else:
        _list(shown, found, by_place)
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        if not shown.off:
            bind.button(
                shown.slot.inner("add"),
                "Add rule",
                lambda: _add(shown),
                icon="add",
                kind="secondary",
            )
        if found:
            safe.show(safe.el("div", ORDER, css="ed-muted"))


def open_rule(shown: Rules) -> None:
    """Draw the form of the rule that is open."""
    found = shown.slot.items()
    handle = opened(shown.slot)
    index = next((i for i, (known, _raw) in enumerate(found) if known == handle), None)
    if index is None:
        return
    base = join(shown.pointer, index)
    mine = divide(shown.problems, [base])[0].get(base, [])
    with st.container(border=True, gap="small", key="open-rule"):
        _head(shown, found[index][0], index, len(found))
        _form(shown, found[index][0], found[index][1])
        problem_list(mine)


def opened(slot: Slot) -> str | None:
    """Return the handle of the open rule: the one last opened, else the first."""
    handles = [handle for handle, _raw in slot.items()]
    kept = state.kept(_open_key(slot), None)
    return kept if kept in handles else next(iter(handles), None)


def open_at(slot: Slot, index: int) -> None:
    """Open the rule at an index."""
    state.keep(_open_key(slot), slot.items()[index][0])


def _open_key(slot: Slot) -> str:
    return f"open rule {slot.key}"


def _list(
    shown: Rules, found: list[tuple[str, Any]], by_place: Mapping[str, list[Problem]]
) -> None:
    lines = [
        _row(shown, index, handle, raw, by_place.get(join(shown.pointer, index), ()))
        for index, (handle, raw) in enumerate(found)
    ]
    columns = [Column("A call of"), Column("gets"), Column("", "34px", "right")]
    if shown.heard:
        columns.insert(2, Column("The tried call", "110px"))
    rows(
        f"rules {shown.slot.key}",
        "Rules",
        columns,
        lines,
        on_open=lambda handle: state.keep(_open_key(shown.slot), handle),
        current=opened(shown.slot) or "",
        height=HEIGHT,
    )


def _row(shown: Rules, index: int, handle: str, raw: JsonValue, problems: Sequence[Problem]) -> Row:
    line = rule_line(shown.form, raw)
    severity = worst(problems)
    title = problem_words(problems)
    mark = cell(Piece(GLYPHS[severity], severity, title=title, strong=True)) if severity else cell()
    call = line.call.removeprefix(line.function)
    cells = [
        cell(
            Piece(str(index + 1), "muted", chip=True),
            Piece(line.function or "no function", strong=True),
            Piece(call, title=line.call),
        ),
        cell(Piece(line.answers or "no answer", "" if line.answers else "muted")),
    ]
    if shown.heard:
        cells.append(_standing(shown.heard.get(index)))
    return Row(handle, f"Rule {index + 1}", (*cells, mark), shown.href)


def _standing(heard: Heard | None) -> Cell:
    if heard is None or heard.standing is Standing.OTHER:
        return cell(Piece("–", "muted", title=heard.why if heard else ""))
    words, tone = STANDINGS[heard.standing]
    return cell(Piece(words, tone, chip=True, title=heard.why))


def _add(shown: Rules) -> None:
    rule = shown.form.rule["function"].put({}, "", "camel")
    new = shown.form.rule["answers"].put(rule, [blank_answer(shown.form)], "camel")
    shown.slot.update(lambda old: [*(old if isinstance(old, list) else []), new])
    state.keep(_open_key(shown.slot), shown.slot.items()[-1][0])


def _head(shown: Rules, handle: str, index: int, count: int) -> None:
    raw = shown.slot.item(handle)
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        safe.show(safe.el("strong", f"Rule {index + 1}"), width="stretch")
        if shown.try_rule is not None:
            try_rule = shown.try_rule
            bind.button(
                raw.inner("try"),
                "Try",
                lambda: try_rule(raw.read()),
                icon="play_arrow",
                kind="tertiary",
                help="Put a call that this rule is for into the box beside it",
            )
        for name, icon, step in (("Up", "arrow_upward", -1), ("Down", "arrow_downward", 1)):
            bind.button(
                raw.inner(name),
                name,
                _move,
                shown.slot,
                handle,
                step,
                icon=icon,
                kind="tertiary",
                disabled=shown.off or not 0 <= index + step < count,
            )
        item_menu(shown.slot, handle, index, count, shown.off)


def _move(slot: Slot, handle: str, step: int) -> None:
    slot.at(handle, lambda value, index: parts.shifted(value, index, step))


def _form(shown: Rules, handle: str, raw: JsonValue) -> None:
    whole = shown.slot.item(handle)
    if not isinstance(raw, dict):
        _as_text(whole, "Rule", shown.off)
        return
    inside = parts_of(whole, shown.form.rule)
    function = inside["function"]
    name_field(
        function,
        "Function",
        function.read(),
        "tool",
        help="The name of the function as the agent's code has it, without its module.",
        off=shown.off,
    )
    typed_error(function)
    _calls(inside, shown)
    found = inside["answers"].read()
    if found is MISSING or found is None or isinstance(found, list):
        answers(inside["answers"], shown.form, shown.off)
    else:
        _as_text(inside["answers"], "Answers", shown.off)


def _calls(inside: Mapping[str, Slot], shown: Rules) -> None:
    slot = inside["arguments"]
    value = slot.read()
    is_every = value is MISSING or value is None
    heading("For", "Which calls of the function this rule answers.", True)
    if not shown.off:
        bind.segments(
            slot.inner("which"),
            "Which calls",
            CALLS,
            EVERY if is_every else THESE,
            lambda which: _choose(slot, which, _no_arguments(shown.form)),
        )
    if is_every:
        return
    function = inside["function"].read()
    name = function if isinstance(function, str) else ""
    is_odd = not isinstance(value, dict) or not all(
        isinstance(inside[n].read(), kind) or inside[n].read() is MISSING
        for n, kind in (("args", list), ("named", dict))
    )
    if is_odd:
        _as_text(slot, "Arguments", shown.off)
        return
    if not inside["args"].read() and not inside["named"].read():
        st.caption("No arguments: only calls without any.")
    arguments(
        Arguments(
            inside["args"],
            inside["named"],
            known_arguments(slot, name),
            shown.off,
            may_be_any=True,
        )
    )


def _no_arguments(form: StrategyForm) -> JsonValue:
    empty = form.rule["named"].put(form.rule["args"].put({}, [], "camel"), {}, "camel")
    found: JsonValue = form.rule["arguments"].get(empty)
    return found


def _choose(slot: Slot, which: str, blank: JsonValue) -> None:
    """Take the arguments away, or begin with none; those that were there come back."""
    was = f"arguments of {slot.key}"
    if which == EVERY:
        state.keep(was, slot.read())
        slot.update(lambda _old: MISSING)
    else:
        kept = state.kept(was, None)
        slot.update(lambda _old: kept if isinstance(kept, dict) else blank)


def _as_text(slot: Slot, label: str, off: bool) -> None:
    """Draw what has another shape than a form can show, as JSON."""
    value = slot.read()
    bind.area(slot.key, f"{label} as JSON", shown_json(slot, value), take_json(slot), disabled=off)
    typed_error(slot)


def what_else(shown: Rules) -> None:
    """Say what happens at calls that no rule is for."""
    functions = left_over(shown.form, shown.slot.read())
    named = ", ".join(f"“{name}”" for name in functions[:6]) + (" …" if len(functions) > 6 else "")
    more = (
        f"Calls of {named} that no rule fits fail: the real function does not run. "
        if (functions)
        else ""
    )
    st.caption(safe.label(f"{more}All functions without a rule run for real.", 600))
