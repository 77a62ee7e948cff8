"""The journal of one draft on disk: what was done, record by record, as it was done.

A draft's journal is the truth about it that all servers share which one browser reaches: each of
them follows what others have added before it adds something itself. A record is handed to the
system before an edit returns, so that it outlives the process; it is forced to the disk soon after.

The first record names the draft. A journal that is put together anew keeps that name; the last
record of one that was saved or dropped says so to those who still have the file open.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Literal

from evalcore.drafts.records import Lines, line, read_lines
from evalcore.drafts.steps import Record

VERSION = 1
LOCK_SECONDS = 5.0
LOCK_POLL_SECONDS = 0.005
LARGEST = 8_000_000
"""Bytes from which a journal is put together anew, if it has grown to twice its size since."""

Ending = Literal["saved", "dropped"]
News = Literal["nothing", "more", "anew", "lost", "ended"]


@dataclass(frozen=True, slots=True)
class Pulled:
    """What a journal says that was not known yet.

    *more* records to do; all the records of a draft that is to be read *anew*; a file that is
    *lost*, because somebody deleted it; a draft that was *ended*, or replaced by another one.
    ``damaged`` are the bytes of a file of which only the start could be read, None for a sound one.
    """

    news: News
    records: list[Record] = field(default_factory=list)
    damaged: bytes | None = None


class Journal:
    """One draft's file. Call ``pull``, ``append``, ``rewrite`` and ``end`` only while ``held``.

    All but ``held`` and ``close`` raise OSError where the disk refuses.
    """

    def __init__(self, place: Path, sync: Callable[[Path], None] = lambda _place: None) -> None:
        self.place = place
        self.header: Record | None = None
        self._sync = sync
        self._file: BinaryIO | None = None
        self._size = 0
        self._packed_size = 0

    def __del__(self) -> None:
        self.close()

    @property
    def is_begun(self) -> bool:
        """Return whether there is a file that says all that is known of the draft."""
        return self._file is not None

    @property
    def is_long(self) -> bool:
        """Return whether putting the journal together anew would make it much shorter."""
        return self._size > max(LARGEST, 2 * self._packed_size)

    def has_news(self) -> bool:
        """Return whether ``pull`` may find anything; does not wait for others."""
        try:
            there = self.place.stat()
        except FileNotFoundError:
            return self._file is not None
        if self._file is None:
            return True
        here = os.fstat(self._file.fileno())
        return here.st_size != self._size or not os.path.samestat(here, there)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep other servers from the folder's journals; raises OSError where that takes long."""
        from filelock import FileLock, Timeout

        lock = FileLock(
            self.place.with_name("lock"), timeout=LOCK_SECONDS, poll_interval=LOCK_POLL_SECONDS
        )
        try:
            lock.acquire()
        except Timeout as error:
            raise TimeoutError("another program holds the drafts of this folder") from error
        try:
            yield
        finally:
            lock.release()

    def pull(self) -> Pulled:
        """Read what was written since, by whomever."""
        if self._file is None:
            return self._opened()
        found = self._read_on()
        if found.news == "ended" or self._is_in_place():
            return found
        name = self.header["id"] if self.header else None
        self.close()
        again = self._opened()
        if again.news == "nothing":
            return Pulled("lost")
        return again if self.header and self.header["id"] == name else Pulled("ended")

    def append(self, record: Record) -> None:
        """Add one record behind all others."""
        if self._file is None:
            raise ValueError("a journal is begun by rewriting it")
        self._write(line(record))

    def rewrite(self, header: Record, records: Iterable[Record]) -> None:
        """Put another file in place of the journal; until it is complete the old one stays."""
        data = b"".join(map(line, ({"draft": VERSION, **header}, *records)))
        new = self.place.with_name(f"{self.place.name}.{os.urandom(4).hex()}.tmp")
        try:
            descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
            self.close()
            new.replace(self.place)
        except BaseException:
            new.unlink(missing_ok=True)
            raise
        self._file = self.place.open("r+b", buffering=0)
        self.header = {"draft": VERSION, **header}
        self._size = self._packed_size = len(data)
        self._sync(self.place)

    def end(self, how: Ending) -> None:
        """Say how the draft ended, to those who follow it, and delete the file."""
        if self._file is not None:
            self._write(line({"end": how}))
        self.close()
        self.place.unlink(missing_ok=True)

    def close(self) -> None:
        """Let go of the file; what is known of it is forgotten."""
        if self._file is not None:
            self._file.close()
        self._file, self._size = None, 0

    def _opened(self) -> Pulled:
        try:
            self._file = self.place.open("r+b", buffering=0)
        except FileNotFoundError:
            return Pulled("nothing")
        data = self._file.read()
        found = read_lines(data)
        self._size = self._packed_size = found.size
        header = found.records[0] if found.records else {}
        if header.get("draft") != VERSION:
            self.close()
            raise UnknownJournal(_what_is_odd(header))
        if "end" in found.records[-1]:
            # Its writer could not delete the file while another one had it open.
            self.close()
            self.place.unlink(missing_ok=True)
            return Pulled("nothing")
        self.header = header
        if not found.is_damaged:
            # The torn record of a server that crashed; nobody else writes while this one reads.
            self._file.truncate(found.size)
        damaged = data if found.is_damaged else None
        return Pulled("anew", found.records[1:], damaged)

    def _read_on(self) -> Pulled:
        file = self._open_file()
        if os.fstat(file.fileno()).st_size == self._size:
            return Pulled("nothing")
        file.seek(self._size)
        found: Lines = read_lines(file.read())
        self._size += found.size
        file.truncate(self._size)
        if found.records and "end" in found.records[-1]:
            self.close()
            return Pulled("ended")
        return Pulled("more", found.records) if found.records else Pulled("nothing")

    def _is_in_place(self) -> bool:
        try:
            there = self.place.stat()
        except FileNotFoundError:
            return False
        return os.path.samestat(there, os.fstat(self._open_file().fileno()))

    def _write(self, data: bytes) -> None:
        file = self._open_file()
        file.seek(self._size)
        written = 0
        while written < len(data):
            written += file.write(data[written:]) or 0
        file.truncate()
        self._size += len(data)
        self._sync(self.place)

    def _open_file(self) -> BinaryIO:
        if self._file is None:
            raise ValueError("the journal is closed")
        return self._file


class UnknownJournal(ValueError):
    """A file in a journal's place that is none, or one of another version."""


def _what_is_odd(header: Record) -> str:
    if "draft" in header:
        return f"another version of Evaldesk wrote it ({header['draft']!r})"
    return "it does not begin as a draft does"
