"""Tags of many cases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from evalcore.bulk.each import change_each
from evalcore.errors import FormatError
from evalcore.jsontree import MISSING, get

if TYPE_CHECKING:
    from evalcore.formats.evalset import EvalSetLens
    from evalcore.formats.lenses import Field
    from evalcore.jsontree import JsonValue

Tags = list[str]


def known_tags(lens: EvalSetLens, tree: JsonValue) -> Counter[str]:
    """Return how many cases of a set have each tag."""
    field = _field(lens)
    if field is None:
        return Counter()
    return Counter(tag for raw in lens.raw_cases(tree) for tag in set(_tags(field, raw)))


def add_tags(
    lens: EvalSetLens, tree: JsonValue, indexes: Sequence[int], tags: Iterable[str]
) -> JsonValue:
    """Return the tree with tags added to some cases; what a case has already stays in its place."""
    wanted = list(tags)
    return _changed(lens, tree, indexes, lambda held: list(dict.fromkeys((*held, *wanted))))


def remove_tags(
    lens: EvalSetLens, tree: JsonValue, indexes: Sequence[int], tags: Iterable[str]
) -> JsonValue:
    """Return the tree without these tags in some cases; cases without them stay as they are."""
    gone = set(tags)
    return _changed(lens, tree, indexes, lambda held: [tag for tag in held if tag not in gone])


def _changed(
    lens: EvalSetLens, tree: JsonValue, indexes: Sequence[int], change: Callable[[Tags], Tags]
) -> JsonValue:
    field = _field(lens)
    if field is None:
        raise FormatError(
            "Cases of this format have no tags", hint="Use names that tell the cases apart."
        )

    def write(small: JsonValue, case: str, _index: int) -> JsonValue:
        raw = get(small, case)
        held = _tags(field, raw if raw is not MISSING else None)
        new = change(held)
        return small if new == held else lens.put_field(small, case, "case", field.name, new)

    return change_each(lens, tree, indexes, write)


def _field(lens: EvalSetLens) -> Field | None:
    return next((f for f in lens.case_fields if f.name == "tags"), None)


def _tags(field: Field, raw: JsonValue) -> Tags:
    held = field.lens.get(raw) if isinstance(raw, dict) else None
    return [t for t in held if isinstance(t, str)] if isinstance(held, (list, tuple)) else []
