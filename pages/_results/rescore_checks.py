"""The checks to score with: each with its pass mark, its settings and what it comes to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import streamlit as st

from evalcore import verdicts
from evalcore.jsontree import JsonValue
from evalcore.results import Verdict
from evalcore.scoring import Check
from evalcore.views import rescore_own
from evalcore.views.rescore import MARK, POLICIES, Plan, Trial, adjusted, checks_for_plan
from evalcore.views.rescore_board import Outcome
from evalcore.views.rescore_form import (
    STARTS,
    ParamField,
    Rail,
    fields_of,
    fresh_name,
    own_kinds,
    rail_of,
)
from evalcore.views.rescore_lines import is_guid
from evalcore.views.words import plural
from pages._results import look, rescore_fields
from pages._results import rescore_state as bench_state
from pages._results.look import box, span
from pages._results.rescore_state import Bench
from pages._ui import bind, safe
from pages._ui.desk import Desk

WHAT_IS_OWN = (
    "Evaldesk's own check: no other system knows it. It is kept in a file of its own beside the "
    "set, and a case that its system passes fails here if it fails."
)


def draw(desk: Desk, bench: Bench, outcome: Outcome | None) -> None:
    """Draw the policy, then every check, then the way to add one.

    ``outcome`` is None while it is not known what the checks come to.
    """
    material, plan = bench.board.material, bench_state.plan(bench)
    listed = checks_for_plan(material, Plan(policy=plan.policy, trials=plan.trials))
    if material.policy:
        _policy(bench, plan)
    for check in listed:
        with st.container(border=True, gap="small"):
            _check(desk, bench, outcome, plan, check)
    _add(bench, listed)


def _policy(bench: Bench, plan: Plan) -> None:
    filed = bench.board.material.policy
    texts = {"business": "business: in order, others free", "strict": "strict: exactly these"}
    shown = {name: texts[name] + (" (as run)" if name == filed else "") for name in POLICIES}
    st.caption("Trajectory policy: how Harnest compares tool calls")
    bind.segments(
        f"rescore.policy {bench.name}",
        "Trajectory policy",
        shown,
        plan.policy or filed,
        lambda name: bench_state.change(bench, lambda old: old.with_policy(name, filed)),
    )


def _check(desk: Desk, bench: Bench, outcome: Outcome | None, plan: Plan, check: Check) -> None:
    key, is_on = f"rescore {bench.name} {check.ref}", check.ref not in plan.off
    fields = fields_of(check, plan, bench.board.material) if is_on else ()
    with st.container(horizontal=True, vertical_alignment="center"):
        with st.container(width="stretch"):
            bind.flag(
                f"{key} on",
                check.label,
                is_on,
                lambda on: bench_state.change(bench, lambda old: old.switched(check.ref, on=on)),
                help=_help(check),
            )
        if fields:
            _settings(bench, check, fields, key)
    if not is_on:
        st.caption("Not run.")
        return
    look.draw(box("title small", *_counts(outcome, check), span("soft", _kind(check, plan))))
    if check.evaluator is None:
        told = "It cannot run" if check.is_own else "Its stored scores are shown"
        st.caption(safe.label(f"{told}: {check.problem.rstrip('.')}. {check.hint}".strip(), 400))
        if check.is_own:
            _own(desk, bench, plan, check, key)
        return
    rail = rail_of(check, plan, bench.board.material)
    if rail is not None:
        _mark(bench, check, rail, key)
    if check.is_own:
        _own(desk, bench, plan, check, key)


def _settings(bench: Bench, check: Check, fields: Sequence[ParamField], key: str) -> None:
    changed = sum(field.is_changed for field in fields)
    with st.popover(
        safe.label(f"Settings · {changed} changed" if changed else "Settings"),
        type="tertiary",
        icon=":material/tune:",
    ):
        for field in fields:
            rescore_fields.draw(field, f"{key} {field.name}", _setter(bench, check, field))


def _setter(bench: Bench, check: Check, field: ParamField) -> Callable[[JsonValue], object]:
    def change(value: JsonValue) -> None:
        adjusted(check, {**bench_state.plan(bench).params.get(check.ref, {}), field.name: value})
        bench_state.change(
            bench, lambda old: old.with_param(check.ref, field.name, value, field.filed)
        )

    return change


def _help(check: Check) -> str:
    evaluator = check.evaluator
    if evaluator is None:
        return check.problem
    told = f"{evaluator.label}: {evaluator.help}"
    return f"{told} {WHAT_IS_OWN}" if check.is_own else told


def _kind(check: Check, plan: Plan) -> str:
    words = ["" if check.ref == check.label or is_guid(check.ref) else check.ref]
    if check.is_judged:
        words.append("asks a judge")
    if any(trial.name == check.ref for trial in plan.trials):
        words.append("tried out, not kept yet")
    elif check.is_own:
        words.append("Evaldesk's own")
    return " · ".join(filter(None, words))


def _counts(outcome: Outcome | None, check: Check) -> list[str | safe.Markup]:
    """Return how many cases came to which verdict, and came to before where that was another."""
    if outcome is None:
        return []
    before, after = (
        scored.counts.get(check.ref, Counter()) for scored in (outcome.before, outcome.after)
    )
    parts: list[str | safe.Markup] = []
    for verdict in Verdict:
        old, new = before[verdict], after[verdict]
        if old or new:
            text = f"{old:,} → {new:,}" if old != new and before else f"{new:,}"
            parts.append(span(look.CLASSES[verdict], f"{verdicts.GLYPHS[verdict]} {text}"))
    return parts


def _mark(bench: Bench, check: Check, rail: Rail, key: str) -> None:
    """Draw the pass mark on its rail."""
    slider = f"{key} mark {rail.low:g} {rail.high:g}"
    bind.seed(slider, rail.value)

    def moved() -> None:
        value = round(float(st.session_state.get(slider, rail.value)), 4)
        if rail.is_users:
            bench_state.change(bench, lambda old: old.with_mark(check.ref, value, rail.filed))
        else:
            bench_state.change(
                bench, lambda old: old.with_param(check.ref, MARK, value, rail.filed)
            )

    whose = "Your pass mark" if rail.is_users else "Pass mark"
    was = f" (was {rail.filed:g})" if rail.value != rail.filed else ""
    st.slider(
        safe.label(whose + was),
        min_value=rail.low,
        max_value=rail.high,
        step=rail.step,
        key=slider,
        on_change=moved,
        help="Scores from here on pass, as a share of the scale: the system itself has no rule."
        if rail.is_users
        else "Scores from here on pass. The file is not changed.",
    )


def _own(desk: Desk, bench: Bench, plan: Plan, check: Check, key: str) -> None:
    """Draw the way to keep a check that was tried or changed, or to take one away."""
    project, has_set = bench.board.material.project, bench.board.material.has_set
    is_trial = any(trial.name == check.ref for trial in plan.trials)
    cases = plan.cases.get(check.ref, {})
    changes = len(plan.params.get(check.ref, {})) + len(cases)
    now = _as_planned(bench, check.ref) or check
    alone = sum(own != {} for own in now.by_case.values())
    if alone:
        st.caption(
            safe.label(
                f"{plural(alone, 'case')} with settings of its own."
                if alone == 1
                else f"{alone:,} cases with settings of their own."
            )
        )

    def keep() -> None:
        rescore_own.keep(desk.workspace, project, now, cases)
        bench_state.change(bench, lambda old: old.without_trial(check.ref))

    with st.container(horizontal=True):
        if has_set and (is_trial or changes):
            bind.button(
                f"{key} keep",
                "Keep" if is_trial else f"Keep {plural(changes, 'change')}",
                keep,
                icon="save",
                help=f"Write it to {rescore_own.place_of(project)}, which only Evaldesk reads.",
            )
        if is_trial:
            bind.button(
                f"{key} drop",
                "Remove",
                lambda: bench_state.change(bench, lambda old: old.without_trial(check.ref)),
                icon="delete",
                kind="tertiary",
            )
        elif has_set:
            bind.button(
                f"{key} forget",
                "Remove from file",
                lambda: rescore_own.forget(desk.workspace, project, check.ref),
                icon="delete",
                kind="tertiary",
                help=f"Take it out of {rescore_own.place_of(project)}.",
            )


def _as_planned(bench: Bench, ref: str) -> Check | None:
    """Return a check as the plan has it now."""
    found = checks_for_plan(bench.board.material, bench_state.plan(bench))
    return next((check for check in found if check.ref == ref), None)


def _add(bench: Bench, listed: tuple[Check, ...]) -> None:
    options = {kind: cls.label for kind, cls in own_kinds().items()}

    def add(kind: str) -> None:
        taken = {name for check in listed for name in (check.ref, check.label)}
        trial = Trial(fresh_name(kind, taken), kind, STARTS.get(kind, {}))
        bench_state.change(bench, lambda old: old.with_trial(trial))

    bind.menu(
        f"rescore add {bench.name}",
        "Add a check of ours",
        options,
        add,
        icon="add",
        help="Checks that no system has, tried here first. Nothing is written until you keep one.",
        kind="secondary",
    )
