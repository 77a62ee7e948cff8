"""Best ways to pair expected with actual items: as many pairs as possible, or the best in order."""

from collections.abc import Callable, Sequence
from typing import TypeVar

E = TypeVar("E")
A = TypeVar("A")


def matched_pairs(
    expected: Sequence[E], actual: Sequence[A], match: Callable[[E, A], bool]
) -> dict[int, int]:
    """Return the largest possible pairing, as places of ``expected`` with places of ``actual``.

    Unlike a greedy choice it never leaves an item without a partner that another pairing gives it.
    Kuhn's augmenting paths: O(len(expected)² * len(actual)) at worst.
    """
    fits = [[j for j, item in enumerate(actual) if match(wanted, item)] for wanted in expected]
    taken: dict[int, int] = {}
    for start in range(len(expected)):
        _augment(start, fits, taken)
    return {i: j for j, i in taken.items()}


def _augment(start: int, fits: list[list[int]], taken: dict[int, int]) -> None:
    """Give ``start`` a partner, moving others to other partners where that makes room."""
    came_from: dict[int, int] = {}
    queue = [start]
    for i in queue:
        for j in fits[i]:
            if j in came_from:
                continue
            came_from[j] = i
            if j not in taken:
                _reassign(j, start, came_from, taken)
                return
            queue.append(taken[j])


def _reassign(last: int, start: int, came_from: dict[int, int], taken: dict[int, int]) -> None:
    """Walk the path back from a free partner to ``start``, swapping partners on the way."""
    while True:
        i = came_from[last]
        before = next((j for j, owner in taken.items() if owner == i), None)
        taken[last] = i
        if i == start or before is None:
            return
        last = before


def best_alignment(
    expected: Sequence[E], actual: Sequence[A], likeness: Callable[[E, A], float]
) -> float:
    """Return the greatest sum of likeness over pairs that keep the order of both sequences.

    Likeness is at least 0. O(len(expected) * len(actual)).
    """
    row = [0.0] * (len(actual) + 1)
    for wanted in expected:
        above, row = row, [0.0]
        for j, item in enumerate(actual):
            row.append(max(above[j] + likeness(wanted, item), above[j + 1], row[j]))
    return row[-1]
