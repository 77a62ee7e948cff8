"""Where the journals of one workspace's drafts lie, and the versions of files they started from.

They lie in the workspace itself (``.evaldesk/drafts``, which tells git to leave it alone), so that
every server of that workspace finds them; where it cannot be written, in the user's own state
folder. Those that lie in the other of the two places are taken over. ``EVALDESK_STATE`` names
another place for both.
"""

from __future__ import annotations

import hashlib
import logging
import os
import zlib
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from threading import RLock
from time import time
from typing import TYPE_CHECKING

from evalcore.drafts.adopting import take_over
from evalcore.drafts.journal import VERSION, Journal
from evalcore.drafts.records import read_lines
from evalcore.drafts.steps import Record
from evalcore.drafts.syncing import Later
from evalcore.files import Revision, revision_of

if TYPE_CHECKING:
    from filelock import BaseFileLock

LOG = logging.getLogger("evaldesk")
PIECE = 1 << 20
SMALL = 100_000
"""Bytes of a file up to which a copy of it is made before an edit returns."""
BASE_SECONDS = 30.0
"""How long a version may take to be written, and is kept although no draft names it yet."""
ENDING = ".draft"
ASIDE = ".unreadable"
Seen = tuple[int, int]


class Shelf:
    """The drafts of one workspace on disk. All methods may be called from several threads.

    Nothing is made on disk before ``journal`` is asked for a draft to be written.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.folder, earlier = _folders_of(root)
        if earlier is not None:
            take_over(earlier, self.folder)
        self._lock = RLock()
        self._later = Later()
        self._heads: dict[str, tuple[Seen, str | None]] = {}
        self._reports: dict[str, list[str]] = {}

    def journal(self, owner: str, path: str) -> Journal:
        """Return the journal of an owner's draft of a file, which need not exist."""
        name = f"{_hashed('owner', owner)}-{_hashed('path', path)}{ENDING}"
        return Journal(self.folder / name, self._later.sync)

    def prepare(self) -> None:
        """Make the folder, readable by its owner alone; raises OSError."""
        if self.folder.is_dir():
            return
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        ignore = self.folder / ".gitignore"
        if not ignore.exists():
            ignore.write_text("*\n", encoding="ascii")

    def unsaved(self, owner: str) -> list[str]:
        """Return the paths of the files of which an owner's journals hold unsaved edits, sorted."""
        start = _hashed("owner", owner) + "-"
        with self._lock:
            found = [self._unsaved_path(owner, entry) for entry in self._entries(start)]
        return sorted(path for path in found if path is not None)

    def drop(self, owner: str, path: str) -> bool:
        """Delete an owner's draft of a file; returns whether there was one. Raises OSError."""
        journal = self.journal(owner, path)
        if not journal.has_news():
            return False
        with journal.held():
            journal.pull()
            journal.end("dropped")
        self.tidy()
        return True

    def set_aside(self, owner: str, place: Path, why: str, data: bytes | None = None) -> None:
        """Move a journal out of the way, or keep ``data`` of it, and report that to its owner."""
        numbered = (place.with_name(f"{place.name}{ASIDE}-{n}") for n in count(1))
        aside = next(p for p in numbered if not p.exists())
        try:
            if data is None:
                place.rename(aside)
            else:
                aside.write_bytes(data)
        except OSError as error:
            LOG.warning("the draft %s stays where it is: %s", place, error)
            aside = place
        self.report(owner, f"{why} What was written down is kept in {str(aside)!r}.")

    def report(self, owner: str, message: str) -> None:
        """Remember, once, what an owner must be told of the drafts on disk."""
        with self._lock:
            told = self._reports.setdefault(owner, [])
            if message not in told:
                LOG.warning("%s", message)
                told.append(message)

    def reports(self, owner: str) -> tuple[str, ...]:
        """Return what an owner must be told."""
        with self._lock:
            return tuple(self._reports.get(owner, ()))

    def dismiss(self, owner: str) -> None:
        """Forget what an owner was told."""
        with self._lock:
            self._reports.pop(owner, None)

    def keep_base(self, revision: Revision, data: bytes) -> None:
        """Keep the version of a file that a draft started from: a large one in the background.

        Raises OSError where a small one cannot be written.
        """
        if len(data) <= SMALL:
            self._write_base(revision, data)
        else:
            self._later.do(lambda: self._write_base(revision, data))

    def base(self, revision: Revision) -> bytes | None:
        """Return a kept version of a file, None if there is none that is whole."""
        try:
            data = zlib.decompress(self._base(revision).read_bytes())
        except (OSError, zlib.error):
            return None
        return data if revision_of(data) == revision else None

    def tidy(self) -> None:
        """Forget, in the background, the older versions that no draft on disk starts from."""
        self._later.do(self._drop_bases)

    def settle(self) -> None:
        """Wait until all that was put off is done."""
        self._later.settle()

    def _entries(self, start: str) -> Iterator[os.DirEntry[str]]:
        try:
            with os.scandir(self.folder) as listing:
                yield from (e for e in listing if e.name.startswith(start) and _is_draft(e.name))
        except FileNotFoundError:
            return

    def _unsaved_path(self, owner: str, entry: os.DirEntry[str]) -> str | None:
        """Return the path that a journal is of if its last record leaves something unsaved."""
        try:
            status = entry.stat()
            seen = (status.st_mtime_ns, status.st_size)
            known = self._heads.get(entry.name)
            if known is not None and known[0] == seen:
                return known[1]
            records = read_lines(Path(entry.path).read_bytes()).records
        except FileNotFoundError:
            return None
        except OSError as error:
            self.report(owner, f"A draft on disk cannot be read: {entry.path}: {error.strerror}.")
            return None
        path = _path_of(records)
        if path is None:
            why = "A draft on disk cannot be read: this Evaldesk does not know how it is written."
            self.set_aside(owner, Path(entry.path), why)
            return None
        is_unsaved = records[-1].get("clean") is not True and "end" not in records[-1]
        self._heads[entry.name] = (seen, path if is_unsaved else None)
        return path if is_unsaved else None

    def _base(self, revision: Revision) -> Path:
        return self.folder / f"{revision}.base"

    def _write_base(self, revision: Revision, data: bytes) -> None:
        place = self._base(revision)
        new = place.with_name(f"{place.name}.{os.urandom(4).hex()}.tmp")
        packer = zlib.compressobj(1)
        with self._bases_held():
            if place.exists():
                # A server that is about to drop it sees that it has just been asked for.
                place.touch()
                return
            with new.open("xb") as file:
                for at in range(0, len(data), PIECE):
                    file.write(packer.compress(data[at : at + PIECE]))
                file.write(packer.flush())
                file.flush()
                os.fsync(file.fileno())
            new.replace(place)

    def _drop_bases(self) -> None:
        if not self.folder.is_dir():
            return
        with self._bases_held():
            # What a server that stopped half-way left behind; no other one is writing now.
            for place in self.folder.glob("*.base.*.tmp"):
                place.unlink(missing_ok=True)
            used = {self._base_of(entry) for entry in self._entries("")}
            for place in self.folder.glob("*.base"):
                age = time() - place.stat().st_mtime
                if place.stem not in used and age > BASE_SECONDS:
                    place.unlink(missing_ok=True)

    def _base_of(self, entry: os.DirEntry[str]) -> str | None:
        with suppress(OSError), Path(entry.path).open("rb") as file:
            records = read_lines(file.readline()).records
            return str(records[0].get("base")) if records else None
        return None

    def _bases_held(self) -> BaseFileLock:
        """Return what keeps other servers from writing and dropping bases meanwhile."""
        from filelock import FileLock

        return FileLock(self.folder / "bases.lock", timeout=BASE_SECONDS)


def _is_draft(name: str) -> bool:
    return name.endswith(ENDING)


def _path_of(records: list[Record]) -> str | None:
    header = records[0] if records else {}
    path = header.get("path")
    return path if header.get("draft") == VERSION and isinstance(path, str) else None


def _folders_of(root: Path) -> tuple[Path, Path | None]:
    """Return where drafts are kept, and where they were when that was not (or still) possible."""
    named = os.environ.get("EVALDESK_STATE", "")
    if named:
        return Path(named).expanduser() / "drafts" / _hashed("root", str(root)), None
    from platformdirs import user_state_path

    own = root / ".evaldesk" / "drafts"
    other = user_state_path("evaldesk", appauthor=False) / "drafts" / _hashed("root", str(root))
    if _is_ours(root, own):
        return own, other
    is_linked = own.is_symlink() or own.parent.is_symlink()
    return other, None if is_linked else own


def _is_ours(root: Path, own: Path) -> bool:
    """Return whether drafts can be kept in the workspace: no link may lead them out of it."""
    if own.is_symlink() or own.parent.is_symlink():
        return False
    nearest = next(p for p in (own, own.parent, root) if p.exists())
    return nearest.is_dir() and os.access(nearest, os.W_OK)


def _hashed(of: str, text: str) -> str:
    """Return a short name that does not tell the text: the cookie of a browser is its key."""
    data = f"evaldesk {of} {text}".encode("utf-8", "surrogatepass")
    return hashlib.sha256(data).hexdigest()[:20]
