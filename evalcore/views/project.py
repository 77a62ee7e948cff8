"""What the project around a set tells its forms: schemas of inputs, names of tools and nodes.

Asked for on every run of a page, so it looks at the disk at most every few seconds, and reads a
file again only when it has changed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePosixPath
from threading import RLock
from typing import TYPE_CHECKING, TypeVar

from evalcore.errors import EvaldeskError
from evalcore.formats import by_id
from evalcore.formats.base import Kind
from evalcore.formats.names import Names, names_in
from evalcore.jsontree import JsonObject, JsonValue

if TYPE_CHECKING:
    from evalcore.formats.evalset import EvalSetLens
    from evalcore.model import Evaluator
    from evalcore.workspace import Entry, Workspace

T = TypeVar("T")
FRESH_SECONDS = 3.0
"""How old an answer may be before the disk is looked at again."""
MOST_FILES = 60
LARGEST_FILE = 8_000_000
"""Bytes up to which a file is read for the names in it."""
_INNER_FOLDERS = frozenset(
    {"evals", "evaluations", "eval-sets", "eval_sets", "evalsets", "tests", "results", "eval"}
)


class Project:
    """The surroundings of one file. May be asked from several threads.

    Without ``lens`` it is no eval set, and knows no schemas.
    """

    def __init__(self, workspace: Workspace, path: str, lens: EvalSetLens | None = None) -> None:
        self._workspace = workspace
        self._path = path
        self._lens = lens
        self._lock = RLock()
        self._answers: dict[str, tuple[float, object]] = {}
        self._names: dict[str, tuple[tuple[int, int], Names]] = {}

    @property
    def schemas(self) -> Mapping[str, JsonObject]:
        """Return the schemas that the project has for fields of cases, by field."""
        lens = self._lens
        if lens is None:
            return {}
        return self._kept("schemas", lambda: lens.schemas(self._workspace.near(self._path)), {})

    @property
    def evaluators(self) -> tuple[Evaluator, ...]:
        """Return the checks that the set's own system would apply, () where they are unreadable."""
        return self._kept("evaluators", lambda: self._workspace.evaluators_of(self._path), ())

    @property
    def names(self) -> Names:
        """Return the tools and nodes that the project's sets, results and checks mention."""
        return self._kept("names", self._all_names, Names())

    def simulations(self, file_name: str) -> Mapping[str, JsonValue]:
        """Return the project's files of a name that say what every run simulates, by their path."""
        return self._kept(f"files {file_name}", lambda: self._files(file_name), {})

    def _files(self, file_name: str) -> dict[str, JsonValue]:
        entries = self._workspace.entries(folder_of(self._path))
        found = [e for e in entries if PurePosixPath(e.path).name == file_name and e.detection]
        return {e.path: self._workspace.open(e.path).document.value for e in found}

    def _kept(self, name: str, ask: Callable[[], T], otherwise: T) -> T:
        with self._lock:
            known = self._answers.get(name)
            if known is not None and time.monotonic() - known[0] < FRESH_SECONDS:
                return known[1]  # type: ignore[return-value]
            try:
                answer = ask()
            except EvaldeskError:
                # What is wrong with the project's files is told where they are listed and checked.
                answer = otherwise
            self._answers[name] = (time.monotonic(), answer)
            return answer

    def _all_names(self) -> Names:
        found = Names()
        entries = self._workspace.entries(folder_of(self._path))
        for entry in _worth_reading(entries, self._path):
            found.update(self._names_of(entry))
        return found

    def _names_of(self, entry: Entry) -> Names:
        stamp = (entry.modified_ns, entry.size)
        known = self._names.get(entry.path)
        if known is not None and known[0] == stamp:
            return known[1]
        names = Names()
        if entry.detection is not None:
            value: JsonValue = self._workspace.open(entry.path).document.value
            names = names_in(value, by_id(entry.detection.format_id).eval_sets.name_marks)
        self._names[entry.path] = (stamp, names)
        return names


def folder_of(path: str) -> str:
    """Return the folder of the project that a set is in: above folders such as ``evals``."""
    folder = PurePosixPath(path).parent
    while folder.name in _INNER_FOLDERS:
        folder = folder.parent
    return "" if str(folder) == "." else str(folder)


def _worth_reading(entries: Sequence[Entry], path: str) -> list[Entry]:
    """Return the files to read for names: this set, other sets, checks, then the latest results."""
    order = {Kind.EVAL_SET: 1, Kind.EVALUATOR: 2, Kind.CRITERIA: 2, Kind.RESULT: 3}
    useful = [e for e in entries if e.detection and e.kind in order and e.size <= LARGEST_FILE]
    useful.sort(key=lambda e: (e.path != path, order[e.detection.kind], -e.modified_ns))  # type: ignore[union-attr]
    return useful[:MOST_FILES]
