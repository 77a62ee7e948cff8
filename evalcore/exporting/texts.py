"""Lists of short texts in one cell: tags and names with commas, messages on lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from evalcore.errors import FormatError
from evalcore.exporting.cells import (
    LEAVE,
    Cell,
    Keep,
    is_writable,
    marked,
    plain_text,
    read_json,
    special,
    unguard,
    written,
)
from evalcore.jsontree import MISSING, JsonValue


def names_cell(value: Any) -> Cell:
    """Return the cell of a list of names, with commas between them."""
    return _joined(value, ", ", re.compile(r"[^,;\n\[\]{}()\s](?:[^,;\n]*[^,;\n\s])?"))


def lines_cell(value: Any) -> Cell:
    """Return the cell of a list of texts, each on a line of its own."""
    return _joined(value, "\n", re.compile(r"[^\n\[\]{}()\s](?:[^\n]*[^\n\s])?"))


def read_names(cell: Cell) -> JsonValue | Keep:
    """Return the names in a cell, written with commas, semicolons or on lines."""
    return _read(cell, r"[,;\n]")


def read_lines(cell: Cell) -> JsonValue | Keep:
    """Return the texts in a cell, each on a line of its own."""
    return _read(cell, r"\n")


def _joined(value: Any, between: str, fits: re.Pattern[str]) -> Cell:
    if isinstance(value, (list, tuple)) and not value:
        return None
    items: Sequence[Any] = value if isinstance(value, (list, tuple)) else (None,)
    if all(isinstance(item, str) and fits.fullmatch(item) and is_writable(item) for item in items):
        return written(between.join(items))
    return marked(list(value) if isinstance(value, tuple) else value)


def _read(cell: Cell, between: str) -> JsonValue | Keep:
    found = special(cell)
    if found is LEAVE:
        return LEAVE
    text = unguard(cell) if isinstance(cell, str) else plain_text(cell)
    if found is MISSING and text.lstrip().startswith("["):
        found = read_json(text)
    if found is not MISSING:
        if not isinstance(found, list):
            raise FormatError("A list of texts goes here", hint="Put commas between them.")
        return found
    parts = (part.strip() for part in re.split(between, text))
    return [part for part in parts if part]
