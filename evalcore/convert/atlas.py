"""Which leaf of a file each field reads: the map by which nothing can get lost unseen.

A field's value is flattened into leaves with an address of their own, and each of them is led back
to the leaves of the file that it comes from. Where a lens shows what the file says in another form,
that is found out by trying: a leaf belongs to a value if another leaf in its place makes another
value.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from evalcore.errors import FormatError
from evalcore.formats.lenses import At, Field, Lens, Records, Within
from evalcore.jsontree import MISSING, JsonValue, get, join, leaves, put, same

if TYPE_CHECKING:
    from evalcore.formats.evalset import EvalSetLens, Level

SET = -1
"""The number of the case for what belongs to the set, and of the turn for what belongs to a case.
"""


class Place(NamedTuple):
    """One field of one object: numbers of the case and the turn, and the canonical name."""

    case: int
    turn: int
    field: str


class Address(NamedTuple):
    """A leaf of a field's value, or all leaves below a path in it."""

    place: Place
    path: str = ""


@dataclass(frozen=True, slots=True)
class Spot:
    """A leaf of a field's value, and the pointers of the leaves of the file that make it."""

    value: JsonValue
    pointers: tuple[str, ...]


@dataclass(slots=True)
class Atlas:
    """What the fields of one set read.

    ``areas`` are the parts of the file that fields look at, ``where`` the place of each field in
    its case. ``opaque`` are the numbers of the cases whose shape the format does not know.
    """

    values: dict[Place, Any] = field(default_factory=dict)
    objects: dict[tuple[int, int], list[Place]] = field(default_factory=dict)
    spots: dict[Address, Spot] = field(default_factory=dict)
    areas: dict[str, list[Place]] = field(default_factory=dict)
    where: dict[Place, str] = field(default_factory=dict)
    fields: dict[Place, Field] = field(default_factory=dict)
    cases: list[str] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    turns: list[int] = field(default_factory=list)
    opaque: set[int] = field(default_factory=set)

    def at(self, place: Place) -> Any:
        """Return the value of a field, MISSING where the file has none."""
        return self.values.get(place, MISSING)

    def below(self, place: Place, path: str = "") -> Iterator[tuple[Address, Spot]]:
        """Yield the leaves of a field's value at or below a path."""
        value = self.at(place)
        for inner, _leaf in flat(value) if value is not MISSING else ():
            address = Address(place, inner)
            if address in self.spots and (inner == path or inner.startswith(path + "/")):
                yield address, self.spots[address]


def flat(value: Any) -> Iterator[tuple[str, JsonValue]]:
    """Yield (path, value) of the leaves of a field's value; records are objects in a list."""
    return leaves(plain(value))


def plain(value: Any) -> JsonValue:
    """Return a field's value as JSON; what a record does not say is left out."""
    found: JsonValue = value
    return _records(value) if isinstance(value, tuple) else found


def _records(value: tuple[Any, ...]) -> list[JsonValue]:
    return [
        {n: v for n, v in dict(r).items() if n != "origin" and v is not None and v is not MISSING}
        for r in value
    ]


def mapped(lens: EvalSetLens, value: JsonValue) -> Atlas:
    """Return the map of a set."""
    atlas = Atlas(cases=lens.case_pointers(value))
    _note(atlas, lens, value, "", "set", SET, SET)
    for number, pointer in enumerate(atlas.cases):
        raw = get(value, pointer)
        label = lens.case_label(raw) if raw is not MISSING else None
        atlas.labels.append(label or f"case {number + 1}")
        if raw is MISSING or lens.read_case(raw, pointer).opaque:
            atlas.opaque.add(number)
            atlas.turns.append(0)
            continue
        _note(atlas, lens, value, pointer, "case", number, SET)
        turns = lens.invocation_pointers(value, pointer)
        atlas.turns.append(len(turns))
        for turn, where in enumerate(turns):
            _note(atlas, lens, value, where, "invocation", number, turn)
    return atlas


def _note(
    atlas: Atlas, lens: EvalSetLens, tree: JsonValue, pointer: str, level: Level, *at: int
) -> None:
    raw = get(tree, pointer)
    if raw is MISSING:
        return
    for known in lens.fields(level):
        value = known.lens.get(raw)
        if value is MISSING:
            continue
        place = Place(at[0], at[1], known.name)
        atlas.values[place] = value
        atlas.objects.setdefault((at[0], at[1]), []).append(place)
        atlas.fields[place] = known
        area = pointer + known.lens.json(raw).where(raw)
        atlas.areas.setdefault(area, []).append(place)
        atlas.where[place] = area[len(atlas.cases[at[0]]) :] if at[0] != SET else area
        for path, leaf, pointers in _links(known.lens, raw, value):
            atlas.spots[Address(place, path)] = Spot(leaf, tuple(pointer + p for p in pointers))


def _links(lens: Lens, raw: JsonValue, value: Any) -> Iterator[tuple[str, JsonValue, list[str]]]:
    """Yield (path in the value, leaf, pointers relative to ``raw``) of a field's leaves."""
    where = lens.where(raw)
    if get(raw, where) is value:
        yield from ((path, leaf, [where + path]) for path, leaf in flat(value))
        return
    parts = _parts_of(lens)
    if parts is not None and isinstance(value, tuple) and value:
        yield from _of_records(parts, raw, value)
    else:
        yield from _tried(lens, raw, value)


def _parts_of(lens: Lens) -> dict[str, Lens] | None:
    records = lens if isinstance(lens, Records) else getattr(lens, "listed", None)
    parts = dict(records.parts) if isinstance(records, Records) else None
    plain_parts = parts is not None and all(type(p) in (At, Within) for p in parts.values())
    return parts if plain_parts else None


def _of_records(
    parts: dict[str, Lens], raw: JsonValue, value: tuple[Any, ...]
) -> Iterator[tuple[str, JsonValue, list[str]]]:
    for index, shown in enumerate(_records(value)):
        origin = value[index].origin
        item = get(raw, origin)
        if item is MISSING or not isinstance(shown, dict):
            continue
        for name, held in shown.items():
            if name in parts:
                where = origin + parts[name].where(item)
                for path, leaf in leaves(held):
                    yield join("", index, name) + path, leaf, [where + path]


def _tried(lens: Lens, raw: JsonValue, value: Any) -> Iterator[tuple[str, JsonValue, list[str]]]:
    shown = dict(flat(value))
    found: dict[str, list[str]] = {path: [] for path in shown}
    area = lens.json(raw).where(raw)
    inside = get(raw, area)
    if inside is MISSING:
        return
    for below, leaf in leaves(inside):
        alike = [p for p, v in shown.items() if _may_come_from(v, leaf)]
        if not alike:
            continue
        try:
            other = dict(flat(lens.get(put(raw, area + below, _another(leaf)))))
        except FormatError:
            continue
        for path in alike:
            if not same(other.get(path, MISSING), shown[path]):
                found[path].append(area + below)
    yield from ((path, shown[path], pointers) for path, pointers in found.items())


def _may_come_from(shown: JsonValue, leaf: JsonValue) -> bool:
    if isinstance(shown, str) and isinstance(leaf, str):
        return leaf in shown if leaf else not shown
    return same(shown, leaf)


def _another(leaf: JsonValue) -> JsonValue:
    if isinstance(leaf, bool):
        return not leaf
    if isinstance(leaf, str):
        return leaf + "\ue000"
    if isinstance(leaf, (int, float)):
        return 0.5 if leaf != 0.5 else 1.5
    return "\ue000"
