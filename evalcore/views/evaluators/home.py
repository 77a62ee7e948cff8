"""Where an object of settings lies in a file that is being edited, found anew each time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from evalcore.errors import FormatError
from evalcore.formats.lenses import At, Spelling
from evalcore.jsontree import MISSING, JsonArray, JsonValue, Missing, get, join, put

if TYPE_CHECKING:
    from evalcore.views.editing import Editing


@dataclass(frozen=True, slots=True)
class Home:
    """One object of settings. ``where`` says where it is in a tree of the file.

    ``style`` is how new keys are spelled; ``label`` is what it is called in the history of edits.
    """

    editing: Editing
    key: str
    where: Callable[[JsonValue], str]
    label: str
    style: Spelling = "camel"

    def read(self) -> JsonValue | Missing:
        """Return the object as it is now, MISSING where there is none."""
        return get(self.editing.tree, self.where(self.editing.tree))

    def pointer(self) -> str:
        """Return where it is now."""
        return self.where(self.editing.tree)

    def change(
        self,
        make: Callable[[JsonValue | Missing], JsonValue | Missing],
        what: str,
        merge_key: str | None = None,
    ) -> bool:
        """Replace the object by what ``make`` makes of it, as one undoable step."""

        def edit(tree: JsonValue) -> JsonValue:
            where = self.where(tree)
            new = make(get(tree, where))
            return tree if new is MISSING and get(tree, where) is MISSING else put(tree, where, new)

        return self.editing.edit(edit, f"{self.label}: {what}" if self.label else what, merge_key)

    def inner(self, *names: str) -> str:
        """Return a key for something inside this object."""
        return "|".join((self.key, *names))

    def list_at(self, lens: At) -> JsonArray:
        """Return the items of a list inside this object, [] where there is none."""
        return _items(self.editing.tree, self, lens)

    def handles(self, lens: At) -> list[str]:
        """Return a name for each item of a list, which stays with it while the list changes."""
        return self.editing.parts(self.inner(_scope(lens)), self.list_at(lens))

    def index_of(self, lens: At, handle: str, tree: JsonValue | None = None) -> int:
        """Return where an item of a list is; raises FormatError if it is gone."""
        now = self.editing.tree if tree is None else tree
        names = self.editing.parts(self.inner(_scope(lens)), _items(now, self, lens))
        if handle not in names:
            raise FormatError(
                "What you changed is gone", hint="It was deleted, here or in another tab."
            )
        return names.index(handle)

    def item(self, lens: At, handle: str) -> Home:
        """Return the home of one item of a list."""

        def where(tree: JsonValue) -> str:
            index = self.index_of(lens, handle, tree)
            base = self.where(tree)
            return join(base + lens.where(_at(tree, base)), index)

        return Home(self.editing, self.inner(_scope(lens), handle), where, self.label, self.style)


def _scope(lens: At) -> str:
    return ".".join(key.spellings[0] for key in lens.keys)


def _at(tree: JsonValue, pointer: str) -> JsonValue:
    found = get(tree, pointer)
    return None if found is MISSING else found


def _items(tree: JsonValue, home: Home, lens: At) -> JsonArray:
    found = lens.get(_at(tree, home.where(tree)))
    return found if isinstance(found, list) else []
