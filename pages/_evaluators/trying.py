"""Try it: a typed expected and actual side, and what the check says of them."""

from __future__ import annotations

import json

import streamlit as st
from pydantic import BaseModel

from evalcore.errors import EvaldeskError
from evalcore.evaluators.base import Evaluator, JudgedEvaluator
from evalcore.evaluators.uipath.legacy import LegacyCriteria
from evalcore.jsontree import MISSING
from evalcore.results import Score, Verdict
from evalcore.views.evaluators.bench import Bench, CheckView
from evalcore.views.evaluators.home import Home
from evalcore.views.evaluators.settings import settings_of, views_of
from evalcore.views.evaluators.trying import (
    CRITERION,
    Scratch,
    Tried,
    attempt,
    built,
    count_calls,
    fields_for,
    start_criterion,
    start_for,
    typed_sample,
    unread_of,
)
from evalcore.views.slots import Slot
from evalcore.views.values import printable
from evalcore.views.words import plural
from pages._author.calls import call_cards
from pages._author.lists import heading, text_rows
from pages._author.members import KIND_WIDTH, kind_field, members, value_editor
from pages._author.typed import shown_text, typed_error
from pages._evaluators.fields import draw
from pages._evaluators.prompt import agent_model
from pages._results import rescore_state
from pages._ui import bind, safe
from pages._ui.desk import Desk

REPLIES = ("expected_reply", "actual_reply")
CALLS = {
    "expected_calls": "What the agent should call, in order.",
    "actual_calls": "What it called; a call may have the result that the tool gave back.",
}
NODES = {
    "expected_nodes": "Steps of the graph that should be visited, in order.",
    "actual_nodes": "Steps of the graph that were visited, in order.",
}
WORDS = {
    Verdict.PASSED: "✓ passed",
    Verdict.FAILED: "✗ failed",
    Verdict.ERROR: "! error",
    Verdict.NOT_EVALUATED: "○ not evaluated",
}
NO_JUDGE = (
    "A judge decides this, and none is configured: set EVALDESK_JUDGE_BASE_URL, "
    "EVALDESK_JUDGE_API_KEY and EVALDESK_JUDGE_MODEL where Evaldesk is started."
)


def trying(desk: Desk, bench: Bench, check: CheckView) -> None:
    """Draw the box in which a check is tried."""
    st.caption("Nothing here is saved: type what is expected and what the agent did.")
    try:
        evaluator = built(bench, check, agent_model=agent_model(desk, bench))
    except EvaldeskError as error:
        safe.report(error)
        return
    scratch = _scratch(bench, check, evaluator)
    left, right = st.columns(2, gap="small")
    with left, st.container(border=True, gap="small"):
        safe.show(safe.el("strong", "Expected"))
        _expected(scratch, evaluator, bench.family)
    with right, st.container(border=True, gap="small"):
        safe.show(safe.el("strong", "What the agent did"))
        for side, name, label in fields_for(evaluator, bench.family):
            if side == "actual":
                _field(scratch, name, label)
    _answer(desk, bench, check, evaluator, scratch)


def _scratch(bench: Bench, check: CheckView, evaluator: Evaluator) -> Scratch:
    """Return what was typed for this check in this session."""
    key = f"try {bench.path} {check.ref} {check.kind}"
    found = st.session_state.get(key)
    if not isinstance(found, Scratch):
        start = start_for(evaluator)
        start["criterion"] = start_criterion(evaluator) if bench.is_single else {}
        found = st.session_state[key] = Scratch(key, start, bench.known_names)
    return found


def _expected(scratch: Scratch, evaluator: Evaluator, family: str) -> None:
    if family in ("uipath_coded", "uipath_lowcode"):
        home = Home(scratch, scratch.draft.path, lambda _tree: CRITERION, "", "camel")
        model: type[BaseModel] = getattr(evaluator, "criteria_type", LegacyCriteria)
        for view in views_of(home, settings_of(model, skip=unread_of(evaluator)))[0]:
            draw(view)
        return
    sides = [f for f in fields_for(evaluator, family) if f[0] == "expected"]
    for _side, name, label in sides:
        _field(scratch, name, label)
    if not sides:
        st.caption("This check expects nothing of a case in particular.")


def _field(scratch: Scratch, name: str, label: str) -> None:
    """Draw one side with the form that a case has for it."""
    if name in CALLS:
        call_cards(scratch.calls(name), label, CALLS[name], ["result"])
        return
    slot = scratch.slot(name)
    value = slot.read()
    if name in NODES:
        heading(label, NODES[name], value)
        text_rows(slot, "node")
    elif name in REPLIES:
        bind.area(slot.key, label, shown_text(slot, value), slot.write)
    else:
        _output(slot, label)


def _output(slot: Slot, label: str) -> None:
    """Draw the output of an agent: rows by name, or one value of any other kind."""
    value = slot.read()
    st.markdown(safe.small(label))
    with st.container(width=KIND_WIDTH):
        kind_field(slot, value, False)
    if isinstance(value, dict):
        members(slot, "", noun="output")
    else:
        value_editor(slot, value, False)
        typed_error(slot)


def _answer(
    desk: Desk, bench: Bench, check: CheckView, evaluator: Evaluator, scratch: Scratch
) -> None:
    sample = typed_sample(scratch.tree, bench.family)
    if not isinstance(evaluator, JudgedEvaluator):
        result(attempt(evaluator, sample))
        return
    calls = count_calls(evaluator, sample)
    if not calls:
        result(attempt(evaluator, sample))
        return
    problem = _judge_problem()
    kept = f"{scratch.draft.path}|answer"

    asked_for = f"{kept} asked for"

    def ask() -> None:
        st.session_state[asked_for] = True

    with st.container(horizontal=True, vertical_alignment="center"):
        bind.button(
            f"{scratch.draft.path}|ask",
            f"Ask the judge ({plural(calls, 'call')})",
            ask,
            icon="gavel",
            disabled=bool(problem),
        )
        st.caption(safe.label(problem or f"{rescore_state.judge_settings()} would be asked."))
    if st.session_state.pop(asked_for, False):
        with st.spinner("Asking the judge…"):
            judge = rescore_state.judge_maker()()
            asked = built(bench, check, judge, agent_model(desk, bench))
            st.session_state[kept] = (scratch.draft.revision, attempt(asked, sample))
    known = st.session_state.get(kept)
    if known is not None and known[0] == scratch.draft.revision:
        result(known[1])


def _judge_problem() -> str:
    try:
        found = rescore_state.judge_settings()
    except EvaldeskError as error:
        return f"{error.message}. {error.hint}"
    return "" if found.is_configured else NO_JUDGE


def result(tried: Tried) -> None:
    """Draw what a check said."""
    with st.container(border=True, gap="xsmall", key="try-result"):
        if tried.score is None:
            safe.show(safe.el("div", safe.el("b", "! No score"), f" {tried.problem}"))
            return
        score = tried.score
        safe.show(
            safe.join(
                safe.el("span", _number(score), css="ed-title"),
                safe.el("span", WORDS[score.verdict] if score.verdict else "", css="ed-chip"),
            )
        )
        safe.text(score.reason)
        for caution in score.cautions:
            safe.show(
                safe.el(
                    "div", safe.el("b", "! Caution"), f" {caution}", css="ed-problem ed-warning"
                )
            )
        if score.details is not MISSING and isinstance(score.details, dict):
            with st.expander("Details"):
                safe.code(json.dumps(score.details, indent=2, ensure_ascii=False), "json")


def _number(score: Score) -> str:
    if score.native is None:
        return "no number"
    scale = f" of {score.scale.best:g}" if score.scale else ""
    mark = "" if score.threshold is None else f", pass mark {score.threshold:g}"
    return printable(f"{score.native:.4g}{scale}{mark}")
