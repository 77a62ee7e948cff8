"""A report that takes a while: made in a thread of its own, which says how far it is."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from tempfile import TemporaryFile
from threading import Event, Lock, Thread
from typing import IO, Literal
from weakref import finalize

from evalcore.errors import EvaldeskError
from evalcore.report import ReportKind, Selection, write

LOG = logging.getLogger("evaldesk")
Stage = Literal["running", "ready", "stopped", "failed"]


class _Stopped(Exception):
    """Nobody wants the report any more."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a report is: ``done`` of ``total`` case results; ``size`` in bytes once it is ready.

    ``error`` is why it failed, None where that is a fault of ours, which the log has in full.
    """

    stage: Stage
    done: int
    total: int
    size: int = 0
    error: EvaldeskError | None = None

    @property
    def share(self) -> float:
        """Return how much is done, from 0 to 1."""
        return min(1.0, self.done / self.total) if self.total else 0.0


class Making:
    """Makes one report into a file without a name, which is gone when this is."""

    def __init__(self, kind: ReportKind, selection: Selection) -> None:
        self.kind = kind
        self.selection = selection
        self._progress = Progress("running", 0, selection.run.count(selection.query))
        self._stop = Event()
        self._lock = Lock()
        self._file: IO[bytes] = TemporaryFile()  # noqa: SIM115 - open for as long as this is
        finalize(self, self._file.close)
        self._thread = Thread(target=self._run, name="evaldesk-report", daemon=True)

    def start(self) -> Making:
        """Begin."""
        self._thread.start()
        return self

    def stop(self) -> None:
        """Give up what is not ready."""
        self._stop.set()

    def join(self, timeout: float | None = None) -> None:
        """Wait for the end, or for so many seconds."""
        self._thread.join(timeout)

    @property
    def now(self) -> Progress:
        """Return how far it is."""
        with self._lock:
            return self._progress

    def data(self) -> bytes:
        """Return the report; raises EvaldeskError where it is not ready."""
        if self.now.stage != "ready":
            raise EvaldeskError("This report is not ready", hint="Make it again.")
        with self._lock:
            self._file.seek(0)
            return self._file.read()

    def _run(self) -> None:
        try:
            write(self.kind, replace(self.selection, watch=self._watch), self._file)
            size = self._file.seek(0, 2)
            self._set(replace(self.now, stage="ready", size=size))
        except _Stopped:
            self._drop("stopped")
        except EvaldeskError as error:
            self._drop("failed", error)
        except OSError as error:
            told = f"The report cannot be written: {error.strerror or error}"
            self._drop("failed", EvaldeskError(told, hint="Is the server's disk full?"))
        except Exception:
            LOG.exception("unexpected error while a report was made")
            self._drop("failed")

    def _watch(self, done: int) -> None:
        if self._stop.is_set():
            raise _Stopped
        self._set(replace(self.now, done=done))

    def _drop(self, stage: Stage, error: EvaldeskError | None = None) -> None:
        self._file.close()
        self._set(replace(self.now, stage=stage, error=error))

    def _set(self, progress: Progress) -> None:
        with self._lock:
            self._progress = progress
