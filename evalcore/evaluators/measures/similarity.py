"""How alike two JSON values are, leaf by leaf, as UiPath's JSON similarity measures it."""

from collections.abc import Iterable, Iterator
from functools import reduce
from itertools import chain, repeat
from operator import add
from typing import Any, NamedTuple

from rapidfuzz.distance import Levenshtein

from evalcore.jsontree import MISSING, JsonValue, Missing, join

NEARLY_ZERO = 1e-12
_MISSING = repeat(MISSING)


class Leaf(NamedTuple):
    """One leaf of the expected value: where it is, both sides, and how alike they are (0–1)."""

    pointer: str
    expected: JsonValue
    actual: JsonValue | Missing
    likeness: float


class Likeness(NamedTuple):
    """The sum of the leaves' likeness and the number of leaves of the expected value."""

    matched: float
    total: float

    @property
    def share(self) -> float:
        """Matched over total; a value without leaves is fully alike to anything."""
        return self.matched / self.total if self.total else 1.0


def json_likeness(expected: JsonValue, actual: JsonValue) -> Likeness:
    """Return how much of ``expected`` is found in ``actual``.

    Members and items that only ``actual`` has are free; lists are compared by position. A number's
    likeness falls with its distance relative to the expected one, a text's with its edit distance;
    a truth value, null, or a different type is alike fully or not at all. Empty containers have no
    leaves.
    """
    found: list[float] = []
    _gather(((expected, actual),), found)
    # Plain additions: ``sum`` gives other last bits from Python 3.12 on.
    return Likeness(reduce(add, found, 0.0), float(len(found)))


def _gather(pairs: Iterable[tuple[Any, Any]], found: list[float]) -> None:
    """Add the likeness of every leaf of the expected values to ``found``, without their places."""
    for expected, actual in pairs:
        kind = type(expected)
        if kind is dict:
            members = actual if type(actual) is dict else {}
            others = map(members.get, expected, _MISSING)
            _gather(zip(expected.values(), others, strict=False), found)
        elif kind is list:
            items = actual if type(actual) is list else ()
            _gather(zip(expected, chain(items, _MISSING), strict=False), found)
        elif kind is type(actual) and expected == actual:
            found.append(1.0)
        else:
            found.append(leaf_likeness(expected, actual))


def likeness_by_leaf(
    expected: JsonValue, actual: JsonValue | Missing, pointer: str = ""
) -> Iterator[Leaf]:
    """Yield every leaf of ``expected`` with its counterpart."""
    if isinstance(expected, dict):
        members = actual if isinstance(actual, dict) else {}
        for name, item in expected.items():
            yield from likeness_by_leaf(item, members.get(name, MISSING), join(pointer, name))
    elif isinstance(expected, list):
        items = actual if isinstance(actual, list) else []
        for index, item in enumerate(expected):
            other = items[index] if index < len(items) else MISSING
            yield from likeness_by_leaf(item, other, join(pointer, index))
    else:
        yield Leaf(pointer, expected, actual, leaf_likeness(expected, actual))


def leaf_likeness(expected: JsonValue, actual: JsonValue | Missing) -> float:
    """Return how alike two scalars are, in [0, 1]."""
    if isinstance(expected, str):
        return text_likeness(expected, actual) if isinstance(actual, str) else 0.0
    if isinstance(expected, bool) or isinstance(actual, bool) or expected is None:
        return 1.0 if type(expected) is type(actual) and expected == actual else 0.0
    if isinstance(expected, (int, float)) and isinstance(actual, (int, float)):
        return number_likeness(expected, actual)
    return 0.0


def number_likeness(expected: float, actual: float) -> float:
    """Return 1 less the distance relative to ``expected``, at least 0; around 0, equal or not."""
    if abs(expected) <= NEARLY_ZERO:
        return 1.0 if abs(actual) <= NEARLY_ZERO else 0.0
    # The order of the arguments decides what NaN comes to: full likeness, as in UiPath.
    return max(0.0, min(1.0, 1.0 - abs(expected - actual) / abs(expected)))


def text_likeness(expected: str, actual: str) -> float:
    """Return 1 less the edit distance over the longer length; two empty texts are alike."""
    longer = max(len(expected), len(actual))
    return 1.0 - Levenshtein.distance(expected, actual) / longer if longer else 1.0
