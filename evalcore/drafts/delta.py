"""What one edit changed, as JSON that leads from the old tree to the new one.

A delta is as large as the edit, however large the tree: trees of a draft share what did not change,
and shared parts are passed over by identity. ``patched`` shares those parts again, so that a draft
read back from its deltas is written to the file as the one that they were taken from.

A delta is one of::

    ["=", value]                   another value
    ["k", {key: delta}, [key]]     an object with members changed or added behind, and removed
    ["o", [[key] | [key, delta]]]  an object with its members in another order
    ["i", [[index, delta]]]        an array with items changed in place
    ["l", [piece]]                 an array put together anew: of ``[start, end]`` of the old one,
                                   ``[index, delta]`` for a changed copy, and ``["=", value]``
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from evalcore.jsontree import MISSING, JsonArray, JsonObject, JsonValue, Missing, same

Delta = list[Any]


def delta(old: JsonValue | Missing, new: JsonValue) -> Delta | None:
    """Return what leads from ``old`` to ``new``, None if they are the `same`."""
    if old is new:
        return None
    if isinstance(old, dict) and isinstance(new, dict):
        return _of_objects(old, new)
    if isinstance(old, list) and isinstance(new, list):
        return _of_arrays(old, new)
    return None if same(old, new) else ["=", new]


def patched(old: JsonValue | Missing, change: Delta | None) -> JsonValue:
    """Return the tree that ``change`` makes of ``old``.

    Raises LookupError, TypeError or ValueError for a change that was not taken from such a tree.
    """
    if change is None:
        if old is MISSING:
            raise KeyError("a member that is not there")
        return old
    kind, *rest = change
    if kind == "=":
        value: JsonValue = rest[0]
        return value
    if kind in ("k", "o") and isinstance(old, dict):
        return _edited(old, *rest) if kind == "k" else _reordered(old, *rest)
    if kind in ("i", "l") and isinstance(old, list):
        return _in_place(old, *rest) if kind == "i" else _put_together(old, *rest)
    raise TypeError(f"no {kind!r} can be made of {type(old).__name__}")


def _of_objects(old: JsonObject, new: JsonObject) -> Delta | None:
    edits: dict[str, Delta] = {}
    for key, value in new.items():
        found = delta(old.get(key, MISSING), value)
        if found is not None:
            edits[key] = found
    order = [*(key for key in old if key in new), *(key for key in new if key not in old)]
    if order != list(new):
        return ["o", [[key, edits[key]] if key in edits else [key] for key in new]]
    removed = [key for key in old if key not in new]
    return ["k", edits, removed] if edits or removed else None


def _of_arrays(old: JsonArray, new: JsonArray) -> Delta | None:
    head, tail = shared_ends(old, new)
    a, b = old[head : len(old) - tail], new[head : len(new) - tail]
    place = {id(item): number for number, item in enumerate(a) if isinstance(item, (dict, list))}
    stays = all(place.get(id(item), number) == number for number, item in enumerate(b))
    if len(a) == len(b) and stays:
        found = ((head + i, delta(x, y)) for i, (x, y) in enumerate(zip(a, b, strict=True)))
        edits = [[index, change] for index, change in found if change is not None]
        return ["i", edits] if edits else None
    sources = {name: head + number for name, number in place.items()}
    pieces = [[0, head], *_pieces(old, b, sources, head - 1), [len(old) - tail, len(old)]]
    return ["l", list(_joined(pieces))]


def shared_ends(old: JsonArray, new: JsonArray) -> tuple[int, int]:
    """Return how many items at the start and at the end are the same objects, without overlap."""
    limit = min(len(old), len(new))
    head = tail = 0
    while head < limit and old[head] is new[head]:
        head += 1
    while tail < limit - head and old[-1 - tail] is new[-1 - tail]:
        tail += 1
    return head, tail


def _pieces(
    old: JsonArray, new: JsonArray, sources: dict[int, int], before: int
) -> Iterator[Delta]:
    """Yield where each item of ``new``, which follows the old item ``before``, comes from.

    An item that is new is taken for a changed copy of the one before it, or of the one that stood
    behind that, where they share parts: duplicating and editing make such items.
    """
    for item in new:
        source = sources.get(id(item))
        change: Delta | None = None
        if source is None:
            near = (n for n in (before + 1, before) if 0 <= n < len(old) and _share(old[n], item))
            source = next(near, None)
            if source is None:
                yield ["=", item]
                continue
            change = delta(old[source], item)
        yield [source, source + 1] if change is None else [source, change]
        before = source


def _share(old: JsonValue, new: JsonValue) -> bool:
    """Return whether two items hold a part in common that only one edit of the other gives."""
    if isinstance(old, dict) and isinstance(new, dict):
        mine = {id(v) for v in old.values() if _is_own(v)}
        return any(id(value) in mine for value in new.values() if _is_own(value))
    return False


def _is_own(value: JsonValue) -> bool:
    # Python shares short texts and other plain values between all who use them.
    return isinstance(value, (dict, list)) or (isinstance(value, str) and len(value) > 1)


def _joined(pieces: list[Delta]) -> Iterator[Delta]:
    """Yield the pieces with neighbouring stretches made one, and empty ones left out."""
    last: Delta | None = None
    for piece in pieces:
        if piece[0] == "=" or isinstance(piece[1], list):
            if last is not None:
                yield last
            last = None
            yield piece
        elif last is not None and last[1] == piece[0]:
            last = [last[0], piece[1]]
        elif piece[0] < piece[1]:
            if last is not None:
                yield last
            last = piece
    if last is not None:
        yield last


def _edited(old: JsonObject, edits: dict[str, Delta], removed: list[str]) -> JsonObject:
    gone = set(removed)
    if not gone.issubset(old):
        raise KeyError(f"no members {sorted(gone.difference(old))} to remove")
    kept = {key: value for key, value in old.items() if key not in gone}
    return kept | {key: patched(old.get(key, MISSING), change) for key, change in edits.items()}


def _reordered(old: JsonObject, members: list[list[Any]]) -> JsonObject:
    return {
        key: patched(old.get(key, MISSING), change[0] if change else None)
        for key, *change in members
    }


def _in_place(old: JsonArray, edits: list[list[Any]]) -> JsonArray:
    items = list(old)
    for index, change in edits:
        items[_index(index, old)] = patched(old[index], change)
    return items


def _put_together(old: JsonArray, pieces: list[Delta]) -> JsonArray:
    items: JsonArray = []
    for first, second in pieces:
        if first == "=":
            items.append(second)
        elif isinstance(second, list):
            items.append(patched(old[_index(first, old)], second))
        elif 0 <= first <= second <= len(old):
            items += old[first:second]
        else:
            raise IndexError(f"no items {first} to {second} in an array of {len(old)}")
    return items


def _index(index: int, items: JsonArray) -> int:
    if not 0 <= index < len(items):
        raise IndexError(f"no item {index} in an array of {len(items)}")
    return index
