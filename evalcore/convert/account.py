"""The fate of every leaf: what is read back from the new set, beside where each value was sent."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from evalcore.convert import words
from evalcore.convert.atlas import SET, Address, Atlas, Place, flat
from evalcore.convert.model import Fate, Status
from evalcore.jsontree import MISSING, JsonValue, get, is_within, leaves, same, split

if TYPE_CHECKING:
    from evalcore.convert.portable import Out, OutCase
    from evalcore.convert.write import Written

JOINED = "Several pieces of text became one."
_BEST: dict[Status, int] = {"kept": 0, "changed": 1, "lost": 2, "spare": 3, "carried": 4}


class Landing(NamedTuple):
    """Where a move ends: a path in a field of the target, as it was handed to the writer."""

    path: str
    place: Place
    inner: str
    how: str


class Outcome(NamedTuple):
    """What became of one leaf, and where it is now."""

    status: Status
    why: str = ""
    target: str | None = None


@dataclass(slots=True)
class Ledger:
    """All that is known of one conversion, from which each leaf's fate follows.

    Places of the target count its cases as they were handed to the writer, but in ``target``
    as they are in the file.
    """

    source: Atlas
    tree: JsonValue
    target: Atlas
    made: Written
    words: words.Words
    landings: dict[Place, list[Landing]] = field(default_factory=dict)
    handed: dict[Place, object] = field(default_factory=dict)
    now: dict[int, int] = field(default_factory=dict)
    _held: dict[Place, bool] = field(default_factory=dict)

    def note(self, out: Out, case: int, turn: int) -> None:
        """Note what was handed to the writer for one object."""
        self.handed.update({Place(case, turn, name): v for name, v in out.values.items()})
        for move, name in out.moves:
            landing = Landing(move.source.path, Place(case, turn, name), move.path, move.how)
            self.landings.setdefault(move.source.place, []).append(landing)

    def place_now(self, place: Place) -> Place | None:
        """Return a place as the new file counts its cases, None if its case was left out."""
        if place.case == SET:
            return place
        return place._replace(case=self.now[place.case]) if place.case in self.now else None

    def is_held(self, place: Place) -> bool:
        """Return whether a field of the new file reads back as it was handed to the writer."""
        if place not in self._held:
            at, handed = self.place_now(place), self.handed.get(place, MISSING)
            value = MISSING if at is None else self.target.at(at)
            self._held[place] = value is not MISSING and (
                handed is MISSING or _same_leaves(handed, value)
            )
        return self._held[place]

    def trouble(self, place: Place) -> str:
        """Return why a field could not be written or was taken out again, "" if it was not."""
        refusal = self.made.refused.get(place, "")
        own = [r for r in self.made.removed if r.number == place.case]
        at = self.place_now(place)
        if refusal or not own:
            return refusal
        if at is None:
            return f"{own[-1].why} {words.LEFT_OUT}"
        where = self.target.where.get(at)
        close = (r.why for r in own if where is None or _meet(where, r.path))
        return next(close, "")


def _meet(one: str, other: str) -> bool:
    return is_within(one, other) or is_within(other, one)


def _same_leaves(one: object, other: object) -> bool:
    """Return whether two values of a field say the same, in whatever order of their members."""
    first, second = dict(flat(one)), dict(flat(other))
    return first.keys() == second.keys() and all(same(v, second[p]) for p, v in first.items())


def accounted(ledger: Ledger, own: Out, cases: Sequence[OutCase]) -> tuple[Fate, ...]:
    """Return the fate of every leaf of the source, in the order of the file."""
    ledger.now = {number: index for index, number in enumerate(ledger.made.order)}
    ledger.note(own, SET, SET)
    for number, case in enumerate(cases):
        ledger.note(case.own, number, SET)
        for index, turn in enumerate(case.turns):
            ledger.note(turn, number, index)
    readers: dict[str, list[Address]] = {}
    for address, spot in ledger.source.spots.items():
        for pointer in spot.pointers:
            readers.setdefault(pointer, []).append(address)
    case_at = CaseFinder(ledger.source.cases)
    return tuple(
        _fate(ledger, pointer, leaf, readers.get(pointer, ()), case_at(pointer))
        for pointer, leaf in leaves(ledger.tree)
    )


class CaseFinder:
    """Finds the case that a pointer lies in: its number, ``SET`` where it lies in none."""

    def __init__(self, pointers: Sequence[str]) -> None:
        self.numbers = {pointer: number for number, pointer in enumerate(pointers)}
        self.depth = len(split(pointers[0])) if pointers else 0

    def __call__(self, pointer: str) -> int:
        """Return the number of the case."""
        return self.numbers.get("/".join(pointer.split("/")[: self.depth + 1]), SET)


def _fate(
    ledger: Ledger, pointer: str, leaf: JsonValue, readers: Iterable[Address], case: int
) -> Fate:
    found = [(_outcome(ledger, leaf, address), address) for address in readers]
    if found:
        outcome, address = min(found, key=lambda pair: _BEST[pair[0].status])
        said = ledger.words.of(ledger.source, address)
    else:
        outcome = Outcome("spare" if words.says_nothing(leaf) else "lost")
        said = ledger.words.unread(ledger.source, pointer, case)
    why, hint = said.why, said.hint
    if outcome.status == "spare":
        why, hint = words.SPARE, ""
    elif outcome.status != "lost" or outcome.why:
        why, hint = outcome.why, ""
    label = ledger.source.labels[case] if case != SET else ""
    return Fate(
        pointer,
        leaf,
        outcome.status,
        said.title,
        said.name,
        why,
        hint,
        label,
        outcome.target,
        said.rank,
    )


def _outcome(ledger: Ledger, leaf: JsonValue, address: Address) -> Outcome:
    """Return the best that became of a leaf as one field reads it."""
    landed = [
        _landed(ledger, leaf, address, landing)
        for landing in ledger.landings.get(address.place, ())
        if is_within(address.path, landing.path)
    ]
    best = min(landed, key=lambda outcome: _BEST[outcome.status], default=Outcome("lost"))
    if best.status == "lost" and not best.why and ledger.words.is_spare(address, leaf):
        return Outcome("spare")
    return best


def _landed(ledger: Ledger, leaf: JsonValue, address: Address, landing: Landing) -> Outcome:
    place = ledger.place_now(landing.place)
    if place is None or ledger.target.at(place) is MISSING:
        return Outcome("lost", ledger.trouble(landing.place) or words.NOT_HELD)
    if landing.how:
        if ledger.is_held(landing.place):
            return Outcome("changed", landing.how, _pointer(ledger, place, landing.inner))
        return Outcome("lost", ledger.trouble(landing.place) or words.NOT_HELD)
    inner = landing.inner + address.path[len(landing.path) :]
    spot = ledger.target.spots.get(Address(place, inner))
    if spot is None or not same(spot.value, ledger.source.spots[address].value):
        return Outcome("lost", ledger.trouble(landing.place) or words.NOT_HELD)
    for pointer in spot.pointers:
        if same(get(ledger.made.value, pointer), leaf):
            return Outcome("kept", "", pointer)
    return Outcome("changed", JOINED, _pointer(ledger, place, inner))


def _pointer(ledger: Ledger, place: Place, path: str) -> str | None:
    """Return the pointer of the first leaf at or below a path of a field of the new set."""
    spots = [spot for _address, spot in ledger.target.below(place, path) if spot.pointers]
    return spots[0].pointers[0] if spots else None
