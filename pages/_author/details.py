"""The details of a set: everything that is not a case."""

from __future__ import annotations

import streamlit as st

from evalcore.formats.lenses import Group
from evalcore.views.form import GROUPS, object_view
from evalcore.views.sheet import Sheet
from pages._author import objects
from pages._author.weights import weights
from pages._evaluators import attach
from pages._ui import safe

ALL: tuple[Group, ...] = tuple(GROUPS)


def details(sheet: Sheet) -> None:
    """Draw the set's own fields, how it was recognised, and which checks apply."""
    view = object_view(sheet, (), sheet.problems().around)
    left, right = st.columns([7, 5], gap="small")
    with left, st.container(border=True, gap="small"):
        objects.rest(view)
        objects.fields(sheet, view.group(*ALL))
        weights(sheet)
        objects.add_menu(sheet, view)
    with right:
        with st.container(border=True, gap="small"):
            attach.of_set(sheet)
        with st.container(border=True, gap="small"):
            about(sheet)


def about(sheet: Sheet) -> None:
    """Say what the file is, why, and what will be checked."""
    base = sheet.draft.base
    if base.format is not None and base.detection is not None:
        _fact("Format", base.format.label)
        _fact("Recognised because", base.detection.reason)
    _fact("File", base.path)


def _fact(name: str, text: str) -> None:
    safe.show(safe.join(safe.el("div", name, css="ed-muted"), safe.el("div", text, css="ed-fact")))
