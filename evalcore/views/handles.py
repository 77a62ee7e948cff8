"""Names for things in a list that stay with them while the list changes.

A place in a file is a position, and positions shift when something is moved or deleted. A widget
whose name were a position would then show, or write, its neighbour's value.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from threading import RLock

from evalcore.drafts.changes import pair
from evalcore.jsontree import JsonValue

IdOf = Callable[[JsonValue], str | None]


def no_id(_item: JsonValue) -> str | None:
    """Say that items have no id."""
    return None


@dataclass(slots=True)
class _Known:
    items: Sequence[JsonValue]
    names: list[str]


class Handles:
    """Gives every item of any number of lists a name, and carries the names over to edited lists.

    All methods may be called from several threads.
    """

    def __init__(self) -> None:
        self._lock = RLock()
        self._known: dict[str, _Known] = {}
        self._numbers = count(1)

    def names(self, scope: str, items: Sequence[JsonValue], id_of: IdOf = no_id) -> list[str]:
        """Return one name for each item of the list that ``scope`` stands for.

        An item keeps its name where it is the same object, has the same id, or took the place of
        one that is gone. Costs what changed, not the length of the list.
        """
        with self._lock:
            known = self._known.get(scope)
            if known is None:
                known = self._known[scope] = _Known(items, self._fresh(len(items)))
            elif known.items is not items:
                known.names = self._carried(known, items, id_of)
                known.items = items
            return known.names

    def _carried(self, known: _Known, new: Sequence[JsonValue], id_of: IdOf) -> list[str]:
        old, names = known.items, known.names
        start = 0
        limit = min(len(old), len(new))
        while start < limit and old[start] is new[start]:
            start += 1
        tail = 0
        while tail < limit - start and old[-1 - tail] is new[-1 - tail]:
            tail += 1
        middle, ends = names[start : len(old) - tail], names[len(old) - tail :]
        changed = list(old[start : len(old) - tail]), list(new[start : len(new) - tail])
        if len(changed[0]) == len(changed[1]) == 1:
            return list(names)
        old_of = pair(*changed, id_of).old_of
        carried = [
            middle[old_of[at]] if at in old_of else self._next() for at in range(len(changed[1]))
        ]
        return names[:start] + carried + ends

    def _fresh(self, number: int) -> list[str]:
        return [self._next() for _ in range(number)]

    def _next(self) -> str:
        return f"k{next(self._numbers)}"
