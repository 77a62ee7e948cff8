"""Reading the files of one folder without ever leaving it."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path, PurePath
from threading import RLock

from evalcore import files, formats
from evalcore.errors import EvaldeskError, WorkspaceError
from evalcore.files import Revision
from evalcore.formats.base import Detection, Format, Surroundings
from evalcore.formats.marks import holds_our_keys, is_named_like_ours
from evalcore.jsondoc import JsonDocument
from evalcore.jsontree import MISSING, JsonValue, Missing
from evalcore.workspace.discovery import Found, Stamp, inside, stamp_of, walk
from evalcore.workspace.entries import Examined, examine, recognised
from evalcore.workspace.nearby import Look, Nearby

HEAD = 4096
LARGEST_NEIGHBOUR = 1_000_000
"""Bytes up to which the value of a neighbour is kept in memory."""
KEPT_BYTES = 32_000_000
"""Bytes of neighbours whose values are kept; those not asked for the longest go first."""


@dataclass(frozen=True, slots=True)
class OpenFile:
    """A file as it was when it was opened; ``format`` and ``detection`` are None together.

    ``revision`` is None for a file that is not there yet: saving makes it, if nobody else has.
    """

    path: str
    document: JsonDocument
    revision: Revision | None
    detection: Detection | None
    format: Format | None
    stamp: Stamp | None = None
    """The file's stamp when it was read: while it is the same, nobody has written to the file."""


class Folder:
    """The files below one folder. One object may be shared by any number of threads.

    Paths are relative to ``root``, which is resolved, with "/". Raises WorkspaceError if ``root``
    is no folder.
    """

    def __init__(self, root: Path) -> None:
        self.root = _existing(root)
        self._lock = RLock()
        self._values: OrderedDict[str, tuple[Stamp, JsonValue | Missing]] = OrderedDict()
        self._kept_bytes = 0
        self._revisions: dict[str, tuple[Stamp, Revision]] = {}

    def found(self, under: str = "") -> list[Found]:
        """Return the files below a folder that may be eval files, sorted by path; reads none.

        Folders that cannot be listed are among them if ``under`` or their names are ours.
        """
        patterns = [name for f in _formats() for name in f.file_names]

        def wanted(name: str) -> bool:
            low = name.lower()
            return low.endswith(".json") or any(fnmatchcase(low, p.lower()) for p in patterns)

        def matters(found: Found) -> bool:
            asked_for = found.path == (under or ".")
            return not found.is_folder or asked_for or is_named_like_ours(PurePath(found.path, "x"))

        met = walk(self.root, "" if under == "." else under, wanted)
        return sorted(filter(matters, met), key=lambda f: f.path)

    def read(self, path: str) -> bytes:
        """Return the content of an ordinary file; raises WorkspaceError or OSError."""
        _normal, place = inside(self.root, path)
        stamp_of(place)
        return files.read_bytes(place)

    def open(self, path: str) -> OpenFile:
        """Read one file, whatever it is; raises WorkspaceError or DocumentError."""
        normal, place = inside(self.root, path)
        stamp = _stamp(place)
        return self.opened(normal, files.read_bytes(place), stamp)

    def opened(self, path: str, data: bytes, stamp: Stamp | None = None) -> OpenFile:
        """Return a file whose content is known already, because it was just read or written."""
        document = JsonDocument.parse(data)
        detection = recognised(document.value, self.seen_as(path))
        known = formats.by_id(detection.format_id) if detection else None
        return OpenFile(path, document, files.revision_of(data), detection, known, stamp)

    def is_current(self, opened: OpenFile) -> bool:
        """Return whether the file on disk is still what was opened; False if it is gone."""
        try:
            _path, place = inside(self.root, opened.path)
            stamp = _stamp(place)
            if opened.stamp is not None and opened.stamp == stamp:
                return True
            return self._revision(opened.path, place, stamp) == opened.revision
        except WorkspaceError:
            return False

    def _revision(self, path: str, place: Path, stamp: Stamp | None) -> Revision | None:
        """Return the revision of a file on disk, computed again once its stamp has changed."""
        known = self._revisions.get(path)
        if stamp is not None and known is not None and known[0] == stamp:
            return known[1]
        found = files.current_revision(place)
        if stamp is not None and found is not None:
            self._revisions[path] = (stamp, found)
        return found

    def examine(self, path: str, look: Look | None = None) -> Examined:
        """Read, recognise and fully check a file; raises OSError, WorkspaceError, DocumentError."""
        return self.examine_bytes(path, self.read(path), look)

    def examine_bytes(self, path: str, data: bytes, look: Look | None = None) -> Examined:
        """Recognise and fully check the content of a file; raises DocumentError."""
        near = Nearby(look or Look(self.root), path, self._value)
        return examine(data, path, self.seen_as(path), near)

    def near(self, path: str) -> Surroundings:
        """Return what lies beside a file, inside the workspace, as it is now."""
        normal, _place = inside(self.root, path)
        return Nearby(Look(self.root), normal, self._value)

    def seen_as(self, path: str) -> PurePath:
        """Return the path by whose names formats recognise a file.

        It starts two folders above the root, so that a set in ``evals/`` is known for what it is
        when the workspace is ``evals/`` itself.
        """
        return PurePath(*self.root.parts[1:][-2:], path)

    def looks_like_ours(self, path: str, data: bytes = b"") -> bool:
        """Return whether a file that no format can read seems to be an eval file all the same."""
        if is_named_like_ours(self.seen_as(path)):
            return True
        hallmarks = [mark for f in _formats() for mark in f.hallmarks]
        return holds_our_keys(data[:HEAD], hallmarks)

    def _value(self, path: str, stamp: Stamp) -> JsonValue | Missing:
        with self._lock:
            known = self._values.get(path)
            if known is not None and known[0] == stamp:
                self._values.move_to_end(path)
                return known[1]
        value: JsonValue | Missing
        try:
            value = JsonDocument.parse(self.read(path)).value
        except (OSError, EvaldeskError):
            # The neighbour has an entry of its own, which says what is wrong with it.
            value = MISSING
        if stamp.size <= LARGEST_NEIGHBOUR:
            self._keep(path, stamp, value)
        return value

    def _keep(self, path: str, stamp: Stamp, value: JsonValue | Missing) -> None:
        with self._lock:
            replaced = self._values.pop(path, None)
            self._kept_bytes += stamp.size - (replaced[0].size if replaced else 0)
            self._values[path] = (stamp, value)
            while self._kept_bytes > KEPT_BYTES:
                _path, (oldest, _value) = self._values.popitem(last=False)
                self._kept_bytes -= oldest.size


def _formats() -> tuple[Format, ...]:
    return (*formats.built_in(), *formats.plugged_in())


def _stamp(place: Path) -> Stamp | None:
    try:
        return stamp_of(place)
    except OSError:
        # Whoever reads the file next says what is wrong with it.
        return None


def _existing(root: Path) -> Path:
    try:
        resolved = root.expanduser().resolve(strict=True)
        if resolved.is_dir():
            return resolved
        raise NotADirectoryError(f"{root} is a file")
    except (OSError, RuntimeError) as error:
        raise WorkspaceError(
            f"There is no folder {str(root)!r}", hint="Name a folder that exists."
        ) from error
