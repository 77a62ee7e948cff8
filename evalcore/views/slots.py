"""Places for one value inside a set, read and written afresh each time.

A widget's callback runs after other edits may have been made; so a slot holds no value, only the
way to it, by handles that survive moves and deletions around it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from evalcore.errors import FormatError
from evalcore.formats.lenses import Listed
from evalcore.jsontree import MISSING, JsonValue, get, put
from evalcore.views import parts
from evalcore.views.editing import Editing, Pending, as_step
from evalcore.views.form import key_of
from evalcore.views.sheet import Place, Sheet

if TYPE_CHECKING:
    from evalcore.formats.lenses import Field

GONE = "What you changed is gone"
GONE_HINT = "It was deleted or replaced, here or in another tab."


@dataclass(frozen=True, slots=True)
class Slot:
    """One value: ``key`` names it, ``read`` gets it (MISSING if absent), ``write`` replaces it."""

    sheet: Editing
    key: str
    read: Callable[[], Any]
    write: Callable[[Any], object]
    identify: Callable[[Sequence[Any]], Sequence[Any]] = tuple
    """What tells the items of a list apart while it is edited: by default the items themselves."""

    def update(self, change: Callable[[Any], Any]) -> None:
        """Replace the value by what ``change`` makes of it, as a step of its own."""
        with as_step(None):
            self.write(change(self.read()))

    def commit(self, typed: Any, change: Callable[[Any], Any]) -> bool:
        """Take what was typed here; it is kept beside the error if it cannot be used.

        What is typed here one after the other is one step.
        """
        with as_step(self.key):
            return self.sheet.commit(self.key, typed, lambda: self.update(change))

    def child(self, name: str) -> Slot:
        """Return the slot of a member by its name, which may be absent: MISSING removes it.

        For members whose names do not change while they are edited; others have handles.
        """
        key = self.inner(f".{name}")

        def read() -> Any:
            value = self.read()
            return value.get(name, MISSING) if isinstance(value, dict) else MISSING

        def write(new: Any) -> None:
            with as_step(key):
                self.update(lambda value: parts.with_child(value, name, new))

        return Slot(self.sheet, key, read, write)

    @property
    def is_there(self) -> bool:
        """Return whether the file has this value."""
        return self.read() is not MISSING

    @property
    def pending(self) -> Pending | None:
        """Return what was typed here and could not be used."""
        return self.sheet.pending.get(self.key)

    def forget(self) -> None:
        """Drop what was typed here and could not be used."""
        self.sheet.pending.pop(self.key, None)

    def inner(self, *names: str) -> str:
        """Return a key for something inside this value."""
        return "|".join((self.key, *names))

    def rows(self) -> list[tuple[str, str]]:
        """Return (handle, name) of the members of an object; [] for any other value."""
        value = self.read()
        names = list(value) if isinstance(value, dict) else []
        return list(zip(self.sheet.parts(self.inner("members"), names), names, strict=True))

    def member(self, handle: str) -> Slot:
        """Return the slot of an object's member."""

        def write(new: Any) -> None:
            name = self.name_of(handle)
            with as_step(self.inner(handle)):
                self.update(lambda value: parts.with_child(value, name, new))

        return Slot(
            self.sheet, self.inner(handle), lambda: self.read()[self.name_of(handle)], write
        )

    def name_of(self, handle: str) -> str:
        """Return the name that a member has now; raises FormatError if it is gone."""
        for known, name in self.rows():
            if known == handle:
                return name
        raise FormatError(GONE, hint=GONE_HINT)

    def items(self) -> list[tuple[str, Any]]:
        """Return (handle, item) of a list or of records; [] for any other value."""
        value = self.read()
        listed = list(value) if isinstance(value, (list, tuple)) else []
        handles = self.sheet.parts(self.inner("items"), self.identify(listed))
        return list(zip(handles, listed, strict=True))

    def index_of(self, handle: str) -> int:
        """Return where an item is now; raises FormatError if it is gone."""
        for index, (known, _item) in enumerate(self.items()):
            if known == handle:
                return index
        raise FormatError(GONE, hint=GONE_HINT)

    def item(self, handle: str) -> Slot:
        """Return the slot of an item of a list."""

        def write(new: Any) -> None:
            index = self.index_of(handle)
            with as_step(self.inner(handle)):
                self.update(lambda value: parts.replaced(value, index, new))

        return Slot(
            self.sheet, self.inner(handle), lambda: self.read()[self.index_of(handle)], write
        )

    def attribute(self, handle: str, name: str) -> Slot:
        """Return the slot of a field of one of several records."""

        def write(new: Any) -> None:
            index = self.index_of(handle)
            with as_step(self.inner(handle, name)):
                self.update(lambda records: parts.changed(records, index, **{name: new}))

        return Slot(
            self.sheet,
            self.inner(handle, name),
            lambda: getattr(self.read()[self.index_of(handle)], name),
            write,
        )

    def at(self, handle: str, change: Callable[[Sequence[Any], int], Any]) -> None:
        """Change the list by what ``change`` makes of it and of an item's index."""
        index = self.index_of(handle)
        self.update(lambda value: _like(value, change(value, index)))


def field_slot(sheet: Sheet, place: Place, field: Field) -> Slot:
    """Return the slot of a field of the object at a place."""
    key = key_of(sheet, place, field.name)

    def read() -> Any:
        raw = get(sheet.tree, sheet.pointer(place))
        return MISSING if raw is MISSING else field.lens.get(raw)

    def identify(items: Sequence[Any]) -> Sequence[Any]:
        raw = sheet.raw(place)
        return [get(raw, item.origin) if getattr(item, "origin", "") else item for item in items]

    return Slot(sheet, key, read, lambda new: sheet.put(place, field.name, new, key), identify)


def part_slot(whole: Slot, place: Place, field: Field, handle: str, name: str) -> Slot:
    """Return the slot of a part of one of several items, as the file has it.

    ``whole`` is the slot of the list, whose view may leave the part out, or have one word for
    absent and for null.
    """
    sheet, lens = whole.sheet, field.lens
    if not isinstance(sheet, Sheet) or not isinstance(lens, Listed):
        return whole.attribute(handle, name)
    part, key = lens.parts[name], whole.inner(handle, name)

    def read() -> Any:
        raw = sheet.raw(place)
        item = get(raw, lens.item_at(raw, whole.index_of(handle)))
        return MISSING if item is MISSING else part.get(item)

    def write(new: Any) -> None:
        index = whole.index_of(handle)

        def change(tree: JsonValue) -> JsonValue:
            pointer = sheet.pointer(place, tree)
            held = get(tree, pointer)
            at = pointer + lens.item_at(None if held is MISSING else held, index)
            raw = get(tree, at)
            if raw is MISSING or sheet.lens.read_only or field.read_only:
                raise FormatError(GONE, hint=GONE_HINT)
            return put(tree, at, part.put(raw, new, sheet.lens.style_at(raw, tree)))

        with as_step(key):
            sheet.edit(change, f"Edit {field.label.lower()}", key)

    return Slot(sheet, key, read, write)


def json_slot(sheet: Sheet, place: Place, field: Field) -> Slot:
    """Return the slot of the JSON that a field is a view of."""
    key = key_of(sheet, place, field.name, "json")
    lens = sheet.lens

    def read() -> Any:
        raw = sheet.raw(place)
        return field.lens.json(raw).get(raw)

    def write(new: Any) -> None:
        def change(tree: JsonValue) -> JsonValue:
            pointer = sheet.pointer(place, tree)
            raw = get(tree, pointer)
            if raw is MISSING or lens.read_only or field.read_only:
                raise FormatError(f"{field.label} cannot be edited")
            written = field.lens.json(raw).put(raw, new, lens.style_at(raw, tree))
            return put(tree, pointer, written)

        sheet.edit(change, f"Edit {field.label.lower()} as JSON", key)

    return Slot(sheet, key, read, write)


def raw_slot(sheet: Sheet, place: Place) -> Slot:
    """Return the slot of a whole object, as it stands in the file."""
    key = key_of(sheet, place, "raw")
    return Slot(sheet, key, lambda: sheet.raw(place), lambda new: sheet.put_raw(place, new, key))


def raw_text(sheet: Sheet, place: Place) -> str:
    """Return the object at a place as the file will have it, without its indentation there."""
    text = sheet.draft.document().text(sheet.pointer(place))
    lines = text.replace("\r\n", "\n").split("\n")
    last = lines[-1]
    depth = len(last) - len(last.lstrip())
    shift = last[:depth]
    return "\n".join(line.removeprefix(shift) for line in lines)


def _like(old: Any, new: Sequence[Any]) -> Any:
    return tuple(new) if isinstance(old, tuple) else list(new)
