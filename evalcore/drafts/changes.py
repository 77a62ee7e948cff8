"""Which cases of a set were added, changed, removed or moved between two trees of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from operator import lt
from typing import TYPE_CHECKING, Literal

from evalcore.drafts.delta import shared_ends
from evalcore.jsondoc.align import longest_increasing
from evalcore.jsontree import MISSING, JsonArray, JsonValue, Missing, put, same

if TYPE_CHECKING:
    from evalcore.formats.evalset import EvalSetLens

CaseId = Callable[[JsonValue], str | None]
ChangeKind = Literal["added", "changed", "removed", "moved"]


@dataclass(frozen=True, slots=True)
class CaseChange:
    """One case that differs from the file that was opened.

    ``before`` is its index in the opened file, None for an added case; ``after`` its index in the
    draft, None for a removed one. A case both changed and moved is *changed* with ``moved`` set.
    ``id`` is its id in the draft, or the opened file's for a removed case.
    """

    kind: ChangeKind
    id: str | None
    before: int | None
    after: int | None
    moved: bool = False


@dataclass(frozen=True, slots=True)
class Pairs:
    """Which item of an old list is which item of a new one; every index stands in one place."""

    matched: tuple[tuple[int, int], ...]
    """(old index, new index), by old index."""
    removed: tuple[int, ...]
    added: tuple[int, ...]

    @property
    def new_of(self) -> dict[int, int]:
        """Return the new index by old index."""
        return dict(self.matched)

    @property
    def old_of(self) -> dict[int, int]:
        """Return the old index by new index."""
        return {new: old for old, new in self.matched}

    def moved(self) -> frozenset[int]:
        """Return the old indexes of items that left the others' order: as few as possible."""
        new_indexes = [new for _old, new in self.matched]
        if all(map(lt, new_indexes, new_indexes[1:])):
            return frozenset()
        kept = longest_increasing(new_indexes)
        return frozenset(old for at, (old, _new) in enumerate(self.matched) if at not in kept)


def pair(old: JsonArray, new: JsonArray, case_id: CaseId) -> Pairs:
    """Find the cases of ``old`` in ``new``: by identity, by id, then by content and place.

    Ids that occur twice are paired in order of occurrence. A case without a partner by id is taken
    for a renamed one where it stands in the same place and differs mostly by its id.
    """
    found = _Pairing(len(old), len(new))
    for index in range(min(len(old), len(new))):
        if old[index] is new[index]:
            found.join(index, index)
    found.match(lambda index: id(old[index]), lambda index: id(new[index]))
    found.match(lambda index: case_id(old[index]), lambda index: case_id(new[index]))
    _pair_neighbours(found, old, new, case_id)
    return found.result()


def case_changes(
    old: JsonArray, new: JsonArray, case_id: CaseId, pairs: Pairs | None = None
) -> tuple[CaseChange, ...]:
    """Return what became of each case, in the new order, removed ones where they were."""
    if pairs is None:
        # Identical ends cannot have changed, and are all but a few cases after most edits.
        head, tail = shared_ends(old, new)
        a, b = old[head : len(old) - tail], new[head : len(new) - tail]
        inner = case_changes(a, b, case_id, pair(a, b, case_id))
        return tuple(
            replace(c, before=_plus(c.before, head), after=_plus(c.after, head)) for c in inner
        )
    moved = pairs.moved()
    changes: list[tuple[float, CaseChange]] = []
    for before, after in pairs.matched:
        if not same(old[before], new[after]):
            change = CaseChange("changed", case_id(new[after]), before, after, before in moved)
        elif before in moved:
            change = CaseChange("moved", case_id(new[after]), before, after, True)
        else:
            continue
        changes.append((after, change))
    changes += [(i, CaseChange("added", case_id(new[i]), None, i)) for i in pairs.added]
    place = _places_of_removed(pairs)
    changes += [(place[i], CaseChange("removed", case_id(old[i]), i, None)) for i in pairs.removed]
    return tuple(change for _at, change in sorted(changes, key=lambda item: item[0]))


def _plus(index: int | None, head: int) -> int | None:
    return None if index is None else index + head


def without_cases(tree: JsonValue, lens: EvalSetLens) -> JsonValue:
    """Return everything around the cases: the tree with an empty list of them.

    A set without any list of cases comes back as it is.
    """
    if not lens.raw_cases(tree):
        return tree
    return put(tree, lens.cases_pointer(tree), [])


def member(items: JsonArray, index: int | None) -> JsonValue | Missing:
    """Return an item, MISSING for no index."""
    return MISSING if index is None else items[index]


class _Pairing:
    def __init__(self, old_count: int, new_count: int) -> None:
        self.new_of: list[int | None] = [None] * old_count
        self.old_of: list[int | None] = [None] * new_count

    def join(self, old: int, new: int) -> None:
        self.new_of[old], self.old_of[new] = new, old

    def match(self, old_key: Callable[[int], object], new_key: Callable[[int], object]) -> None:
        """Join the unpaired items whose keys are equal, None excepted; first come, first served."""
        free: dict[object, list[int]] = {}
        for new in range(len(self.old_of) - 1, -1, -1):
            if self.old_of[new] is None and (name := new_key(new)) is not None:
                free.setdefault(name, []).append(new)
        for old, partner in enumerate(self.new_of):
            if partner is None and (places := free.get(old_key(old))):
                self.join(old, places.pop())

    def result(self) -> Pairs:
        return Pairs(
            tuple((old, new) for old, new in enumerate(self.new_of) if new is not None),
            tuple(old for old, new in enumerate(self.new_of) if new is None),
            tuple(new for new, old in enumerate(self.old_of) if old is None),
        )


def _pair_neighbours(found: _Pairing, old: JsonArray, new: JsonArray, case_id: CaseId) -> None:
    """Join unpaired items that follow the same neighbour and have no id, or are much alike."""
    before: int | None = -1
    for index, partner in enumerate(found.old_of):
        if partner is not None:
            before = partner
            continue
        wanted = None if before is None else before + 1
        if (
            wanted is not None
            and wanted < len(old)
            and found.new_of[wanted] is None
            and (case_id(old[wanted]) is None or _alike(old[wanted], new[index]))
        ):
            found.join(wanted, index)
            before = wanted
        # An added item keeps the place: the next one may still be the old neighbour's successor.


def _alike(old: JsonValue, new: JsonValue) -> bool:
    if not isinstance(old, dict) or not isinstance(new, dict):
        return type(old) is type(new) and same(old, new)
    kept = sum(key in new and same(value, new[key]) for key, value in old.items())
    return 2 * kept >= max(len(old), len(new))


def _places_of_removed(pairs: Pairs) -> dict[int, float]:
    """Return for each removed item a place just behind what its old predecessor became."""
    new_of, place = pairs.new_of, {}
    last = -1.0
    removed = set(pairs.removed)
    for old in sorted((*new_of, *removed)):
        if old in removed:
            place[old] = last + 0.5
        else:
            last = float(new_of[old])
    return place
