"""Putting a run in order whose writer went away before it finished."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from evalcore.errors import EvaldeskError
from evalcore.results import CaseResult
from evalcore.store.documents import load
from evalcore.store.manifest import Manifest, Status
from evalcore.store.rows import CaseFacts
from evalcore.store.writer import JOURNAL, RunWriter, facts_of

if TYPE_CHECKING:
    from evalcore.store.place import Place


def recover(place: Place, manifest: Manifest) -> Manifest:
    """Write the tables of an interrupted run from its journal, and return its manifest.

    A last line that was cut off is left out. The journal stays until the tables are there; a
    writer that was only slow, and goes on, replaces them all when it finishes. Raises
    EvaldeskError where the writer left nothing.
    """
    path = f"{manifest.id}/{JOURNAL}"
    if not place.exists(path):
        raise EvaldeskError(
            f"The run {manifest.name or manifest.id} was interrupted before any result was kept",
            hint="Delete it, and import or score again.",
        )
    facts: list[CaseFacts] = []
    with (
        place.opened(path) as lines,
        RunWriter(place, manifest, lambda _: facts[-1], quiet=True) as writer,
    ):
        for case, said in read_journal(lines):
            facts[:] = [said]
            writer.append(case)
        return writer.finish(status=Status.INTERRUPTED, error=manifest.error)


def read_journal(lines: Iterable[bytes]) -> Iterator[tuple[CaseResult, CaseFacts]]:
    """Yield the case results of a journal, up to the first line that is not whole."""
    for line in lines:
        if not line.endswith(b"\n"):
            return
        try:
            doc, _, facts = line.decode("utf-8").rstrip("\n").partition("\t")
            yield load(doc), facts_of(facts)
        except ValueError:
            return
