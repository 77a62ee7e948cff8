"""A result file as a run of the store that lives as long as it is needed, and nowhere on disk."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC
from hashlib import sha256
from pathlib import PurePosixPath
from typing import TYPE_CHECKING
from uuid import uuid4

from evalcore.errors import EvaldeskError
from evalcore.store import CaseFacts, Manifest, Place, RunStore, SetFacts, Source, StoredRun
from evalcore.views.run_files import joiner_for, open_run_file
from evalcore.workspace.entries import unreadable

if TYPE_CHECKING:
    from evalcore.cli._places import Place as FilePlace
    from evalcore.results import CaseResult, Run
    from evalcore.verdicts import PassMark
    from evalcore.views.expectations import Join
    from evalcore.views.run_files import RunFile


@contextmanager
def stored_in_memory(
    place: FilePlace, number: int | None, mark: PassMark | None
) -> Iterator[tuple[StoredRun, Callable[[int], Join | None]]]:
    """Give a run of a result file, and what finds the case of its eval set by a result's place.

    Raises EvaldeskError for a file that is none or cannot be read, and for a ``number`` that is
    not there or must be said.
    """
    file = _read(place)
    run, at = _chosen(file, number, place.given)
    joins = _joins(place, run)
    store = RunStore(Place(f"memory://evaldesk-{uuid4().hex}"))
    manifest = _manifest(place, file, run, at, joins)
    if mark is not None and not run.has_pass_rule:
        manifest = manifest.model_copy(update={"pass_mark": mark.value})
    places = iter(range(len(run.cases)))

    def about(_case: CaseResult) -> CaseFacts:
        return _facts(joins(next(places)))

    try:
        with store.writer(manifest, about) as writer:
            for case in run.cases:
                writer.append(case)
            writer.finish(run=run)
        yield store.open(manifest.id, mark), joins
    finally:
        store.place.delete("")


def _read(place: FilePlace) -> RunFile:
    try:
        return open_run_file(place.workspace, place.path, check=False)
    except (OSError, EvaldeskError) as error:
        problem = unreadable(error, place.given)
        where = f"{place.given}:{problem.line}:{problem.column}" if problem.line else place.given
        raise EvaldeskError(f"{where}: {problem.message}", hint=problem.hint) from error


def _chosen(file: RunFile, number: int | None, given: str) -> tuple[Run, int]:
    runs = file.runs
    if number is None and len(runs) != 1:
        names = ", ".join(f"{n} ({run.name or run.eval_set_id})" for n, run in enumerate(runs, 1))
        raise EvaldeskError(
            f"{given} holds {len(runs):,} runs", hint=f"Choose one with --number: {names}."
        )
    if number is not None and not 1 <= number <= len(runs):
        raise EvaldeskError(
            f"{given} has no run number {number}", hint=f"It holds {len(runs):,}, counted from 1."
        )
    at = number or 1
    return runs[at - 1], at


def _joins(place: FilePlace, run: Run) -> Callable[[int], Join | None]:
    workspace = place.workspace
    joiner = joiner_for(workspace, workspace.eval_sets(), run, place.path)
    return (lambda _place: None) if joiner is None else joiner.of


def _facts(join: Join | None) -> CaseFacts:
    if join is None:
        return CaseFacts()
    metadata = join.case.metadata
    return CaseFacts(join.case.tags, metadata if isinstance(metadata, dict) else {}, join.case.id)


def _manifest(
    place: FilePlace, file: RunFile, run: Run, number: int, joins: Callable[[int], Join | None]
) -> Manifest:
    found = (joins(n) for n in range(len(run.cases)))
    path = next((join.path for join in found if join is not None), "")
    at, content = run.created_at, sha256(file.document.data).hexdigest()
    return Manifest(
        id=f"{content[:16]}-{number}",
        name=run.name or PurePosixPath(place.path).stem,
        source=Source(
            kind="result_file",
            path=place.given,
            sha256=content,
            number=number,
        ),
        format_id=run.format_id,
        eval_set=SetFacts(path=path, id=run.eval_set_id, name=run.eval_set_name),
        has_pass_rule=run.has_pass_rule,
        started_at=at if at is None or at.tzinfo else at.replace(tzinfo=UTC),
    )
