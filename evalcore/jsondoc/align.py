"""Which old item each new item of an array is, without ever comparing all with all."""

import itertools
import json
import operator
from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Sequence
from typing import NamedTuple

from evalcore.jsontree import JsonArray, JsonValue


class Match(NamedTuple):
    """The origin of a new item.

    ``source`` is the number of the old item whose text it is written with, None for a new one.
    ``stays`` is false for items that moved or are a copy, and then the text is used once more.
    """

    source: int | None
    stays: bool


def align(old: JsonArray, new: JsonArray, id_keys: Sequence[str]) -> list[Match]:
    """Return the origin of every item of ``new``.

    Items are the same if they are the same Python object, or else share an id that no other
    item has, or else are equal, or else share an id. What is left over between two items that
    stay is paired in order, as an edit. A new item that shares parts with an old one is its copy.
    Time grows with n log n.
    """
    aligner = _Aligner(old, new)
    aligner.pair_ends()
    aligner.pair(id)
    aligner.pair(lambda item: _item_id(item, id_keys), unique=True)
    aligner.pair(_frozen)
    aligner.pair(lambda item: _item_id(item, id_keys))
    copies = aligner.pair_kin()
    stays = longest_increasing(aligner.sources)
    aligner.pair_between(stays, copies)
    return [
        Match(source if source is not None else copies.get(number), number in stays)
        for number, source in enumerate(aligner.sources)
    ]


def longest_increasing(sources: Sequence[int | None]) -> set[int]:
    """Return the positions of a longest strictly increasing subsequence; None is not in any."""
    if all(map(operator.eq, sources, itertools.count())):
        return set(range(len(sources)))
    tails: list[int] = []
    tail_positions: list[int] = []
    before: dict[int, int] = {}
    for position, source in enumerate(sources):
        if source is None:
            continue
        length = bisect_left(tails, source)
        if length:
            before[position] = tail_positions[length - 1]
        tails[length : length + 1] = [source]
        tail_positions[length : length + 1] = [position]
    chosen = set(tail_positions[-1:])
    position = tail_positions[-1] if tail_positions else -1
    while position in before:
        position = before[position]
        chosen.add(position)
    return chosen


class _Aligner:
    def __init__(self, old: JsonArray, new: JsonArray) -> None:
        self._old = old
        self._new = new
        self.sources: list[int | None] = [None] * len(new)
        self._old_left: list[int] = []
        self._new_left: list[int] = []

    def pair_ends(self) -> None:
        """Pair the identical items at both ends, which is all but one after a typical edit."""
        old, new = self._old, self._new
        shorter = min(len(old), len(new))
        head = 0
        while head < shorter and old[head] is new[head]:
            head += 1
        tail = 0
        while tail < shorter - head and old[-1 - tail] is new[-1 - tail]:
            tail += 1
        self.sources[:head] = range(head)
        if tail:
            self.sources[-tail:] = range(len(old) - tail, len(old))
        self._old_left = list(range(head, len(old) - tail))
        self._new_left = list(range(head, len(new) - tail))

    def pair(self, key: Callable[[JsonValue], Hashable], *, unique: bool = False) -> None:
        """Pair left-over items with equal keys; None is no key.

        Of several old items the next one in order is taken, so that repeated items stay in place.
        """
        if not self._old_left or not self._new_left:
            return
        old_keys = {number: key(self._old[number]) for number in self._old_left}
        new_keys = {number: key(self._new[number]) for number in self._new_left}
        if unique:
            once = _once(old_keys.values()) & _once(new_keys.values())
            old_keys = {number: found for number, found in old_keys.items() if found in once}
        self._take(old_keys, new_keys, in_order=True)
        self._take(old_keys, new_keys, in_order=False)

    def pair_kin(self) -> dict[int, int]:
        """Pair left-over items that share parts; return the origins of mere copies."""
        kin = _Kin(self._old, [self._new[number] for number in self._new_left])
        free, taken, copies = set(self._old_left), set(), {}
        for number in self._new_left:
            source = kin.of(self._new[number])
            if source in free and source not in taken:
                taken.add(source)
                self.sources[number] = source
            elif source is not None:
                copies[number] = source
        self._drop(taken)
        return copies

    def pair_between(self, stays: set[int], copies: Container[int]) -> None:
        """Pair what is left over between two items that stay, in order, and let it stay too."""
        if not self._old_left or not self._new_left:
            return
        old_left = set(self._old_left)
        anchors = [(number, self.sources[number] or 0) for number in sorted(stays)]
        ends = [(-1, -1), *anchors, (len(self._new), len(self._old))]
        for (new_before, old_before), (new_after, old_after) in itertools.pairwise(ends):
            new = (n for n in range(new_before + 1, new_after) if self._is_free(n, copies))
            old = (n for n in range(old_before + 1, old_after) if n in old_left)
            for number, source in zip(new, old, strict=False):
                self.sources[number] = source
                stays.add(number)

    def _is_free(self, number: int, copies: Container[int]) -> bool:
        return self.sources[number] is None and number not in copies

    def _take(
        self, old_keys: dict[int, Hashable], new_keys: dict[int, Hashable], *, in_order: bool
    ) -> None:
        candidates: dict[Hashable, deque[int]] = {}
        for number in self._old_left:
            found = old_keys.get(number)
            if found is not None:
                candidates.setdefault(found, deque()).append(number)
        last = -1
        taken = set()
        for number in self._new_left:
            queue = candidates.get(new_keys[number])
            while queue and in_order and queue[0] < last:
                queue.popleft()
            if queue:
                last = queue.popleft()
                taken.add(last)
                self.sources[number] = last
        self._drop(taken)

    def _drop(self, taken: set[int]) -> None:
        self._old_left = [number for number in self._old_left if number not in taken]
        self._new_left = [number for number in self._new_left if self.sources[number] is None]


class _Kin:
    """Finds the old item that a new one was made from: edited trees share their unchanged parts."""

    def __init__(self, old: JsonArray, new: JsonArray) -> None:
        wanted = {id(part) for item in new for part in _parts(item)}
        self._holders: dict[int, int | None] = {}
        for number, item in enumerate(old if wanted else ()):
            for part in _parts(item):
                if id(part) in wanted:
                    known = self._holders.setdefault(id(part), number)
                    if known != number:
                        self._holders[id(part)] = None

    def of(self, item: JsonValue) -> int | None:
        """Return the old item that ``item`` shares most parts with, None if it shares none."""
        votes = Counter(self._holders.get(id(part)) for part in _parts(item))
        del votes[None]
        return max(votes, key=votes.__getitem__, default=None)


def _parts(item: JsonValue) -> Iterator[JsonValue]:
    """Yield an item and its parts, where two are one object only if one was made from the other."""
    values: Iterable[JsonValue] = ()
    if isinstance(item, dict):
        values = item.values()
    elif isinstance(item, list):
        values = item
    for value in (item, *values):
        # Python shares numbers, literals and strings of one character between all who use them.
        if isinstance(value, (dict, list)) or (isinstance(value, str) and len(value) > 1):
            yield value


def _item_id(item: JsonValue, id_keys: Sequence[str]) -> Hashable:
    if isinstance(item, dict):
        for key in id_keys:
            value = item.get(key)
            if isinstance(value, (str, int)):
                return key, type(value), value
    return None


def _frozen(item: JsonValue) -> Hashable:
    try:
        return json.dumps(item)
    except (ValueError, RecursionError):
        # An integer of thousands of digits, or a value that is too deep: pair it by other means.
        return None


def _once(keys: Iterable[Hashable]) -> set[Hashable]:
    return {key for key, count in Counter(keys).items() if count == 1}
