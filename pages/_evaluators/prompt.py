"""A judge's prompt: its text, its placeholders told apart, and the final one for a case."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from evalcore.errors import EvaldeskError
from evalcore.jsontree import get
from evalcore.views.evaluators import prompts
from evalcore.views.evaluators.bench import Bench, CheckView
from evalcore.views.evaluators.form import check_form
from evalcore.views.evaluators.prompts import Placeholders, PromptView
from evalcore.views.evaluators.runs import Shown, shown_case
from evalcore.views.evaluators.settings import SettingView
from evalcore.views.evaluators.trying import built
from evalcore.views.sheet import Sheet
from evalcore.views.values import printable
from evalcore.wiring import EvaluatorFile, Wiring
from pages._author.typed import shown, typed_error
from pages._evaluators.cache import eval_set_of, latest_run
from pages._evaluators.fields import help_of, slot_of
from pages._ui import bind, safe, state
from pages._ui.desk import Desk
from pages._ui.problems import problem_list

CASES = 500


def prompt(desk: Desk, wiring: Wiring, file: EvaluatorFile, bench: Bench, check: CheckView) -> None:
    """Draw the prompt of a check, where it has one in its file, and what the judge gets to see."""
    view = check_form(bench, check).prompt
    known = prompts.placeholders_for(check.kind)
    if view is not None and known is not None:
        _editor(view, known)
    else:
        st.info(
            "This judge's question is not in the file: its system asks it in words of its own. "
            "Below is what Evaldesk would ask in its place."
        )
    preview(desk, wiring, file, bench, check)


def _editor(view: SettingView, known: Placeholders) -> None:
    slot = slot_of(view)
    text = view.value if isinstance(view.value, str) else ""
    built_in = view.setting.default if isinstance(view.setting.default, str) else ""
    with st.container(border=True, gap="small"):
        bind.area(
            view.key,
            "Prompt",
            shown(slot, text),
            view.write,
            help=help_of(view.setting),
            placeholder="UiPath's own prompt" if not view.is_present else "",
        )
        typed_error(slot)
        problem_list(view.problems)
        if not view.is_present:
            st.caption("The file has no prompt: UiPath asks in words of its own. A start of yours:")
            bind.button(
                f"{view.key}|start",
                "Begin with Evaldesk's wording",
                lambda: view.write(built_in),
                icon="edit",
            )
            return
        st.caption("The same with its placeholders marked: green ones are filled in for each case.")
        highlighted(prompts.prompt_view(text, known), [p.message for p in view.problems])
        _insert(view, known, text)


def highlighted(found: PromptView, said: Sequence[str] = ()) -> None:
    """Draw a prompt with what is filled in, what is not, and what is missing.

    What is ``said`` of it above already is not said again.
    """
    css = {"text": "", "known": "ok", "unknown": "bad"}
    titles = {"text": "", "known": "Filled in", "unknown": "Not filled in: the judge sees this"}
    pieces = [
        safe.el("mark", printable(p.text), css=css[p.tone], title=titles[p.tone])
        if p.tone != "text"
        else safe.join(printable(p.text))
        for p in found.pieces
    ]
    safe.show(safe.el("div", *pieces, css="ed-prompt"))
    told = [
        ("✗ Must be there, or the file is refused", found.missing, "error"),
        ("! Not filled in, the judge sees the braces", found.unknown, "warning"),
        ("i Missing, so it is added at the end", found.appended, "info"),
    ]
    for words, names, tone in told:
        shown_names = [n if n.startswith("{{") else "{{" + n + "}}" for n in names]
        listed = ", ".join(n for n in shown_names if not any(n in words for words in said))
        if listed:
            safe.show(
                safe.el("div", safe.el("b", words), f" {listed}", css=f"ed-problem ed-{tone}")
            )


def _insert(view: SettingView, known: Placeholders, text: str) -> None:
    unused = prompts.prompt_view(text, known).unused
    if not unused:
        st.caption("Every placeholder that is filled in is used.")
        return
    with st.container(horizontal=True, gap="xsmall", vertical_alignment="center"):
        st.caption("Put in at the end:", width="content")
        for name in unused:
            bind.button(
                f"{view.key}|put {name}",
                "{{" + name + "}}",
                lambda name=name: view.write(prompts.with_placeholder(text, name)),
                kind="tertiary",
                icon="add",
            )


def preview(
    desk: Desk, wiring: Wiring, file: EvaluatorFile, bench: Bench, check: CheckView
) -> None:
    """Draw the final question about a case, assembled by the check's own code."""
    with st.container(border=True, gap="small"):
        safe.show(safe.el("strong", "What the judge gets to see"))
        sets = {s.path: f"{s.name} ({s.path})" for s, _link in wiring.users(file)}
        if not sets:
            st.caption("No set uses this check yet: attach it to one to see its question.")
            return
        chosen = _choose(desk, sets, bench, check)
        if chosen is None:
            return
        sheet, case = chosen
        found = _shown(desk, sheet, case, check)
        if found is None:
            st.caption(
                "The system does not run this check on this case: it has no criteria for it."
            )
            return
        st.caption(safe.label(found.source))
        evaluator = built(bench, check, agent_model=agent_model(desk, bench))
        request = prompts.final_request(evaluator, found.sample)
        if request is None:
            st.caption("The judge is not asked about this case: there is nothing to judge.")
            return
        for who, text in prompts.message_texts(request):
            safe.show(safe.el("div", who, css="ed-muted"))
            safe.show(safe.el("div", printable(text), css="ed-prompt"))
        st.caption(safe.label(f"Model: {request.model or 'none named'}"))


def agent_model(desk: Desk, bench: Bench) -> str:
    """Return the model that same-as-agent stands for in a low-code project."""
    agent = desk.workspace.near(bench.path).value("../../agent.json")
    found = get(agent, "/settings/model")
    return found if isinstance(found, str) else "the agent's own model"


def _choose(
    desk: Desk, sets: Mapping[str, str], bench: Bench, check: CheckView
) -> tuple[Sheet, int] | None:
    """Draw the choice of a case of ``sets``, which maps paths to titles, and return it."""
    key = bench.key("preview", check.ref)
    left, right = st.columns(2, gap="small")
    with left:
        paths = {title: path for path, title in sets.items()}
        kept = state.kept(f"{key}|set", None)
        path = kept if kept in sets else next(iter(sets))
        bind.choice(
            f"{key}|set",
            "Set",
            list(paths),
            sets[path],
            lambda title: state.keep(f"{key}|set", paths.get(title)),
        )
    try:
        sheet = desk.sheet(state.owner(), path)
    except EvaldeskError as error:
        safe.report(error)
        return None
    if not sheet.cases:
        st.caption("The set has no cases.")
        return None
    titles = [f"{n + 1}. {sheet.title(name)}" for n, name in enumerate(sheet.names()[:CASES])]
    with right:
        kept = state.kept(f"{key}|case", None)
        title = kept if kept in titles else titles[_first_judged(desk, sheet, check)]
        bind.choice(f"{key}|case", "Case", titles, title, lambda t: state.keep(f"{key}|case", t))
    return sheet, titles.index(title)


def _first_judged(desk: Desk, sheet: Sheet, check: CheckView) -> int:
    """Return the first case that a check runs on, the first of all where it runs on none."""
    eval_set = eval_set_of(sheet)
    ran = latest_run(desk.workspace, desk.workspace.entry(sheet.draft.path))
    cases = enumerate(eval_set.cases[:CASES])
    return next((at for at, case in cases if shown_case(case, eval_set, check, ran)), 0)


def _shown(desk: Desk, sheet: Sheet, index: int, check: CheckView) -> Shown | None:
    eval_set = eval_set_of(sheet)
    ran = latest_run(desk.workspace, desk.workspace.entry(sheet.draft.path))
    return shown_case(eval_set.cases[index], eval_set, check, ran)
