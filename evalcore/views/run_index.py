"""All runs of a store, listed in the background once the list has grown old."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from threading import Condition, Lock, Thread

from evalcore.errors import EvaldeskError
from evalcore.store import BrokenRun, Manifest, RunStore
from evalcore.views.run_list import (
    LastRun,
    RunRow,
    latest_of,
    rows_of,
    set_key,
    set_label,
    system_label,
)

LOG = logging.getLogger("evaldesk")
FRESH_S = 3.0
"""How long a reading of the store is shown before it is read again in the background."""


@dataclass(frozen=True, slots=True)
class Listing:
    """All runs of a store, the newest first, and the folders that hold none."""

    rows: tuple[RunRow, ...] = ()
    broken: tuple[BrokenRun, ...] = ()
    error: EvaldeskError | None = None
    sets: dict[str, str] = field(default_factory=dict)
    systems: dict[str, str] = field(default_factory=dict)
    latest: dict[str, LastRun] = field(default_factory=dict)
    """The newest run with a rate of each eval set, by the set's path."""


def listing(store: RunStore, known: Listing | None = None) -> Listing:
    """Read the manifests of a store; raises EvaldeskError where the place cannot be read.

    ``known`` is an earlier listing: where no run is new or gone its rows are taken over.
    """
    found, broken = store.everything()
    if known is not None and known.error is None and _is_same(known.rows, found):
        same = [(b.id, str(b.error)) for b in broken] == [
            (b.id, str(b.error)) for b in known.broken
        ]
        return known if same else replace(known, broken=tuple(broken))
    rows = rows_of(found)
    sets = {set_key(m): set_label(m) for m in found}
    systems = {m.format_id: system_label(m) for m in found}
    return Listing(
        rows,
        tuple(broken),
        sets=dict(sorted(sets.items(), key=lambda pair: pair[1].casefold())),
        systems=dict(sorted(systems.items(), key=lambda pair: pair[1].casefold())),
        latest=latest_of(rows),
    )


def _said(broken: BrokenRun) -> tuple[str, str]:
    return broken.id, str(broken.error)


def _is_same(rows: Sequence[RunRow], manifests: Sequence[Manifest]) -> bool:
    known = {row.id: row.manifest for row in rows}
    return len(known) == len(manifests) and all(known.get(m.id) is m for m in manifests)


class RunIndex:
    """The listing of one store, read in a thread of its own when it has grown old.

    All methods may be called from several threads.
    """

    def __init__(self, store: RunStore) -> None:
        self._store = store
        self._lock = Lock()
        self._changed = Condition(self._lock)
        self._held: Listing | None = None
        self._read_at = 0.0
        self._touches, self._seen = 1, 0
        self._is_reading = False

    def touch(self) -> None:
        """Have the next reader see the store as it is now."""
        with self._lock:
            self._touches += 1

    @property
    def is_behind(self) -> bool:
        """Return whether the store has changed since what ``read`` returns now."""
        with self._lock:
            return self._touches != self._seen

    def read(self, wait: float) -> Listing | None:
        """Return the listing.

        One that was touched is read anew first; that may take so many seconds, then what was known
        before is returned, None for nothing. One that has only grown old is read anew meanwhile.
        """
        with self._lock:
            is_touched = self._touches != self._seen
            is_old = time.monotonic() - self._read_at > FRESH_S
            if (is_touched or is_old) and not self._is_reading:
                self._is_reading = True
                Thread(target=self._work, name="evaldesk-runs", daemon=True).start()
            if is_touched:
                self._changed.wait_for(lambda: not self._is_reading, wait)
            return self._held

    def _work(self) -> None:
        while True:
            with self._lock:
                touches, known = self._touches, self._held
            found = self._found(known)
            with self._lock:
                self._held, self._seen = found, touches
                if self._touches != touches:
                    continue
                self._read_at = time.monotonic()
                self._is_reading = False
                self._changed.notify_all()
                return

    def _found(self, known: Listing | None) -> Listing:
        try:
            return listing(self._store, known)
        except EvaldeskError as error:
            return Listing(error=error)
        except Exception as error:
            LOG.exception("the runs cannot be listed")
            return Listing(error=EvaldeskError(f"The runs cannot be read: {error}"))
