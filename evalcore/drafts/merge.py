"""Three-way merge of one eval set: what was opened, my draft of it, and what is on disk by now.

Edits to different cases, and to different members around the cases, are merged. Two different
edits of one case, or of one member, are a conflict: both versions are kept until somebody chooses.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from evalcore.drafts.changes import CaseId, Pairs, member, pair, without_cases
from evalcore.jsontree import (
    MISSING,
    JsonArray,
    JsonObject,
    JsonValue,
    Missing,
    get,
    join,
    put,
    same,
)

if TYPE_CHECKING:
    from evalcore.formats.evalset import EvalSetLens

Side = Literal["mine", "disk"]
Choices = Mapping[str, Side]


@dataclass(frozen=True, slots=True)
class Conflict:
    """One place that both sides changed, in different ways.

    ``key`` names it in ``Choices``. ``case_id`` is the case's id, None for a case without one and
    for a place outside the cases, which ``pointer`` then gives. A version is MISSING where that
    side removed the thing, and ``base`` where both sides added it.
    """

    key: str
    case_id: str | None
    pointer: str
    base: JsonValue | Missing
    mine: JsonValue | Missing
    disk: JsonValue | Missing


@dataclass(frozen=True, slots=True)
class Merge:
    """A merged tree. Where nobody chose, ``tree`` has the version on disk."""

    tree: JsonValue
    conflicts: tuple[Conflict, ...] = ()
    """Every conflict, those that a choice settled included."""
    unsettled: tuple[Conflict, ...] = ()

    @property
    def is_clean(self) -> bool:
        """Return whether nothing is left to choose."""
        return not self.unsettled


def three_way(
    base: JsonValue,
    mine: JsonValue,
    disk: JsonValue,
    lens: EvalSetLens | None = None,
    choices: Choices | None = None,
) -> Merge:
    """Merge ``mine`` and ``disk``, which both come from ``base``.

    Without ``lens`` the document has no cases and is merged member by member, as is one in which
    something else stands in the place of its cases. ``choices`` settles conflicts by their keys.
    """
    if same(mine, disk) or same(base, mine):
        return Merge(disk)
    if same(base, disk):
        return Merge(mine)
    work = _Work(choices or {})
    if lens is None or not all(_has_cases(tree, lens) for tree in (base, mine, disk)):
        tree = work.value("", base, mine, disk)
    else:
        tree = work.eval_set(base, mine, disk, lens)
    conflicts = tuple(work.conflicts)
    unsettled = tuple(c for c in conflicts if c.key not in work.choices)
    return Merge(disk if tree is MISSING else tree, conflicts, unsettled)


def _has_cases(tree: JsonValue, lens: EvalSetLens) -> bool:
    """Return whether a version of a set has a list of cases, or no place for one yet."""
    found = get(tree, lens.cases_pointer(tree))
    return found is MISSING or isinstance(found, list)


class _Work:
    def __init__(self, choices: Choices) -> None:
        self.choices = choices
        self.conflicts: list[Conflict] = []

    def choose(
        self, conflict: Conflict, mine: JsonValue | Missing, disk: JsonValue | Missing
    ) -> JsonValue | Missing:
        self.conflicts.append(conflict)
        return mine if self.choices.get(conflict.key) == "mine" else disk

    def value(
        self,
        pointer: str,
        base: JsonValue | Missing,
        mine: JsonValue | Missing,
        disk: JsonValue | Missing,
    ) -> JsonValue | Missing:
        """Merge a value outside the cases: objects member by member, all else as a whole."""
        if same(mine, disk) or same(base, mine):
            return disk
        if same(base, disk):
            return mine
        if isinstance(base, dict) and isinstance(mine, dict) and isinstance(disk, dict):
            return self._object(pointer, base, mine, disk)
        key = f"at:{pointer}"
        return self.choose(Conflict(key, None, pointer, base, mine, disk), mine, disk)

    def _object(
        self, pointer: str, base: JsonObject, mine: JsonObject, disk: JsonObject
    ) -> JsonObject:
        merged: JsonObject = {}
        for name in _ordered(list(base), list(mine), list(disk)):
            value = self.value(
                join(pointer, name),
                base.get(name, MISSING),
                mine.get(name, MISSING),
                disk.get(name, MISSING),
            )
            if value is not MISSING:
                merged[name] = value
        return merged

    def eval_set(
        self, base: JsonValue, mine: JsonValue, disk: JsonValue, lens: EvalSetLens
    ) -> JsonValue | Missing:
        around = self.value(
            "", without_cases(base, lens), without_cases(mine, lens), without_cases(disk, lens)
        )
        if around is MISSING:
            return MISSING
        where = lens.cases_pointer(around)
        lists = (lens.raw_cases(base), lens.raw_cases(mine), lens.raw_cases(disk))
        cases = _Cases(self, *lists, lens).merged(where)
        if not cases and get(around, where) is MISSING:
            return around
        return put(around, where, cases)


class _Cases:
    """The merge of three lists of cases. A slot names one case in up to three versions."""

    def __init__(
        self, work: _Work, base: JsonArray, mine: JsonArray, disk: JsonArray, lens: EvalSetLens
    ) -> None:
        self.work = work
        self.base, self.mine, self.disk = base, mine, disk
        self.case_id: CaseId = lens.case_id
        self.to_mine = pair(base, mine, self.case_id)
        self.to_disk = pair(base, disk, self.case_id)
        self.twins = self._added_twice()

    def merged(self, pointer: str) -> JsonArray:
        merged = [c for slot in self._order(pointer) if (c := self._case(slot)) is not MISSING]
        return self._without_doubled_ids(merged)

    def _added_twice(self) -> dict[int, int]:
        """Return my added cases that were added on disk too, by id, as (my index, disk index)."""
        on_disk: dict[str, int] = {}
        for index in self.to_disk.added:
            case_id = self.case_id(self.disk[index])
            if case_id is not None:
                on_disk.setdefault(case_id, index)
        twins: dict[int, int] = {}
        for index in self.to_mine.added:
            twin = on_disk.pop(self.case_id(self.mine[index]) or "", None)
            if twin is not None:
                twins[index] = twin
        return twins

    def _order(self, pointer: str) -> list[str]:
        base = [f"b{i}" for i in range(len(self.base))]
        mine = [_slot(self.to_mine, i, "m") for i in range(len(self.mine))]
        mine = [f"d{self.twins[i]}" if i in self.twins else slot for i, slot in enumerate(mine)]
        disk = [_slot(self.to_disk, i, "d") for i in range(len(self.disk))]
        if not (_reordered(base, mine) and _reordered(base, disk)):
            return _ordered(base, mine, disk)
        shared = set(mine) & set(disk)
        if [s for s in mine if s in shared] == [s for s in disk if s in shared]:
            return _ordered(base, mine, disk)
        ids: list[JsonArray] = [[*self._ids(s)] for s in (self.base, self.mine, self.disk)]
        chosen = self.work.choose(Conflict("order", None, pointer, *ids), ids[1], ids[2])
        return _woven(mine, disk, base) if chosen is ids[1] else _woven(disk, mine, base)

    def _ids(self, cases: JsonArray) -> list[str | None]:
        return [self.case_id(case) for case in cases]

    def _case(self, slot: str) -> JsonValue | Missing:
        base, mine, disk = self._versions(slot)
        if same(mine, disk) or same(base, mine):
            return disk
        if same(base, disk):
            return mine
        case_id = self.case_id(next(v for v in (mine, disk, base) if v is not MISSING))
        conflict = Conflict(f"case:{slot}:{case_id}", case_id, "", base, mine, disk)
        return self.work.choose(conflict, mine, disk)

    def _versions(
        self, slot: str
    ) -> tuple[JsonValue | Missing, JsonValue | Missing, JsonValue | Missing]:
        side, index = slot[0], int(slot[1:])
        if side == "b":
            mine = member(self.mine, self.to_mine.new_of.get(index))
            return self.base[index], mine, member(self.disk, self.to_disk.new_of.get(index))
        if side == "m":
            return MISSING, self.mine[index], MISSING
        twin = next((m for m, d in self.twins.items() if d == index), None)
        return MISSING, member(self.mine, twin), self.disk[index]

    def _without_doubled_ids(self, merged: JsonArray) -> JsonArray:
        """Settle ids that only the merge doubles: my rename met a new case of that id on disk."""
        count = Counter(self._ids(merged))
        sides = [Counter(self._ids(side)) for side in (self.base, self.mine, self.disk)]
        for case_id, times in count.items():
            if case_id is None or times < 2 or times <= max(side[case_id] for side in sides):
                continue
            mine, disk = (
                next(c for c in side if self.case_id(c) == case_id)
                for side in (self.mine, self.disk)
            )
            conflict = Conflict(f"twice:{case_id}", case_id, "", MISSING, mine, disk)
            loser = disk if self.work.choose(conflict, mine, disk) is mine else mine
            merged = [c for c in merged if c is not loser]
        return merged


def _slot(pairs: Pairs, index: int, side: str) -> str:
    old = pairs.old_of.get(index)
    return f"{side}{index}" if old is None else f"b{old}"


def _ordered(base: Sequence[str], mine: Sequence[str], disk: Sequence[str]) -> list[str]:
    """Return all names in the order of the side that reordered, else in the order on disk."""
    mine_leads = _reordered(base, mine) and not _reordered(base, disk)
    return _woven(mine, disk, base) if mine_leads else _woven(disk, mine, base)


def _reordered(base: Sequence[str], side: Sequence[str]) -> bool:
    inside, left = set(base), set(side)
    return [n for n in side if n in inside] != [n for n in base if n in left]


def _woven(lead: Sequence[str], *others: Sequence[str]) -> list[str]:
    """Return ``lead`` with what only the others have, each behind its neighbour."""
    order = list(dict.fromkeys(lead))
    for source in others:
        known = set(order)
        if known.issuperset(source):
            continue
        following: dict[str | None, list[str]] = {}
        anchor: str | None = None
        for name in source:
            if name in known:
                anchor = name
            else:
                following.setdefault(anchor, []).append(name)
        woven = list(following.get(None, ()))
        for name in order:
            woven += (name, *following.get(name, ()))
        order = list(dict.fromkeys(woven))
    return order
