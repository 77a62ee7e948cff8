"""What every file on somebody's desk has: its draft, names for its parts, text that does not fit.

``Sheet`` is an eval set, ``Bench`` a file of evaluators; the same fields and widgets edit both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from evalcore.errors import EvaldeskError
from evalcore.formats.names import Names
from evalcore.jsontree import JsonValue
from evalcore.views.handles import Handles, IdOf, no_id

if TYPE_CHECKING:
    from evalcore.drafts import Draft


_STEP: ContextVar[tuple[str | None] | None] = ContextVar("step of the history", default=None)


@contextmanager
def as_step(key: str | None) -> Iterator[None]:
    """Make the edits inside one step of the history with earlier ones of the same ``key``.

    None makes them a step of their own. Where one is inside another, the outer one counts: typing
    in a row of a list is a step of that row, not of the list that is written for it.
    """
    token = _STEP.set((key,)) if _STEP.get() is None else None
    try:
        yield
    finally:
        if token is not None:
            _STEP.reset(token)


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

    def known_names(self) -> Names:
        """Return the tools and nodes that are offered where one is named; none by default."""
        return Names()

    def parts(self, scope: str, items: Sequence[JsonValue], id_of: IdOf = no_id) -> list[str]:
        """Return handles for the items of any list inside the file; ``scope`` names the list."""
        return self._handles.names(scope, items, id_of)

    def edit(
        self, change: Callable[[JsonValue], JsonValue], label: str, merge_key: str | None = None
    ) -> bool:
        """Change the draft in one undoable step; returns whether anything changed.

        ``merge_key`` joins it to earlier edits, unless ``as_step`` says which.
        """
        step = _STEP.get()
        return self.draft.edit(change, label, merge_key if step is None else step[0])

    def commit(self, key: str, typed: Any, write: Callable[[], object]) -> bool:
        """Do what a widget asks; text that cannot be used is kept beside its error, not lost."""
        try:
            write()
        except EvaldeskError as error:
            self.pending[key] = Pending(typed, error)
            return False
        self.pending.pop(key, None)
        return True
