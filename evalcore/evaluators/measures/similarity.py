"""How alike two JSON values are, leaf by leaf, as UiPath's JSON similarity measures it."""

from collections.abc import Iterable, Iterator
from itertools import chain, repeat
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
    a truth value, null, or a different type is alike fully or not at all. Whole numbers count as
    floats; raises OverflowError for one beyond their range. Empty containers have no leaves.
    """
    matched, total = _added(((expected, actual),), 0.0, 0)
    return Likeness(matched, float(total))


def _added(pairs: Iterable[tuple[Any, Any]], matched: float, total: int) -> tuple[float, int]:
    """Add the likeness and the number of all leaves of the expected values to what there is.

    The leaves are added one by one in their order, which decides the last bits of the sum. Texts
    come first because most leaves are.
    """
    for expected, actual in pairs:
        kind = type(expected)
        if kind is str:
            total += 1
            if expected == actual:
                matched += 1.0
            elif type(actual) is str:
                matched += text_likeness(expected, actual)
        elif kind is dict:
            others = map(actual.get, expected, _MISSING) if type(actual) is dict else _MISSING
            matched, total = _added(zip(expected.values(), others, strict=False), matched, total)
        elif kind is list:
            items = chain(actual, _MISSING) if type(actual) is list else _MISSING
            matched, total = _added(zip(expected, items, strict=False), matched, total)
        else:
            total += 1
            same = kind is type(actual) and expected == actual
            matched += 1.0 if same else leaf_likeness(expected, actual)
    return matched, total


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
        return number_likeness(float(expected), float(actual))
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
