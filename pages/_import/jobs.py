"""Which file each owner is importing; it stays through page switches and reloads."""

from __future__ import annotations

from collections import OrderedDict
from functools import lru_cache
from threading import RLock

from evalcore.views.importing import ImportJob
from pages._ui import state

MOST = 16
"""How many owners' files are kept; the one not looked at for the longest goes first."""


class Jobs:
    """One import for each owner. All methods may be called from several threads."""

    def __init__(self) -> None:
        self._lock = RLock()
        self._jobs: OrderedDict[str, ImportJob] = OrderedDict()

    def get(self, owner: str) -> ImportJob | None:
        """Return an owner's import, None if there is none."""
        with self._lock:
            if owner in self._jobs:
                self._jobs.move_to_end(owner)
            return self._jobs.get(owner)

    def put(self, owner: str, job: ImportJob | None) -> None:
        """Start, or with None forget, an owner's import."""
        with self._lock:
            self._jobs.pop(owner, None)
            if job is not None:
                self._jobs[owner] = job
            while len(self._jobs) > MOST:
                self._jobs.popitem(last=False)


@lru_cache(maxsize=1)
def all_jobs() -> Jobs:
    """Return the imports of all owners of this server."""
    return Jobs()


def current() -> ImportJob | None:
    """Return this owner's import."""
    return all_jobs().get(state.owner())


def begin(job: ImportJob | None) -> None:
    """Start this owner's import, or forget it."""
    all_jobs().put(state.owner(), job)
