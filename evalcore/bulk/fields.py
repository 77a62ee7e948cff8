"""Setting one field of many cases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from evalcore.bulk.each import change_each
from evalcore.formats.lenses import Editor, Field

if TYPE_CHECKING:
    from evalcore.formats.evalset import EvalSetLens, Level
    from evalcore.jsontree import JsonValue

SETTABLE = frozenset(
    {Editor.LINE, Editor.TEXT, Editor.NUMBER, Editor.FLAG, Editor.CHOICE, Editor.TAGS, Editor.NAMES}
)
"""Editors of values that mean the same in every case."""


@dataclass(frozen=True, slots=True)
class BulkField:
    """A field that can be set in many cases at once. Of a turn: in every turn of each case."""

    level: Level
    field: Field

    @property
    def label(self) -> str:
        """Return the field's label, with whose it is where that is a turn."""
        return (
            f"{self.field.label} (every turn)" if self.level == "invocation" else self.field.label
        )


def bulk_fields(lens: EvalSetLens) -> tuple[BulkField, ...]:
    """Return what can be set in many cases: simple fields, but for those that must differ."""
    own = {lens.label_field, "id", "invocation_id"}
    found = [
        BulkField(level, field)
        for level in ("case", "invocation")
        for field in lens.fields(level)
        if field.editor in SETTABLE and not field.read_only and field.name not in own
    ]
    names = {f.field.name for f in found if f.level == "case"}
    return tuple(
        f if lens.has_turns or f.level == "case" else BulkField("invocation", f.field)
        for f in found
        if f.level == "case" or f.field.name not in names
    )


def set_field(
    lens: EvalSetLens, tree: JsonValue, indexes: Sequence[int], chosen: BulkField, value: Any
) -> JsonValue:
    """Return the tree with a field written in the cases at ``indexes``; MISSING removes it.

    Raises FormatError where a case has a shape that leaves no place for it.
    """

    def change(small: JsonValue, case: str, _index: int) -> JsonValue:
        places = [case]
        if chosen.level == "invocation":
            places = lens.invocation_pointers(small, case)
        for place in places:
            small = lens.put_field(small, place, chosen.level, chosen.field.name, value)
        return small

    return change_each(lens, tree, indexes, change)
