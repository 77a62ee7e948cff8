"""A workspace: one folder, the eval files in it, and reading them without ever leaving it."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from evalcore.errors import EvaldeskError, WorkspaceError
from evalcore.formats import by_id
from evalcore.formats.base import Detection, Kind
from evalcore.workspace.discovery import Found, Stamp, inside, stamp_of
from evalcore.workspace.entries import (
    Entry,
    Examined,
    Title,
    examine,
    recognised,
    title_of,
    unreadable,
)
from evalcore.workspace.folder import Folder, OpenFile
from evalcore.workspace.nearby import Look, Nearby, Seen
from evalcore.workspace.nearest import Runs

if TYPE_CHECKING:
    from evalcore.model import Evaluator

__all__ = ["Entry", "Examined", "OpenFile", "Workspace"]

LARGE = 2_000_000
"""Bytes from which a file is listed by a sketch of it, and not checked until it is opened."""


@dataclass(frozen=True, slots=True)
class _Remembered:
    """What was made of a file with a stamp, while its surroundings looked like ``seen``."""

    stamp: Stamp
    seen: tuple[Seen, ...]
    entry: Entry | None


class Workspace(Folder):
    """A folder with a library of its eval files.

    Files are read again only when their time, size or surroundings have changed.
    """

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self._known: dict[str, _Remembered] = {}

    def entries(self, under: str = "") -> list[Entry]:
        """Return every file that a format knows, and those of ours that cannot be read, by path.

        Ordinary JSON is left out, and so is broken JSON unless its name, its folder or its first
        bytes show that it is an eval file.
        """
        with self._lock:
            look = Look(self.root)
            met = self.found(under)
            if not under:
                self._forget(met)
            listed = [self._entry(found, look) for found in met]
        return [entry for entry in listed if entry is not None]

    def eval_sets(self) -> list[Entry]:
        """Return the eval sets, by path, with the unreadable files among them."""
        return [e for e in self.entries() if e.kind is Kind.EVAL_SET or e.error is not None]

    def results(self) -> list[Entry]:
        """Return the result files that can be read, by path."""
        return [e for e in self.entries() if e.kind is Kind.RESULT]

    def entry(self, path: str) -> Entry:
        """Return one file's entry; raises WorkspaceError for a file that is no eval file."""
        normal, place = inside(self.root, path)
        try:
            found = Found(normal, stamp_of(place))
        except OSError as error:
            found = Found(normal, None, error)
        with self._lock:
            entry = self._entry(found, Look(self.root))
        if entry is None:
            raise WorkspaceError(
                f"{normal!r} is no eval file of any known format",
                hint="Open an eval set, an evaluator, a criteria file or a result file.",
            )
        return entry

    def evaluator_files_of(self, path: str) -> tuple[str, ...]:
        """Return the files of the evaluators and criteria that apply to an eval set."""
        of = self.entry(path)
        if of.detection is None:
            return ()
        system = by_id(of.detection.format_id)
        beside = system.evaluator_files(self.seen_as(of.path), self.near(of.path))
        folder = posixpath.dirname(of.path)
        return tuple(posixpath.normpath(posixpath.join(folder, name)) for name in beside)

    def evaluators_of(self, path: str) -> tuple[Evaluator, ...]:
        """Return the evaluators that the eval set's own system would apply, in their files' order.

        Files that cannot be read are left out here: each has an entry with its problem.
        """
        found: list[Evaluator] = []
        for name in self.evaluator_files_of(path):
            try:
                opened = self.open(name)
                kind = opened.detection.kind if opened.detection else None
                if opened.format and opened.detection and kind in (Kind.EVALUATOR, Kind.CRITERIA):
                    found += opened.format.read_evaluators(opened.document.value, opened.detection)
            except EvaldeskError:
                continue
        return tuple(found)

    def results_of(self, path: str) -> list[Entry]:
        """Return the result files with runs of an eval set, the latest first.

        A run belongs to the set whose id or name it gives; of several sets to the nearest. Those of
        the set's own project come before others.
        """
        of, entries = self.entry(path), self.entries()
        sets = [e for e in entries if e.kind is Kind.EVAL_SET]
        return Runs(sets, (e for e in entries if e.kind is Kind.RESULT)).of(of.path)

    def _entry(self, found: Found, look: Look) -> Entry | None:
        if found.stamp is None:
            return self._broken(found, found.failure or FileNotFoundError(found.path))
        known = self._known.get(found.path)
        if known and known.stamp == found.stamp and all(map(look.still_holds, known.seen)):
            return known.entry
        try:
            data = self.read(found.path)
        except (OSError, WorkspaceError) as error:
            return self._broken(found, error)
        near = Nearby(look, found.path, self._value)
        entry = self._made(found, data, near)
        self._known[found.path] = _Remembered(found.stamp, near.seen, entry)
        return entry

    def _made(self, found: Found, data: bytes, near: Nearby) -> Entry | None:
        try:
            detection, title, seen = self._understood(found.path, data, near)
        except Exception as error:
            # Even a fault of a format costs one row, with its problem, never the whole list.
            return self._broken(found, error, data)
        return None if detection is None else _entry(found, detection, title, seen)

    def _understood(
        self, path: str, data: bytes, near: Nearby
    ) -> tuple[Detection | None, Title, Examined | None]:
        if len(data) > LARGE:
            from evalcore.workspace.sketch import sketch

            drawn = sketch(data)
            if drawn is not None:
                detection = recognised(drawn.value, self.seen_as(path))
                title = title_of(drawn.value, detection, path, max(drawn.lengths.values()))
                return detection, title, None
        seen = examine(data, path, self.seen_as(path), near)
        return seen.detection, title_of(seen.document.value, seen.detection, path), seen

    def _broken(self, found: Found, error: Exception, data: bytes = b"") -> Entry | None:
        if not found.is_folder and not self.looks_like_ours(found.path, data):
            return None
        problem = unreadable(error, found.path)
        return Entry(
            path=found.path,
            detection=None,
            id=None,
            name=posixpath.basename(found.path),
            case_count=None,
            problems=(problem,),
            size=found.stamp.size if found.stamp else 0,
            modified_ns=found.stamp.modified_ns if found.stamp else 0,
            error=problem,
        )

    def _forget(self, met: list[Found]) -> None:
        present = {found.path for found in met}
        for path in [path for path in self._known if path not in present]:
            del self._known[path]


def _entry(found: Found, detection: Detection, title: Title, seen: Examined | None) -> Entry:
    stamp = found.stamp or Stamp(0, 0, 0)
    return Entry(
        path=found.path,
        detection=detection,
        id=title.id,
        name=title.name,
        case_count=title.case_count,
        problems=seen.problems if seen else (),
        size=stamp.size,
        modified_ns=stamp.modified_ns,
        is_checked=seen is not None,
        set_refs=title.set_refs,
        recorded_at=title.recorded_at,
    )
