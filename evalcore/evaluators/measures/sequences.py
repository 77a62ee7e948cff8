"""Common subsequences of two sequences."""

from collections.abc import Callable, Sequence
from typing import TypeVar

E = TypeVar("E")
A = TypeVar("A")


def longest_common_subsequence(
    expected: Sequence[E], actual: Sequence[A], match: Callable[[E, A], bool]
) -> list[E]:
    """Return the expected items of one longest common subsequence, in order.

    Where several are equally long, an expected item that both could end with is left out in favour
    of an earlier one. O(len(expected) * len(actual)).
    """
    rows = [[0] * (len(actual) + 1)]
    hits = [[match(e, a) for a in actual] for e in expected]
    for row_hits in hits:
        above, row = rows[-1], [0]
        for j, hit in enumerate(row_hits):
            row.append(above[j] + 1 if hit else max(above[j + 1], row[j]))
        rows.append(row)
    found: list[E] = []
    i, j = len(expected), len(actual)
    while i and j:
        if hits[i - 1][j - 1]:
            found.append(expected[i - 1])
            i, j = i - 1, j - 1
        elif rows[i - 1][j] >= rows[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return found[::-1]
