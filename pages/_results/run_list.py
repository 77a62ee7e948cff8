"""The list of runs: what ran, how it went, and whether it is better than the one before."""

from __future__ import annotations

from evalcore.errors import DocumentError, EvaldeskError
from evalcore.formats.base import Kind
from evalcore.store import moment
from evalcore.store.importing import import_file
from pages._results import address, empty, rescore_outputs
from pages._ui import bind, runs
from pages._ui.desk import Desk


def back() -> None:
    """Draw the way from a run to the list."""
    bind.button("results.runs", "All runs", address.look_at, "", icon="arrow_back", kind="tertiary")


def of_file(desk: Desk, path: str, number: int) -> str:
    """Return the id of a run of a result file, importing the file when needed; "" if there is none.

    ``number`` counts from 1.
    """
    try:
        found = import_file(runs.run_store(desk), desk.workspace, path)
    except (EvaldeskError, DocumentError, OSError):
        return ""
    return found[number - 1].id if number <= len(found) else ""


def draw(desk: Desk, gone: str = "") -> None:
    """Draw the list; ``gone`` is the file of an old link that holds no run here."""
    if gone:
        empty.gone(gone)
    store = runs.run_store(desk)
    for entry in desk.workspace.entries():
        if entry.kind is Kind.RESULT:
            of_file(desk, entry.path, 1)
    found = store.runs()
    if not found:
        empty.draw()
    for manifest in found:
        title = f"{moment(manifest):%d %b %Y %H:%M} · {manifest.name} · {manifest.source.path}"
        bind.button(f"run {manifest.id}", title, address.look_at, manifest.id, kind="tertiary")
    rescore_outputs.way_in(desk.workspace.entries())
