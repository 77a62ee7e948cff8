"""What one case says of a check of ours: other parameters than elsewhere, or not run at all."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from evalcore.jsontree import JsonObject, JsonValue, same
from evalcore.scoring import Check
from evalcore.views.rescore import Plan, checks_for_plan
from evalcore.views.rescore_board import Outcome
from evalcore.views.rescore_form import ParamField, fields_for_case, usable_for_case
from evalcore.views.words import plural
from pages._results import rescore_fields
from pages._results import rescore_state as bench_state
from pages._results.rescore_state import Bench
from pages._ui import bind, safe

WHAT = (
    "These settings are this case's alone. They count here at once; Keep, at the check on the "
    "left, writes them to Evaldesk's file."
)


def skipped(bench: Bench, outcome: Outcome, place: int) -> Sequence[Check]:
    """Return the checks of ours that are not run on this case alone."""
    case_id = _case_id(bench, outcome, place)
    return [c for c in outcome.after.checks if c.is_own and c.by_case.get(case_id, {}) is None]


def draw(bench: Bench, outcome: Outcome, place: int, ref: str) -> None:
    """Draw the way to have a check of ours go by other parameters on this case."""
    check, case_id = outcome.after.check(ref), _case_id(bench, outcome, place)
    if check is None or not check.is_own or check.evaluator is None or not case_id:
        return
    own, key = check.by_case.get(case_id, {}), f"rescore alone {bench.name} {ref} {case_id}"
    change = _changer(bench, ref, case_id)
    with st.popover(safe.label(_title(own)), type="tertiary", icon=":material/tune:"):
        st.text(WHAT)
        bind.flag(
            f"{key} on",
            "Run this check on this case",
            own is not None,
            lambda on: change({} if on else None),
        )
        given: JsonObject = own if isinstance(own, dict) else {}
        if own is not None:
            for field in fields_for_case(check, given):
                set_one = _setter(check, given, field, change)
                rescore_fields.draw(field, f"{key} {field.name}", set_one)
        if own != {}:
            bind.button(
                f"{key} reset", "As for all other cases", change, {}, icon="undo", kind="tertiary"
            )


def _title(own: JsonValue) -> str:
    if own is None:
        return "Not run on this case"
    if isinstance(own, dict) and own:
        return f"{plural(len(own), 'setting')} for this case alone"
    return "Other settings for this case"


def _setter(
    check: Check, own: JsonObject, field: ParamField, change: Callable[[JsonValue], object]
) -> Callable[[JsonValue], object]:
    def set_one(value: JsonValue) -> None:
        rest: JsonObject = {k: v for k, v in own.items() if k != field.name}
        if not same(value, field.filed):
            rest[field.name] = value
        usable_for_case(check, rest)
        change(rest)

    return set_one


def _changer(bench: Bench, ref: str, case_id: str) -> Callable[[JsonValue], None]:
    trials = bench_state.plan(bench).trials
    as_filed = checks_for_plan(bench.board.material, Plan(trials=trials))
    filed = next((c.by_case.get(case_id, {}) for c in as_filed if c.ref == ref), {})

    def change(own: JsonValue) -> None:
        bench_state.change(bench, lambda old: old.with_case(ref, case_id, own, filed))

    return change


def _case_id(bench: Bench, outcome: Outcome, place: int) -> str:
    """Return the id by which the set knows a case, "" where it has none."""
    joined = bench.board.joined(outcome.after, place)
    return (joined.case.id or "") if joined is not None else ""
