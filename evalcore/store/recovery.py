"""Putting a run in order whose writer went away before it finished."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from pydantic import ValidationError

from evalcore.results import CaseResult
from evalcore.store.documents import load
from evalcore.store.manifest import Manifest, Status
from evalcore.store.writer import JOURNAL, RunWriter

if TYPE_CHECKING:
    from evalcore.store.place import Place


def recover(place: Place, manifest: Manifest) -> Manifest:
    """Write the tables of an interrupted run from its journal, and return its manifest.

    A last line that was cut off is left out. The facts of the set about its cases (tags, metadata)
    are not in the journal, and are lost to the interrupted run.
    """
    cases = list(read_journal(place.read(f"{manifest.id}/{JOURNAL}")))
    with RunWriter(place, manifest) as writer:
        for case in cases:
            writer.append(case)
        return writer.finish(status=Status.INTERRUPTED, error=manifest.error)


def read_journal(data: bytes) -> Iterator[CaseResult]:
    """Yield the case results of a journal, up to the first line that is not whole."""
    whole = data[: data.rfind(b"\n") + 1]
    for line in whole.splitlines():
        try:
            yield load(line.decode("utf-8"))
        except (json.JSONDecodeError, UnicodeDecodeError, ValidationError):
            return
