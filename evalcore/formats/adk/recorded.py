"""Editing what a run recorded as parts of events: calls of tools, and their answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from evalcore.formats.adk.content import (
    CONTENT,
    INTERMEDIATE_DATA,
    INVOCATION_EVENTS,
    PARTS,
    ROLE,
)
from evalcore.formats.lenses import At, Key, Spelling, style_of
from evalcore.jsontree import JsonArray, JsonObject, JsonValue, get, join, put, split

EVENTS = At(INTERMEDIATE_DATA, INVOCATION_EVENTS)
Wanted: TypeAlias = tuple[str, JsonObject]
"""The slot that an object came from, "" for a new one, and the object as it is to be."""


def with_parts(
    raw: JsonValue, part: Key, slots: Sequence[str], wanted: Sequence[Wanted], style: Spelling
) -> JsonValue:
    """Return an invocation whose parts called ``part`` hold ``wanted``.

    ``slots`` are the pointers of the objects that are there. Objects that stay fill, in their new
    order, the slots of those that stay; a new one follows the one before it, in its own part.
    """
    spelled = style_of(EVENTS.get(raw), style)
    wanted = _distinct(wanted)
    staying = {origin for origin, _ in wanted} & set(slots)
    open_slots = [slot for slot in slots if slot in staying]
    filled: dict[str, list[JsonObject]] = {slot: [] for slot in slots}
    early: list[JsonObject] = []
    at = -1
    for origin, written in wanted:
        if origin in staying:
            at += 1
        (filled[open_slots[at]] if at >= 0 else early).append(written)
    if early and open_slots:
        filled[open_slots[0]] = [*early, *filled[open_slots[0]]]
        early = []
    old = {slot: get_object(raw, slot) for slot in slots}
    edited = _rewritten(raw, part, filled, old, spelled)
    if not early:
        return edited
    name = part.choose({}, spelled)
    return appended(edited, [{name: item} for item in early])


def get_object(raw: JsonValue, pointer: str) -> JsonObject:
    """Return the object at ``pointer``, {} where there is none."""
    found = get(raw, pointer)
    return found if isinstance(found, dict) else {}


def appended(raw: JsonValue, parts: Sequence[JsonObject], author: str | None = None) -> JsonValue:
    """Return ``raw`` with one more event of these parts, by the author of the others."""
    found = EVENTS.get(raw)
    events = found if isinstance(found, list) else []
    return EVENTS.put(raw, [*events, new_event(events, parts, author)], "snake")


def new_event(
    events: JsonArray, parts: Sequence[JsonObject], author: str | None = None
) -> JsonObject:
    """Return an event of these parts, by the author of the last of ``events`` if none is given."""
    authors = [e["author"] for e in events if isinstance(e, dict) and "author" in e]
    content: JsonObject = {PARTS.spellings[0]: list(parts)}
    content[ROLE.spellings[0]] = "model"
    usual = authors[-1] if authors else "agent"
    return {"author": usual if author is None else author, CONTENT.spellings[0]: content}


def _distinct(wanted: Sequence[Wanted]) -> list[Wanted]:
    """Return the objects with each origin used once: a second one from one slot is a new one."""
    used: set[str] = set()
    result: list[Wanted] = []
    for origin, item in wanted:
        result.append(("" if origin in used else origin, item))
        used.add(origin)
    return result


def _rewritten(
    raw: JsonValue,
    part: Key,
    filled: dict[str, list[JsonObject]],
    old: dict[str, JsonObject],
    style: Spelling,
) -> JsonValue:
    """Return ``raw`` with each slot's part replaced by the parts for what it now holds."""
    by_parts: dict[str, list[str]] = {}
    for slot in filled:
        by_parts.setdefault(join("", *split(slot)[:-2]), []).append(slot)
    for parts_pointer, here in by_parts.items():
        if all(len(filled[s]) == 1 and filled[s][0] is old[s] for s in here):
            continue
        parts = get(raw, parts_pointer)
        by_index = {int(split(slot)[-2]): slot for slot in here}
        new: JsonArray = []
        for index, item in enumerate(parts if isinstance(parts, list) else ()):
            held = by_index.get(index)
            new += [item] if held is None else _parts_for(item, part, filled[held], style)
        raw = put(raw, parts_pointer, new)
    return without_emptied_events(raw, by_parts)


def _parts_for(
    item: JsonValue, part: Key, held: Sequence[JsonObject], style: Spelling
) -> Iterable[JsonValue]:
    fields = item if isinstance(item, dict) else {}
    name = part.choose(fields, style)
    if held:
        more: list[JsonValue] = [{name: other} for other in held[1:]]
        return [{**fields, name: held[0]}, *more]
    rest = {key: v for key, v in fields.items() if key != name}
    return [rest] if any(v is not None for v in rest.values()) else []


def without_emptied_events(raw: JsonValue, touched: Iterable[str]) -> JsonValue:
    """Drop the events that held nothing but what is gone; ``touched`` are lists of parts."""
    emptied = {int(split(p)[-3]) for p in touched if get(raw, p) == []}
    events = EVENTS.get(raw)
    if not emptied or not isinstance(events, list):
        return raw
    return EVENTS.put(raw, [e for i, e in enumerate(events) if i not in emptied], "snake")
