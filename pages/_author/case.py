"""One case: its head, its form, or its text as it stands in the file."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from evalcore.errors import Problem
from evalcore.views import caseops
from evalcore.views.form import key_of, object_view
from evalcore.views.sheet import Sheet
from evalcore.views.slots import raw_slot, raw_text
from evalcore.views.values import read
from pages._author import dialogs, objects, where
from pages._author.texts import beginning, is_too_long
from pages._author.turns import turns
from pages._author.typed import shown, typed_error
from pages._ui import bind, keys, safe, state
from pages._ui.problems import problem_list

MODES = {"form": "Form", "text": "Text"}


def case(sheet: Sheet, name: str, found: Sequence[str]) -> None:
    """Draw one case; ``found`` are the cases that the list shows, for going on to the next."""
    index = sheet.index_of(name)
    problems = sheet.problems().of_case(index)
    opaque = sheet.lens.read_case(sheet.cases[index], "").opaque
    with st.container(gap="small"):
        _head(sheet, name, found)
        if opaque:
            st.caption("This case has a shape that its format does not describe; edit it as text.")
        if opaque or state.kept("case.mode", "form") == "text":
            problem_list(problems)
            _text(sheet, name)
        else:
            _form(sheet, name, problems)


def _head(sheet: Sheet, name: str, found: Sequence[str]) -> None:
    at = list(found).index(name) if name in found else -1
    with st.container(key="case-head", horizontal=True, vertical_alignment="center", gap="xsmall"):
        safe.show(safe.el("span", sheet.title(name), css="ed-title"))
        bind.segments(
            "case.mode",
            "View",
            MODES,
            state.kept("case.mode", "form"),
            lambda mode: state.keep("case.mode", mode),
        )
        _step(sheet, found, at - 1, "Prev", "arrow_upward", keys.PREVIOUS)
        _step(sheet, found, at + 1, "Next", "arrow_downward", keys.NEXT)
        _menu(sheet, name)


def _step(
    sheet: Sheet, found: Sequence[str], to: int, label: str, icon: str, shortcut: str
) -> None:
    inside = 0 <= to < len(found)
    bind.button(
        f"case {label}",
        label,
        lambda: where.open_case(sheet, found[to], to),
        icon=icon,
        kind="tertiary",
        disabled=not inside,
        shortcut=shortcut,
    )


def _menu(sheet: Sheet, name: str) -> None:
    index, count = sheet.index_of(name), len(sheet.cases)
    options = {"rename": "Rename…", "copy": "Duplicate"}
    options |= {"up": "Move up"} if index else {}
    options |= {"down": "Move down"} if index < count - 1 else {}
    if sheet.lens.has_simulated_users:
        simulated = caseops.is_simulated(sheet, name)
        words = "Write the turns instead" if simulated else "Simulate the user instead of turns"
        options |= {"turns" if simulated else "simulate": words}
    options |= {"delete": "Delete…"}

    def chosen(action: str) -> None:
        match action:
            case "rename":
                dialogs.ask("rename", name)
            case "delete":
                dialogs.ask("delete", name)
            case "copy":
                where.open_case(sheet, caseops.duplicate_case(sheet, name))
            case "turns":
                caseops.use_turns(sheet, name)
            case "simulate":
                caseops.use_simulated_user(sheet, name)
            case _:
                caseops.move_case(sheet, name, -1 if action == "up" else 1)

    bind.menu(
        key_of(sheet, (name,), "menu"),
        "More",
        options,
        chosen,
        disabled=sheet.lens.read_only,
    )


def _form(sheet: Sheet, name: str, problems: Sequence[Problem]) -> None:
    place = (name,)
    if not sheet.lens.has_turns:
        _flat_form(sheet, name, problems)
        return
    inside = [p for turn in sheet.turns(name) for p in (sheet.pointer((name, turn)),)]
    own = [p for p in problems if not any(_below(p.pointer, turn) for turn in inside)]
    view = object_view(sheet, place, own, hidden=(sheet.lens.label_field,))
    objects.rest(view)
    objects.fields(sheet, view.group("main", "expected"))
    simulated = caseops.is_simulated(sheet, name)
    if not simulated:
        turns(sheet, name, problems)
    objects.folded_groups(sheet, view, "mocks" if simulated else "session")
    objects.add_menu(sheet, view)


def _flat_form(sheet: Sheet, name: str, problems: Sequence[Problem]) -> None:
    """Draw a case that is its own single turn: both forms as one."""
    names = {f.name for f in sheet.lens.case_fields}
    whole = object_view(sheet, (name,), problems, hidden=(sheet.lens.label_field,))
    views = [whole]
    for turn in sheet.turns(name):
        views.append(object_view(sheet, (name, turn), views[-1].rest, hidden=tuple(names)))
    objects.rest(views[-1])
    for view in views:
        objects.fields(sheet, view.group("main", "expected"))
    for view in (*views[1:], whole):
        objects.folded_groups(sheet, view)
    objects.add_menu(sheet, *views)


def _below(pointer: str, ancestor: str) -> bool:
    return pointer == ancestor or pointer.startswith(ancestor + "/")


def _text(sheet: Sheet, name: str) -> None:
    slot = raw_slot(sheet, (name,))
    st.caption(
        "The case as it stands in the file, in JSON, the notation of eval files. The form shows "
        "the same in fields; use this view only if you know the notation."
    )
    text = raw_text(sheet, (name,))
    if is_too_long(slot, text):
        beginning(slot, "Text of the case", text)
        return
    typed_error(slot)
    with st.container(key="raw-text"):
        bind.area(
            slot.key,
            "Text of the case",
            shown(slot, text),
            lambda typed: slot.commit(typed, lambda _old: read(typed)),
            hidden=True,
            disabled=sheet.lens.read_only,
            height=560,
        )
