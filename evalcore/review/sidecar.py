"""The file beside an eval set with what reviewers said: added to, never rewritten.

Lines of two people merge without a conflict, and the set's own file is not touched.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from evalcore.errors import Problem, WorkspaceError
from evalcore.files import file_lock
from evalcore.review.entries import Entry, read_lines, standing, write_line

if TYPE_CHECKING:
    from evalcore.workspace import Workspace

SUFFIX = ".review.jsonl"


def review_path(set_path: str, format_id: str) -> str:
    """Return the path of the review file of a set.

    It lies beside the set, but in Harnest's folder, where only names with a leading ``_`` may.
    """
    path = PurePosixPath(set_path)
    name = path.name.removesuffix(".json") + SUFFIX
    return str(path.with_name(f"_{name}" if format_id == "harnest" else name))


@dataclass(frozen=True, slots=True)
class Reviews:
    """What a review file holds: every entry in the order of time, and lines that are none."""

    path: str
    entries: tuple[Entry, ...] = ()
    problems: tuple[Problem, ...] = ()
    _standing: tuple[Entry, ...] = field(default=(), repr=False)

    @property
    def standing(self) -> tuple[Entry, ...]:
        """Return what was not taken back."""
        return self._standing

    def of_run(self, run: str) -> Reviews:
        """Return what was said of the results of one run."""
        return reviews_of(self.path, (e for e in self.entries if e.run == run), self.problems)


def reviews_of(path: str, entries: Iterable[Entry], problems: Sequence[Problem] = ()) -> Reviews:
    """Return entries of one or several files as reviews: in the order of time, each once."""
    once = {entry.id: entry for entry in entries}
    found = sorted(once.values(), key=lambda entry: entry.at)
    return Reviews(path, tuple(found), tuple(problems), tuple(standing(found)))


def read_reviews(workspace: Workspace, path: str) -> Reviews:
    """Return the reviews in a file; none where there is no such file yet.

    Raises WorkspaceError where it cannot be read.
    """
    from evalcore.workspace.discovery import inside

    normal, place = inside(workspace.root, path)
    if not place.exists():
        return Reviews(normal)
    return reviews_of(normal, *read_lines(workspace.read(normal), normal))


def append(workspace: Workspace, path: str, *entries: Entry) -> None:
    """Add entries at the end of a review file, which is made where it is missing.

    A last line that was cut off before its end stays, and is ended first. The entries are on disk
    when this returns. Raises WorkspaceError where they cannot be written.
    """
    from evalcore.workspace.discovery import inside

    _normal, place = inside(workspace.root, path)
    data = lines_of(entries)
    try:
        with file_lock(place), place.open("ab+") as stream:
            if stream.tell():
                stream.seek(-1, os.SEEK_END)
                data = data if stream.read(1) == b"\n" else b"\n" + data
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
    except OSError as error:
        raise WorkspaceError(
            f"The review cannot be written to {path}: {error.strerror or error}",
            hint="Make the folder writable, and say it again.",
        ) from error


def lines_of(entries: Iterable[Entry]) -> bytes:
    """Return entries as the lines of a review file."""
    return "".join(map(write_line, entries)).encode("ascii")
