"""Edits of many cases of a set at once: each is one undoable step that says what it did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from evalcore.bulk import (
    BulkField,
    add_tags,
    bulk_fields,
    duplicate_cases,
    known_tags,
    move_cases,
    remove_tags,
    set_field,
)
from evalcore.errors import FormatError
from evalcore.formats.lenses import Editor
from evalcore.formats.moments import is_moment, moment_text, read_moment
from evalcore.jsontree import MISSING, JsonValue, put
from evalcore.views import states
from evalcore.views.sheet import Sheet, now
from evalcore.views.values import plain, read_number
from evalcore.views.words import first_words, plural

if TYPE_CHECKING:
    from evalcore.formats.evalset import EvalSetLens

Change = Callable[[JsonValue, Sequence[int]], JsonValue]
TOP, BOTTOM = "top", "bottom"
YES, NO = "Yes", "No"


@dataclass(frozen=True, slots=True)
class BulkEdit:
    """One edit of many cases; ``before`` and ``behind`` are its name around how many they are."""

    before: str
    behind: str
    change: Change

    def label(self, count: int) -> str:
        """Return the name of the step."""
        return " ".join(filter(None, (self.before, plural(count, "case"), self.behind)))


def set_edit(sheet: Sheet, chosen: BulkField, value: Any) -> BulkEdit:
    """Return the edit that writes one value into a field; MISSING takes the field out."""
    name = chosen.label

    def change(tree: JsonValue, indexes: Sequence[int]) -> JsonValue:
        return set_field(sheet.lens, tree, indexes, chosen, value)

    if value is MISSING:
        return BulkEdit(f"Take {name} out of", "", change)
    if states.said(value):
        return BulkEdit(f"Set {name} to {states.said(value)} in", "", change)
    return BulkEdit(f"Set {name} to “{first_words(_shown(chosen, value), 40)}” in", "", change)


def tag_edit(sheet: Sheet, added: Sequence[str], removed: Sequence[str]) -> BulkEdit:
    """Return the edit that adds some tags and removes others."""

    def change(tree: JsonValue, indexes: Sequence[int]) -> JsonValue:
        tree = add_tags(sheet.lens, tree, indexes, added) if added else tree
        return remove_tags(sheet.lens, tree, indexes, removed) if removed else tree

    parts = [f"add {_tags(added)}"] if added else []
    parts += [f"remove {_tags(removed)}"] if removed else []
    words = ", ".join(parts)
    return BulkEdit(f"{words[:1].upper()}{words[1:]} in", "", change)


def move_edit(sheet: Sheet, to: str) -> BulkEdit:
    """Return the edit that gathers cases at the top, at the bottom, or before the case ``to``."""

    def change(tree: JsonValue, indexes: Sequence[int]) -> JsonValue:
        place = {TOP: 0, BOTTOM: None}.get(to, -1)
        if place == -1:
            place = sheet.index_of(to)
        return move_cases(sheet.lens, tree, indexes, place)

    behind = f"to the {to}" if to in (TOP, BOTTOM) else f"before {sheet.title(to)}"
    return BulkEdit("Move", behind, change)


def copy_edit(sheet: Sheet) -> BulkEdit:
    """Return the edit that puts a copy behind each case."""
    return BulkEdit(
        "Duplicate", "", lambda tree, indexes: duplicate_cases(sheet.lens, tree, indexes, now())
    )


def effect(sheet: Sheet, cases: Collection[str], edit: BulkEdit) -> int:
    """Return how many of the cases an edit would change.

    Raises FormatError where one of them has no place for it.
    """
    before = sheet.cases
    after = sheet.lens.raw_cases(edit.change(sheet.tree, sheet.indexes_of(cases)))
    return sum(a is not b for a, b in zip(before, after, strict=False))


def do(sheet: Sheet, cases: Collection[str], edit: BulkEdit, count: int | None = None) -> bool:
    """Do an edit as one step; ``count`` is how many cases its name says, by default all."""
    found = sheet.indexes_of(cases)
    return sheet.edit(
        lambda tree: edit.change(tree, found),
        edit.label(len(found) if count is None else count),
    )


def duplicate(sheet: Sheet, cases: Collection[str]) -> list[str]:
    """Copy cases, each right behind itself; returns the handles of the copies."""
    before = set(sheet.names())
    do(sheet, cases, copy_edit(sheet))
    return [name for name in sheet.names() if name not in before]


def fields_by_label(lens: EvalSetLens) -> dict[str, BulkField]:
    """Return the fields that can be set in many cases, by what they are called."""
    return {f.label: f for f in bulk_fields(lens)}


def value_of(chosen: BulkField, typed: Any) -> Any:
    """Return the value that was typed or chosen for a field; raises FormatError for a bad one."""
    match chosen.field.editor:
        case Editor.NUMBER if is_moment(chosen.field):
            return read_moment(str(typed or ""))
        case Editor.NUMBER:
            return read_number(str(typed or ""))
        case Editor.FLAG:
            return typed == YES
        case Editor.TAGS | Editor.NAMES:
            return list(typed or ())
        case Editor.CHOICE if not typed:
            raise FormatError("Choose a value")
    return str(typed or "")


def has_tags(lens: EvalSetLens) -> bool:
    """Return whether cases of this format can be tagged."""
    return any(f.name == "tags" for f in lens.case_fields)


def tags_of_cases(sheet: Sheet, cases: Collection[str]) -> Counter[str]:
    """Return how many of some cases have each tag."""
    lens, tree = sheet.lens, sheet.tree
    some: JsonValue = [sheet.cases[index] for index in sheet.indexes_of(cases)]
    return known_tags(lens, put(tree, lens.cases_pointer(tree), some))


def _tags(tags: Sequence[str]) -> str:
    listed = ", ".join(tags[:3]) + (f" and {len(tags) - 3} more" if len(tags) > 3 else "")
    return f"tag {listed}" if len(tags) == 1 else f"tags {listed}"


def _shown(chosen: BulkField, value: Any) -> str:
    moment = moment_text(value) if is_moment(chosen.field) else None
    if moment is not None:
        return moment
    if isinstance(value, bool):
        return YES if value else NO
    return ", ".join(map(str, value)) if isinstance(value, list) else plain(value)
