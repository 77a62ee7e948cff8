"""What lies beside a file, as far as the workspace lets one look, and whether it has changed."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Literal

from evalcore.errors import WorkspaceError
from evalcore.formats.base import Neighbour
from evalcore.jsontree import MISSING, JsonValue, Missing
from evalcore.workspace.discovery import Stamp, inside, stamp_of

ReadValue = Callable[[str, Stamp], "JsonValue | Missing"]


@dataclass(frozen=True, slots=True)
class Seen:
    """One look at the surroundings and what was there: the answer that ``Look`` gave to it."""

    kind: Literal["matching", "stamp", "entries"]
    question: str
    answer: tuple[str, ...] | tuple[Neighbour, ...] | Stamp | None


class Look:
    """One look at a workspace: each folder is listed and each file stamped at most once.

    Make a new one for every question that should see the disk as it is now.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._folders: dict[str, dict[str, bool]] = {}
        self._stamps: dict[str, Stamp | None] = {}

    def stamp(self, path: str) -> Stamp | None:
        """Return the stamp of a visible file of the workspace, None where there is none."""
        if path not in self._stamps:
            try:
                self._stamps[path] = stamp_of(inside(self.root, path)[1])
            except (OSError, WorkspaceError):
                self._stamps[path] = None
        return self._stamps[path]

    def folder(self, path: str) -> dict[str, bool]:
        """Return the visible names in a folder and whether each is a folder; {} for no folder."""
        if path not in self._folders:
            self._folders[path] = dict(self._listed(path))
        return self._folders[path]

    def matching(self, pattern: str) -> tuple[str, ...]:
        """Return the visible paths that a pattern with ``*``, ``?`` and ``**`` names, sorted."""
        parts = posixpath.normpath(pattern).split("/")
        if parts[0] in ("..", "") or pattern.startswith("/"):
            return ()
        found = self._matching("", parts)
        return tuple(sorted(set(found)))

    def still_holds(self, seen: Seen) -> bool:
        """Return whether an earlier look would see the same again."""
        if seen.kind == "matching":
            return self.matching(seen.question) == seen.answer
        if seen.kind == "entries":
            return self.entries(seen.question) == seen.answer
        return self.stamp(seen.question) == seen.answer

    def entries(self, folder: str) -> tuple[Neighbour, ...]:
        """Return all entries of a visible folder, hidden ones and links included, by name."""
        try:
            where = inside(self.root, folder)[1] if folder not in ("", ".") else self.root
            with os.scandir(where) as listing:
                found = [Neighbour(i.name, i.is_dir(), i.is_symlink()) for i in listing]
        except (OSError, WorkspaceError):
            return ()
        return tuple(sorted(found, key=lambda neighbour: neighbour.name))

    def _listed(self, path: str) -> Iterator[tuple[str, bool]]:
        try:
            where = inside(self.root, path)[1] if path else self.root
            with os.scandir(where) as listing:
                for item in listing:
                    below = f"{path}/{item.name}" if path else item.name
                    if not item.name.startswith(".") and self._is_inside(below, item):
                        yield item.name, item.is_dir()
        except (OSError, WorkspaceError):
            return

    def _is_inside(self, path: str, item: os.DirEntry[str]) -> bool:
        if not item.is_symlink():
            return True
        try:
            inside(self.root, path)
        except WorkspaceError:
            return False
        return True

    def _matching(self, folder: str, parts: Sequence[str]) -> Iterator[str]:
        first, rest = parts[0], parts[1:]
        if first == "**":
            yield from self._matching(folder, rest or ("*",))
            for name, is_folder in self.folder(folder).items():
                below = f"{folder}/{name}" if folder else name
                # A linked folder may contain itself.
                if is_folder and not (self.root / below).is_symlink():
                    yield from self._matching(below, parts)
            return
        for name, is_folder in self.folder(folder).items():
            if not fnmatchcase(name, first):
                continue
            below = f"{folder}/{name}" if folder else name
            if not rest:
                yield below
            elif is_folder:
                yield from self._matching(below, rest)


class Nearby:
    """The ``Surroundings`` of one file; notes all that was looked at."""

    def __init__(self, look: Look, path: str, read_value: ReadValue) -> None:
        self._look = look
        self._folder = posixpath.dirname(path)
        self._read_value = read_value
        self._seen: list[Seen] = []

    @property
    def seen(self) -> tuple[Seen, ...]:
        """Return every look so far, for asking later whether it would still see the same."""
        return tuple(self._seen)

    def glob(self, pattern: str) -> Sequence[str]:
        """Return the matching paths, relative to the file's folder, sorted."""
        question = posixpath.join(self._folder, pattern)
        found = self._look.matching(question)
        self._seen.append(Seen("matching", question, found))
        return sorted(posixpath.relpath(path, self._folder or ".") for path in found)

    def value(self, path: str) -> JsonValue | Missing:
        """Return the content of a JSON file, MISSING where there is none that can be read."""
        question = self._below(path)
        stamp = self._look.stamp(question)
        self._seen.append(Seen("stamp", question, stamp))
        return MISSING if stamp is None else self._read_value(question, stamp)

    def entries(self, folder: str = "") -> Sequence[Neighbour]:
        """Return all entries of a folder; () where it lies outside what may be looked at."""
        question = self._below(folder)
        found = self._look.entries(question)
        self._seen.append(Seen("entries", question, found))
        return found

    def _below(self, path: str) -> str:
        return posixpath.normpath(posixpath.join(self._folder, path))
