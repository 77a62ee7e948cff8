"""Moving and copying many cases at once."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import datetime
from typing import TYPE_CHECKING

from evalcore.errors import FormatError
from evalcore.jsontree import JsonArray, JsonValue, put

if TYPE_CHECKING:
    from evalcore.formats.evalset import EvalSetLens


def move_cases(
    lens: EvalSetLens, tree: JsonValue, indexes: Collection[int], before: int | None
) -> JsonValue:
    """Return the tree with some cases moved in front of another one, in the order they had.

    ``before`` is the index of that case, None moves them to the end. It may be one of those that
    move: they gather in front of the next one that stays.
    """
    _refuse_read_only(lens)
    cases, moving = lens.raw_cases(tree), set(indexes)
    place = len(cases) if before is None else before
    head = [raw for at, raw in enumerate(cases[:place]) if at not in moving]
    middle = [raw for at, raw in enumerate(cases) if at in moving]
    tail = [raw for at, raw in enumerate(cases) if at >= place and at not in moving]
    new: JsonArray = [*head, *middle, *tail]
    if all(a is b for a, b in zip(cases, new, strict=True)):
        return tree
    return put(tree, lens.cases_pointer(tree), new)


def duplicate_cases(
    lens: EvalSetLens, tree: JsonValue, indexes: Collection[int], now: datetime
) -> JsonValue:
    """Return the tree with a copy of each case right behind it, called ``<name>_copy``."""
    _refuse_read_only(lens)
    cases, wanted = lens.raw_cases(tree), set(indexes)
    taken = {lens.join_key(name) for raw in cases if (name := lens.case_label(raw)) is not None}
    new: JsonArray = []
    for index, raw in enumerate(cases):
        new.append(raw)
        if index in wanted:
            name = next(n for n in _names(lens.case_label(raw)) if lens.join_key(n) not in taken)
            taken.add(lens.join_key(name))
            new.append(lens.copy_case(raw, name, now))
    return put(tree, lens.cases_pointer(tree), new) if wanted else tree


def _names(own: str | None) -> Iterator[str]:
    first = f"{own or 'case'}_copy"
    yield first
    number = 2
    while True:
        yield f"{first}_{number}"
        number += 1


def _refuse_read_only(lens: EvalSetLens) -> None:
    if lens.read_only:
        raise FormatError(
            "This set is in an old shape that can be read but not edited",
            hint="Choose “Save as a new-style set” on its page first.",
        )
