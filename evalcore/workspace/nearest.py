"""Which runs belong to which eval set, where several sets of a workspace have one id or name."""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Iterable, Iterator

from evalcore.workspace.entries import Entry

_OF_A_PROJECT = frozenset({"evaluations", "evals", "eval-sets", "eval_sets"})
"""Folders that a project has for its sets: the project is what they lie in."""


class Runs:
    """The result files of a workspace by the sets that their runs belong to.

    A run gives the id or the name of its set. Where several sets have that, the run is theirs that
    lie nearest to its file: those that share the deepest folder with it.
    """

    def __init__(self, sets: Iterable[Entry], results: Iterable[Entry]) -> None:
        known: dict[tuple[str, str], list[str]] = defaultdict(list)
        for of in sets:
            for ref in {of.id, of.name}:
                for folder in _folders(of.path) if ref else ():
                    known[ref or "", folder].append(of.path)
        self._by_set: dict[str, list[Entry]] = defaultdict(list)
        for result in results:
            for path in _owners(result, known):
                self._by_set[path].append(result)

    def of(self, path: str) -> list[Entry]:
        """Return the runs of the set at a path: its project's before others, the latest first."""
        project = _project_of(path)
        found = sorted(self._by_set.get(path, ()), key=_latest_first)
        return sorted(found, key=lambda result: project not in _folders(result.path))

    def latest(self, path: str) -> Entry | None:
        """Return the first of the runs of the set at a path, None if there is none."""
        return next(iter(self.of(path)), None)


def _owners(result: Entry, known: dict[tuple[str, str], list[str]]) -> list[str]:
    for folder in _folders(result.path):
        found = [path for ref in set(result.set_refs) for path in known.get((ref, folder), ())]
        if found:
            return list(dict.fromkeys(found))
    return []


def _folders(path: str) -> Iterator[str]:
    """Yield the folders that a file lies in, the deepest first; "" is the workspace itself."""
    folder = posixpath.dirname(path)
    while folder:
        yield folder
        folder = posixpath.dirname(folder)
    yield ""


def _project_of(path: str) -> str:
    folders = _folders(path)
    return next(f for f in folders if posixpath.basename(f) not in _OF_A_PROJECT)


def _latest_first(entry: Entry) -> tuple[float, str]:
    when = entry.recorded_at.timestamp() if entry.recorded_at else entry.modified_ns / 1e9
    return -when, entry.path
