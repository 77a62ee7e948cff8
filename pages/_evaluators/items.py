"""Settings that are lists of objects, each with a small form of its own, and counts by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import streamlit as st

from evalcore.errors import FormatError
from evalcore.evaluators.uipath.tools import COMPARISONS
from evalcore.formats.lenses import Spelling
from evalcore.jsontree import MISSING, JsonObject, JsonValue
from evalcore.views import parts
from evalcore.views.evaluators.settings import Setting, SettingView, settings_of, views_of
from evalcore.views.slots import Slot
from evalcore.views.values import number_text, printable, read_number
from pages._author.lists import heading, item_menu
from pages._author.typed import shown, typed_error
from pages._ui import bind

NOUNS: Final = {
    "rubrics": "rubric",
    "aggregators": "number",
    "tool_calls": "call",
    "tool_outputs": "answer",
    "parts": "check",
}
WIDTHS: Final = (5, 2, 2, 0.8)


def item_list(view: SettingView, slot: Slot, draw: Callable[[SettingView], None]) -> None:
    """Draw a card for each item of a list, and the button that adds one."""
    setting = view.setting
    found = slot.items()
    noun = NOUNS.get(setting.name, "item")
    heading(setting.label, setting.help, len(found))
    inner = settings_of(setting.model) if setting.model else ()
    style = view.home.style
    for index, (handle, _item) in enumerate(found):
        home = view.home.item(setting.lens, view.home.handles(setting.lens)[index])
        with st.container(border=True, gap="xsmall"):
            for one in views_of(home, inner)[0]:
                draw(one)
            with st.container(horizontal=True, horizontal_alignment="right"):
                item_menu(slot, handle, index, len(found), False)
    bind.button(
        slot.inner("add"),
        f"Add {noun}",
        lambda: slot.update(lambda old: [*_listed(old), fresh(inner, old, style)]),
        icon="add",
        kind="tertiary",
    )


def fresh(settings: Sequence[Setting], old: JsonValue | object, style: Spelling) -> JsonObject:
    """Return a new item with all that it needs, empty; ids are numbered."""
    count = len(old) + 1 if isinstance(old, list) else 1
    taken = {str(item.get("rubric_id", "")) for item in _objects(old)}
    made: JsonValue = {}
    for setting in settings:
        if setting.is_required or setting.name == "rubric_content.text_property":
            made = setting.lens.put(made, _start(setting, count, taken), style)
    return made if isinstance(made, dict) else {}


def _start(setting: Setting, count: int, taken: set[str]) -> JsonValue:
    if setting.name == "rubric_id":
        return next(n for i in range(count, count + 9999) if (n := f"rubric_{i}") not in taken)
    if setting.kind == "choice":
        return setting.options[0]
    return {} if setting.kind == "object" else ""


def _listed(value: JsonValue | object) -> list[JsonValue]:
    return value if isinstance(value, list) else []


def _objects(value: JsonValue | object) -> list[JsonObject]:
    return [i for i in value if isinstance(i, dict)] if isinstance(value, list) else []


def counts(view: SettingView, slot: Slot) -> None:
    """Draw how often each tool should be called: name, comparison, number."""
    rows = slot.rows()
    heading(view.setting.label, view.setting.help, len(rows))
    for handle, name in rows:
        _count(slot, handle, name)
    bind.button(slot.inner("add"), "Add tool", lambda: _add(slot), icon="add", kind="tertiary")


def _add(slot: Slot) -> None:
    def change(old: JsonValue | object) -> JsonObject:
        known = old if isinstance(old, dict) else {}
        named = parts.with_new_member(known, "tool")
        return {**named, list(named)[-1]: ["=", 1]}

    slot.update(change)


def _count(slot: Slot, handle: str, name: str) -> None:
    inner = slot.member(handle)
    value = inner.read()
    usable = isinstance(value, list) and len(value) == 2
    sign, number = value if usable else ("=", 1)
    naming, counting = slot.inner(handle, "name"), slot.inner(handle, "number")
    columns = st.columns(WIDTHS, gap="xsmall", vertical_alignment="top")
    with columns[0]:
        pending = slot.sheet.pending.get(naming)
        bind.line(
            naming,
            "Tool",
            pending.typed if pending else printable(name),
            lambda typed: slot.sheet.commit(
                naming,
                typed,
                lambda: slot.update(lambda old: parts.renamed(old, slot.name_of(handle), typed)),
            ),
            hidden=True,
        )
    with columns[1]:
        bind.choice(
            slot.inner(handle, "sign"),
            "Comparison",
            list(COMPARISONS),
            str(sign),
            lambda picked: inner.update(lambda old: [picked, _second(old)]),
            hidden=True,
        )
    with columns[2]:
        number_slot = Slot(slot.sheet, counting, inner.read, inner.write)
        bind.line(
            counting,
            "Number of calls",
            shown(number_slot, number_text(number) if isinstance(number, (int, float)) else ""),
            lambda typed: number_slot.commit(typed, lambda old: [_first(old), _whole(typed)]),
            hidden=True,
        )
    with columns[3]:
        bind.delete_button(
            inner.inner("delete"),
            f"Delete {name}",
            lambda: slot.update(lambda old: parts.without_member(old, slot.name_of(handle))),
        )
    typed_error(Slot(slot.sheet, naming, lambda: MISSING, lambda _new: None))
    typed_error(number_slot)
    if not usable:
        st.caption("The file has something else here than a comparison and a number.")


def _first(value: JsonValue) -> JsonValue:
    return value[0] if isinstance(value, list) and value else "="


def _second(value: JsonValue) -> JsonValue:
    return value[1] if isinstance(value, list) and len(value) > 1 else 1


def _whole(typed: str) -> int:
    number = read_number(typed)
    if number != int(number) or number < 0:
        raise FormatError("A number of calls is a whole number", hint="Write one such as 0 or 2.")
    return int(number)
