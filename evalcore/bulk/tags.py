"""Tags of many cases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from evalcore.bulk.each import change_each
from evalcore.errors import FormatError
from evalcore.jsontree import MISSING, JsonArray, get

if TYPE_CHECKING:
    from evalcore.formats.evalset import EvalSetLens
    from evalcore.formats.lenses import Field
    from evalcore.jsontree import JsonValue

Tags = JsonArray


def known_tags(lens: EvalSetLens, tree: JsonValue) -> Counter[str]:
    """Return how many cases of a set have each tag."""
    field = _field(lens)
    if field is None:
        return Counter()
    held = (_tags(field, raw) for raw in lens.raw_cases(tree))
    return Counter(tag for tags in held for tag in {t for t in tags or () if isinstance(t, str)})


def add_tags(
    lens: EvalSetLens, tree: JsonValue, indexes: Sequence[int], tags: Iterable[str]
) -> JsonValue:
    """Return the tree with tags added to some cases; what a case has already stays in its place."""
    wanted = list(dict.fromkeys(tags))
    return _changed(
        lens, tree, indexes, lambda held: [*held, *(tag for tag in wanted if tag not in held)]
    )


def remove_tags(
    lens: EvalSetLens, tree: JsonValue, indexes: Sequence[int], tags: Iterable[str]
) -> JsonValue:
    """Return the tree without these tags in some cases; cases without them stay as they are."""
    gone = list(tags)
    return _changed(lens, tree, indexes, lambda held: [t for t in held if t not in gone])


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
        if held is None:
            raise FormatError("Its tags are no list", hint="Correct them in the case first.")
        new = change(held)
        return small if new == held else lens.put_field(small, case, "case", field.name, new)

    return change_each(lens, tree, indexes, write)


def _field(lens: EvalSetLens) -> Field | None:
    return next((f for f in lens.case_fields if f.name == "tags"), None)


def _tags(field: Field, raw: JsonValue) -> Tags | None:
    """Return the tags of a case as they stand; None for something that is no list of them."""
    held = field.lens.get(raw) if isinstance(raw, dict) else None
    if held is None or held is MISSING:
        return []
    return list(held) if isinstance(held, (list, tuple)) else None
