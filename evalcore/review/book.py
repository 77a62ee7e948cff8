"""Where the reviews of a run are kept: beside its set, else with the runs.

A set that is not in the workspace, or whose folder cannot be written to, has its reviews in
``.reviews/<run id>.review.jsonl`` of the store. That file is not part of the run, whose folder
never changes: it stays when the run is deleted, and is found again when it is imported again.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from evalcore.errors import Problem, WorkspaceError
from evalcore.files import file_lock
from evalcore.review.entries import Entry, read_lines
from evalcore.review.sidecar import SUFFIX, Reviews, append, lines_of, read_reviews, reviews_of

if TYPE_CHECKING:
    from evalcore.store import Place
    from evalcore.workspace import Workspace

FOLDER = ".reviews"
_WRITING = Lock()


@dataclass(frozen=True, slots=True)
class Kept:
    """Where something was written to; ``trouble`` is why it is not beside the set, "" if it is."""

    place: str
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class ReviewBook:
    """What reviewers said of one run. ``path`` is "" where its set is not in the workspace."""

    store: Place
    run: str
    workspace: Workspace | None = None
    path: str = ""

    @property
    def spare(self) -> str:
        """Return the path in the store of what is not beside the set."""
        return f"{FOLDER}/{self.run}{SUFFIX}"

    def read(self) -> Reviews:
        """Return all that was said, wherever it is kept; a file that cannot be read is a problem.

        What was said of other runs of the set is among it.
        """
        entries: list[Entry] = []
        problems: list[Problem] = []
        for read in (self._beside, self._spare):
            try:
                found = read()
            except (WorkspaceError, OSError) as error:
                problems.append(_unreadable(error))
                continue
            entries += found.entries
            problems += found.problems
        return reviews_of(self.path or self.spare, entries, problems)

    def add(self, *entries: Entry) -> Kept:
        """Write entries down beside the set where that can be, else in the store.

        Raises WorkspaceError where neither can be written.
        """
        trouble = "its eval set is not in this workspace"
        if self.workspace is not None and self.path:
            try:
                append(self.workspace, self.path, *entries)
                return Kept(self.path)
            except WorkspaceError as error:
                trouble = error.message
        self._append(lines_of(entries))
        return Kept(self.store.full(self.spare), trouble)

    @property
    def stamp(self) -> tuple[object, ...]:
        """Return what changes whenever what was said does."""
        beside: object = None
        if self.workspace is not None and self.path:
            try:
                info = (self.workspace.root / self.path).stat()
                beside = (info.st_mtime_ns, info.st_size)
            except OSError:
                # There is none yet, or it cannot be read: reading it tells.
                beside = None
        try:
            return beside, self.store.stamp(self.spare)
        except OSError:
            return beside, None

    def _beside(self) -> Reviews:
        if self.workspace is None or not self.path:
            return Reviews("")
        return read_reviews(self.workspace, self.path)

    def _spare(self) -> Reviews:
        if not self.store.exists(self.spare):
            return Reviews(self.spare)
        return reviews_of(self.spare, *read_lines(self.store.read(self.spare), self.spare))

    def _append(self, lines: bytes) -> None:
        try:
            with _WRITING, self._lock():
                held = self.store.read(self.spare) if self.store.exists(self.spare) else b""
                gap = b"\n" if held and not held.endswith(b"\n") else b""
                self.store.write(self.spare, held + gap + lines)
        except OSError as error:
            raise WorkspaceError(
                f"The review cannot be written to {self.store.url}: {error.strerror or error}",
                hint="Make the folder of the set, or that of the runs, writable; say it again.",
            ) from error

    def _lock(self) -> AbstractContextManager[None]:
        if not self.store.is_local:
            return nullcontext()
        return file_lock(Path(self.store.full(self.spare)))


def _unreadable(error: WorkspaceError | OSError) -> Problem:
    said = error.message if isinstance(error, WorkspaceError) else str(error.strerror or error)
    return Problem("warning", "evaldesk.reviews", f"Reviews cannot be read: {said}")
