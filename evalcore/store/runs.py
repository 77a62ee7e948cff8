"""All runs of a workspace: what there is, one of them opened, and a new one begun."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from evalcore.errors import EvaldeskError, FormatError
from evalcore.store.manifest import Manifest, Status, read_manifest
from evalcore.store.place import keep_out_of_git
from evalcore.store.stored import StoredRun
from evalcore.store.writer import MANIFEST, About, RunWriter, no_facts
from evalcore.verdicts import PassMark

if TYPE_CHECKING:
    from evalcore.store.place import Place

SILENCE = timedelta(seconds=60)
"""A running run whose writer has not been heard of for so long is interrupted."""


@dataclass(frozen=True, slots=True)
class BrokenRun:
    """A folder among the runs that cannot be read, and why."""

    id: str
    error: EvaldeskError


class RunStore:
    """The runs at one place. All methods may be called from several threads and processes."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self._known: dict[str, tuple[tuple[Any, ...], Manifest]] = {}

    def runs(self) -> list[Manifest]:
        """Return the manifests of all runs that can be read, the newest first."""
        return [found for found in self._all() if isinstance(found, Manifest)]

    def broken(self) -> list[BrokenRun]:
        """Return the folders that hold no run that can be read."""
        return [found for found in self._all() if isinstance(found, BrokenRun)]

    def everything(self) -> tuple[list[Manifest], list[BrokenRun]]:
        """Return what ``runs`` and ``broken`` do, having looked once."""
        found = self._all()
        return (
            [one for one in found if isinstance(one, Manifest)],
            [one for one in found if isinstance(one, BrokenRun)],
        )

    def manifest(self, run_id: str) -> Manifest:
        """Return a run's manifest; raises EvaldeskError where there is none that can be read."""
        _require_name(run_id)
        path = f"{run_id}/{MANIFEST}"
        try:
            stamp = self.place.stamp(path)
            known = self._known.get(run_id)
            if known is None or known[0] != stamp:
                known = stamp, read_manifest(self.place.read(path), path)
                self._known[run_id] = known
        except FileNotFoundError as error:
            raise EvaldeskError(
                f"There is no run {run_id}", hint="Choose one from the list of runs."
            ) from error
        except OSError as error:
            raise EvaldeskError(f"{path} cannot be read: {error.strerror or error}") from error
        found = known[1]
        if found.id != run_id:
            raise FormatError(
                f"{path} is the manifest of another run, {found.id}",
                hint="Give the folder its old name again.",
            )
        return _as_it_is(found)

    def open(self, run_id: str, mark: PassMark | None = None) -> StoredRun:
        """Return a run for reading.

        One whose writer is gone is put in order from its journal first. Raises EvaldeskError for
        one that is still being written or cannot be read.
        """
        manifest = self.manifest(run_id)
        if manifest.status is Status.RUNNING:
            raise EvaldeskError(
                f"The run {manifest.name or run_id} is still being written: "
                f"{manifest.cases.total:,} results so far",
                hint="Look again when it is done.",
            )
        if manifest.heartbeat is not None:
            from evalcore.store.recovery import recover

            manifest = recover(self.place, manifest)
        return StoredRun(self.place, manifest, mark)

    def writer(self, manifest: Manifest, about: About = no_facts) -> RunWriter:
        """Return a writer of a new run with this manifest; a run of the same id is replaced.

        Raises WorkspaceError where runs cannot be written.
        """
        _require_name(manifest.id)
        self.place.prepare()
        keep_out_of_git(self.place)
        return RunWriter(self.place, manifest, about)

    def has(self, run_id: str) -> bool:
        """Return whether there is a finished run of this id."""
        try:
            return self.manifest(run_id).status is Status.FINISHED
        except EvaldeskError:
            return False

    def delete(self, run_id: str) -> None:
        """Delete a run, or what is left of one; raises EvaldeskError where there is none."""
        _require_name(run_id)
        if not self.place.exists(run_id):
            raise EvaldeskError(
                f"There is no run {run_id}", hint="Choose one from the list of runs."
            )
        # First what makes it a run: who looks meanwhile sees none, not half of one.
        self.place.delete(f"{run_id}/{MANIFEST}")
        self.place.delete(run_id)
        self._known.pop(run_id, None)

    def _all(self) -> list[Manifest | BrokenRun]:
        found: list[Manifest | BrokenRun] = []
        for name in self.place.folders():
            try:
                found.append(self.manifest(name))
            except EvaldeskError as error:
                found.append(BrokenRun(name, error))
        return sorted(found, key=_newest_first)


def moment(manifest: Manifest) -> datetime:
    """Return when a run ran: when it started, else when it ended or was imported."""
    found = manifest.started_at or manifest.finished_at or manifest.imported_at
    if found is None:
        return datetime.min.replace(tzinfo=UTC)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _require_name(run_id: str) -> None:
    is_plain = run_id.isprintable() and not run_id.startswith(".")
    if not run_id or not is_plain or any(c in run_id for c in '/\\:*?"<>|'):
        raise EvaldeskError(f"{run_id!r} is no name of a run")


def _newest_first(found: Manifest | BrokenRun) -> tuple[bool, float, str]:
    if isinstance(found, BrokenRun):
        return True, 0.0, found.id
    at = moment(found)
    return False, -at.timestamp() if at.year > 1 else 0.0, found.id


def _as_it_is(manifest: Manifest) -> Manifest:
    """Return a running run as interrupted where its writer has not been heard of for a while."""
    if manifest.status is not Status.RUNNING:
        return manifest
    last = manifest.heartbeat or datetime.min.replace(tzinfo=UTC)
    if datetime.now(UTC) - last < SILENCE:
        return manifest
    return manifest.model_copy(update={"status": Status.INTERRUPTED})
