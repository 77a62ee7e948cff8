"""The details of a set: everything that is not a case."""

from __future__ import annotations

import streamlit as st

from evalcore.formats.lenses import Group
from evalcore.views.form import GROUPS, object_view
from evalcore.views.sheet import Sheet
from pages._author import objects

ALL: tuple[Group, ...] = tuple(GROUPS)


def details(sheet: Sheet) -> None:
    """Draw the set's own fields, how it was recognised, and which checks apply."""
    view = object_view(sheet, (), sheet.problems().around)
    with st.container(border=True, width=860, gap="small"):
        objects.rest(view)
        objects.fields(sheet, view.group(*ALL))
        objects.add_menu(sheet, view)
