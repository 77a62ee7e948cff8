"""Write a run as a file to hand on: HTML, JUnit XML, Markdown, CSV, XLSX or JSON.

RUN is the id or the name of a stored run of the folder given by --in, or a result file or recorded
outputs (*.jsonl), which are read and not stored. Which kind is written says an option, else the
ending of --to. Without --to the report goes to stdout.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING
from uuid import uuid4

from evalcore.cli._output import print_json, visible
from evalcore.cli._places import existing_folder, file_place
from evalcore.cli._runs import find_run, mark_of
from evalcore.errors import EvaldeskError, WorkspaceError
from evalcore.workspace import Workspace
from evalcore.workspace.entries import unreadable

if TYPE_CHECKING:
    from evalcore.report import Joins, Selection
    from evalcore.store import Manifest, RunQuery

KINDS = {
    "html": "one page that needs no network and no other file",
    "junit": "JUnit XML, for build servers",
    "md": "a Markdown summary, for a pull request",
    "csv": "a row per case result",
    "xlsx": "a workbook of numbers, case results and turns",
    "json": "everything, for programs",
}
ONLY = ("failures", "errors", "passes", "flaky", "not_evaluated")
ENDINGS = {".xml": "junit", ".htm": "html", ".markdown": "md"}
"""Endings of file names that are not called as their kind."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    add = parser.add_argument
    add("run", metavar="RUN", help="a run's id or name, or a result file")
    kinds = parser.add_mutually_exclusive_group()
    for kind, words in KINDS.items():
        kinds.add_argument(f"--{kind}", dest="kind", action="store_const", const=kind, help=words)
    add("--to", metavar="FILE", default="-", help="where to write it (default: stdout)")
    add("--force", action="store_true", help="replace FILE if it is there")
    add("--in", dest="folder", metavar="DIR", default=".", help="whose runs to look among")
    add("--number", type=int, metavar="N", help="which run of a result file of several, from 1")
    add("--only", choices=ONLY, default="all", help="leave out all other case results")
    add("--search", metavar="WORDS", default="", help="only results in which all words occur")
    add("--tag", action="append", default=[], metavar="TAG", help="only so tagged; repeatable")
    add("--pass-mark", type=float, metavar="X", help="from 0 to 1, where the system has no rule")


def run(arguments: argparse.Namespace) -> int:
    """Write the report; raises EvaldeskError where there is no such run, or FILE is in the way."""
    from evalcore.report import ReportKind, write

    kind = ReportKind(_kind(arguments))
    target = None if arguments.to == "-" else Path(arguments.to)
    if target is not None and target.exists() and not arguments.force:
        raise WorkspaceError(
            f"{arguments.to!r} is there already", hint="Name another FILE, or add --force."
        )
    if target is None and not kind.is_text and sys.stdout.isatty():
        raise EvaldeskError("A workbook is nothing for a terminal", hint="Name a file with --to.")
    with _selection(arguments) as selection:
        if target is None:
            write(kind, selection, sys.stdout.buffer)
            return 0
        with _replacing(target) as stream:
            write(kind, selection, stream)
        _report(arguments, selection)
    return 0


def _kind(arguments: argparse.Namespace) -> str:
    if arguments.kind is not None:
        return str(arguments.kind)
    ending = Path(arguments.to).suffix.lower()
    found = ENDINGS.get(ending, ending.removeprefix("."))
    if found not in KINDS:
        raise EvaldeskError(
            "Which kind of report?", hint=f"Add one of {', '.join(f'--{kind}' for kind in KINDS)}."
        )
    return found


def _report(arguments: argparse.Namespace, selection: Selection) -> None:
    number = selection.run.count(selection.query)
    if arguments.output == "json":
        print_json({"run": selection.run.manifest.id, "file": arguments.to, "case_results": number})
    else:
        sys.stderr.write(f"{visible(arguments.to)}: {number:,} case results\n")


@contextmanager
def _selection(arguments: argparse.Namespace) -> Iterator[Selection]:
    from evalcore.cli._in_memory import stored_in_memory
    from evalcore.report import Selection
    from evalcore.store import RunStore, place_of

    mark = mark_of(arguments.pass_mark)
    if Path(arguments.run).is_file():
        place = file_place(arguments.run)
        with stored_in_memory(place, arguments.number, mark) as found:
            joins = _joins(place.workspace, found.manifest)
            yield Selection(found, _query(arguments), joins)
        return
    workspace = Workspace(existing_folder(arguments.folder))
    store = RunStore(place_of(workspace))
    found = store.open(find_run(store, arguments.run).id, mark)
    yield Selection(found, _query(arguments), _joins(workspace, found.manifest))


def _joins(workspace: Workspace, manifest: Manifest) -> Joins:
    """Return what finds the cases of the run's eval set; says so where it cannot be read."""
    from evalcore.report import joins_of, no_join

    try:
        return joins_of(workspace, manifest)
    except (OSError, EvaldeskError) as error:
        path = manifest.eval_set.path
        problem = unreadable(error, path)
        sys.stderr.write(
            f"evaldesk: {visible(path)} cannot be read, so what only the eval set says was "
            f"expected is left out: {visible(problem.message)}\n"
        )
        return no_join


def _query(arguments: argparse.Namespace) -> RunQuery:
    from evalcore.store import RunQuery

    return RunQuery(mode=arguments.only, text=arguments.search, tags=tuple(arguments.tag))


@contextmanager
def _replacing(target: Path) -> Iterator[IO[bytes]]:
    """Give a stream whose bytes are at the target once all of them are written."""
    try:
        with tempfile.NamedTemporaryFile(
            dir=target.parent, prefix=f".{uuid4().hex[:8]}-", suffix=".part", delete=False
        ) as stream:
            part = Path(stream.name)
            try:
                yield stream
                stream.flush()
                part.chmod(0o644)
                part.replace(target)
            finally:
                part.unlink(missing_ok=True)
    except OSError as error:
        raise WorkspaceError(
            f"{str(target)!r} cannot be written: {error.strerror or error}",
            hint="Name a file in a folder that you may write to.",
        ) from error
