"""A value of any kind: choose the kind, then edit it."""

from __future__ import annotations

import streamlit as st

from evalcore.jsontree import MISSING, JsonValue
from evalcore.views.evaluators.settings import SettingView
from evalcore.views.slots import Slot
from evalcore.views.values import ValueKind, converted, kind_of
from pages._author.members import members, value_editor
from pages._ui import bind, safe

NOT_SET = "Not set"


def any_value(view: SettingView, slot: Slot) -> None:
    """Draw a value with the choice of what it is."""
    setting, value = view.setting, view.value
    kinds = [kind.value for kind in allowed(view)]
    now = NOT_SET if value is MISSING else kind_of(value).value
    offered = kinds if setting.is_required and value is not MISSING else [NOT_SET, *kinds]

    def become(picked: str) -> None:
        if picked == NOT_SET:
            view.write(MISSING)
            return
        old = view.read()
        view.write(converted(None if old is MISSING else old, ValueKind(picked)))

    with st.container(width=220):
        bind.choice(slot.inner("kind"), setting.label, offered, now, become, help=setting.help)
    _editor(slot, value)


def allowed(view: SettingView) -> list[ValueKind]:
    """Return the kinds that a setting takes."""
    if view.setting.name == "expected_output" and "dict" in str(view.setting.annotation):
        return [ValueKind.GROUP, ValueKind.TEXT]
    return list(ValueKind)


def _editor(slot: Slot, value: JsonValue | object) -> None:
    if value is MISSING:
        return
    if isinstance(value, dict):
        members(slot, "")
    elif value is None:
        st.caption(safe.label("Nothing: the file says null."))
    else:
        value_editor(slot, value, False)
