"""How well the tool calls of a run follow the expected ones, by each system's own rules.

A match is a function of an expected and an actual item; items are compared greedily, in the order
in which each system compares them, because that order decides some scores.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")
Match = Callable[[T, T], bool]


def equal_throughout(expected: Sequence[T], actual: Sequence[T], match: Match[T]) -> bool:
    """Return whether both have the same length and match place by place."""
    return len(expected) == len(actual) and all(map(match, expected, actual))


def contained_in_order(expected: Sequence[T], actual: Sequence[T], match: Match[T]) -> bool:
    """Return whether ``expected`` is a subsequence of ``actual``; empty always is."""
    return prefix_in_order(expected, actual, match) == len(expected)


def prefix_in_order(expected: Sequence[T], actual: Sequence[T], match: Match[T]) -> int:
    """Return how many of the first expected items occur in order; one that is missing ends it."""
    found = 0
    for item in actual:
        if found < len(expected) and match(expected[found], item):
            found += 1
    return found


def contained_in_any_order(expected: Sequence[T], actual: Sequence[T], match: Match[T]) -> bool:
    """Return whether every expected item has an actual one of its own, taken greedily."""
    return taken_in_any_order(expected, actual, match) == len(expected)


def taken_in_any_order(expected: Sequence[T], actual: Sequence[T], match: Match[T]) -> int:
    """Return how many expected items find an unused actual one, each taking the first it matches.

    The greedy choice can leave a later item without one that a better assignment would give it.
    """
    unused = list(actual)
    taken = 0
    for item in expected:
        index = next((i for i, other in enumerate(unused) if match(item, other)), None)
        if index is not None:
            del unused[index]
            taken += 1
    return taken


def matches_by_place(expected: Sequence[T], actual: Sequence[T], match: Match[T]) -> int:
    """Return how many places hold a match, up to the end of the shorter sequence."""
    return sum(map(match, expected, actual))
