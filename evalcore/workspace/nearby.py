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


LookKind = Literal["matching", "stamp", "entries"]
Answer = tuple[str, ...] | tuple[Neighbour, ...] | Stamp | None


@dataclass(frozen=True, slots=True)
class Seen:
    """One look at the surroundings and what was there: the answer that ``Look`` gave to it."""

    kind: LookKind
    question: str
    answer: Answer


class Look:
    """One look at a workspace: each folder is listed and each file stamped at most once.

    Make a new one for every question that should see the disk as it is now.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._folders: dict[str, dict[str, bool]] = {}
        self._stamps: dict[str, Stamp | None] = {}
        self._matches: dict[str, tuple[str, ...]] = {}
        self._relative: dict[tuple[str, str], tuple[str, ...]] = {}
        self._entries: dict[str, tuple[Neighbour, ...]] = {}
        self._compared: dict[tuple[str, str], tuple[Answer, bool]] = {}

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
        if pattern not in self._matches:
            self._matches[pattern] = self._all_matching(pattern)
        return self._matches[pattern]

    def matching_from(self, folder: str, pattern: str) -> tuple[str, ...]:
        """Return what a pattern names, seen from a folder: both sides relative to it, sorted."""
        asked = folder, pattern
        if asked not in self._relative:
            found = self.matching(posixpath.join(folder, pattern))
            start = folder or "."
            self._relative[asked] = tuple(sorted(posixpath.relpath(p, start) for p in found))
        return self._relative[asked]

    def _all_matching(self, pattern: str) -> tuple[str, ...]:
        parts = posixpath.normpath(pattern).split("/")
        if parts[0] in ("..", "") or pattern.startswith("/"):
            return ()
        found = self._matching("", parts)
        return tuple(sorted(set(found)))

    def still_holds(self, seen: Seen) -> bool:
        """Return whether an earlier look would see the same again."""
        # The files of one folder share most of what they saw, and it is compared once.
        asked = seen.kind, seen.question
        before, held = self._compared.get(asked, (None, False))
        if before is None or before is not seen.answer:
            before, held = seen.answer, self._sees_again(seen)
            self._compared[asked] = before, held
        return held

    def _sees_again(self, seen: Seen) -> bool:
        if seen.kind == "matching":
            return self.matching(seen.question) == seen.answer
        if seen.kind == "entries":
            return self.entries(seen.question) == seen.answer
        return self.stamp(seen.question) == seen.answer

    def entries(self, folder: str) -> tuple[Neighbour, ...]:
        """Return all entries of a visible folder, hidden ones and links included, by name."""
        if folder not in self._entries:
            self._entries[folder] = self._all_entries(folder)
        return self._entries[folder]

    def _all_entries(self, folder: str) -> tuple[Neighbour, ...]:
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
        self._seen: dict[tuple[str, str], Seen] = {}
        self._paths: dict[str, str] = {}

    @property
    def seen(self) -> tuple[Seen, ...]:
        """Return every look so far, for asking later whether it would still see the same."""
        return tuple(self._seen.values())

    def glob(self, pattern: str) -> Sequence[str]:
        """Return the matching paths, relative to the file's folder, sorted."""
        question = posixpath.join(self._folder, pattern)
        self._note("matching", question, self._look.matching(question))
        return list(self._look.matching_from(self._folder, pattern))

    def value(self, path: str) -> JsonValue | Missing:
        """Return the content of a JSON file, MISSING where there is none that can be read."""
        question = self._below(path)
        stamp = self._look.stamp(question)
        self._note("stamp", question, stamp)
        return MISSING if stamp is None else self._read_value(question, stamp)

    def entries(self, folder: str = "") -> Sequence[Neighbour]:
        """Return all entries of a folder; () where it lies outside what may be looked at."""
        question = self._below(folder)
        found = self._look.entries(question)
        self._note("entries", question, found)
        return found

    def _below(self, path: str) -> str:
        if path not in self._paths:
            self._paths[path] = posixpath.normpath(posixpath.join(self._folder, path))
        return self._paths[path]

    def _note(self, kind: LookKind, question: str, answer: Answer) -> None:
        if (kind, question) not in self._seen:
            self._seen[kind, question] = Seen(kind, question, answer)
