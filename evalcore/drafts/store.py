"""All drafts of one server: one for each owner and file."""

from __future__ import annotations

from collections import OrderedDict
from threading import RLock
from typing import TYPE_CHECKING, NamedTuple

from evalcore.drafts.draft import Draft
from evalcore.errors import WorkspaceError

if TYPE_CHECKING:
    from evalcore.workspace import OpenFile, Workspace

MAX_CLEAN = 32
"""How many drafts without edits are kept at hand."""


class DraftKey(NamedTuple):
    """Whose draft of which file."""

    owner: str
    root: str
    path: str


class DraftStore:
    """Drafts by owner, workspace and path. All methods may be called from several threads.

    A draft with edits stays until it is discarded; those without are dropped, oldest first.
    """

    def __init__(self) -> None:
        self._lock = RLock()
        self._drafts: OrderedDict[DraftKey, Draft] = OrderedDict()

    def open(self, owner: str, workspace: Workspace, path: str) -> Draft:
        """Return the owner's draft of a file, opening the file if there is none.

        A draft without edits follows the file on disk; one with edits stays as it is, and
        ``is_stale`` tells. Raises what ``Workspace.open`` raises, only where there are no edits.
        """
        key = DraftKey(owner, str(workspace.root), path)
        with self._lock:
            draft = self._drafts.get(key)
            if draft is None or (not draft.is_dirty and is_stale(workspace, draft)):
                draft = self._drafts[key] = Draft(workspace.open(path))
            self._drafts.move_to_end(key)
            self._drop_clean()
            return draft

    def begin(self, owner: str, workspace: Workspace, opened: OpenFile) -> Draft:
        """Start the owner's draft of a file that is not there yet; nothing is written to disk.

        Raises WorkspaceError where the owner has unsaved edits of a file of that name.
        """
        key = DraftKey(owner, str(workspace.root), opened.path)
        with self._lock:
            known = self._drafts.get(key)
            if known is not None and known.is_dirty:
                raise WorkspaceError(
                    f"You have unsaved edits of {opened.path!r} already",
                    hint="Choose another name, or save or drop those edits first.",
                )
            draft = self._drafts[key] = Draft(opened)
            return draft

    def get(self, owner: str, workspace: Workspace, path: str) -> Draft | None:
        """Return the owner's draft of a file, None if there is none."""
        with self._lock:
            return self._drafts.get(DraftKey(owner, str(workspace.root), path))

    def dirty(self, owner: str, workspace: Workspace) -> list[Draft]:
        """Return the owner's drafts with unsaved edits in a workspace, by path."""
        root = str(workspace.root)
        with self._lock:
            mine = [d for k, d in self._drafts.items() if (k.owner, k.root) == (owner, root)]
        return sorted((d for d in mine if d.is_dirty), key=lambda d: d.path)

    def discard(self, owner: str, workspace: Workspace, path: str) -> bool:
        """Forget a draft and its edits; returns whether there was one."""
        with self._lock:
            return self._drafts.pop(DraftKey(owner, str(workspace.root), path), None) is not None

    def _drop_clean(self) -> None:
        clean = [key for key, draft in self._drafts.items() if not draft.is_dirty]
        for key in clean[:-MAX_CLEAN]:
            del self._drafts[key]


def is_stale(workspace: Workspace, draft: Draft) -> bool:
    """Return whether the file on disk is no longer the one that the draft started from.

    A file that was deleted or can no longer be read counts as changed.
    """
    return not workspace.is_current(draft.base)
