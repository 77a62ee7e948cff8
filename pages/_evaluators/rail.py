"""A pass mark on its rail, with the last run's scores behind it."""

from __future__ import annotations

import streamlit as st

from evalcore.errors import EvaldeskError
from evalcore.evaluators.uipath.classes import Classification
from evalcore.jsontree import MISSING
from evalcore.results import Score
from evalcore.views.evaluators.bench import Bench, CheckView
from evalcore.views.evaluators.form import CheckForm, scale_of
from evalcore.views.evaluators.rail import Rail, rail
from evalcore.views.evaluators.runs import LastRun, numbers, scores_of
from evalcore.views.evaluators.settings import SettingView
from evalcore.views.words import plural
from evalcore.wiring import EvaluatorFile, Wiring
from pages._evaluators.cache import latest_run
from pages._ui import bind, safe
from pages._ui.desk import Desk

SETS_LOOKED_AT = 5
STEP = 0.01


def draw(desk: Desk, wiring: Wiring, file: EvaluatorFile, bench: Bench, form: CheckForm) -> None:
    """Draw the range of a check's scores, its pass mark, and what the mark does to the last run."""
    check, view = form.check, form.mark
    low, high = scale_of(check)
    found = run_of(desk, wiring, file, check)
    scores = scores_of(found.run, check) if found is not None else []
    made = rail((low, high), _mark(view), numbers(scores), _was(scores))
    safe.show(
        safe.join(
            safe.el("strong", "Pass mark" if view is not None else "Scores"),
            safe.el("span", f"  scores go from {low:g} to {high:g}", css="ed-muted"),
        )
    )
    if view is not None:
        _slider(view, made)
    _picture(made)
    for words in filter(None, (made.outside, made.words)):
        st.caption(safe.label(words))
    if view is None:
        _no_mark(bench, form)
    if found is not None and scores:
        without = len(scores) - made.total
        more = f" {without:,} more could not be scored." if without else ""
        st.caption(safe.label(f"Behind it: {plural(made.total, 'score')} of {found.path}.{more}"))


def run_of(desk: Desk, wiring: Wiring, file: EvaluatorFile, check: CheckView) -> LastRun | None:
    """Return the latest run of a set that holds scores of a check, None if there is none here."""
    for of, _link in wiring.users(file)[:SETS_LOOKED_AT]:
        try:
            found = latest_run(desk.workspace, desk.workspace.entry(of.path))
        except EvaldeskError:
            # The library says what is wrong with the set; the rail does without.
            continue
        if found is not None and scores_of(found.run, check):
            return found
    return None


def _mark(view: SettingView | None) -> float | None:
    if view is None:
        return None
    value = view.setting.default if view.value is MISSING else view.value
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return float(value)


def _was(scores: list[Score]) -> float | None:
    return next((s.threshold for s in scores if s.threshold is not None), None)


def _slider(view: SettingView, made: Rail) -> None:
    """Draw the mark as a slider, where it stands on one of its steps."""
    mark = made.mark
    if mark is None or made.outside.startswith("No score") or mark < made.low:
        return
    if abs(round(mark / STEP) * STEP - mark) > 1e-9:
        return
    key = f"{view.key}|rail"
    bind.seed(key, float(mark))

    def moved() -> None:
        if key in st.session_state:
            bind.act(view.write, round(float(st.session_state[key]), 2))

    st.slider(
        "Pass mark",
        made.low,
        made.high,
        step=STEP,
        key=key,
        on_change=moved,
        label_visibility="collapsed",
    )


def _picture(made: Rail) -> None:
    """Draw the scores as bars; those of which most fail are hatched as well as coloured."""
    if not made.bins:
        return
    most = max(made.bins) or 1
    width = (made.high - made.low) / len(made.bins)
    bars = []
    for number, count in enumerate(made.bins):
        low = made.low + number * width
        failing = made.failing_bins[number]
        title = f"{plural(count, 'score')} from {low:.2f} to {low + width:.2f}"
        title += f", {failing:,} of them failing" if failing else ""
        height = 0 if not count else max(1, round(10 * count / most))
        look = "plain" if made.mark is None else "fails" if 2 * failing > count else ""
        bars.append(safe.el("i", css=f"h{height} {look}", title=title))
    safe.show(safe.el("div", *bars, css="ed-bars"))


def _no_mark(bench: Bench, form: CheckForm) -> None:
    if bench.is_single:
        st.caption("UiPath has no pass marks: Results compares with one of your own.")
    cls = form.check.cls
    if cls is not None and issubclass(cls, Classification):
        st.caption("The run's own number is precision, recall or F, not the mean of these.")
