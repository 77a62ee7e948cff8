"""One setting of a check, with the widget of its kind, its default and its problems."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

import streamlit as st

from evalcore.errors import FormatError
from evalcore.formats.lenses import Editor, Field
from evalcore.jsontree import MISSING, JsonValue
from evalcore.views.evaluators.settings import Setting, SettingView
from evalcore.views.form import FieldView
from evalcore.views.slots import Slot
from evalcore.views.values import (
    as_text,
    is_printable,
    number_text,
    plain,
    printable,
    read,
    read_number,
)
from evalcore.views.words import first_words
from pages._author.lists import texts
from pages._author.members import members
from pages._author.names import arguments, name_field
from pages._author.typed import shown, typed_error
from pages._evaluators import items, values
from pages._ui import bind
from pages._ui.problems import problem_list

YES_NO: Final = {"Yes": True, "No": False}
BAGS: Final = ("classes", "keywords", "ignore")
"""Lists whose order does not matter."""
TOOL: Final = "Tool"
"""The label of settings that name a tool."""
SIMPLE: Final = ("flag", "number", "whole", "choice", "line", "text", "target")


def draw(view: SettingView, options: Sequence[str] = ()) -> None:
    """Draw a setting; ``options`` are offered where names of the project can be chosen."""
    slot = slot_of(view)
    _editor(view, slot, options)
    typed_error(slot)
    problem_list(view.problems)


def slot_of(view: SettingView) -> Slot:
    """Return the slot of a setting."""
    return Slot(view.home.editing, view.key, view.read, view.write)


def _editor(view: SettingView, slot: Slot, options: Sequence[str]) -> None:
    setting, value = view.setting, view.value
    if value is not MISSING and not _fits(setting, value):
        _as_json(view, slot)
    elif setting.kind in ("number", "whole"):
        _number(view, slot)
    elif setting.kind in ("flag", "choice"):
        _choice(view, slot)
    elif setting.label == TOOL:
        name_field(slot, setting.label, value, "tool", help=help_of(setting))
    elif setting.kind in ("line", "text"):
        _text(view, slot)
    elif setting.kind == "target" or setting.name.rpartition(".")[2] in BAGS:
        _bag(view, slot, options)
    elif setting.kind == "names":
        extra = {"names": "tool"} if setting.name == "tool_calls_order" else {}
        field = Field(
            setting.name, setting.label, setting.lens, Editor.NAMES, setting.help, extra=extra
        )
        texts(slot, FieldView(field, (), value, Editor.NAMES, view.key), False)
    elif setting.kind == "items":
        items.item_list(view, slot, draw)
    elif setting.kind == "counts":
        items.counts(view, slot)
    elif setting.kind == "object":
        members(slot, setting.label, setting.help, suggested=_arguments(view, slot))
    else:
        values.any_value(view, slot)
    if setting.kind not in SIMPLE and view.is_present and not setting.is_required:
        _take_out(view)


def _arguments(view: SettingView, slot: Slot) -> list[str]:
    """Return the arguments that the tool was seen with, where a call's are edited."""
    raw = view.home.read()
    tool = raw.get("name") if isinstance(raw, dict) and view.setting.name == "args" else None
    return arguments(slot, tool) if isinstance(tool, str) else []


def _take_out(view: SettingView) -> None:
    bind.button(
        f"out {view.key}",
        "Take out of the file",
        lambda: view.write(MISSING),
        icon="backspace",
        kind="tertiary",
        help="Without it the default applies.",
    )


def _fits(setting: Setting, value: Any) -> bool:
    """Return whether the widget of a setting could show a value."""
    if setting.kind == "flag":
        return isinstance(value, bool)
    if setting.kind in ("number", "whole"):
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    if setting.kind in ("line", "text", "choice"):
        return is_printable(value) and not (setting.kind == "line" and "\n" in value[:-1])
    if setting.kind == "target":
        return isinstance(value, str) or _are_texts(value)
    if setting.kind == "names":
        return _are_texts(value)
    if setting.kind == "items":
        return isinstance(value, list) and all(isinstance(item, dict) for item in value)
    if setting.kind in ("counts", "object"):
        return isinstance(value, dict) and all(map(is_printable, value))
    return True


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(i, str) and is_printable(i) for i in value)


def help_of(setting: Setting) -> str:
    """Return what a setting does, its range and its default."""
    default = _default_words(setting)
    usual = f"Not set: {default}." if default else ""
    return " ".join(filter(None, (setting.help, setting.range_words, usual)))


def _default_words(setting: Setting) -> str:
    default = setting.default
    if default is MISSING or default is None or default in ("", [], {}):
        return ""
    if isinstance(default, bool):
        return "yes" if default else "no"
    return first_words(plain(default), 60)


def _number(view: SettingView, slot: Slot) -> None:
    setting, value = view.setting, view.value
    now = number_text(value) if isinstance(value, (int, float)) else ""

    def make(typed: str) -> JsonValue:
        number = read_number(typed)
        if setting.kind == "whole" and number != int(number):
            raise FormatError(f"{setting.label} must be a whole number", hint="Write one like 3.")
        setting.check(number)
        return number

    bind.line(
        view.key,
        setting.label,
        shown(slot, now),
        _commit(view, slot, make),
        help=help_of(setting),
        placeholder=_placeholder(setting),
    )


def _choice(view: SettingView, slot: Slot) -> None:
    setting, value = view.setting, view.value
    names = list(YES_NO) if setting.kind == "flag" else list(setting.options)
    usual = f"Not set ({_default_words(setting) or 'none'})"
    written = {True: "Yes", False: "No"}.get(value) if isinstance(value, bool) else value
    now = usual if value is MISSING else str(written)

    def commit(picked: str) -> None:
        if picked == usual:
            view.write(MISSING)
        else:
            view.write(YES_NO[picked] if setting.kind == "flag" else picked)

    offered = names if setting.is_required else [usual, *names]
    bind.choice(view.key, setting.label, offered, now, commit, help=help_of(setting))


def _text(view: SettingView, slot: Slot) -> None:
    setting, value = view.setting, view.value
    if setting.options:
        _offered(view, slot)
        return
    is_break = setting.name == "line_delimiter"
    text = value if isinstance(value, str) else ""
    now = text.encode("unicode_escape").decode("ascii") if is_break else text

    def make(typed: str) -> JsonValue:
        new = _unescaped(typed) if is_break else typed
        setting.check(new)
        return new

    area = setting.kind == "text"
    (bind.area if area else bind.line)(
        view.key,
        setting.label,
        shown(slot, now),
        _commit(view, slot, make),
        help=help_of(setting) + (" Write \\n for a line break." if is_break else ""),
        placeholder=_placeholder(setting),
    )


def _offered(view: SettingView, slot: Slot) -> None:
    """Draw a text for which some are offered; a setting that may be absent can be that again."""
    setting, value = view.setting, view.value
    usual = f"Not set ({_default_words(setting) or 'none'})"
    now = usual if value is MISSING else str(value)

    def commit(picked: str) -> None:
        typed = picked.strip()
        slot.commit(picked, lambda _old: MISSING if typed in ("", usual) else typed)

    bind.choice(
        view.key,
        setting.label,
        [usual, *setting.options],
        str(shown(slot, now)),
        commit,
        help=help_of(setting),
        open_ended=True,
    )


def _unescaped(text: str) -> str:
    for short, long in (("\\n", "\n"), ("\\r", "\r"), ("\\t", "\t")):
        text = text.replace(short, long)
    return text


def _commit(view: SettingView, slot: Slot, make: Callable[[str], JsonValue]) -> bind.Commit:
    """Return what a field of text does: an empty one takes an optional setting out of the file."""

    def commit(typed: str) -> None:
        optional = not view.setting.is_required
        slot.commit(typed, lambda _old: MISSING if optional and typed == "" else make(typed))

    return commit


def _placeholder(setting: Setting) -> str:
    default = _default_words(setting)
    if default:
        return printable(f"not set: {default}")
    return "needed" if setting.is_required else "not set"


def _bag(view: SettingView, slot: Slot, options: Sequence[str]) -> None:
    setting, value = view.setting, view.value
    listed = [value] if isinstance(value, str) else list(value) if isinstance(value, list) else []
    now = [str(item) for item in listed]

    def commit(picked: list[str]) -> None:
        if setting.kind == "target" and len(picked) == 1 and not isinstance(view.read(), list):
            view.write(picked[0])
        elif not picked and not setting.is_required:
            view.write(MISSING)
        else:
            view.write(list(picked))

    offered = ["*", *options] if setting.kind == "target" else list(options)
    bind.tags(
        view.key,
        setting.label,
        offered,
        list(dict.fromkeys(now)),
        commit,
        help=help_of(setting),
        placeholder=_placeholder(setting) if not now else "Add…",
    )


def _as_json(view: SettingView, slot: Slot) -> None:
    """Draw what the widget of a setting could not show, as it stands in the file."""
    setting = replace(view.setting, help=f"{view.setting.help} Written in an unusual way.")
    now = shown(slot, as_text(view.value) if view.value is not MISSING else "")

    def commit(typed: str) -> None:
        optional = not setting.is_required
        slot.commit(typed, lambda _old: MISSING if optional and not typed.strip() else read(typed))

    bind.area(view.key + "|json", setting.label, now, commit, help=help_of(setting))
    st.caption("This stands in the file in another form than the setting has; edit it as JSON.")
