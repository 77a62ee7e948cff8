"""Reading which evaluators there are, and which sets use them, from a whole workspace."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from threading import RLock
from typing import TYPE_CHECKING, Literal

from evalcore.errors import EvaldeskError, Problem
from evalcore.formats import by_id
from evalcore.formats._uipath.ids import fold_guid
from evalcore.formats._uipath.recognise import API_WORKFLOW, FLOW
from evalcore.formats.base import Detection, Kind
from evalcore.jsontree import MISSING, JsonObject, JsonValue
from evalcore.model import Evaluator
from evalcore.wiring.refs import attached

if TYPE_CHECKING:
    from evalcore.workspace import Entry, Workspace

Family = Literal["uipath_coded", "uipath_lowcode", "adk", "harnest", "tenxgraph", "evaldesk"]
"""Whose evaluators a file holds; ``evaldesk`` is our own file of checks beside a set."""
CRITERIA_NAMES = ("test_config.json", "eval_config.json")
UIPATH = ("uipath_coded", "uipath_lowcode")
Link = Literal["names", "applies", "own", "may"]
"""Why a set is scored by an evaluator: it names it, its system applies the file, the file is our
own of this set, or somebody may choose it when the set is run."""


@dataclass(frozen=True, slots=True)
class EvaluatorFile:
    """One file of evaluators. UiPath's hold one each, criteria files any number.

    ``error`` says why the checks of a file could not be read.
    """

    path: str
    family: str
    label: str
    checks: tuple[Evaluator, ...]
    problems: tuple[Problem, ...] = ()
    error: Problem | None = None

    @property
    def is_single(self) -> bool:
        """Whether the file is one evaluator, which sets name."""
        return self.family in UIPATH


@dataclass(frozen=True, slots=True)
class WiredSet:
    """One eval set: the evaluators that it names and the files that apply to it."""

    path: str
    name: str
    format_id: str
    variant: str
    cases: int | None
    refs: tuple[str, ...]
    files: tuple[str, ...]
    own_file: str

    def names(self, file: EvaluatorFile) -> bool:
        """Return whether the set names the evaluator of a UiPath file."""
        return self.ref_for(file) is not None

    def ref_for(self, file: EvaluatorFile) -> str | None:
        """Return the text by which the set names the evaluator of a file, None if it does not."""
        if not file.is_single or file.path not in self.files:
            return None
        meant = {fold_guid(check.ref) for check in file.checks}
        if self.variant in (FLOW, API_WORKFLOW):
            name = posixpath.basename(file.path)
            meant |= {name, name.removesuffix(".json")}
        return next((ref for ref in self.refs if fold_guid(ref) in meant), None)

    def ref_to_write(self, file: EvaluatorFile) -> str:
        """Return the text by which the set would name the evaluator of a file."""
        if self.variant in (FLOW, API_WORKFLOW):
            name = posixpath.basename(file.path)
            return name.removesuffix(".json") if self.variant == API_WORKFLOW else name
        return file.checks[0].ref if file.checks else ""


@dataclass(frozen=True)
class Wiring:
    """All evaluators of a workspace and the sets that they score."""

    files: tuple[EvaluatorFile, ...]
    sets: tuple[WiredSet, ...]

    @cached_property
    def _near(self) -> dict[str, list[WiredSet]]:
        """The sets of the project that each file lies in, by the file's path."""
        found: dict[str, list[WiredSet]] = {}
        for of in self.sets:
            for path in (*of.files, of.own_file):
                found.setdefault(path, []).append(of)
        return found

    def near(self, file: EvaluatorFile) -> Sequence[WiredSet]:
        """Return the sets that a file could be about, whether they use it or not."""
        return self.sets if file.family == "tenxgraph" else self._near.get(file.path, ())

    def file(self, path: str | None) -> EvaluatorFile | None:
        """Return the file at a path, None if it holds no evaluators."""
        return next((f for f in self.files if f.path == path), None)

    def set_at(self, path: str | None) -> WiredSet | None:
        """Return the set at a path."""
        return next((s for s in self.sets if s.path == path), None)

    def users(self, file: EvaluatorFile) -> list[tuple[WiredSet, Link]]:
        """Return the sets that a file's evaluators score, and why."""
        found = ((s, self.link(s, file)) for s in self.near(file))
        return [(s, link) for s, link in found if link is not None]

    def link(self, of: WiredSet, file: EvaluatorFile) -> Link | None:
        """Return why a set is scored by a file's evaluators, None if it is not."""
        if file.family == "evaldesk":
            return "own" if of.own_file == file.path else None
        if file.is_single:
            return "names" if of.names(file) else None
        if file.family == "tenxgraph":
            below = posixpath.dirname(file.path)
            near = not below or of.path.startswith(f"{below}/")
            return "may" if of.format_id == file.family and near else None
        return "applies" if file.path in of.files else None

    def candidates(self, file: EvaluatorFile) -> list[WiredSet]:
        """Return the sets that could name an evaluator and do not."""
        if not file.is_single:
            return []
        return [s for s in self.near(file) if not s.names(file)]

    def files_of(self, of: WiredSet) -> list[EvaluatorFile]:
        """Return the files whose evaluators score a set, those that it names in its order."""
        used = [f for f in self.files if self.link(of, f) in ("names", "applies", "own", "may")]
        order = {ref: at for at, ref in enumerate(of.refs)}
        return sorted(used, key=lambda f: order.get(of.ref_for(f) or "", len(order)))

    def unknown_refs(self, of: WiredSet) -> list[str]:
        """Return the names in a set that no evaluator file answers to."""
        if of.format_id not in UIPATH:
            return []
        known = {of.ref_for(f) for f in self.files}
        return [ref for ref in of.refs if ref not in known]


class WiringReader:
    """Reads wirings of one workspace; what has not changed on disk is read once.

    One object may be shared by any number of threads.
    """

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self._lock = RLock()
        self._known: dict[str, tuple[tuple[int, int], tuple[str, ...] | EvaluatorFile]] = {}

    def read(
        self, entries: Sequence[Entry], drafts: Mapping[str, JsonValue] | None = None
    ) -> Wiring:
        """Return the wiring of the workspace.

        ``drafts`` holds the trees of files with unsaved edits, which count in place of the disk's.
        """
        edited = drafts or {}
        folders: dict[tuple[str, str], tuple[str, ...]] = {}
        sets, files = [], []
        with self._lock:
            for entry in entries:
                if entry.kind is Kind.EVAL_SET and entry.detection is not None:
                    sets.append(self._set(entry, edited, folders))
                elif entry.kind in (Kind.EVALUATOR, Kind.CRITERIA):
                    files.append(self._file(entry, edited))
                elif entry.error is not None and _is_placed_like_one(entry.path):
                    files.append(_broken(entry))
            files += [f for s in sets if (f := self._own(s, edited)) is not None]
        return Wiring(tuple(sorted(files, key=lambda f: f.path)), tuple(sets))

    def _set(
        self,
        entry: Entry,
        edited: Mapping[str, JsonValue],
        folders: dict[tuple[str, str], tuple[str, ...]],
    ) -> WiredSet:
        from evalcore.scoring.sidecar import sidecar_path

        found = _sure(entry)
        place = found.format_id, posixpath.dirname(entry.path)
        if place not in folders:
            folders[place] = self.workspace.evaluator_files_of(entry.path)
        return WiredSet(
            path=entry.path,
            name=entry.name or entry.id or posixpath.basename(entry.path),
            format_id=found.format_id,
            variant=found.variant,
            cases=entry.case_count,
            refs=self._refs(entry, found.format_id, edited),
            files=folders[place],
            own_file=sidecar_path(entry.path, found.format_id),
        )

    def _refs(
        self, entry: Entry, format_id: str, edited: Mapping[str, JsonValue]
    ) -> tuple[str, ...]:
        if format_id not in UIPATH:
            return ()
        if entry.path in edited:
            return tuple(attached(edited[entry.path], format_id))
        stamp = entry.modified_ns, entry.size
        known = self._known.get(entry.path)
        if known and known[0] == stamp and isinstance(known[1], tuple):
            return known[1]
        try:
            refs = tuple(attached(self.workspace.open(entry.path).document.value, format_id))
        except (EvaldeskError, OSError):
            # The library shows the file with what is wrong with it.
            return ()
        self._known[entry.path] = stamp, refs
        return refs

    def _file(self, entry: Entry, edited: Mapping[str, JsonValue]) -> EvaluatorFile:
        found = _sure(entry)
        stamp = entry.modified_ns, entry.size
        known = self._known.get(entry.path)
        kept = known[1] if known and known[0] == stamp else None
        if entry.path not in edited and isinstance(kept, EvaluatorFile):
            return replace(kept, problems=entry.problems)
        system, error = by_id(found.format_id), entry.error
        checks: tuple[Evaluator, ...] = ()
        try:
            tree = edited.get(entry.path, MISSING)
            if tree is MISSING:
                tree = self.workspace.open(entry.path).document.value
            checks = system.read_evaluators(tree, found)
        except (EvaldeskError, OSError) as failure:
            error = error or Problem("error", "wiring.unreadable", str(failure))
        made = EvaluatorFile(
            entry.path, found.format_id, system.label, checks, entry.problems, error
        )
        if entry.path not in edited:
            self._known[entry.path] = stamp, made
        return made

    def _own(self, of: WiredSet, edited: Mapping[str, JsonValue]) -> EvaluatorFile | None:
        tree = edited.get(of.own_file, MISSING)
        if tree is MISSING and (self.workspace.root / of.own_file).is_file():
            name = posixpath.relpath(of.own_file, posixpath.dirname(of.path) or ".")
            tree = self.workspace.near(of.path).value(name)
        if tree is MISSING:
            return None
        return own_file(of.own_file, tree)


def _is_placed_like_one(path: str) -> bool:
    """Return whether a file that cannot be read lies where evaluators do."""
    folder, name = posixpath.split(path)
    return posixpath.basename(folder) == "evaluators" or name in CRITERIA_NAMES


def _broken(entry: Entry) -> EvaluatorFile:
    single = posixpath.basename(entry.path) not in CRITERIA_NAMES
    family = "uipath_coded" if single else "adk"
    return EvaluatorFile(entry.path, family, "Broken files", (), error=entry.error)


def _sure(entry: Entry) -> Detection:
    if entry.detection is None:
        raise EvaldeskError(f"{entry.path} is no file of any known system")
    return entry.detection


def own_file(path: str, tree: JsonValue) -> EvaluatorFile:
    """Return our own file of checks as a file of evaluators."""
    listed = tree.get("checks") if isinstance(tree, dict) else None
    items = listed if isinstance(listed, list) else []
    checks = tuple(
        _own_check(raw, f"/checks/{index}")
        for index, raw in enumerate(items)
        if isinstance(raw, dict) and isinstance(raw.get("name"), str)
    )
    return EvaluatorFile(path, "evaldesk", "Evaldesk", checks)


def _own_check(raw: JsonObject, origin: str) -> Evaluator:
    params = raw.get("params")
    mark = params.get("threshold") if isinstance(params, dict) else None
    return Evaluator(
        ref=str(raw["name"]),
        name=str(raw["name"]),
        native_type=str(raw.get("kind")),
        threshold=float(mark) if isinstance(mark, (int, float)) else None,
        config=raw,
        origin=origin,
    )
