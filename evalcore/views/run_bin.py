"""Deleted runs: set aside so that they can be brought back, until somebody empties the bin."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from evalcore.errors import EvaldeskError
from evalcore.store import Manifest, Place, RunStore
from evalcore.store.importing import ID_LENGTH

FOLDER = ".deleted"
INDEX = ".deleted.json"


@dataclass(frozen=True, slots=True)
class Deleted:
    """A run in the bin; ``is_gone`` says that only the memory of it is left.

    Its result file, if it has one, does not come in by itself again.
    """

    id: str
    name: str
    source: str
    at: datetime
    is_gone: bool = False


class RunBin:
    """The deleted runs of a store, kept in a hidden folder beside the others.

    A place that several people share has one bin.
    """

    def __init__(self, store: RunStore) -> None:
        self._store = store

    @property
    def place(self) -> Place:
        """Return where the runs are."""
        return self._store.place

    def deleted(self) -> list[Deleted]:
        """Return what was deleted and can be brought back, the latest first."""
        return [found for found in self._read() if not found.is_gone]

    def holds(self, prefix: str) -> bool:
        """Return whether a run whose id begins so was deleted, the bin emptied since or not."""
        return any(found.id[:ID_LENGTH] == prefix for found in self._read())

    def put(self, ids: Iterable[str]) -> None:
        """Delete runs; they can be brought back. Raises EvaldeskError for one that is not there."""
        now = datetime.now(UTC)
        for run_id in ids:
            name, source = _about(self._store, run_id)
            self._move(run_id, f"{FOLDER}/{run_id}")
            rest = [found for found in self._read() if found.id != run_id]
            self._write([Deleted(run_id, name, source, now), *rest])

    def bring_back(self, ids: Iterable[str]) -> None:
        """Undo the deletion of runs."""
        wanted = list(ids)
        for run_id in wanted:
            if self.place.exists(f"{FOLDER}/{run_id}"):
                self._move(f"{FOLDER}/{run_id}", run_id)
        self._write([found for found in self._read() if found.id not in wanted])

    def let_in(self, source: str) -> None:
        """Let a result file come in again: bring back its runs, and forget those that are gone."""
        self.bring_back([found.id for found in self._read() if found.source == source])

    def empty(self) -> None:
        """Delete for good what is in the bin; that it was deleted is remembered."""
        self.place.delete(FOLDER)
        self._write([Deleted(f.id, f.name, f.source, f.at, is_gone=True) for f in self._read()])

    def _move(self, old: str, new: str) -> None:
        place = self.place
        try:
            if place.exists(new):
                place.delete(new)
            place.fs.makedirs(place.full(new).rsplit("/", 1)[0], exist_ok=True)
            place.fs.mv(place.full(old), place.full(new), recursive=True)
        except (OSError, ValueError) as error:
            raise EvaldeskError(
                f"The run {old.rsplit('/', 1)[-1]} cannot be moved: {error}",
                hint="It may be gone, or you may not write where runs are kept.",
            ) from error

    def _read(self) -> list[Deleted]:
        try:
            held = json.loads(self.place.read(INDEX))
            return [
                Deleted(
                    str(line["id"]),
                    str(line["name"]),
                    str(line["source"]),
                    datetime.fromisoformat(line["at"]),
                    bool(line["is_gone"]),
                )
                for line in held
            ]
        except FileNotFoundError:
            return []
        except (ValueError, KeyError, TypeError):
            # A list that somebody broke: what lies in the folder is still there.
            names = self.place.fs.ls(self.place.full(FOLDER), detail=False)
            ids = [str(name).rstrip("/").rsplit("/", 1)[-1] for name in names]
            return [Deleted(i, i, "", datetime.now(UTC)) for i in ids]

    def _write(self, found: list[Deleted]) -> None:
        lines = [
            {"id": f.id, "name": f.name, "source": f.source, "at": f.at.isoformat(),
             "is_gone": f.is_gone}
            for f in found
        ]  # fmt: skip
        self.place.write(INDEX, json.dumps(lines, indent=1).encode("utf-8", "replace"))


def _about(store: RunStore, run_id: str) -> tuple[str, str]:
    try:
        manifest: Manifest = store.manifest(run_id)
        return manifest.name, manifest.source.path
    except EvaldeskError:
        # A broken run can be deleted as well.
        return run_id, ""
