"""How a case's tools are replaced: not at all, by written answers, or by a model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial

import streamlit as st

from evalcore.errors import Problem
from evalcore.formats.mocks import StrategyForm
from evalcore.jsontree import MISSING, JsonValue, Missing
from evalcore.mocking import Heard
from evalcore.views.form import FieldView
from evalcore.views.mocks import is_used, part, parts_of
from evalcore.views.problems import divide
from evalcore.views.schema import spec_of
from evalcore.views.sheet import Sheet
from evalcore.views.slots import Slot
from evalcore.views.values import is_printable
from pages._author import where
from pages._author.dots import framed
from pages._author.lists import heading
from pages._author.mocks.rules import Rules, open_at, open_rule, rules, what_else
from pages._author.names import known
from pages._author.schema_form import schema_form
from pages._author.texts import text_field
from pages._author.typed import shown_json, take_json, typed_error
from pages._ui import bind, safe, state
from pages._ui.problems import problem_list, problem_markup

NONE, RULES, MODEL, OTHER = "none", "rules", "model", "other"
KINDS = {NONE: "Real tools", RULES: "Written answers", MODEL: "Made up by a model"}

UNUSED = "None of these rules is used, because of the mistakes that are marked: the real tools run."


@dataclass(frozen=True, slots=True)
class Beside:
    """What stands beside the rules in the tab: the box in which calls are tried.

    ``heard`` is what each rule is to the call in it; ``draw`` draws it; ``take`` puts the call of a
    rule into it.
    """

    heard: Mapping[int, Heard] = field(default_factory=dict)
    draw: Callable[[Callable[[int], None] | None], None] | None = None
    take: Callable[[JsonValue], None] | None = None
    href: str = ""


def strategy(sheet: Sheet, slot: Slot, view: FieldView, off: bool, beside: Beside) -> None:
    """Draw the choice, and the form of what is chosen."""
    form = sheet.lens.mocks.form
    if form is None:
        return
    heading(view.field.label, view.field.help, view.value)
    now = kind_of(form, view.value)
    options = KINDS if now != OTHER else {**KINDS, OTHER: "Something else"}
    if not off:
        bind.segments(
            slot.inner("kind"),
            "What answers for the tools",
            options,
            now,
            lambda wanted: _choose(slot, form, wanted),
        )
    if now in (RULES, MODEL):
        base = sheet.pointer(view.place) + view.field.lens.where(sheet.raw(view.place))
        _chosen(form, now, slot, base, view, off, beside)
        return
    problem_list(view.problems)
    if now == OTHER:
        _as_text(slot, "Mocks", off)
    else:
        st.caption("Every function runs for real.")


def kind_of(form: StrategyForm, value: JsonValue | Missing) -> str:
    """Return which kind of strategy a value is, by the word of the choice."""
    if value is MISSING or value is None:
        return NONE
    written = form.strategy["kind"].get(value)
    return next((word for word, name in form.kinds.items() if name == written), OTHER)


def _choose(slot: Slot, form: StrategyForm, wanted: str) -> None:
    """Turn to another kind; what was written for the kind before comes back with it."""
    if wanted == OTHER:
        return
    value = slot.read()
    state.keep(f"mocks {kind_of(form, value)} {slot.key}", value)
    kept = state.kept(f"mocks {wanted} {slot.key}", MISSING)
    new = form.blanks.get(wanted, MISSING) if kept is MISSING else kept
    slot.update(lambda _old: new)


def _chosen(
    form: StrategyForm,
    now: str,
    slot: Slot,
    base: str,
    view: FieldView,
    off: bool,
    beside: Beside,
) -> None:
    if now == MODEL:
        problem_list(view.problems)
        left, right = _pair(beside)
        with left:
            _model(form, slot, off)
        with right:
            _aside(beside, None)
        return
    listed = part(slot, RULES, form.strategy[RULES])
    pointer = base + form.strategy[RULES].where(slot.read())
    inside, rest = divide(view.problems, [pointer])
    problem_list(rest)
    if not isinstance(listed.read(), list) and listed.read() is not MISSING:
        problem_list(inside.get(pointer, []))
        _as_text(listed, "Rules", off)
        return
    shown = Rules(
        listed,
        form,
        pointer,
        inside.get(pointer, []),
        off,
        beside.heard,
        beside.take,
        beside.href,
    )
    if not is_used(slot.read()):
        safe.show(problem_markup(Problem("warning", "unused", UNUSED)))
    rules(shown)
    left, right = _pair(beside)
    with left:
        open_rule(shown)
        if is_used(slot.read()):
            what_else(shown)
    with right:
        _aside(beside, partial(open_at, listed))


def _pair(beside: Beside) -> tuple[st.delta_generator.DeltaGenerator, ...]:
    """Return the places for the form and for the box beside it, one below the other if narrow."""
    if beside.draw is None:
        return st.container(), st.container()
    with st.container(key="mock-pair"):
        return tuple(st.columns([7, 5], gap="small"))


def _aside(beside: Beside, open_rule: Callable[[int], None] | None) -> None:
    if beside.draw is not None:
        beside.draw(open_rule)
    else:
        bind.button(
            "mocks.try", "Try a call", where.show_view, "mocks", icon="play_arrow", kind="tertiary"
        )


def _model(form: StrategyForm, slot: Slot, off: bool) -> None:
    inside = parts_of(slot, form.strategy)
    text_field(
        inside["prompt"],
        "What the tools should answer",
        inside["prompt"].read(),
        help="Instructions for the model that plays the tools.",
        off=off,
        multiline=True,
    )
    typed_error(inside["prompt"])
    _tools(form, slot, inside["tools"], off)
    model = inside["model"]
    with framed(model, "the model", MISSING, off):
        if model.is_there:
            spec = spec_of(dict(form.model_schema))
            schema_form(model, spec, "Model", "Without it: the model of the agent.", off)
        else:
            heading("Model", "Which model plays the tools.", model.read())
            bind.button(
                model.inner("begin"),
                "Choose a model",
                lambda: model.update(lambda _old: {"model": ""}),
                icon="add",
                kind="tertiary",
                disabled=off,
            )


def _tools(form: StrategyForm, whole: Slot, slot: Slot, off: bool) -> None:
    value = slot.read()
    names = value if isinstance(value, list) else []
    is_list = value is MISSING or isinstance(value, list)
    if not is_list or not all(map(is_printable, names)) or len(set(names)) < len(names):
        lens = form.strategy["tools"].json(whole.read())
        _as_text(part(whole, "tools as text", lens), "Tools", off)
        return
    bind.tags(
        slot.key,
        "Simulated tools",
        known(slot, "tool"),
        names,
        lambda chosen: slot.commit(chosen, lambda _old: list(chosen)),
        help="Their names, as the agent's code has them. All other tools run for real.",
        placeholder="Choose tools or type their names",
        disabled=off,
    )
    typed_error(slot)


def _as_text(slot: Slot, label: str, off: bool) -> None:
    """Draw what has another shape than a form can show, as JSON."""
    st.caption(safe.label(f"{label}: this has a shape that the form does not know."))
    value = slot.read()
    bind.area(slot.key, f"{label} as JSON", shown_json(slot, value), take_json(slot), disabled=off)
    typed_error(slot)
