"""The bar and the dialogs with which many cases are changed at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from evalcore.bulk import BulkField
from evalcore.errors import EvaldeskError
from evalcore.formats.lenses import Editor
from evalcore.formats.moments import HINT, is_moment
from evalcore.jsontree import MISSING
from evalcore.views import bulk
from evalcore.views.bulk import BOTTOM, TOP, BulkEdit
from evalcore.views.caselist import case_title
from evalcore.views.sheet import Sheet
from evalcore.views.states import chosen as chosen_state
from evalcore.views.states import empty_of_field
from evalcore.views.words import plural
from pages._author import dialogs, find
from pages._ui import bind, safe, state

SET, TAKE_OUT = "set", "out"
ACTIONS = {SET: "Set to a value", TAKE_OUT: "Take it out of the file"}
STATES = {"empty": "Make it empty", "null": "Make it nothing (null)"}
MOVES = {
    TOP: "Move to the top",
    BOTTOM: "Move to the bottom",
    "bulk.move": "Move before a case…",
}
COPY = {"copy": "Duplicate"}
SHOWN_OPTIONS = 5_000
"""Cases that are offered to move others before; of a larger set the first."""


def bar(sheet: Sheet, ticked: Sequence[str], found: Sequence[str], *, is_filtered: bool) -> bool:
    """Draw what can be done to the ticked cases, or else to all that the filter shows.

    Returns whether there are such cases.
    """
    chosen = list(ticked) if ticked else list(found) if is_filtered else []
    if not chosen or sheet.lens.read_only:
        return False
    with st.container(border=True, gap="xsmall", key="bulk-bar"):
        with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
            words = f"{plural(len(chosen), 'case')} {'ticked' if ticked else 'found'}"
            safe.show(safe.el("strong", words), width="content")
            _choose_more(sheet, ticked, found, is_filtered)
        with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
            _actions(sheet, chosen)
    return True


def _choose_more(
    sheet: Sheet, ticked: Sequence[str], found: Sequence[str], is_filtered: bool
) -> None:
    from pages._author.caselist import clear_filter, tick

    if ticked and set(found) - set(ticked):
        bind.button(
            "bulk.all",
            f"Tick all {len(found):,}" + (" found" if is_filtered else ""),
            tick,
            sheet,
            found,
            kind="tertiary",
            help="Also those on other pages",
        )
    if ticked:
        bind.button("bulk.none", "Untick", tick, sheet, (), kind="tertiary")
    else:
        bind.button("bulk.unfilter", "Show all", clear_filter, sheet, kind="tertiary")


def _actions(sheet: Sheet, chosen: Sequence[str]) -> None:
    if bulk.has_tags(sheet.lens):
        _opener("bulk.tags", "Tag…", "sell", chosen, "Add tags to these cases, or remove some")
    _opener("bulk.set", "Set…", "edit", chosen, "Write one value into a field of these cases")
    bind.button(
        "bulk.find",
        "Replace…",
        find.ask_in,
        *chosen,
        icon="find_replace",
        kind="tertiary",
        help="Find and replace a text in these cases",
    )
    _opener("delete", "Delete…", "delete", chosen, "Delete these cases")
    # Where all cases are chosen there is nothing that they could move past.
    more = (MOVES if len(chosen) < len(sheet.cases) else {}) | COPY
    bind.menu("bulk.more", "More", more, lambda what: _more(sheet, chosen, what), icon="more_horiz")


def _opener(kind: str, label: str, icon: str, chosen: Sequence[str], help: str) -> None:
    bind.button(
        f"open {kind}", label, dialogs.ask, kind, *chosen, icon=icon, kind="tertiary", help=help
    )


def _more(sheet: Sheet, chosen: Sequence[str], what: str) -> None:
    from pages._author.caselist import tick

    if what in (TOP, BOTTOM):
        _do(sheet, chosen, bulk.move_edit(sheet, what), len(chosen))
    elif what == "copy":
        tick(sheet, bulk.duplicate(sheet, chosen))
        bind.flash(f"{plural(len(chosen), 'copy', 'copies')} made, and ticked.")
    else:
        dialogs.ask(what, *chosen)


@st.dialog("Tag cases", on_dismiss=dialogs.close)
def tag_dialog(sheet: Sheet, cases: list[str]) -> None:
    """Ask which tags are added to the cases, and which are removed."""
    _about(sheet, cases)
    held = bulk.tags_of_cases(sheet, cases)
    known = sorted(bulk.tags_of_cases(sheet, sheet.names()))
    added: list[str] = state.kept("bulk.added", None) or []
    removed = [tag for tag in state.kept("bulk.removed", None) or [] if tag in held]
    bind.tags(
        "bulk.added",
        "Add tags",
        known,
        added,
        lambda tags: state.keep("bulk.added", tags),
        placeholder="Choose, or type a new one",
    )
    if held:
        bind.tags(
            "bulk.removed",
            "Remove tags",
            [tag for tag, _count in held.most_common()],
            removed,
            lambda tags: state.keep("bulk.removed", tags),
            placeholder="Choose tags that some of them have",
            open_ended=False,
        )
    edit = bulk.tag_edit(sheet, added, removed) if added or removed else None
    _apply(sheet, cases, edit, "bulk.added", "bulk.removed")


@st.dialog("Set a field", on_dismiss=dialogs.close)
def set_dialog(sheet: Sheet, cases: list[str]) -> None:
    """Ask which field gets which value in all of the cases."""
    _about(sheet, cases)
    fields = bulk.fields_by_label(sheet.lens)
    name = state.kept("bulk.field", None)
    if name not in fields:
        name = None
    bind.choice(
        "bulk.field",
        "Field",
        list(fields),
        name,
        _choose_field,
        placeholder="Choose a field",
        help=fields[name].field.help if name else "What names a case cannot be the same in many.",
    )
    edit = None
    if name:
        empty = empty_of_field(fields[name].field)
        options = {**ACTIONS, **STATES}
        if empty is MISSING:
            options.pop("empty")
        names = {words: option for option, words in options.items()}
        kept = state.kept("bulk.action", SET)
        action = kept if kept in options else SET
        bind.choice(
            "bulk.action",
            "What",
            list(options.values()),
            options[action],
            lambda words: state.keep("bulk.action", names[words]),
            hidden=True,
        )
        edit = _set_edit(sheet, fields[name], action)
    _apply(sheet, cases, edit, "bulk.value")


def _set_edit(sheet: Sheet, chosen: BulkField, action: str) -> BulkEdit | None:
    if action == TAKE_OUT:
        return bulk.set_edit(sheet, chosen, MISSING)
    if action in STATES:
        return bulk.set_edit(sheet, chosen, chosen_state(action, empty_of_field(chosen.field)))
    typed = state.kept("bulk.value", None)
    _value_field(sheet, chosen, typed)
    if typed is None:
        return None
    try:
        return bulk.set_edit(sheet, chosen, bulk.value_of(chosen, typed))
    except EvaldeskError as error:
        safe.report(error)
        return None


def _value_field(sheet: Sheet, chosen: BulkField, typed: Any) -> None:
    key = f"bulk.value {chosen.level} {chosen.field.name}"

    def take(value: Any) -> None:
        state.keep("bulk.value", value)

    match chosen.field.editor:
        case Editor.FLAG:
            bind.choice(key, "Value", [bulk.YES, bulk.NO], typed, take, placeholder="Choose")
        case Editor.CHOICE:
            options = list(chosen.field.choices)
            bind.choice(key, "Value", options, typed, take, placeholder="Choose")
        case Editor.TAGS | Editor.NAMES:
            bind.tags(key, "Values", _offered(sheet, chosen), typed or [], take)
        case Editor.TEXT:
            bind.area(key, "Value", typed or "", take, height=120)
        case _:
            hint = HINT if is_moment(chosen.field) else ""
            bind.line(key, "Value", typed or "", take, help=hint)


def _offered(sheet: Sheet, chosen: BulkField) -> list[str]:
    kind = chosen.field.extra.get("names")
    if chosen.field.name == "tags":
        return sorted(bulk.tags_of_cases(sheet, sheet.names()))
    if kind == "tool":
        return list(sheet.known_names().tools)
    return list(sheet.known_names().nodes) if kind == "node" else list(sheet.checks)


def _choose_field(label: str) -> None:
    state.keep("bulk.field", label)
    state.keep("bulk.value", None)


@st.dialog("Move cases", on_dismiss=dialogs.close)
def move_dialog(sheet: Sheet, cases: list[str]) -> None:
    """Ask before which case the others are put."""
    _about(sheet, cases)
    moving = set(cases)
    stays = [(i, n) for i, n in enumerate(sheet.names()) if n not in moving][:SHOWN_OPTIONS]
    titles: dict[str, str] = {}
    for index, name in stays:
        title = case_title(sheet.lens, sheet.cases[index], index)
        titles[title if title not in titles else f"{title} (case {index + 1})"] = name
    wanted = state.kept("bulk.before", None)
    bind.choice(
        "bulk.before",
        "Before",
        list(titles),
        wanted if wanted in titles else None,
        lambda title: state.keep("bulk.before", title),
        placeholder="Choose or type the name of a case",
    )
    edit = bulk.move_edit(sheet, titles[wanted]) if wanted in titles else None
    _apply(sheet, cases, edit, "bulk.before", is_move=True)


def _about(sheet: Sheet, cases: Sequence[str]) -> None:
    first = ", ".join(sheet.title(case) for case in cases[:3])
    more = f" and {len(cases) - 3:,} more" if len(cases) > 3 else ""
    st.caption(safe.label(f"{plural(len(cases), 'case')}: {first}{more}", 400))


def _apply(
    sheet: Sheet, cases: list[str], edit: BulkEdit | None, *slots: str, is_move: bool = False
) -> None:
    """Draw how many cases an edit changes, and the button that does it."""
    count = 0
    if edit is not None:
        try:
            count = len(cases) if is_move else bulk.effect(sheet, cases, edit)
        except EvaldeskError as error:
            safe.report(error)
            edit = None
    if edit is not None and not is_move:
        same = len(cases) - count
        words = f"Changes {plural(count, 'case')}"
        words += f"; {plural(same, 'case')} {'is' if same == 1 else 'are'} so already" * bool(same)
        st.caption(safe.label(f"{words}. One Undo takes it back."))
    with st.container(horizontal=True, horizontal_alignment="right"):
        verb = "Move" if is_move else "Change"
        label = f"{verb} {plural(count, 'case')}" if edit else verb
        wanted = st.button(
            safe.label(label), type="primary", key="bulk.do", disabled=edit is None or not count
        )
    if wanted and edit is not None:
        bind.act(_do, sheet, cases, edit, count)
        for slot in slots:
            state.keep(slot, None)
        dialogs.close()
        st.rerun()


def _do(sheet: Sheet, cases: Sequence[str], edit: BulkEdit, count: int) -> None:
    is_changed = bulk.do(sheet, cases, edit, count)
    label = edit.label(count)
    bind.flash(f"{label}. Undo takes it back." if is_changed else "They are there already.")


DIALOGS: dict[str, Callable[[Sheet, list[str]], None]] = {
    "bulk.tags": tag_dialog,
    "bulk.set": set_dialog,
    "bulk.move": move_dialog,
}
