"""All drafts of one server: one for each owner and file."""

from __future__ import annotations

from collections import OrderedDict
from threading import RLock
from typing import TYPE_CHECKING, NamedTuple

from evalcore.drafts.draft import Draft
from evalcore.drafts.record import DraftRecord, restored
from evalcore.drafts.shelf import Shelf
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

    A draft with edits stays until it is discarded; those without are dropped, oldest first. With
    ``on_disk`` the drafts outlive the server, and several servers of a workspace share them.
    """

    def __init__(self, *, on_disk: bool = False) -> None:
        self._lock = RLock()
        self._drafts: OrderedDict[DraftKey, Draft] = OrderedDict()
        self._on_disk = on_disk
        self._shelves: dict[str, Shelf] = {}

    def open(self, owner: str, workspace: Workspace, path: str) -> Draft:
        """Return the owner's draft of a file, opening the file if there is none.

        A draft without edits follows the file on disk; one with edits stays as it is, and
        ``is_stale`` tells. Raises what ``Workspace.open`` raises, only where there are no edits.
        """
        key = DraftKey(owner, str(workspace.root), path)
        with self._lock:
            draft = self._drafts.get(key)
            if draft is not None and not draft.follow():
                draft = None
            if draft is None:
                draft = self._read_back(owner, workspace, path)
            if draft is not None and not draft.is_dirty and is_stale(workspace, draft):
                draft.end("dropped")
                draft = None
            if draft is None:
                draft = self._draft_of(owner, workspace, workspace.open(path))
            self._drafts[key] = draft
            self._drafts.move_to_end(key)
            self._drop_clean()
            return draft

    def begin(self, owner: str, workspace: Workspace, opened: OpenFile) -> Draft:
        """Start the owner's draft of a file that is not there yet; the file is made by saving.

        Raises WorkspaceError where the owner has unsaved edits of a file of that name.
        """
        key = DraftKey(owner, str(workspace.root), opened.path)
        with self._lock:
            if opened.path in self.unsaved(owner, workspace):
                raise WorkspaceError(
                    f"You have unsaved edits of {opened.path!r} already",
                    hint="Choose another name, or save or drop those edits first.",
                )
            self.discard(owner, workspace, opened.path)
            draft = self._drafts[key] = self._draft_of(owner, workspace, opened)
            return draft

    def get(self, owner: str, workspace: Workspace, path: str) -> Draft | None:
        """Return the owner's draft of a file if it is at hand, None if it is not."""
        with self._lock:
            return self._drafts.get(DraftKey(owner, str(workspace.root), path))

    def dirty(self, owner: str, workspace: Workspace) -> list[Draft]:
        """Return the owner's drafts at hand with unsaved edits in a workspace, by path."""
        root = str(workspace.root)
        with self._lock:
            mine = [d for k, d in self._drafts.items() if (k.owner, k.root) == (owner, root)]
        return sorted((d for d in mine if d.is_dirty), key=lambda d: d.path)

    def unsaved(self, owner: str, workspace: Workspace) -> list[str]:
        """Return the paths of all files of which the owner has unsaved edits, sorted.

        Those on disk that nobody has opened since the server started are among them.
        """
        shelf = self._shelf(workspace)
        kept = shelf.unsaved(owner) if shelf else []
        return sorted({*(draft.path for draft in self.dirty(owner, workspace)), *kept})

    def discard(self, owner: str, workspace: Workspace, path: str) -> bool:
        """Forget a draft and its edits, on disk too; returns whether there was one."""
        with self._lock:
            draft = self._drafts.pop(DraftKey(owner, str(workspace.root), path), None)
            shelf = self._shelf(workspace)
            if draft is not None:
                draft.end("dropped")
            return draft is not None or (shelf is not None and shelf.drop(owner, path))

    def reports(self, owner: str, workspace: Workspace) -> tuple[str, ...]:
        """Return what the owner must be told of drafts on disk that could not be read."""
        shelf = self._shelf(workspace)
        return shelf.reports(owner) if shelf else ()

    def dismiss_reports(self, owner: str, workspace: Workspace) -> None:
        """Forget what the owner was told."""
        shelf = self._shelf(workspace)
        if shelf is not None:
            shelf.dismiss(owner)

    def settle(self) -> None:
        """Wait until all that was put off is on disk."""
        for shelf in list(self._shelves.values()):
            shelf.settle()

    def _draft_of(self, owner: str, workspace: Workspace, opened: OpenFile) -> Draft:
        shelf = self._shelf(workspace)
        return Draft(opened, DraftRecord(shelf, owner, opened) if shelf else None)

    def _read_back(self, owner: str, workspace: Workspace, path: str) -> Draft | None:
        shelf = self._shelf(workspace)
        return restored(shelf, owner, workspace, path) if shelf else None

    def _shelf(self, workspace: Workspace) -> Shelf | None:
        if not self._on_disk:
            return None
        root = str(workspace.root)
        with self._lock:
            if root not in self._shelves:
                self._shelves[root] = Shelf(workspace.root)
            return self._shelves[root]

    def _drop_clean(self) -> None:
        clean = [key for key, draft in self._drafts.items() if not draft.is_dirty]
        for key in clean[:-MAX_CLEAN]:
            self._drafts.pop(key).let_go()


def is_stale(workspace: Workspace, draft: Draft) -> bool:
    """Return whether the file on disk is no longer the one that the draft started from.

    A file that was deleted or can no longer be read counts as changed.
    """
    return not workspace.is_current(draft.base)
