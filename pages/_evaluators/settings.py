"""The settings of one check: its form, its pass mark on a rail, what it expects by default."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from evalcore.errors import EvaldeskError
from evalcore.formats._uipath.entry_points import entry_points
from evalcore.jsontree import MISSING, get
from evalcore.views.evaluators import ops
from evalcore.views.evaluators.bench import Bench, CheckView
from evalcore.views.evaluators.form import PROMPT, CheckForm, Section, check_form
from evalcore.wiring import EvaluatorFile, Wiring
from pages._evaluators import rail
from pages._evaluators.fields import draw
from pages._ui import bind, safe
from pages._ui.desk import Desk
from pages._ui.problems import problem_list

TRAJECTORY = "tool_trajectory_avg_score"
WIDE = ("items", "object", "value", "counts", "names", "text")


def settings(
    desk: Desk, wiring: Wiring, file: EvaluatorFile, bench: Bench, check: CheckView
) -> None:
    """Draw the form of a check."""
    form = check_form(bench, check)
    st.caption(safe.label(check.help))
    problem_list(form.rest)
    _form_of_criterion(bench, check)
    outputs = outputs_of(desk, bench)
    for section in form.sections:
        with st.container(border=True, gap="small"):
            _section(section, outputs, form)
    _mark(desk, wiring, file, bench, form)
    if form.criterion is not None:
        _default(form.criterion)


def outputs_of(desk: Desk, bench: Bench) -> Sequence[str]:
    """Return the names of the agent's output, where its project says them."""
    if not bench.is_single:
        return ()
    try:
        return list(entry_points(desk.workspace.near(bench.path)).outputs.members)
    except EvaldeskError:
        # Without an entry point every name may be typed.
        return ()


def _section(section: Section, outputs: Sequence[str], form: CheckForm) -> None:
    if len(form.sections) > 1:
        safe.show(safe.el("strong", section.title))
    narrow = [v for v in section.views if v.setting.kind not in WIDE]
    wide = [v for v in section.views if v.setting.kind in WIDE and v.setting.name != PROMPT]
    columns = st.columns(2, gap="small")
    for number, view in enumerate(narrow):
        with columns[number % 2]:
            draw(view, outputs if view.setting.kind == "target" else ())
    for view in wide:
        draw(view)
    if section.view(PROMPT) is not None:
        st.caption("The prompt has a part of its own above.")
    if section.unread:
        names = ", ".join(section.unread)
        st.caption(safe.label(f"Also in the file, not read by this check and kept: {names}"))


def _mark(desk: Desk, wiring: Wiring, file: EvaluatorFile, bench: Bench, form: CheckForm) -> None:
    if form.check.cls is None:
        return
    with st.container(border=True, gap="xsmall"):
        rail.draw(desk, wiring, file, bench, form)


def _default(section: Section) -> None:
    """Draw what an evaluator expects of cases that state nothing themselves."""
    home = section.home
    present = home.read() is not MISSING and home.read() is not None
    with st.container(border=True, gap="small"):
        with st.container(horizontal=True, vertical_alignment="center"):
            safe.show(safe.el("strong", section.title))
            bind.flag(
                home.inner("on"),
                "Cases that state nothing use this",
                present,
                lambda on: home.change(lambda _old: {} if on else MISSING, "default"),
                help="Without a default, a case that states nothing for this check fails as "
                "a whole.",
            )
        if present:
            for view in section.views:
                draw(view)
            if section.unread:
                names = ", ".join(section.unread)
                st.caption(safe.label(f"Also there, not read and kept: {names}"))


def _form_of_criterion(bench: Bench, check: CheckView) -> None:
    """Draw how a criterion is written or switched, where its system has several ways."""
    raw = get(bench.tree, check.pointer) if not bench.is_single else MISSING
    key = bench.key("form", check.ref)
    if bench.family in ("adk", "harnest") and raw is not MISSING:
        words = {"number": "Only a pass mark", "object": "Pass mark and settings"}
        bind.segments(
            key,
            "Written as",
            words,
            "object" if isinstance(raw, dict) else "number",
            lambda picked: ops.as_object(bench, check, on=picked == "object"),
        )
    if bench.family == "harnest" and check.native == TRAJECTORY:
        st.caption(
            "Harnest puts its own policy in place of how calls must match (business: in order, "
            "strict: exactly). What the file says of that is read by ADK alone."
        )
    if bench.family == "tenxgraph":
        on = {"on": "On", "off": "Off"}
        bind.segments(
            key,
            "Switched",
            on,
            "on" if check.state == "on" else "off",
            lambda picked: ops.switch(bench, check, on=picked == "on"),
        )
