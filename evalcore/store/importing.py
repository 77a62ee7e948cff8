"""Result files, recorded outputs and scored runs become runs of a store.

The id of a run is made of what it was made from: the same file imported twice is the same run.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from itertools import groupby
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from evalcore.errors import EvaldeskError, FormatError
from evalcore.results import CaseResult, Run
from evalcore.store.documents import dump
from evalcore.store.manifest import Manifest, SetFacts, Source
from evalcore.store.reading import ResultFile, evaluators_around, read_results
from evalcore.store.sets import KnownSet, evaluator_hashes, set_of, sets_beside
from evalcore.store.writer import About, no_facts
from evalcore.workspace.discovery import inside

if TYPE_CHECKING:
    from evalcore.model import Evaluator
    from evalcore.scoring import Check
    from evalcore.store.runs import RunStore
    from evalcore.verdicts import PassMark
    from evalcore.workspace import Entry, Workspace

ID_LENGTH = 16
MOST_CAUTIONS = 20


@dataclass(frozen=True, slots=True)
class Imported:
    """A run that is in the store now; ``is_new`` is False where it was there already."""

    manifest: Manifest
    is_new: bool

    @property
    def id(self) -> str:
        """Return the run's id."""
        return self.manifest.id


def import_result(store: RunStore, workspace: Workspace, path: str) -> list[str]:
    """Import a result file of any known system; returns the ids of its runs."""
    return [found.id for found in import_file(store, workspace, path)]


def import_file(
    store: RunStore,
    workspace: Workspace,
    path: str,
    mark: PassMark | None = None,
    *,
    again: bool = False,
    home: Workspace | None = None,
) -> list[Imported]:
    """Import every run of a result file, or of recorded outputs in a file called ``*.jsonl``.

    ``home`` is where the eval sets of its runs are looked for, where that is not around the file.

    ``mark`` judges where the system has no pass rule. What was imported before is left as it is,
    unless ``again`` says to read it anew: the set and the evaluators may have changed. Raises
    WorkspaceError, DocumentError or FormatError for a file that cannot be read or holds no results.
    """
    digest = _sha256(workspace, path)
    known = [] if again else _known(store, digest)
    if known:
        return [Imported(manifest, is_new=False) for manifest in known]
    if path.endswith(".jsonl"):
        return [_import_outputs(store, workspace, path, digest, again=again)]
    file = read_results(workspace, path)
    return _Import(store, workspace, file, mark, again, home or workspace).runs()


def record_scored(
    store: RunStore,
    run: Run,
    checks: Sequence[Check],
    *,
    source: str = "",
    eval_set: SetFacts | None = None,
    about: About = no_facts,
    pass_mark: float | None = None,
    name: str = "",
) -> Imported:
    """Keep a run that was scored here; the same scores of the same outputs are the same run.

    ``checks`` are those it was scored with, ``source`` is the path of what was scored.
    ``pass_mark`` is that of the scoring, where the system has no pass rule.
    """
    configured = {check.ref: _short(check.settings) for check in checks}
    digest = hashlib.sha256(json.dumps(configured, sort_keys=True).encode())
    for case in run.cases:
        digest.update(dump(case).encode())
    manifest = _manifest(run, f"{digest.hexdigest()[:ID_LENGTH]}-s").model_copy(
        update={
            "name": name or run.name,
            "source": Source(kind="scored", path=source, sha256=digest.hexdigest()),
            "eval_set": eval_set or SetFacts(id=run.eval_set_id, name=run.eval_set_name),
            "evaluators": configured,
            "pass_mark": None if run.has_pass_rule else pass_mark,
            "versions": _versions(),
        }
    )
    if store.has(manifest.id):
        return Imported(store.manifest(manifest.id), is_new=False)
    with store.writer(manifest, about) as writer:
        for case in run.cases:
            writer.append(case)
        return Imported(writer.finish(run=run), is_new=True)


@dataclass
class _Import:
    """One result file on its way into the store."""

    store: RunStore
    workspace: Workspace
    file: ResultFile
    mark: PassMark | None
    again: bool
    home: Workspace
    _sets: dict[str, KnownSet] = field(default_factory=dict)

    def runs(self) -> list[Imported]:
        """Import the runs of the file that are not there, in the order of the file."""
        found: dict[int, Imported] = {}
        for number in range(len(self.file.heads)):
            if not self.again and self.store.has(self._id(number)):
                found[number] = Imported(self.store.manifest(self._id(number)), is_new=False)
        for number, batches in groupby(self.file.batches(), key=lambda batch: batch[0]):
            if number not in found:
                found[number] = self._written(number, (c for _, cases in batches for c in cases))
        for number in range(len(self.file.heads)):
            if number not in found:
                found[number] = self._written(number, ())
        return [found[number] for number in sorted(found)]

    def _written(self, number: int, cases: Iterable[CaseResult]) -> Imported:
        head = self.file.heads[number]
        known = self._set(head)
        about = no_facts if known is None else known.about
        with self.store.writer(self._manifest(number, head, known), about) as writer:
            for case in cases:
                writer.append(case)
            return Imported(writer.finish(run=head), is_new=True)

    def _manifest(self, number: int, head: Run, known: KnownSet | None) -> Manifest:
        file = self.file
        return _manifest(head, self._id(number)).model_copy(
            update={
                "name": head.name or PurePosixPath(file.path).stem,
                "source": Source(
                    kind="result_file",
                    path=file.path,
                    sha256=file.sha256,
                    number=number + 1,
                    of=len(file.heads),
                ),
                "eval_set": known.facts
                if known is not None
                else SetFacts(id=head.eval_set_id, name=head.eval_set_name),
                "evaluators": evaluator_hashes(self._evaluators(head, known)),
                "versions": _versions(),
                "pass_mark": None if head.has_pass_rule or not self.mark else self.mark.value,
                "finished_at": _utc(head) or _modified(self.workspace, file.path),
            }
        )

    def _id(self, number: int) -> str:
        return f"{self.file.sha256[:ID_LENGTH]}-{number + 1}"

    def _set(self, head: Run) -> KnownSet | None:
        """Return the eval set of a run, None where it is not in the workspace or broken."""
        path = set_of(head, self.file.path, self._beside)
        if path is None:
            return None
        with suppress(EvaldeskError):
            known = self._sets.get(path) or KnownSet(self.home, path)
            self._sets[path] = known
            known.start_again()
            return known
        return None

    @cached_property
    def _beside(self) -> list[Entry]:
        heads = self.file.heads
        names = {name or "" for head in heads for name in (head.eval_set_id, head.eval_set_name)}
        return sets_beside(self.home, self.file.path, names)

    def _evaluators(self, head: Run, known: KnownSet | None) -> Sequence[Evaluator]:
        """Return the evaluators that a run used, as far as the files of today tell."""
        if known is not None:
            from evalcore.scoring.project import open_project, with_run

            # Without readable files nothing is known, which is no difference between two runs.
            with suppress(EvaldeskError):
                return with_run(open_project(self.home, known.facts.path), head).configured
        return evaluators_around(self.workspace, self.file.path, self.file.format)


def _import_outputs(
    store: RunStore, workspace: Workspace, path: str, digest: str, *, again: bool
) -> Imported:
    from evalcore.outputs import read_outputs

    name = PurePosixPath(path).name
    run, problems = read_outputs(workspace.read(path), name=name)
    if not run.cases:
        said = f": line {problems[0].line or 1}: {problems[0].message}" if problems else ""
        raise FormatError(f"{path} holds no outputs{said}", hint="Write one JSON object per line.")
    manifest = _manifest(run, f"{digest[:ID_LENGTH]}-1").model_copy(
        update={
            "source": Source(kind="outputs", path=path, sha256=digest),
            "versions": _versions(),
            "finished_at": _modified(workspace, path),
            "cautions": tuple(
                f"Line {p.line or 1} was left out: {p.message}"
                for p in problems
                if p.severity == "error"
            )[:MOST_CAUTIONS],
        }
    )
    if not again and store.has(manifest.id):
        return Imported(store.manifest(manifest.id), is_new=False)
    with store.writer(manifest) as writer:
        for case in run.cases:
            writer.append(case)
        return Imported(writer.finish(run=run), is_new=True)


def _manifest(run: Run, run_id: str) -> Manifest:
    return Manifest(
        id=run_id,
        name=run.name,
        source=Source(kind="result_file"),
        format_id=run.format_id,
        has_pass_rule=run.has_pass_rule,
        started_at=_utc(run),
    )


def _utc(run: Run) -> datetime | None:
    at = run.created_at
    return at if at is None or at.tzinfo else at.replace(tzinfo=UTC)


def _known(store: RunStore, digest: str) -> list[Manifest]:
    """Return the runs of a file if all of them are there, in the order of the file."""
    prefix = digest[:ID_LENGTH]
    first = f"{prefix}-1"
    if not store.has(first):
        return []
    names = [f"{prefix}-{n}" for n in range(1, store.manifest(first).source.of + 1)]
    return [store.manifest(name) for name in names] if all(map(store.has, names)) else []


def _sha256(workspace: Workspace, path: str) -> str:
    _normal, place = inside(workspace.root, path)
    with place.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _modified(workspace: Workspace, path: str) -> datetime:
    _normal, place = inside(workspace.root, path)
    return datetime.fromtimestamp(place.stat().st_mtime, UTC)


def _versions() -> dict[str, str]:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return {"evaldesk": version("evaldesk")}
    except PackageNotFoundError:
        return {}


def _short(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:ID_LENGTH]
