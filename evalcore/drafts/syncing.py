"""Work on the disk that nobody waits for: forcing what was written to it, keeping large copies."""

from __future__ import annotations

import atexit
import logging
import os
from collections.abc import Callable
from pathlib import Path
from threading import Condition, Thread

LOG = logging.getLogger("evaldesk")
LAST_SECONDS = 10.0


class Later:
    """One thread that does what it is told, in order; it starts with the first task.

    What fails is logged. When the program ends, it is given some seconds to finish.
    """

    def __init__(self) -> None:
        self._tasks: list[Callable[[], object]] = []
        self._syncs: set[Path] = set()
        self._change = Condition()
        self._is_busy = False
        self._thread: Thread | None = None

    def do(self, task: Callable[[], object]) -> None:
        """Do something as soon as all that came before is done."""
        with self._change:
            self._tasks.append(task)
            self._start()
            self._change.notify_all()

    def sync(self, place: Path) -> None:
        """Force what was written to a file to the disk; asked twice, it is done once."""
        with self._change:
            if place in self._syncs:
                return
            self._syncs.add(place)
        self.do(lambda: self._force(place))

    def settle(self, seconds: float | None = None) -> bool:
        """Wait until all is done; returns False if that takes longer than ``seconds``."""
        with self._change:
            return self._change.wait_for(lambda: not self._tasks and not self._is_busy, seconds)

    def _start(self) -> None:
        if self._thread is None:
            self._thread = Thread(target=self._run, name="evaldesk-drafts", daemon=True)
            self._thread.start()
            atexit.register(self.settle, LAST_SECONDS)

    def _run(self) -> None:
        while True:
            with self._change:
                self._change.wait_for(lambda: bool(self._tasks))
                task, self._is_busy = self._tasks.pop(0), True
            try:
                task()
            except Exception:
                LOG.exception("a draft could not be kept on disk")
            finally:
                with self._change:
                    self._is_busy = False
                    self._change.notify_all()

    def _force(self, place: Path) -> None:
        with self._change:
            self._syncs.discard(place)
        try:
            descriptor = os.open(place, os.O_RDWR)
        except FileNotFoundError:
            # It was saved or dropped meanwhile.
            return
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
