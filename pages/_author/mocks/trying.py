"""The box in which a call is tried: which rule answers, with what, and why the others do not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import streamlit as st

from evalcore.errors import EvaldeskError
from evalcore.formats.mocks import StrategyForm
from evalcore.jsontree import MISSING, JsonValue, Missing, get, put
from evalcore.mocking import Call, Heard, Standing, Trial
from evalcore.views.evaluators.trying import Scratch
from evalcore.views.mock_trial import (
    MOST_CALLS,
    Outcome,
    call_for,
    call_of,
    call_text,
    first_call,
    outcome,
    read_call,
    reasons,
    tree_of,
    tried,
)
from evalcore.views.mocks import functions, is_used
from evalcore.views.sheet import Sheet
from evalcore.views.slots import Slot
from evalcore.views.values import printable
from pages._author.mocks.arguments import Arguments, arguments
from pages._author.typed import shown, typed_error
from pages._ui import bind, safe, state

SHOWN_RULES = 6
SHOWN_CALLS = 8
GLYPHS = {
    Standing.ANSWERS: "✓",
    Standing.HIDDEN: "~",
    Standing.UNKNOWN: "?",
    Standing.MISFIT: "✗",
}


@dataclass(frozen=True, slots=True)
class Box:
    """What is being tried for one case, and what comes of it; nothing of it is saved."""

    sheet: Sheet
    scratch: Scratch
    strategy: JsonValue | Missing
    before: Sequence[Call]
    trials: Sequence[Trial]
    problem: EvaldeskError | None

    @property
    def call(self) -> Call:
        """The call as it is typed now."""
        return call_of(self.scratch.tree)

    @property
    def heard(self) -> dict[int, Heard]:
        """What each rule is to the call, {} while there is no call."""
        if not self.trials or not self.call.function:
            return {}
        return {one.rule: one for one in self.trials[-1].heard}

    def take(self, form: StrategyForm, rule: JsonValue) -> None:
        """Put the call of a rule into the box."""
        wanted = tree_of(call_for(form, rule))
        self.scratch.edit(lambda _tree: wanted, "Try a rule")
        self.scratch.pending.clear()


def box_of(sheet: Sheet, case: str) -> Box:
    """Return the box of a case, as it was left."""
    strategy = sheet.lens.strategy_of(sheet.raw((case,)))
    key = f"try mocks|{sheet.draft.path}|{case}"
    scratch = st.session_state.get(key)
    if not isinstance(scratch, Scratch):
        form = sheet.lens.mocks.form
        first = first_call(form, None if strategy is MISSING else strategy)
        scratch = st.session_state[key] = Scratch(key, tree_of(first))
    before = [Call.model_validate(call) for call in state.kept(_log(scratch), [])]
    try:
        trials = tried(strategy, before, call_of(scratch.tree))
    except EvaldeskError as error:
        return Box(sheet, scratch, strategy, before, (), error)
    return Box(sheet, scratch, strategy, before, trials, None)


def box(shown_box: Box, open_rule: Callable[[int], None] | None = None) -> None:
    """Draw the box; ``open_rule`` opens the form of a rule by its index."""
    with st.container(border=True, gap="small", key="try-box"):
        safe.show(safe.el("strong", "Try a call"))
        st.caption("Nothing is run or saved: this says what UiPath would do.")
        _call(shown_box)
        if shown_box.problem is not None:
            safe.report(shown_box.problem)
        elif shown_box.call.function:
            _answer(shown_box, open_rule)
        else:
            st.caption("Choose or type the function that is called.")


def _log(scratch: Scratch) -> str:
    return f"calls made {scratch.draft.path}"


def _part(scratch: Scratch, name: str) -> Slot:
    pointer, key = f"/{name}", f"{scratch.draft.path}|{name}"

    def read() -> JsonValue | Missing:
        return get(scratch.tree, pointer)

    def write(new: JsonValue) -> None:
        scratch.edit(lambda tree: put(tree, pointer, new), f"Try {name}", key)

    return Slot(scratch, key, read, write)


def _call(shown_box: Box) -> None:
    scratch, sheet = shown_box.scratch, shown_box.sheet
    names = sheet.known_names().tools
    strategy = None if shown_box.strategy is MISSING else shown_box.strategy
    own = functions(sheet.lens.mocks.form, strategy)
    function = _part(scratch, "function")
    name = shown_box.call.function
    bind.choice(
        function.key,
        "Function",
        [printable(n) for n in dict.fromkeys([*own, *names])],
        printable(name) if name else None,
        lambda typed: function.write(typed.strip()),
        open_ended=True,
        placeholder="Choose a function or type its name",
    )
    arguments(
        Arguments(
            _part(scratch, "args"),
            _part(scratch, "named"),
            list(names.get(name, ())),
            off=False,
            may_be_any=False,
        )
    )
    _as_line(scratch)


def _as_line(scratch: Scratch) -> None:
    """Draw the call as one line, which may be typed instead."""

    def write(new: JsonValue) -> None:
        scratch.edit(lambda _tree: new, "Try a call")

    slot = Slot(scratch, f"{scratch.draft.path}|line", lambda: scratch.tree, write)
    call = call_of(scratch.tree)
    bind.line(
        slot.key,
        "The call as text",
        printable(str(shown(slot, call_text(call) if call.function else ""))),
        lambda typed: slot.commit(typed, partial(_typed, typed)),
        placeholder='find("12", full=True)',
        help="The same call in one line. Type or paste one here if that is quicker.",
    )
    typed_error(slot)


def _typed(typed: str, old: JsonValue) -> JsonValue:
    return tree_of(read_call(typed)) if typed.strip() else tree_of(Call(function=""))


def _answer(shown_box: Box, open_rule: Callable[[int], None] | None) -> None:
    trial = shown_box.trials[-1]
    rule = trial.answer.rule
    _outcome(_said(shown_box, trial))
    with st.container(horizontal=True, gap="xsmall", vertical_alignment="center"):
        if open_rule is not None and rule is not None:
            bind.button(
                f"{shown_box.scratch.draft.path}|rule",
                f"Open rule {rule + 1}",
                open_rule,
                rule,
                icon="arrow_back",
                kind="tertiary",
            )
        bind.button(
            f"{shown_box.scratch.draft.path}|again",
            "Make this call",
            lambda: _make(shown_box),
            icon="redo",
            kind="tertiary",
            help="Go on to the next call: rules with several answers give the next one",
            disabled=len(shown_box.before) >= MOST_CALLS,
        )
        if shown_box.before:
            bind.button(
                f"{shown_box.scratch.draft.path}|over",
                "Start over",
                lambda: state.keep(_log(shown_box.scratch), []),
                icon="restart_alt",
                kind="tertiary",
            )
    _made(shown_box)
    _reasons(trial)


def _said(shown_box: Box, trial: Trial) -> Outcome:
    steps = _steps(shown_box, trial.answer.rule)
    return outcome(trial.answer, steps, is_used=is_used(shown_box.strategy))


def _make(shown_box: Box) -> None:
    calls = [*shown_box.before, shown_box.call][-MOST_CALLS:]
    state.keep(_log(shown_box.scratch), [call.model_dump() for call in calls])


def _steps(shown_box: Box, rule: int | None) -> int:
    form, strategy = shown_box.sheet.lens.mocks.form, shown_box.strategy
    if form is None or rule is None or strategy is MISSING:
        return 0
    listed = form.strategy["rules"].get(strategy)
    answers = form.rule["answers"].get(listed[rule]) if isinstance(listed, list) else None
    return len(answers) if isinstance(answers, list) else 0


def _outcome(found: Outcome) -> None:
    pieces = [safe.el("b", found.headline)]
    if found.value:
        pieces.append(safe.el("pre", found.value))
    if found.more:
        pieces.append(safe.el("div", found.more, css="ed-muted"))
    safe.show(safe.el("div", *pieces, css=f"ed-outcome ed-{found.tone}"))


def _made(shown_box: Box) -> None:
    """Draw the calls that were made before this one, the latest last."""
    made = list(enumerate(shown_box.trials[:-1], 1))
    if not made:
        return
    lines = [
        safe.el("li", f"{number}. {call_text(trial.call)} → {_short(shown_box, trial)}")
        for number, trial in made[-SHOWN_CALLS:]
    ]
    left = len(made) - len(lines)
    head = [safe.el("li", f"{left} earlier calls")] if left else []
    title = safe.el("div", "Made so far", css="ed-muted")
    safe.show(safe.join(title, safe.el("ul", *head, *lines, css="ed-heard")))


def _short(shown_box: Box, trial: Trial) -> str:
    found = _said(shown_box, trial)
    value = " ".join(found.value.split())
    value = value if len(value) <= 60 else value[:59] + "…"
    raised = trial.answer.cause if trial.answer.rule is not None else ""
    return f"{found.headline} {value or raised}".strip()


def _reasons(trial: Trial) -> None:
    """Draw what each rule of the called function says of the call, the last one first."""
    own, others = reasons(trial.heard, SHOWN_RULES)
    lines = [
        safe.el("li", safe.el("b", f"{GLYPHS[one.standing]} Rule {one.rule + 1}"), f" {one.why}")
        for one in own
    ]
    if others:
        lines.append(safe.el("li", others))
    if lines:
        title = safe.el("div", "Why, rule by rule", css="ed-muted")
        safe.show(safe.join(title, safe.el("ul", *lines, css="ed-heard")))
