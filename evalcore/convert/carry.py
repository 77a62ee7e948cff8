"""Keeps what no field of the target takes, where the target's system leaves room for notes.

A case's values lie together under ``carried_from_<format>``, each by its pointer in the case that
it comes from; a part that has no place as a whole is kept as a whole. On the way back to that
format such notes go to where they came from.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from evalcore.convert.account import CaseFinder
from evalcore.convert.atlas import SET
from evalcore.convert.model import Fate, Source, Target
from evalcore.convert.words import says_nothing
from evalcore.convert.write import errors_of
from evalcore.jsontree import MISSING, JsonObject, JsonValue, get, is_within, join, leaves, put

if TYPE_CHECKING:
    from evalcore.formats.evalset import EvalSetLens

PREFIX: Final = "carried_from_"
_CASES: Final[Mapping[str, tuple[str, ...]]] = {
    "adk": (),
    "harnest": (),
    "tenxgraph": ("metadata",),
    "uipath_coded": ("metadata",),
    "uipath_lowcode": ("metadata",),
}
_SETS: Final[Mapping[str, tuple[str, ...]]] = {"tenxgraph": ("metadata",), "uipath_coded": ()}
ROOM: Final[Mapping[str, str]] = {
    "adk": "ADK keeps further members of a case and does not read them; a set has room for none.",
    "harnest": "ADK keeps further members of a case, and Harnest does not read them; a set has "
    "room for none.",
    "tenxgraph": "10xGraph keeps “metadata” of sets and of cases, and copies a case's to reports.",
    "uipath_coded": "UiPath does not read further members of sets and cases; they stay in the file "
    "until one of its own tools writes it.",
    "uipath_lowcode": "UiPath does not read further members of a case; they stay in the file until "
    "one of its own tools writes it. A set has room for none.",
}
"""Where each format has room, in words."""


def home(target: str, source: str, case: bool) -> str | None:
    """Return where values are kept in a case or in a set, None where there is no room."""
    room = (_CASES if case else _SETS).get(target)
    return None if room is None else join("", *room, f"{PREFIX}{source}")


def carried(
    source: Source, lens: EvalSetLens, target: Target, value: JsonValue, fates: tuple[Fate, ...]
) -> tuple[JsonValue, tuple[Fate, ...]]:
    """Return the set with what was lost kept beside it, and the fates as they are then."""
    new = target.format.eval_sets
    case_at = CaseFinder(lens.case_pointers(source.value))
    lost: dict[int, list[Fate]] = {}
    spare = {fate.pointer for fate in fates if fate.status == "spare"}
    for fate in fates:
        if fate.status == "lost":
            lost.setdefault(case_at(fate.pointer), []).append(fate)
    homes = _homes(lens, source.value, new, value, fates)
    placed: dict[str, Fate] = {}
    carrying = value
    for number, gone in lost.items():
        at = homes.get(number)
        room = home(target.format.id, source.format.id, number != SET)
        if at is None or room is None:
            continue
        base = lens.case_pointers(source.value)[number] if number != SET else ""
        kept = _wholes(source.value, base, gone, spare)
        try:
            carrying = put(carrying, at + room, kept)
        except KeyError:
            # Something that is no object stands where the notes would go.
            continue
        for fate in gone:
            key = next(k for k in kept if is_within(fate.pointer, base + k))
            where = join(at + room, key) + fate.pointer[len(base + key) :]
            placed[fate.pointer] = replace(fate, status="carried", hint="", target=where)
    if not placed or errors_of(carrying, target):
        return value, fates
    return carrying, tuple(placed.get(f.pointer, f) for f in fates)


def restored(
    source: Source, lens: EvalSetLens, target: Target, value: JsonValue, fates: tuple[Fate, ...]
) -> tuple[JsonValue, tuple[Fate, ...]]:
    """Return the set with the notes that an earlier conversion from its format left in the source.

    A note whose place is taken, or gone, stays lost.
    """
    olds = lens.case_pointers(source.value)
    new, back, placed = target.format.eval_sets, value, dict[str, Fate]()
    found = _notes(source, target, olds)
    homes = _homes(lens, source.value, new, value, fates) if found else {}
    by_pointer = {fate.pointer: fate for fate in fates if found}
    for number, (base, notes) in found.items():
        for pointer, note in notes.items() if number in homes else ():
            at = homes[number] + pointer
            try:
                there = get(back, at)
                free = there is MISSING or says_nothing(there)
                free = free and get(back, at.rpartition("/")[0]) is not MISSING
                back = put(back, at, note) if free else back
            except (KeyError, ValueError):
                continue
            for path, _leaf in leaves(note) if free else ():
                fate = by_pointer[join(base, pointer) + path]
                placed[fate.pointer] = replace(
                    fate, status="kept", why="", hint="", target=at + path
                )
    if not placed or errors_of(back, target):
        return value, fates
    return back, tuple(placed.get(f.pointer, f) for f in fates)


def _notes(
    source: Source, target: Target, cases: Sequence[str]
) -> dict[int, tuple[str, JsonObject]]:
    """Return the notes for the target's format, with their pointer, by case."""
    found = {}
    for number, base in ((SET, ""), *enumerate(cases)):
        room = home(source.format.id, target.format.id, number != SET)
        notes = get(source.value, base + room) if room is not None else MISSING
        if room is not None and isinstance(notes, dict):
            found[number] = (base + room, notes)
    return found


def _homes(
    lens: EvalSetLens,
    old: JsonValue,
    new_lens: EvalSetLens,
    new: JsonValue,
    fates: Sequence[Fate],
) -> dict[int, str]:
    """Return the pointer of the new case that each old one became; the set is always there."""
    case_at = CaseFinder(lens.case_pointers(old))
    pointers = new_lens.case_pointers(new)
    now_at = CaseFinder(pointers)
    homes = {SET: ""}
    for fate in fates:
        number = case_at(fate.pointer)
        if number not in homes and fate.target is not None:
            now = now_at(fate.target)
            if now != SET:
                homes[number] = pointers[now]
    return homes


def _wholes(tree: JsonValue, base: str, gone: Sequence[Fate], spare: set[str]) -> JsonObject:
    """Return what is lost by pointer: each part of which nothing is in the new set as one."""
    lost = {fate.pointer for fate in gone}
    found: JsonObject = {}

    def walk(value: JsonValue, pointer: str) -> None:
        for key, item in _members(value):
            at = join(pointer, key)
            own = [p for p, _leaf in leaves(item, at)]
            if any(p in lost for p in own) and all(p in lost or p in spare for p in own):
                found[at[len(base) :]] = item
            else:
                walk(item, at)

    inside = get(tree, base)
    walk(None if inside is MISSING else inside, base)
    return found


def _members(value: JsonValue) -> Iterator[tuple[str | int, JsonValue]]:
    if isinstance(value, dict):
        yield from value.items()
    elif isinstance(value, list):
        yield from enumerate(value)
