"""The one workspace and the one store of drafts that all sessions of this server share."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from threading import RLock
from typing import Any

from evalcore.drafts import Draft, DraftStore
from evalcore.errors import EvaldeskError, FormatError, Problem
from evalcore.jsondoc import JsonDocument
from evalcore.lint.checking import lint_document
from evalcore.lint.linter import Linter
from evalcore.views.evaluators.bench import Bench, own_problems
from evalcore.views.find import TextIndex
from evalcore.views.library import checks_of
from evalcore.views.mending import Mender
from evalcore.views.project import Project
from evalcore.views.sheet import Sheet
from evalcore.wiring import Wiring, WiringReader
from evalcore.workspace import Entry, Workspace

ROOT = Path(__file__).resolve().parents[2]
SHEETS_KEPT = 64


@dataclass(slots=True)
class Desk:
    """What is open on this server."""

    workspace: Workspace
    texts: TextIndex
    drafts: DraftStore = field(default_factory=lambda: DraftStore(on_disk=True))
    _sheets: OrderedDict[tuple[str, str], Sheet] = field(default_factory=OrderedDict)
    _checks: dict[str, int | None] = field(default_factory=dict)
    _counted: int = 0
    _lock: RLock = field(default_factory=RLock)
    _benches: dict[tuple[str, str], Bench] = field(default_factory=dict)
    _wirings: list[WiringReader] = field(default_factory=list)

    def wiring(self, owner: str, entries: Sequence[Entry]) -> Wiring:
        """Return which set uses which evaluator, the owner's unsaved edits included."""
        with self._lock:
            if not self._wirings:
                self._wirings.append(WiringReader(self.workspace))
        edited = {d.path: d.tree for d in self.unsaved(owner)}
        return self._wirings[0].read(entries, edited)

    def unsaved(self, owner: str) -> list[Draft]:
        """Return the owner's drafts with unsaved edits, those from before a restart included."""
        found = []
        for path in self.drafts.unsaved(owner, self.workspace):
            try:
                found.append(self.drafts.open(owner, self.workspace, path))
            except EvaldeskError:
                # The shell says which drafts cannot be read back.
                continue
        return found

    def bench(self, owner: str, path: str, family: str) -> Bench:
        """Return a file of evaluators as its owner edits it; raises what opening it raises."""
        with self._lock:
            draft = self.drafts.open(owner, self.workspace, path)
            known = self._benches.get((owner, draft.path))
            if known is None or known.draft is not draft:
                project = Project(self.workspace, draft.path)
                known = Bench(draft, family, self._checker(draft), lambda: project.names)
                self._benches[owner, draft.path] = known
            while len(self._benches) > SHEETS_KEPT:
                self._benches.pop(next(iter(self._benches)))
            return known

    def mender(self, bench: Bench) -> Mender:
        """Return what mends the problems of a file of evaluators."""
        path = bench.path
        where = self.workspace.seen_as(path)
        linter = Linter(bench.draft.base.detection, where, lambda: self.workspace.near(path))
        return Mender(bench.draft, linter, bench.problems)

    def edited(self, owner: str, entries: Sequence[Entry]) -> list[Entry]:
        """Return entries as the owner's drafts have them: with their cases and their problems.

        The problems stay those of the file where a large draft was not checked yet.
        """
        found: dict[str, dict[str, Any]] = {}
        for draft in self.drafts.dirty(owner, self.workspace):
            try:
                sheet = self.sheet(owner, draft.path)
            except EvaldeskError:
                # It is no eval set, or its file is gone: the library shows what the disk has.
                continue
            found[draft.path] = {"case_count": len(sheet.cases)}
            if sheet.is_checked or not sheet.is_large:
                found[draft.path]["problems"] = tuple(map(sheet.placed, sheet.problems().all))
        return [replace(entry, **found.get(entry.path, {})) for entry in entries]

    def _checker(self, draft: Draft) -> Callable[[JsonDocument], list[Problem]]:
        def check(document: JsonDocument) -> list[Problem]:
            where, near = self.workspace.seen_as(draft.path), self.workspace.near(draft.path)
            if draft.base.detection is None:
                return own_problems(document.value)
            return lint_document(document, draft.base.detection, where, near)

        return check

    def checks(self, path: str, entries: Sequence[Entry]) -> int | None:
        """Return how many checks an eval set uses; counted again once any file has changed."""
        seen = hash(tuple((e.path, e.modified_ns, e.size) for e in entries))
        with self._lock:
            if seen != self._counted:
                self._counted = seen
                self._checks.clear()
            if path not in self._checks:
                self._checks[path] = checks_of(self.workspace, path)
            return self._checks[path]

    def sheet(self, owner: str, path: str) -> Sheet:
        """Return an eval set as its owner edits it.

        Raises WorkspaceError or DocumentError if it cannot be read, FormatError if it is no eval
        set.
        """
        with self._lock:
            draft = self.drafts.open(owner, self.workspace, path)
            known = self._sheets.get((owner, draft.path))
            if known is None or known.draft is not draft:
                known = self._sheets[owner, draft.path] = _sheet(self.workspace, draft)
            self._sheets.move_to_end((owner, draft.path))
            while len(self._sheets) > SHEETS_KEPT:
                self._sheets.popitem(last=False)
            return known


def _sheet(workspace: Workspace, draft: Draft) -> Sheet:
    lens = draft.lens
    if lens is None:
        raise FormatError(
            f"{draft.path} is no eval set that Evaldesk knows",
            hint="Choose one of the sets in the library.",
        )

    detection, where = draft.base.detection, workspace.seen_as(draft.path)
    linter = Linter(detection, where, lambda: workspace.near(draft.path))

    def checks() -> list[str]:
        try:
            return [e.ref for e in workspace.evaluators_of(draft.path)]
        except EvaldeskError:
            return []

    return Sheet(draft, lens, linter, checks, Project(workspace, draft.path, lens))


def workspace_folder() -> Path:
    """Return the folder to open: ``EVALDESK_WORKSPACE``, else the samples, else the current one."""
    named = os.environ.get("EVALDESK_WORKSPACE", "")
    if named:
        return Path(named).expanduser()
    samples = ROOT / "sample_evals"
    return samples if samples.is_dir() else Path.cwd()


def open_desk() -> Desk:
    """Return the desk of the workspace folder; raises WorkspaceError if there is none."""
    return _open(str(workspace_folder().resolve()))


@lru_cache(maxsize=8)
def _open(folder: str) -> Desk:
    workspace = Workspace(Path(folder))
    return Desk(workspace, TextIndex(workspace))
