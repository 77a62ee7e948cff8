"""The weights of a set's checks."""

from __future__ import annotations

import streamlit as st

from evalcore.formats.optional import Weight
from evalcore.jsontree import MISSING
from evalcore.views.sheet import Sheet
from evalcore.views.slots import Slot
from evalcore.views.values import as_text, printable
from evalcore.views.weights import weights_of
from pages._author.criteria import title_of
from pages._author.typed import shown_number, take_number, typed_error
from pages._ui import bind

HELP = "What each check counts in a mean over all of them. Without a number it counts 1."
UNUSED = "uipath eval does not use weights: in its results every check counts the same."
TURNS = (
    "The ids are a plain list now (evaluatorRefs). The first weight makes a list with weights of "
    "it (evaluatorConfigs), which UiPath reads as well."
)
WIDTH = 320
KEY = "details.weights"


def weights(sheet: Sheet) -> None:
    """Draw a number for each check of a set, where the set has a place for it."""
    found = weights_of(sheet)
    if not found:
        return
    has_any = any(weight.value is not MISSING or slot.pending for weight, slot in found)
    # One that shows what it is about in its title would be another one after the first weight.
    with st.expander("Weights of the checks", expanded=has_any, key=KEY):
        st.caption(HELP)
        with st.container(gap="xsmall", width=WIDTH):
            for weight, slot in found:
                _weight(slot, weight, sheet.lens.read_only)
        st.caption(f"{UNUSED} {TURNS}" if _is_plain(sheet) else UNUSED)


def _is_plain(sheet: Sheet) -> bool:
    """Return whether the list that is read is one of ids only."""
    tree = sheet.tree
    names = ("evaluatorConfigs", "evaluator_configs")
    return not (isinstance(tree, dict) and any(tree.get(name) for name in names))


def _weight(slot: Slot, weight: Weight, off: bool) -> None:
    value = weight.value
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    instead = "" if value is MISSING or is_number else as_text(value)
    bind.line(
        slot.key,
        printable(title_of(slot, weight.ref)),
        shown_number(slot, value if is_number else MISSING),
        take_number(slot),
        disabled=off,
        placeholder=f"no number: {printable(instead)}" if instead else "1 (not in the file)",
    )
    typed_error(slot)
