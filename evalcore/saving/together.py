"""Writing several files as one step: all of them, or none, or an error that names what was written.

Every file is looked at before the first is written. Where a later write fails all the same, those
before it are taken back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from evalcore import files
from evalcore.errors import ConflictError, EvaldeskError, WorkspaceError
from evalcore.jsontree import JsonValue
from evalcore.saving.diff import Diff, diff_lines
from evalcore.workspace.discovery import inside

if TYPE_CHECKING:
    from evalcore.workspace import OpenFile, Workspace

ChangeKind = Literal["created", "changed", "moved", "deleted"]
TreeEdit = Callable[[JsonValue], JsonValue]


@dataclass(frozen=True, slots=True)
class FileChange:
    """One file that a plan touches.

    ``before`` is the file as the plan saw it, None for a new one; ``data`` is what ``path`` will
    hold, None for a file that goes. A file whose ``before`` has another path moves to ``path``.
    ``edit`` is the same change as an edit of a tree, for drafts of the file.
    """

    path: str
    before: OpenFile | None
    data: bytes | None
    why: str = ""
    edit: TreeEdit | None = None

    @property
    def kind(self) -> ChangeKind:
        """Return what happens to the file."""
        if self.before is None:
            return "created"
        if self.data is None:
            return "deleted"
        return "changed" if self.before.path == self.path else "moved"

    @property
    def diff(self) -> Diff:
        """Return the lines that differ."""
        old = self.before.document.data if self.before else b""
        return diff_lines(old, self.data or b"")


class HalfWritten(WorkspaceError):
    """Some files were written and could not be taken back; ``paths`` are those."""

    def __init__(self, paths: Sequence[str], cause: EvaldeskError) -> None:
        names = ", ".join(paths)
        super().__init__(
            f"{cause.message} These files hold the new content already, and could not be taken "
            f"back: {names}.",
            hint="Mend what is said first and do it again, or restore these files.",
        )
        self.paths = tuple(paths)


def check_together(workspace: Workspace, changes: Sequence[FileChange]) -> None:
    """Raise ConflictError, naming every file that is no longer as the plan saw it."""
    moved_on = [name for change in changes for name in _stale(workspace, change)]
    if moved_on:
        raise ConflictError(
            f"Changed since this was planned: {', '.join(moved_on)}. Nothing was written.",
            hint="Look at the plan again: it is made anew from the files as they are now.",
        )


def write_together(workspace: Workspace, changes: Sequence[FileChange]) -> list[OpenFile]:
    """Write, move and delete files in the given order; returns those that are there afterwards.

    Raises ConflictError or WorkspaceError with nothing written, HalfWritten where that could not
    be brought about.
    """
    check_together(workspace, changes)
    done: list[_Step] = []
    try:
        for step in _steps(workspace, changes):
            step.do()
            done.append(step)
    except (EvaldeskError, OSError) as error:
        cause = error if isinstance(error, EvaldeskError) else WorkspaceError(str(error))
        left = [step.name for step in reversed(done) if not _taken_back(step)]
        if left:
            raise HalfWritten(left, cause) from error
        raise cause from error
    return [workspace.opened(c.path, c.data) for c in changes if c.data is not None]


@dataclass(frozen=True, slots=True)
class _Step:
    """One file going from one content to another; None is no file."""

    name: str
    place: Path
    old: bytes | None
    new: bytes | None

    def do(self) -> None:
        _put(self.place, self.old, self.new)

    def undo(self) -> None:
        _put(self.place, self.new, self.old)


def _put(place: Path, old: bytes | None, new: bytes | None) -> None:
    known = None if old is None else files.revision_of(old)
    if new is not None:
        if old is None:
            place.parent.mkdir(parents=True, exist_ok=True)
        files.write_if_unchanged(place, new, known)
    elif known is not None:
        files.remove_if_unchanged(place, known)


def _steps(workspace: Workspace, changes: Sequence[FileChange]) -> Iterator[_Step]:
    for change in changes:
        before = change.before
        old = before.document.data if before else None
        moves = before is not None and before.path != change.path
        yield _step(workspace, change.path, None if moves else old, change.data)
        if before is not None and moves:
            yield _step(workspace, before.path, old, None)


def _step(workspace: Workspace, path: str, old: bytes | None, new: bytes | None) -> _Step:
    normal, place = inside(workspace.root, path)
    return _Step(normal, place, old, new)


def _taken_back(step: _Step) -> bool:
    try:
        step.undo()
    except (EvaldeskError, OSError):
        # The caller names every file for which this failed.
        return False
    return True


def _stale(workspace: Workspace, change: FileChange) -> Iterator[str]:
    before = change.before
    if before is not None and not workspace.is_current(before):
        yield before.path
    if before is None or before.path != change.path:
        _normal, place = inside(workspace.root, change.path)
        if place.exists():
            yield change.path
