"""The form of a case, a turn or a set: its fields in groups, and what can be added to it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from evalcore.formats.lenses import Group
from evalcore.views.form import GROUPS, FieldView, ObjectView, key_of
from evalcore.views.sheet import Sheet
from pages._author.fields import field
from pages._ui import bind, safe, state
from pages._ui.problems import problem_list

OPEN: tuple[Group, ...] = ("main", "expected")
OPEN_FIELDS = ("scenario.starting_prompt", "scenario.plan")
"""Fields that a case with a simulated user has instead of turns: not to be hidden in a section."""


def fields(sheet: Sheet, shown: Sequence[FieldView]) -> None:
    """Draw fields one below the other."""
    for view in shown:
        with st.container(gap="xsmall"):
            field(sheet, view)


def folded_groups(sheet: Sheet, view: ObjectView, first: Group = "session") -> None:
    """Draw each remaining group that has fields as a section that can be unfolded.

    ``first`` is the group that comes before the others.
    """
    for group, title in sorted(GROUPS.items(), key=lambda item: item[0] != first):
        shown = view.group(group)
        if group not in OPEN and shown:
            _folded(sheet, key_of(sheet, view.place, "group", group), title, shown)


def _folded(sheet: Sheet, key: str, title: str, shown: Sequence[FieldView]) -> None:
    wrong = any(f.problems or f.key in sheet.pending for f in shown)
    matters = any(f.is_present and f.field.name.startswith("scenario.") for f in shown) or any(
        f.value and (f.field.group == "checks" or f.field.name in OPEN_FIELDS) for f in shown
    )
    is_open = bool(state.kept(key, wrong or matters))
    if is_open:
        # What made it open may be mended in it: it must not fold under the hand that mends.
        state.keep(key, True)
    # Always set: for Streamlit, a section whose title or icon changed is another section.
    st.session_state[key] = is_open
    names = ", ".join(f.field.label.lower() for f in shown if f.field.label != title)
    section = st.expander(
        safe.label(f"{title}: {names}" if names else title, 90),
        key=key,
        icon=":material/warning:" if wrong else None,
        on_change=lambda: state.keep(key, st.session_state.get(key, False)),
    )
    if section.open:
        with section:
            fields(sheet, shown)


def rest(view: ObjectView) -> None:
    """Draw the problems that no field shows."""
    problem_list(view.rest)


def add_menu(sheet: Sheet, *views: ObjectView) -> None:
    """Draw the menu of fields that these objects do not have yet."""
    offered = {
        key_of(sheet, view.place, field.name): (view, field)
        for view in views
        for field in view.offered
    }
    if sheet.lens.read_only or not offered:
        return

    def add(name: str) -> None:
        view, field = offered[name]
        sheet.put(view.place, field.name, field.blank, name)
        state.keep(key_of(sheet, view.place, "group", field.group), True)
        bind.flash(f"Added “{field.label}” to the form.")

    bind.menu(
        key_of(sheet, views[0].place, "add field"),
        "Add field",
        {name: field.label for name, (_view, field) in offered.items()},
        add,
        icon="add",
        help="Fields that this one does not have yet",
    )
