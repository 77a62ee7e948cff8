"""Runs named on the command line: of a folder's store by id or name, or result files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from uuid import uuid4

from evalcore.cli._places import existing_folder, file_place
from evalcore.errors import DocumentError, EvaldeskError
from evalcore.workspace import Workspace
from evalcore.workspace.entries import unreadable

if TYPE_CHECKING:
    from evalcore.store import Manifest, RunStore, StoredRun
    from evalcore.store.importing import Imported
    from evalcore.verdicts import PassMark


class Given(NamedTuple):
    """A file as it was named, with the number of a run in it, from 1; None for all of them."""

    path: str
    number: int | None


def store_of(folder: str) -> RunStore:
    """Return the runs of a folder, which are those that ``evaldesk serve FOLDER`` shows."""
    from evalcore.store import RunStore, place_of

    return RunStore(place_of(Workspace(existing_folder(folder))))


def import_given(
    store: RunStore, folder: str, given: str, mark: PassMark | None, *, again: bool = False
) -> list[Imported]:
    """Import a result file into a store; its path is that in the folder where it lies there.

    Raises EvaldeskError that names the file, for one that cannot be read or holds no results.
    """
    from evalcore.store.importing import import_file

    try:
        workspace, path = _placed(folder, given)
        return import_file(store, workspace, path, mark, again=again)
    except (OSError, DocumentError) as error:
        problem = unreadable(error, given)
        where = f"{given}:{problem.line}:{problem.column}" if problem.line else given
        raise EvaldeskError(f"{where}: {problem.message}", hint=problem.hint) from error


@contextmanager
def opened_runs(
    folder: str, names: list[str], mark: PassMark | None = None
) -> Iterator[list[StoredRun]]:
    """Give the runs of some ids, names or result files; files are read and not kept.

    ``FILE#2`` names the second run of a file.
    """
    from evalcore.store import Place, RunStore

    kept = store_of(folder)
    passing = RunStore(Place(f"memory://evaldesk-{uuid4().hex}"))
    try:
        yield [_opened(kept, passing, folder, name, mark) for name in names]
    finally:
        passing.place.delete("")


def find_run(store: RunStore, given: str) -> Manifest:
    """Return the run of an id, else the only one of a name; raises EvaldeskError for neither."""
    known = store.runs()
    found = [m for m in known if m.id == given] or [m for m in known if m.name == given]
    if len(found) == 1:
        return found[0]
    if found:
        raise EvaldeskError(
            f"{len(found)} runs are called {given!r}",
            hint=f"Name one by its id: {', '.join(m.id for m in found[:10])}.",
        )
    raise EvaldeskError(
        f"There is no run and no result file {given!r}",
        hint=f"There are {len(known):,} runs at {store.place.url}; --in names another folder.",
    )


def mark_of(value: float | None) -> PassMark | None:
    """Return the pass mark of an option."""
    from evalcore.verdicts import PassMark

    if value is not None and not 0 <= value <= 1:
        raise EvaldeskError("A pass mark lies from 0 to 1", hint="Write for example 0.8.")
    return None if value is None else PassMark(value)


def _opened(
    kept: RunStore, passing: RunStore, folder: str, name: str, mark: PassMark | None
) -> StoredRun:
    given = _file(name)
    if given is None:
        return kept.open(find_run(kept, name).id, mark)
    found = import_given(passing, folder, given.path, mark)
    if given.number is None and len(found) > 1:
        names = ", ".join(f"{given.path}#{n} ({r.manifest.name})" for n, r in enumerate(found, 1))
        raise EvaldeskError(f"{name} holds {len(found):,} runs", hint=f"Name one: {names}.")
    number = given.number or 1
    if not 1 <= number <= len(found):
        raise EvaldeskError(
            f"{given.path} has no run number {number}", hint=f"It holds {len(found):,}."
        )
    return passing.open(found[number - 1].id, mark)


def _file(name: str) -> Given | None:
    """Return the file that a name means, None where there is none."""
    if _is_file(name):
        return Given(name, None)
    path, _, number = name.rpartition("#")
    if path and number.isdecimal() and _is_file(path):
        return Given(path, int(number))
    return None


def _is_file(name: str) -> bool:
    try:
        return Path(name).is_file()
    except (OSError, ValueError):
        return False


def _placed(folder: str, given: str) -> tuple[Workspace, str]:
    root = existing_folder(folder)
    try:
        return Workspace(root), Path(given).resolve().relative_to(root).as_posix()
    except ValueError:
        place = file_place(given)
        return place.workspace, place.path
