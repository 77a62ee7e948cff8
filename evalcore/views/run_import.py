"""Result files coming in as runs, in a thread of its own: those of a folder, and those dropped."""

from __future__ import annotations

import hashlib
import logging
import re
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from threading import Condition, Event, RLock, Thread
from typing import Literal

from evalcore.errors import DocumentError, EvaldeskError, Problem
from evalcore.formats.base import Kind
from evalcore.results import CaseResult
from evalcore.store import CaseFacts, Manifest, Place, RunStore, RunWriter, Status
from evalcore.store.importing import ID_LENGTH, import_file
from evalcore.store.writer import About, no_facts
from evalcore.views.dropped_files import DROPPED, dropped_folder, dropped_name, file_name
from evalcore.workspace import Entry, Workspace
from evalcore.workspace.discovery import Found, inside
from evalcore.workspace.entries import unreadable

LOG = logging.getLogger("evaldesk")
RESULT_NAMES = re.compile(r"result|report|output|eval_history|(^|/)runs?/", re.IGNORECASE)
MOST_TROUBLES = 200
Stage = Literal["idle", "running", "cancelled"]
Stamp = tuple[int, int]


class _Stopped(Exception):
    """Nobody wants the rest of this import."""


@dataclass(frozen=True, slots=True)
class Came:
    """What became of one file: the ids of its runs, or its problem.

    ``path`` is as the runs' source has it. ``set_aside`` says that its runs were deleted here.
    """

    path: str
    ids: tuple[str, ...] = ()
    problem: Problem | None = None
    is_new: bool = False
    set_aside: bool = False


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the import is: ``done`` of ``total`` files, ``path`` the one that is being read.

    ``results`` counts the case results of that file so far.
    """

    stage: Stage = "idle"
    done: int = 0
    total: int = 0
    path: str = ""
    results: int = 0

    @property
    def share(self) -> float:
        """How much is done, from 0 to 1."""
        return self.done / self.total if self.total else 1.0


@dataclass(frozen=True, slots=True)
class _Asked:
    """A file to read: in which folder, from when it is, and whether it is read anew."""

    path: str
    stamp: Stamp
    dropped: bool = False
    again: bool = False


class Intake:
    """The one import of a workspace's result files. All methods may be called from any thread.

    ``is_deleted`` says of the first part of a run's id that somebody deleted the runs of this file;
    ``on_new`` is called in the import's thread whenever a run has come in.
    """

    def __init__(
        self,
        workspace: Workspace,
        store: RunStore,
        is_deleted: Callable[[str], bool] = lambda _prefix: False,
        on_new: Callable[[], None] = lambda: None,
    ) -> None:
        self.workspace = workspace
        self._store = _Watched(store.place, self._appended)
        self._is_deleted = is_deleted
        self._on_new = on_new
        self._lock = RLock()
        self._changed = Condition(self._lock)
        self._waiting: deque[_Asked] = deque()
        self._came: dict[str, tuple[Stamp, Came]] = {}
        self._dropped: list[Came] = []
        self._now = Progress()
        self._stop = Event()
        self._thread: Thread | None = None
        self._uploads: Workspace | None = None

    @property
    def now(self) -> Progress:
        """How far it is."""
        with self._lock:
            return self._now

    @property
    def troubles(self) -> list[Came]:
        """Return the files that could not be read, by path."""
        with self._lock:
            found = [came for _, came in self._came.values() if came.problem is not None]
        return sorted(found, key=lambda came: came.path)[:MOST_TROUBLES]

    @property
    def set_aside(self) -> list[Came]:
        """Return the files whose runs were deleted here, by path."""
        with self._lock:
            found = [came for _, came in self._came.values() if came.set_aside]
        return sorted(found, key=lambda came: came.path)

    def look(self, entries: Iterable[Entry]) -> None:
        """Take in the result files among a workspace's entries that are new or have changed.

        Small files come first. Files that are gone are forgotten; their runs stay.
        """
        found = {e.path: e for e in entries if _is_result(e)}
        with self._lock:
            for path in [path for path in self._came if path not in found]:
                del self._came[path]
            queued = {(a.path, a.stamp) for a in self._waiting}
            fresh = []
            for entry in sorted(found.values(), key=lambda e: (e.size, e.path)):
                stamp = entry.modified_ns, entry.size
                known = self._came.get(entry.path)
                if known is not None and known[0] == stamp:
                    continue
                if entry.error is not None:
                    self._came[entry.path] = stamp, Came(entry.path, problem=entry.error)
                elif (entry.path, stamp) not in queued:
                    fresh.append(_Asked(entry.path, stamp))
            if self._now.stage == "cancelled":
                return
            self._add(fresh)

    def ask(self, path: str, *, again: bool = False) -> None:
        """Take in a file before all others; ``again`` reads anew what was imported before.

        Raises WorkspaceError or OSError where there is no such file.
        """
        _normal, place = inside(self.workspace.root, path)
        status = place.stat()
        with self._lock:
            stamp = status.st_mtime_ns, status.st_size
            known = self._came.get(path)
            if not again and known is not None and known[0] == stamp and not known[1].set_aside:
                return
            self._waiting = deque(a for a in self._waiting if a.path != path)
            self._add([_Asked(path, stamp, again=again)], first=True)

    def drop(self, files: Iterable[tuple[str, bytes]]) -> None:
        """Keep files that a user brought, each under its name, and take them in before all others.

        What became of them is told once by ``dropped``.
        """
        asked = []
        for name, data in files:
            try:
                asked.append(self._kept(name, data))
            except OSError as error:
                problem = unreadable(error, name)
                with self._lock:
                    self._dropped.append(Came(name, problem=problem))
        with self._lock:
            self._add(asked, first=True)

    def dropped(self) -> list[Came]:
        """Return what became of dropped files since this was last asked."""
        with self._lock:
            found, self._dropped = self._dropped, []
            return found

    def runs_of(self, path: str) -> Came | None:
        """Return what became of a file, None while that is not known."""
        with self._lock:
            known = self._came.get(path)
            return known[1] if known is not None else None

    def forget(self, paths: Iterable[str]) -> None:
        """Look at some files anew, the next time that somebody looks."""
        with self._lock:
            for path in paths:
                self._came.pop(path, None)

    def cancel(self) -> None:
        """Read no further file until somebody asks for one; what came in stays."""
        with self._lock:
            self._waiting.clear()
            self._stop.set()
            if self._now.stage == "running":
                self._now = replace(self._now, stage="cancelled")

    def resume(self) -> None:
        """Go on after ``cancel``, with the next look."""
        with self._lock:
            if self._now.stage == "cancelled":
                self._now = Progress()

    def join(self, timeout: float | None = None) -> bool:
        """Wait until there is nothing left to read; returns whether that is so."""
        with self._lock:
            return self._changed.wait_for(lambda: self._thread is None, timeout)

    def wait_for(self, path: str, timeout: float) -> Came | None:
        """Return what became of a file, after so many seconds None if that is not known yet."""
        with self._lock:
            self._changed.wait_for(lambda: path in self._came or self._thread is None, timeout)
            return self.runs_of(path)

    def _add(self, asked: Sequence[_Asked], *, first: bool = False) -> None:
        if not asked:
            return
        if first:
            self._waiting.extendleft(reversed(asked))
        else:
            self._waiting.extend(asked)
        total = self._now.total if self._now.stage == "running" else 0
        done = self._now.done if self._now.stage == "running" else 0
        self._now = replace(self._now, stage="running", done=done, total=total + len(asked))
        if self._thread is None:
            self._stop.clear()
            self._thread = Thread(target=self._work, name="evaldesk-intake", daemon=True)
            self._thread.start()

    def _work(self) -> None:
        home = _Sets(self.workspace)
        while True:
            with self._lock:
                if not self._waiting:
                    cancelled = self._stop.is_set()
                    self._now = replace(self._now, stage="cancelled") if cancelled else Progress()
                    self._thread = None
                    self._changed.notify_all()
                    return
                asked = self._waiting.popleft()
                self._stop.clear()
                self._now = replace(self._now, stage="running", path=asked.path, results=0)
            came = self._taken(asked, home)
            if came is not None and came.is_new:
                self._on_new()
            with self._lock:
                if came is not None:
                    self._remember(asked, came)
                self._now = replace(self._now, done=self._now.done + 1, path="")
                self._changed.notify_all()

    def _remember(self, asked: _Asked, came: Came) -> None:
        if asked.dropped:
            self._dropped.append(came)
        else:
            self._came[asked.path] = asked.stamp, came

    def _taken(self, asked: _Asked, home: Workspace) -> Came | None:
        """Import one file; None where that was stopped."""
        source = self._upload_place() if asked.dropped else self.workspace
        try:
            if not asked.again and not asked.dropped and self._was_deleted(asked.path):
                return Came(asked.path, set_aside=True)
            found = import_file(self._store, source, asked.path, again=asked.again, home=home)
        except _Stopped:
            self._clear_away(asked.path)
            return None
        except (EvaldeskError, DocumentError, OSError) as error:
            return self._failed(asked, error)
        except Exception as error:
            LOG.exception("unexpected error while %s was imported", asked.path)
            return self._failed(asked, error)
        return Came(asked.path, tuple(i.id for i in found), is_new=any(i.is_new for i in found))

    def _failed(self, asked: _Asked, error: Exception) -> Came:
        """Return a file's problem; a dropped one is not kept and goes by its own name."""
        problem = unreadable(error, asked.path)
        name = dropped_name(asked.path) if asked.dropped else None
        if name is None:
            return Came(asked.path, problem=problem)
        (self._upload_place().root / asked.path).unlink(missing_ok=True)
        message = problem.message.replace(asked.path, name)
        return Came(name, problem=replace(problem, message=message, path=name))

    def _was_deleted(self, path: str) -> bool:
        _normal, place = inside(self.workspace.root, path)
        with place.open("rb") as stream:
            return self._is_deleted(hashlib.file_digest(stream, "sha256").hexdigest()[:ID_LENGTH])

    def _appended(self) -> None:
        if self._stop.is_set():
            raise _Stopped
        with self._lock:
            self._now = replace(self._now, results=self._now.results + 1)

    def _clear_away(self, path: str) -> None:
        """Delete what a stopped import left behind."""
        for run_id in self._store.begun:
            try:
                if self._store.manifest(run_id).status is not Status.FINISHED:
                    self._store.delete(run_id)
            except EvaldeskError:
                LOG.warning("what a stopped import of %s left could not be deleted", path)

    def _kept(self, name: str, data: bytes) -> _Asked:
        """Write a dropped file below the hidden folder, in a folder of its own content."""
        root = self._upload_place().root
        digest = hashlib.sha256(data).hexdigest()[:8]
        path = f"{DROPPED}/{digest}/{file_name(name)}"
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
        status = place.stat()
        return _Asked(path, (status.st_mtime_ns, status.st_size), dropped=True)

    def _upload_place(self) -> Workspace:
        """Return the folder of dropped files: in the workspace, else one that ends with us."""
        with self._lock:
            if self._uploads is None:
                self._uploads = Workspace(dropped_folder(self.workspace.root))
            return self._uploads


class _Sets(Workspace):
    """A workspace in which only eval sets are found: the same ones for all files of one import.

    Each import looks for its set; thousands of result files beside it would be listed each time.
    """

    def __init__(self, of: Workspace) -> None:
        super().__init__(of.root)
        self._of = of
        self._sets: list[Found] | None = None

    def found(self, under: str = "") -> list[Found]:
        """Return the files of the eval sets that there were when this was first asked."""
        if self._sets is None:
            known = {e.path for e in self._of.entries() if e.kind is Kind.EVAL_SET}
            self._sets = [found for found in self._of.found() if found.path in known]
        return [found for found in self._sets if found.path.startswith(under)]

    def entry(self, path: str) -> Entry:
        """Return what is known of a file."""
        return self._of.entry(path)


class _Watched(RunStore):
    """A store that tells of every case result that is written, and which runs were begun."""

    def __init__(self, place: Place, appended: Callable[[], None]) -> None:
        super().__init__(place)
        self._appended = appended
        self.begun: list[str] = []

    def writer(self, manifest: Manifest, about: About = no_facts) -> RunWriter:
        """Return a writer that tells of its results."""
        self.begun = [manifest.id]

        def watched(case: CaseResult) -> CaseFacts:
            self._appended()
            return about(case)

        return super().writer(manifest, watched)


def _is_result(entry: Entry) -> bool:
    if entry.error is not None:
        return RESULT_NAMES.search(entry.path) is not None
    return entry.kind is Kind.RESULT
