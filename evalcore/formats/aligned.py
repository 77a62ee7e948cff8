"""Which item of an edited list is which item of the list before."""

from __future__ import annotations

import json
from collections.abc import Sequence
from difflib import SequenceMatcher

from evalcore.jsontree import JsonValue


def aligned(old: Sequence[JsonValue], new: Sequence[JsonValue]) -> list[int | None]:
    """Return the old index of each new item, None for an added one; old indexes stay in order.

    Equal items are each other. Between them, what was changed is paired in order, so that an item
    keeps its place in the file while its content is edited or moved.
    """
    if len(old) == len(new):
        return list(range(len(new)))
    before, after = _texts(old), _texts(new)
    places: list[int | None] = []
    for _kind, start, stop, first, last in SequenceMatcher(
        a=before, b=after, autojunk=False
    ).get_opcodes():
        places += [start + at if start + at < stop else None for at in range(last - first)]
    return places


def _texts(items: Sequence[JsonValue]) -> list[str]:
    return [json.dumps(item) for item in items]
