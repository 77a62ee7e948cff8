"""Keeping one draft on disk while it is edited, and reading it back.

Nothing that the disk refuses stands in the way of an edit: the draft stays in memory, ``trouble``
says why, and the next edit tries to write all of it down.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from evalcore.drafts.draft import Draft
from evalcore.drafts.journal import Ending, Journal, UnknownJournal
from evalcore.drafts.steps import Record, Steps
from evalcore.errors import EvaldeskError, FormatError
from evalcore.files import Revision, reason_of, revision_of
from evalcore.jsontree import same

if TYPE_CHECKING:
    from evalcore.drafts.shelf import Shelf
    from evalcore.workspace import OpenFile, Workspace

LOG = logging.getLogger("evaldesk")
NO_STEPS = (LookupError, TypeError, ValueError)
"""What replaying records raises that were written of something else."""


class DraftRecord:
    """What a draft writes down. Its draft alone calls the methods, one at a time."""

    def __init__(
        self, shelf: Shelf, owner: str, opened: OpenFile, journal: Journal | None = None
    ) -> None:
        self.shelf = shelf
        self.owner = owner
        self.opened = opened
        self.journal = journal or shelf.journal(owner, opened.path)
        self.name = str((self.journal.header or {}).get("id") or os.urandom(8).hex())
        self.trouble = ""
        self.is_ended = False
        self.is_held = False

    def has_news(self) -> bool:
        """Return whether another server may have written something down."""
        try:
            return self.journal.has_news()
        except OSError:
            # The next edit meets the same and says it.
            return False

    @contextmanager
    def turn(self, steps: Steps) -> Iterator[bool]:
        """Keep other servers from writing, and do to ``steps`` what they wrote; yields if any.

        Raises FormatError if the draft was ended there.
        """
        with ExitStack() as stack:
            has_changed = False
            try:
                self.shelf.prepare()
                stack.enter_context(self.journal.held())
                has_changed = self._caught_up(steps)
            except OSError as error:
                self._refused(error)
            self.is_held = True
            stack.callback(setattr, self, "is_held", False)
            yield has_changed

    def add(self, record: Record, steps: Steps, *, is_dirty: bool) -> None:
        """Write down what was just done."""
        with self._tolerant():
            if self.trouble or not self.journal.is_begun or self.journal.is_long:
                self.write_all(steps, is_dirty=is_dirty)
            else:
                self.journal.append(_marked(record, is_dirty))

    def rebased(self, opened: OpenFile, steps: Steps, *, is_dirty: bool) -> None:
        """Write down that the draft was saved or merged, and goes on from there if it is dirty."""
        self.opened = opened
        with self._tolerant():
            if is_dirty:
                self.write_all(steps, is_dirty=True)
            else:
                self.journal.end("saved")
            self.shelf.tidy()

    def end(self, how: Ending) -> None:
        """Take the draft off the disk."""
        self.is_ended = True
        with self._tolerant():
            if self.journal.has_news() or self.journal.is_begun:
                with self.journal.held():
                    self.journal.pull()
                    self.journal.end(how)
                self.shelf.tidy()

    def close(self) -> None:
        """Let go of the file."""
        self.journal.close()

    def write_all(self, steps: Steps, *, is_dirty: bool) -> None:
        """Write the draft down anew, with all its steps; raises OSError."""
        header: Record = {"id": self.name, "path": self.opened.path, **_origin(self.opened)}
        self.shelf.keep_base(header["base"], self.opened.document.data)
        *records, last = header, *steps.records(self.opened.document.value)
        records.append(_marked(last, is_dirty))
        self.journal.rewrite(records[0], records[1:])

    def _caught_up(self, steps: Steps) -> bool:
        if self.is_ended:
            raise _ended()
        try:
            pulled = self.journal.pull()
        except UnknownJournal as error:
            self._set_aside(f"The draft of {self.opened.path} on disk was lost: {error}.")
            return False
        header = self.journal.header or {}
        if pulled.news == "anew" and self.trouble and header.get("id") == self.name:
            # What lies there is what could be written; more than that is known here.
            return False
        if pulled.news == "ended" or (pulled.news == "anew" and self._is_another(header, steps)):
            self.is_ended = True
            raise _ended()
        if pulled.news not in ("more", "anew"):
            return False
        start = Steps(self.opened.document.value) if pulled.news == "anew" else steps
        try:
            steps.take(start.followed(pulled.records))
        except NO_STEPS as error:
            LOG.warning("what was written of %s does not fit: %r", self.opened.path, error)
            self._set_aside(f"What another server wrote of {self.opened.path} does not fit.")
            return False
        self.name = str(header.get("id"))
        return True

    def _is_another(self, header: Record, steps: Steps) -> bool:
        """Return whether a journal that was met is of other edits than those made here."""
        has_edits = bool(steps.past or steps.future) and header.get("id") != self.name
        return not header.items() >= _origin(self.opened).items() or has_edits

    def _set_aside(self, why: str) -> None:
        self.journal.close()
        self.shelf.set_aside(self.owner, self.journal.place, why)

    @contextmanager
    def _tolerant(self) -> Iterator[None]:
        try:
            yield
            self.trouble = ""
        except OSError as error:
            self._refused(error)

    def _refused(self, error: OSError) -> None:
        reason, _hint = reason_of(error)
        if not self.trouble:
            LOG.warning("drafts cannot be kept in %s: %s", self.shelf.folder, error)
        self.trouble = reason


def restored(shelf: Shelf, owner: str, workspace: Workspace, path: str) -> Draft | None:
    """Return an owner's draft of a file as it lies on disk, None if there is none.

    One that cannot be read back is set aside and reported. Raises what ``Workspace.open`` raises
    where the draft needs the file, and the file cannot be read at present.
    """
    journal = shelf.journal(owner, path)
    try:
        if not journal.has_news():
            return None
        with journal.held():
            return _read_back(shelf, owner, workspace, path, journal)
    except UnknownJournal as error:
        shelf.set_aside(owner, journal.place, f"The draft of {path} cannot be read: {error}.")
    except OSError as error:
        shelf.report(owner, f"The draft of {path} cannot be read: {error.strerror or error}.")
    except BaseException:
        journal.close()
        raise
    journal.close()
    return None


def _read_back(
    shelf: Shelf, owner: str, workspace: Workspace, path: str, journal: Journal
) -> Draft | None:
    pulled = journal.pull()
    if pulled.news != "anew":
        return None
    header = journal.header or {}
    if header.get("path") != path or not isinstance(header.get("base"), str):
        raise UnknownJournal("it is of another file")
    opened = _base_of(shelf, workspace, path, header)
    if opened is None:
        raise UnknownJournal("the file was changed, and the version before that was not kept")
    try:
        steps = Steps(opened.document.value).followed(pulled.records)
    except NO_STEPS as error:
        raise UnknownJournal("it does not fit the file that it names") from error
    record = DraftRecord(shelf, owner, opened, journal)
    if pulled.damaged is not None:
        why = (
            f"The draft of {path} is damaged: only its first {len(pulled.records)} edits are left."
        )
        shelf.set_aside(owner, journal.place, why, pulled.damaged)
        record.write_all(steps, is_dirty=not same(steps.tree, opened.document.value))
    return Draft(opened, record, steps)


def _origin(opened: OpenFile) -> Record:
    """Return what a journal says of the file that its draft started from.

    ``new`` is for one that is not there yet: its draft started from what would be written.
    """
    if opened.revision is None:
        return {"base": revision_of(opened.document.data), "new": True}
    return {"base": opened.revision}


def _base_of(shelf: Shelf, workspace: Workspace, path: str, header: Record) -> OpenFile | None:
    """Return the file as it was when the draft was begun, None if nobody has that version."""
    revision = Revision(header["base"])
    if header.get("new"):
        data = shelf.base(revision)
        return None if data is None else replace(workspace.opened(path, data), revision=None)
    try:
        current = workspace.open(path)
    except (EvaldeskError, OSError):
        data = shelf.base(revision)
        if data is None:
            raise
        return workspace.opened(path, data)
    if current.revision == revision:
        return current
    data = shelf.base(revision)
    return None if data is None else workspace.opened(path, data)


def _ended() -> FormatError:
    return FormatError(
        "This set was saved, or its edits were dropped, in another window",
        hint="Look at it as it is now and make your last change again.",
    )


def _marked(record: Record, is_dirty: bool) -> Record:
    return record if is_dirty else {**record, "clean": True}
