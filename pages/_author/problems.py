"""Every problem of a set by kind, with what it means, the way to its place, and its fix."""

from __future__ import annotations

from functools import partial

import streamlit as st

from evalcore.errors import Problem, Severity
from evalcore.views.problems import ProblemGroup, grouped
from evalcore.views.sheet import Sheet
from evalcore.views.words import GLYPHS, NOUNS, plural, problem_words
from pages._author import where
from pages._ui import bind, jump, safe, state
from pages._ui.problems import anchor, fix_button, fix_of, problem_markup, what_is_this

GROUPS_SHOWN = 40
FEW = 5
"""How many problems of a kind are shown before all of them are asked for."""
MANY = 200
SEVERITIES: dict[str, Severity | None] = {
    "all": None,
    "error": "error",
    "warning": "warning",
    "info": "info",
}


def problems(sheet: Sheet) -> None:
    """Draw the problems, the worst kinds first."""
    index = sheet.problems()
    if sheet.is_large and not sheet.is_checked:
        st.info("This set is large, so it is checked only when you ask.")
        bind.button("check now", "Check now", lambda: sheet.problems(now=True), icon="fact_check")
        if not index.all:
            return
        st.caption("Found when it was last checked, before your latest edits:")
    elif not index.all:
        st.success("No problems found.", icon=":material/check_circle:")
        _similar(sheet)
        return
    st.caption(safe.label(problem_words(index.all)))
    shown = _tools(sheet, index.all)
    if not shown:
        st.info("No problem matches. Clear the filter to see all of them.")
    for group in shown[:GROUPS_SHOWN]:
        _group(sheet, group)
    if len(shown) > GROUPS_SHOWN:
        st.caption(safe.label(f"The first {GROUPS_SHOWN} of {len(shown)} kinds are shown."))
    _similar(sheet)


def _tools(sheet: Sheet, found: tuple[Problem, ...]) -> list[ProblemGroup]:
    """Draw the filter and return what it lets through."""
    present = {p.severity for p in found}
    options = {"all": f"All {len(found):,}"} | {
        name: f"{NOUNS[name].capitalize()}s {sum(p.severity == name for p in found):,}"
        for name in ("error", "warning", "info")
        if name in present
    }
    kept = state.kept(_slot(sheet, "severity"), "all")
    severity = kept if kept in options else "all"
    text = state.kept(_slot(sheet, "text"), "") or ""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if len(options) > 2:
            bind.segments(
                "problems.severity",
                "How bad",
                options,
                severity,
                lambda chosen: state.keep(_slot(sheet, "severity"), chosen),
            )
        with st.container(width=240):
            bind.search(
                "problems.text",
                "Filter problems",
                text,
                lambda typed: state.keep(_slot(sheet, "text"), typed),
                placeholder="Filter problems",
            )
        if not sheet.lens.read_only and sheet.mender.has_safe(found):
            bind.button(
                "problems.safe",
                "Make all safe fixes",
                partial(_mend_safe, sheet),
                icon="auto_fix_high",
                help="Fixes that change nothing of what is tested, in one step that can be undone.",
            )
    return grouped(found, SEVERITIES[severity], text)


def _group(sheet: Sheet, group: ProblemGroup) -> None:
    count = len(group.problems)
    with st.container(border=True, gap="small"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            safe.show(_title(group))
            what_is_this(group.code, group.severity)
            if count > 1 and any(fix_of(problem) for problem in group.problems[:FEW]):
                bind.button(
                    f"fix all {group.code}",
                    "Fix all of this kind",
                    partial(_mend_all, sheet, group.code),
                    icon="auto_fix_high",
                    help="Does for each of them what its own button says, in one step.",
                )
        slot = _slot(sheet, f"whole {group.code}")
        limit = MANY if state.kept(slot, False) else FEW
        for number, problem in enumerate(group.problems[:limit]):
            _row(sheet, problem, f"{group.code} {group.severity} {number}")
        if count > limit:
            more = f"Show all {count:,}" if count <= MANY else f"Show the first {MANY}"
            if limit == FEW:
                bind.button(f"whole {slot}", more, state.keep, slot, True, kind="tertiary")
            else:
                st.caption(safe.label(f"The first {MANY} of {count:,} are shown."))


def _title(group: ProblemGroup) -> safe.Markup:
    return safe.join(
        safe.el("b", GLYPHS[group.severity], css=f"ed-glyph ed-{group.severity}"),
        safe.el("strong", group.title),
        safe.el("span", plural(len(group.problems), "place"), css="ed-chip"),
        safe.el("div", group.code, css="ed-muted"),
    )


def _row(sheet: Sheet, problem: Problem, key: str) -> None:
    fix = fix_of(problem)
    with st.container(horizontal=True, vertical_alignment="top", gap="xsmall", key=f"lead-{key}"):
        safe.show(
            safe.join(
                problem_markup(problem, line=sheet.placed(problem).line),
                *([safe.el("div", f"Fix: {fix.label}", css="ed-fix")] if fix else []),
            )
        )
        with st.container(horizontal=True, width="content", gap="xsmall"):
            bind.button(
                f"jump {key}",
                "Go to",
                partial(_go_to, sheet, problem),
                icon="arrow_forward",
                kind="tertiary",
                help="Open the place where this is",
            )
            if fix is not None:
                fix_button(problem, fix)


def _go_to(sheet: Sheet, problem: Problem) -> None:
    """Open the case, or the details of the set, and scroll to the problem there."""
    index = sheet.problems()
    at = next((i for i, found in index.by_case.items() if problem in found), None)
    if at is not None and at < len(sheet.names()):
        where.open_case(sheet, sheet.name_at(at))
    else:
        where.show_view("details")
    jump.to(anchor(problem))


def _similar(sheet: Sheet) -> None:
    if not sheet.leaves_out_similar or sheet.is_large:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption("Cases that say nearly the same are not looked for while you type: too many.")
        bind.button(
            "problems.similar", "Look for similar cases", sheet.look_for_similar, icon="difference"
        )


def _mend_all(sheet: Sheet, code: str) -> None:
    count = sheet.mender.mend_all(code)
    bind.flash(f"{plural(count, 'fix', 'fixes')} made. Undo takes them back in one step.")


def _mend_safe(sheet: Sheet) -> None:
    count = sheet.mender.mend_safe()
    if count:
        bind.flash(f"{plural(count, 'fix', 'fixes')} made. Undo takes them back in one step.")
    else:
        bind.flash("Nothing can be fixed without changing what is tested.")


def _slot(sheet: Sheet, part: str) -> str:
    return f"problems {part} {sheet.draft.path}"
