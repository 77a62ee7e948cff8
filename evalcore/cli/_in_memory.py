"""A result file as a run of the store that lives as long as it is needed, and nowhere on disk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING
from uuid import uuid4

from evalcore.errors import EvaldeskError
from evalcore.store import Place, RunStore, StoredRun
from evalcore.store.importing import Imported, import_file
from evalcore.workspace.entries import unreadable

if TYPE_CHECKING:
    from evalcore.cli._places import Place as FilePlace
    from evalcore.verdicts import PassMark


@contextmanager
def stored_in_memory(
    place: FilePlace, number: int | None = None, mark: PassMark | None = None
) -> Iterator[StoredRun]:
    """Give a run of a result file; ``number`` counts from 1 within the file.

    Raises EvaldeskError for a file that cannot be read or holds no results, and for a ``number``
    that is not there or must be said.
    """
    store = RunStore(Place(f"memory://evaldesk-{uuid4().hex}"))
    try:
        found = _imported(store, place, mark)
        yield store.open(_chosen(found, number, place.given).id, mark)
    finally:
        store.place.delete("")


def _imported(store: RunStore, place: FilePlace, mark: PassMark | None) -> list[Imported]:
    try:
        return import_file(store, place.workspace, place.path, mark)
    except (OSError, EvaldeskError) as error:
        problem = unreadable(error, place.given)
        where = f"{place.given}:{problem.line}:{problem.column}" if problem.line else place.given
        raise EvaldeskError(f"{where}: {problem.message}", hint=problem.hint) from error


def _chosen(found: Sequence[Imported], number: int | None, given: str) -> Imported:
    if number is None and len(found) != 1:
        names = (f"{n} ({run.manifest.eval_set.name})" for n, run in enumerate(found, 1))
        raise EvaldeskError(
            f"{given} holds {len(found):,} runs",
            hint=f"Choose one with --number: {', '.join(names)}.",
        )
    if number is not None and not 1 <= number <= len(found):
        raise EvaldeskError(
            f"{given} has no run number {number}", hint=f"It holds {len(found):,}, counted from 1."
        )
    return found[(number or 1) - 1]
