"""Widgets as views of a draft: seeded from it on every run, written back when they change.

A value that was seeded survives a page switch, and a callback of a widget that is gone finds
nothing to write. Labels are made safe here, so callers pass plain text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal

import streamlit as st

from evalcore.errors import EvaldeskError
from evalcore.views.values import printable
from pages._ui import safe

ButtonKind = Literal["primary", "secondary", "tertiary"]
Height = int | Literal["content"]
Commit = Callable[[Any], object]
FLASHES = "flashes"
NOTHING = "nothing to choose"
NO_NAMES: Mapping[str, str] = MappingProxyType({})


def seed(key: str, value: Any) -> None:
    """Make the widget under ``key`` show ``value``; one that already does is left alone.

    Setting a value that is already there would make the browser drop what is being typed.
    """
    if key not in st.session_state or st.session_state[key] != value:
        st.session_state[key] = value


def is_first(key: str, value: Any) -> bool:
    """Return whether a widget is new, and shows ``value`` if that is handed to it as its default.

    Any other widget is made to show the value here. One that is new and seeded could show nothing:
    a seed is sent once, and is lost where the next run overtakes the first.
    """
    if key not in st.session_state:
        return True
    seed(key, value)
    return False


def act(do: Callable[..., object], *args: Any) -> None:
    """Do what a widget asks for; an expected error is shown at the top of the next run."""
    try:
        do(*args)
    except EvaldeskError as error:
        flash(error)


def flash(news: EvaldeskError | str) -> None:
    """Remember an error, or good news in fixed words, for the next run."""
    st.session_state.setdefault(FLASHES, []).append(news)


def show_flashes() -> None:
    """Draw what was remembered since the last run."""
    for news in st.session_state.pop(FLASHES, []):
        if isinstance(news, EvaldeskError):
            safe.report(news)
        else:
            st.toast(safe.label(news), icon=":material/check_circle:")


def line(
    key: str,
    label: str,
    value: str,
    commit: Commit,
    *,
    help: str = "",
    placeholder: str = "",
    hidden: bool = False,
    disabled: bool = False,
) -> None:
    """Draw a text of one line."""
    seed(key, value)
    st.text_input(
        safe.label(label) or "Text",
        key=key,
        on_change=_commit,
        args=(key, commit),
        help=safe.label(help) or None,
        placeholder=placeholder or None,
        label_visibility="collapsed" if hidden else "visible",
        disabled=disabled,
    )


def area(
    key: str,
    label: str,
    value: str,
    commit: Commit,
    *,
    help: str = "",
    placeholder: str = "",
    hidden: bool = False,
    disabled: bool = False,
    height: Height = "content",
) -> None:
    """Draw a text of several lines, as high as the text."""
    seed(key, value)
    st.text_area(
        safe.label(label) or "Text",
        key=key,
        on_change=_commit,
        args=(key, commit),
        help=safe.label(help) or None,
        placeholder=placeholder or None,
        label_visibility="collapsed" if hidden else "visible",
        disabled=disabled,
        height=height,
    )


def choice(
    key: str,
    label: str,
    options: Sequence[str],
    value: str | None,
    commit: Commit,
    *,
    help: str = "",
    hidden: bool = False,
    disabled: bool = False,
    open_ended: bool = False,
    placeholder: str = "",
) -> None:
    """Draw a choice of one; a value that is no option is offered too, so that it stays."""
    offered = [*options, *([value] if value is not None and value not in options else [])]
    start = offered.index(value) if value is not None else None
    index = start if is_first(key, value) else 0
    st.selectbox(
        safe.label(label) or "Choice",
        offered,
        index=index,
        key=key,
        on_change=_commit,
        args=(key, commit),
        format_func=printable,
        help=safe.label(help) or None,
        label_visibility="collapsed" if hidden else "visible",
        disabled=disabled,
        accept_new_options=open_ended,
        placeholder=placeholder or None,
    )


def flag(
    key: str,
    label: str,
    value: bool,
    commit: Commit,
    *,
    help: str = "",
    hidden: bool = False,
    disabled: bool = False,
) -> None:
    """Draw a yes or no."""
    seed(key, value)
    st.checkbox(
        safe.label(label) or "Yes",
        key=key,
        on_change=_commit,
        args=(key, commit),
        help=safe.label(help) or None,
        label_visibility="collapsed" if hidden else "visible",
        disabled=disabled,
    )


def tags(
    key: str,
    label: str,
    options: Sequence[str],
    value: Sequence[str],
    commit: Commit,
    *,
    help: str = "",
    placeholder: str = "Add…",
    hidden: bool = False,
    disabled: bool = False,
    open_ended: bool = True,
    names: Mapping[str, str] = NO_NAMES,
) -> None:
    """Draw a set of short texts; new ones may be typed.

    ``names`` says what to show in place of some of them. Two must not be shown as the same.
    """
    seed(key, list(value))
    st.multiselect(
        safe.label(label) or "Tags",
        list(dict.fromkeys([*options, *value])),
        key=key,
        on_change=_commit,
        args=(key, commit),
        format_func=lambda text: printable(names.get(text, text)),
        help=safe.label(help) or None,
        placeholder=placeholder,
        label_visibility="collapsed" if hidden else "visible",
        disabled=disabled,
        accept_new_options=open_ended,
    )


def segments(key: str, label: str, options: Mapping[str, str], value: str, commit: Commit) -> None:
    """Draw a row of choices, one of which is on; ``options`` maps values to texts."""
    default = value if is_first(key, value) else None
    st.segmented_control(
        safe.label(label),
        list(options),
        default=default,
        key=key,
        required=True,
        on_change=_commit,
        args=(key, commit),
        format_func=lambda name: safe.label(options.get(name, name)),
        label_visibility="collapsed",
    )


def search(key: str, label: str, value: str, commit: Commit, *, placeholder: str) -> None:
    """Draw a search box that answers while one types."""
    seed(key, value)
    st.text_input(
        safe.label(label),
        key=key,
        type="search",
        live=True,
        on_change=_commit,
        args=(key, commit),
        placeholder=placeholder,
        label_visibility="collapsed",
    )


def button(
    key: str,
    label: str,
    do: Callable[..., object],
    *args: Any,
    icon: str = "",
    kind: ButtonKind = "secondary",
    help: str = "",
    disabled: bool = False,
    shortcut: str | None = None,
    stretch: bool = False,
) -> None:
    """Draw a button; ``icon`` is the name of a Material symbol."""
    st.button(
        safe.label(label),
        key=key,
        on_click=act,
        args=(do, *args),
        icon=f":material/{icon}:" if icon else None,
        type=kind,
        help=safe.label(help) or None,
        disabled=disabled,
        shortcut=shortcut,
        width="stretch" if stretch else "content",
    )


def delete_button(
    key: str, label: str, do: Callable[..., object], *, disabled: bool = False
) -> None:
    """Draw a button that shows a bin; its name is read aloud and shown on pointing at it."""
    button(f"bin {key}", label, do, icon="delete", kind="tertiary", help=label, disabled=disabled)


def menu(
    key: str,
    label: str,
    options: Mapping[str, str],
    do: Callable[[str], object],
    *,
    icon: str = "",
    help: str = "",
    kind: ButtonKind = "tertiary",
    disabled: bool = False,
) -> None:
    """Draw a button that opens a menu; ``options`` maps what ``do`` gets to what is shown.

    It is off where there are no options.
    """
    st.menu_button(
        safe.label(label),
        list(options) or [NOTHING],
        key=key,
        on_click=_commit,
        args=(key, do),
        icon=f":material/{icon}:" if icon else None,
        help=safe.label(help) or None,
        type=kind,
        disabled=disabled or not options,
        format_func=lambda name: safe.label(options.get(name, name)),
    )


def _commit(key: str, commit: Commit) -> None:
    """Hand on a widget's value; during a page switch the widget may be gone already."""
    if key in st.session_state and st.session_state[key] is not None:
        act(commit, st.session_state[key])
