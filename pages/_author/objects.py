"""The form of a case, a turn or a set: its fields in groups, and what can be added to it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from evalcore.formats.lenses import Group
from evalcore.jsontree import MISSING
from evalcore.views.form import GROUPS, FieldView, ObjectView, key_of
from evalcore.views.sheet import Sheet
from pages._author.fields import field
from pages._ui import bind
from pages._ui.problems import problem_list

OPEN: tuple[Group, ...] = ("main", "expected")


def fields(sheet: Sheet, shown: Sequence[FieldView]) -> None:
    """Draw fields one below the other."""
    for view in shown:
        with st.container(gap="xsmall"):
            field(sheet, view)


def folded_groups(sheet: Sheet, view: ObjectView, skip: Sequence[Group] = OPEN) -> None:
    """Draw each remaining group that has fields as a section that can be folded."""
    for group in GROUPS:
        shown = view.group(group)
        if group in skip or not shown:
            continue
        wrong = any(
            f.problems or key_of(sheet, f.place, f.field.name) in sheet.pending for f in shown
        )
        with st.expander(
            GROUPS[group], expanded=True, icon=":material/warning:" if wrong else None
        ):
            fields(sheet, shown)


def rest(view: ObjectView) -> None:
    """Draw the problems that no field shows."""
    problem_list(view.rest)


def add_menu(sheet: Sheet, view: ObjectView) -> None:
    """Draw the menu of fields that the object does not have yet."""
    if sheet.lens.read_only or not view.offered:
        return
    by_name = {f.name: f for f in view.offered}

    def add(name: str) -> None:
        sheet.put(view.place, name, by_name[name].blank, f"add {name}")

    bind.menu(
        key_of(sheet, view.place, "add field"),
        "Add",
        {f.name: f.label for f in view.offered},
        add,
        icon="add",
        help="Fields that this one does not have yet",
    )


def removals(sheet: Sheet, view: ObjectView) -> dict[str, str]:
    """Return menu entries that take fields out of the file."""
    if sheet.lens.read_only:
        return {}
    return {f"remove {f.field.name}": f"Remove “{f.field.label}”" for f in view.removable}


def remove(sheet: Sheet, view: ObjectView, chosen: str) -> None:
    """Take a field out of the file; the form then offers it again."""
    name = chosen.removeprefix("remove ")
    sheet.put(view.place, name, MISSING, f"remove {name}")
