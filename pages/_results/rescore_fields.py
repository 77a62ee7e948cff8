"""One parameter of a check, drawn in the way that its type is edited."""

from __future__ import annotations

from collections.abc import Callable

from evalcore.jsontree import JsonValue
from evalcore.views.rescore_form import ParamField, parse
from evalcore.views.values import as_text
from pages._ui import bind


def draw(field: ParamField, key: str, change: Callable[[JsonValue], object]) -> None:
    """Draw a parameter; ``change`` gets its new value, and raises EvaldeskError for a bad one."""

    def commit(typed: object) -> None:
        change(parse(field, typed))

    title = field.title + (" ●" if field.is_changed else "")
    if field.kind == "flag":
        bind.flag(key, title, bool(field.value), commit, help=field.help)
    elif field.kind == "choice":
        bind.choice(key, title, field.options, _text(field.value), commit, help=field.help)
    elif field.kind == "list":
        listed = [str(v) for v in field.value] if isinstance(field.value, list) else []
        bind.tags(key, title, [], listed, commit, help=field.help)
    elif field.long:
        bind.area(key, title, _text(field.value), commit, help=field.help, height=160)
    else:
        none = "none" if field.optional else ""
        bind.line(key, title, _text(field.value), commit, help=field.help, placeholder=none)


def _text(value: JsonValue) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:g}"
    return value if isinstance(value, str) else as_text(value, indent=None)
