"""How well the tool calls of a run follow the expected ones, by each system's own rules.

Items are compared greedily, in the order in which each system compares them, because that order
decides some scores: as values, or by a function of an expected and an actual item.
"""

from collections.abc import Callable, Sequence
from operator import eq
from typing import TypeVar

T = TypeVar("T")
Match = Callable[[T, T], bool]
_END = object()


def equal_throughout(expected: Sequence[T], actual: Sequence[T]) -> Sequence[T] | None:
    """Return ``actual`` if it is the expected items, one by one and no others."""
    same = len(expected) == len(actual) and list(expected) == list(actual)
    return actual if same else None


def contained_in_order(expected: Sequence[T], actual: Sequence[T]) -> Sequence[T] | None:
    """Return the actual items that equal the expected ones in order, None if one is missing."""
    matched: list[T] = []
    wanted = iter(expected)
    item = next(wanted, _END)
    for other in actual:
        if item is _END:
            break
        if item == other:
            matched.append(other)
            item = next(wanted, _END)
    return matched if item is _END else None


def contained_in_any_order(expected: Sequence[T], actual: Sequence[T]) -> Sequence[T] | None:
    """Return for each expected item an equal actual one of its own, None if one has none."""
    unused = list(actual)
    matched: list[T] = []
    for item in expected:
        try:
            matched.append(unused.pop(unused.index(item)))
        except ValueError:
            return None
    return matched


def prefix_in_order(expected: Sequence[T], actual: Sequence[T], match: Match[T]) -> int:
    """Return how many of the first expected items occur in order; one that is missing ends it."""
    found = 0
    for item in actual:
        if found < len(expected) and match(expected[found], item):
            found += 1
    return found


def taken_in_any_order(expected: Sequence[T], actual: Sequence[T], match: Match[T]) -> int:
    """Return how many expected items find an unused actual one, each taking the first it matches.

    The greedy choice can leave a later item without one that a better assignment would give it.
    """
    unused = list(actual)
    if match is eq:
        return sum(_taken(item, unused) for item in expected)
    taken = 0
    for item in expected:
        for index, other in enumerate(unused):
            if match(item, other):
                del unused[index]
                taken += 1
                break
    return taken


def _taken(item: T, unused: list[T]) -> bool:
    """Take the first equal item out; return whether there was one."""
    if item not in unused:
        return False
    unused.remove(item)
    return True


def matches_by_place(expected: Sequence[T], actual: Sequence[T], match: Match[T]) -> int:
    """Return how many places hold a match, up to the end of the shorter sequence."""
    return sum(map(match, expected, actual))
