"""What every file on somebody's desk has: its draft, names for its parts, text that does not fit.

``Sheet`` is an eval set, ``Bench`` a file of evaluators; the same fields and widgets edit both.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from evalcore.errors import EvaldeskError
from evalcore.jsontree import JsonValue
from evalcore.views.handles import Handles, IdOf, no_id

if TYPE_CHECKING:
    from evalcore.drafts import Draft


@dataclass(frozen=True, slots=True)
class Pending:
    """What was typed into a field and could not be used, and why."""

    typed: Any
    error: EvaldeskError


class Editing:
    """A file being edited. One object serves all tabs of its owner."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.pending: dict[str, Pending] = {}
        self._handles = Handles()

    @property
    def tree(self) -> JsonValue:
        """Return the draft's tree."""
        return self.draft.tree

    def parts(self, scope: str, items: Sequence[JsonValue], id_of: IdOf = no_id) -> list[str]:
        """Return handles for the items of any list inside the file; ``scope`` names the list."""
        return self._handles.names(scope, items, id_of)

    def edit(
        self, change: Callable[[JsonValue], JsonValue], label: str, merge_key: str | None = None
    ) -> bool:
        """Change the draft in one undoable step; returns whether anything changed."""
        return self.draft.edit(change, label, merge_key)

    def commit(self, key: str, typed: Any, write: Callable[[], object]) -> bool:
        """Do what a widget asks; text that cannot be used is kept beside its error, not lost."""
        try:
            write()
        except EvaldeskError as error:
            self.pending[key] = Pending(typed, error)
            return False
        self.pending.pop(key, None)
        return True
