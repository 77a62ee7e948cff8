"""What differs between two JSON values, leaf by leaf, with list items followed as they move.

Every leaf that differs is in some line: by itself, or inside a value that was added or removed as a
whole. Values differ by type and spelling as in `jsontree.same`: ``8`` and ``8.0`` do.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence

from evalcore.changes.model import Line, Where
from evalcore.jsondoc.align import align
from evalcore.jsontree import (
    MISSING,
    JsonArray,
    JsonObject,
    JsonValue,
    Missing,
    same,
)

NAMING = (
    "id",
    "name",
    "ref",
    "evalId",
    "eval_id",
    "case_id",
    "rubric_id",
    "rubricId",
    "metricName",
)
"""Keys by whose text an item of a list is called."""
NAMES_SHOWN = 8
Place = tuple[Where, ...]


def value_lines(
    old: JsonValue | Missing, new: JsonValue | Missing, place: Place, path: tuple[str, ...] = ()
) -> Iterator[Line]:
    """Yield what differs; ``path`` leads from ``place`` to the two values."""
    if same(old, new):
        return
    if isinstance(old, dict) and isinstance(new, dict):
        yield from _objects(old, new, place, path)
    elif isinstance(old, list) and isinstance(new, list):
        yield from _lists(old, new, place, path)
    elif old is MISSING:
        yield Line(at(place, path), "added", after=new)
    elif new is MISSING:
        yield Line(at(place, path), "removed", before=old)
    else:
        yield Line(at(place, path), "changed", old, new)


def at(place: Place, path: Sequence[str]) -> Place:
    """Return a place extended by the keys of a path."""
    return (*place, Where("", " › ".join(path))) if path else place


def reordered(place: Place, names: Sequence[str]) -> Line:
    """Return the line that says the new order of things."""
    shown = ", ".join(names[:NAMES_SHOWN]) + (", …" if len(names) > NAMES_SHOWN else "")
    return Line(place, "note", after=shown, note="reordered")


def item_name(item: JsonValue | Missing, number: int) -> str:
    """Return what an item of a list is called: by its own name, else by its place from 1."""
    for key in NAMING:
        name = item.get(key) if isinstance(item, dict) else None
        if isinstance(name, str) and name.strip():
            return name
    return f"item {number}"


def _objects(
    old: JsonObject, new: JsonObject, place: Place, path: tuple[str, ...]
) -> Iterator[Line]:
    for key in (*old, *(k for k in new if k not in old)):
        yield from value_lines(
            old.get(key, MISSING), new.get(key, MISSING), place, (*path, key or '""')
        )
    shared = [key for key in new if key in old]
    if shared != [key for key in old if key in new]:
        yield reordered(at(place, path), list(new))


def _lists(old: JsonArray, new: JsonArray, place: Place, path: tuple[str, ...]) -> Iterator[Line]:
    if all(not isinstance(item, (dict, list)) for item in (*old, *new)):
        yield from _plain_lists(old, new, at(place, path))
        return
    sources = sources_of(old, new)
    kept = {source for source, _stays in sources if source is not None}
    for number, item in enumerate(old):
        if number not in kept:
            yield from value_lines(item, MISSING, place, (*path, item_name(item, number + 1)))
    for number, (source, _stays) in enumerate(sources):
        item = new[number]
        before = MISSING if source is None else old[source]
        name = item_name(before if before is not MISSING else item, number + 1)
        yield from value_lines(before, item, place, (*path, name))
    if any(source is not None and not stays for source, stays in sources):
        names = [item_name(item, (source or 0) + 1) for item, (source, _) in _zip(new, sources)]
        yield reordered(at(place, path), names)


def _zip(
    new: JsonArray, sources: Sequence[tuple[int | None, bool]]
) -> Iterator[tuple[JsonValue, tuple[int | None, bool]]]:
    return zip(new, sources, strict=True)


def sources_of(
    old: JsonArray, new: JsonArray, id_keys: Sequence[str] = NAMING
) -> list[tuple[int | None, bool]]:
    """Return for each new item the index of the old one it was, and whether it kept its order.

    No old item is named twice: a copy is new.
    """
    used: set[int] = set()
    found: list[tuple[int | None, bool]] = []
    for match in align(old, new, id_keys):
        is_first = match.source is not None and match.source not in used
        found.append((match.source if is_first else None, match.stays))
        if match.source is not None:
            used.add(match.source)
    return found


def _plain_lists(old: JsonArray, new: JsonArray, place: Place) -> Iterator[Line]:
    """Yield which plain values came and went, and whether the others changed their order."""
    before, after = (Counter(map(spelled, items)) for items in (old, new))
    gone, come = before - after, after - before
    if len(old) == len(new) == 1:
        yield Line(place, "changed", old[0], new[0])
        return
    for item in _taken(old, gone):
        yield Line(place, "removed", before=item, is_item=True)
    for item in _taken(new, come):
        yield Line(place, "added", after=item, is_item=True)
    if _left(old, gone) != _left(new, come):
        yield reordered(place, [v if isinstance(v, str) else spelled(v) for v in new])


def _taken(items: JsonArray, wanted: Counter[str]) -> Iterator[JsonValue]:
    left = Counter(wanted)
    for item in reversed(items):
        if left[spelled(item)] > 0:
            left[spelled(item)] -= 1
            yield item


def _left(items: JsonArray, taken: Counter[str]) -> list[str]:
    left, kept = Counter(taken), []
    for item in reversed(items):
        if left[spelled(item)] > 0:
            left[spelled(item)] -= 1
        else:
            kept.append(spelled(item))
    return kept


def spelled(value: JsonValue) -> str:
    """Return a value as JSON on one line, integers of any length included."""
    from evalcore.jsondoc.printer import Style, print_value

    try:
        return json.dumps(value, ensure_ascii=False)
    except ValueError:
        return print_value(value, Style("\n", "", ", ", ": ", False), None, 1000)
