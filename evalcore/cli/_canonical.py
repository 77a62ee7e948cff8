"""Canonical models as plain data and as text for people."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from enum import Enum
from typing import Any

from evalcore.cli._output import strict, visible
from evalcore.jsontree import MISSING
from evalcore.model import Model
from evalcore.results import Score

WIDTH = 88
"""Characters up to which a value is printed on the line of its name."""


def plain(value: Any) -> Any:
    """Return a model, or what a model holds, as JSON values; what is MISSING is left out."""
    if isinstance(value, Model):
        members = ((name, getattr(value, name)) for name in type(value).model_fields)
        return {name: plain(item) for name, item in members if item is not MISSING}
    if isinstance(value, Score):
        dumped = value.model_dump().items()
        return {name: plain(item) for name, item in dumped if item is not MISSING}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return {name: plain(getattr(value, name)) for name in value._fields}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, datetime):
        return value.isoformat()
    return value


def text_of(value: Any) -> str:
    """Return a model as indented lines of ``name: value``; what is empty or unset is left out.

    Text of several lines keeps them; everything that could steer a terminal is escaped.
    """
    return "\n".join(_lines(_shown(plain(value)), ""))


def _shown(value: Any) -> Any:
    """Return plain data without pointers into the file and without what says nothing."""
    if isinstance(value, dict):
        shown = {name: _shown(item) for name, item in value.items() if name != "origin"}
        return {name: item for name, item in shown.items() if not _says_nothing(item)}
    if isinstance(value, list):
        return [_shown(item) for item in value]
    return value


def _says_nothing(value: Any) -> bool:
    return value is None or value is False or value in ("", [], {})


def _lines(value: Any, indent: str) -> Iterator[str]:
    if isinstance(value, dict):
        for name, item in value.items():
            yield from _member(f"{visible(name)}:", item, indent)
    elif isinstance(value, list):
        for item in value:
            yield from _item(item, indent)
    else:
        yield from (indent + line for line in _text_lines(value))


def _member(name: str, value: Any, indent: str) -> Iterator[str]:
    short = _short(value)
    if short is not None and len(indent) + len(name) + len(short) < WIDTH:
        yield f"{indent}{name} {short}"
        return
    yield indent + name
    yield from _lines(value, indent + "  ")


def _item(value: Any, indent: str) -> Iterator[str]:
    short = _short(value)
    lines = iter((short,)) if short is not None else _lines(value, "")
    yield f"{indent}- {next(lines, '')}"
    yield from (f"{indent}  {line}" for line in lines)


def _short(value: Any) -> str | None:
    """Return a value in one line, None where it takes several."""
    if isinstance(value, str):
        return None if "\n" in value.strip("\n") else visible(value)
    if not isinstance(value, (dict, list)):
        return json.dumps(value)
    if any(isinstance(item, (dict, list)) for item in _items(value)):
        return None
    if isinstance(value, dict) and any(isinstance(item, str) for item in value.values()):
        return None if value else "{}"
    line = json.dumps(strict(value), ensure_ascii=False)
    return visible(line) if len(line) < WIDTH else None


def _items(value: Any) -> list[Any]:
    return list(value.values()) if isinstance(value, dict) else list(value)


def _text_lines(value: Any) -> list[str]:
    if isinstance(value, str):
        return [visible(line) for line in value.split("\n")]
    return [json.dumps(strict(value))]
