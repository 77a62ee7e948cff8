"""One row of the library: what a file is, what it is called, and what is wrong with it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import PurePath
from typing import TYPE_CHECKING

from evalcore.errors import SEVERITIES, DocumentError, EvaldeskError, Problem, Severity
from evalcore.files import reason_of
from evalcore.formats import by_id, detect
from evalcore.formats.base import Detection, Kind
from evalcore.jsondoc import JsonDocument
from evalcore.jsontree import JsonValue
from evalcore.lint.checking import lint_document
from evalcore.workspace.discovery import HISTORY

if TYPE_CHECKING:
    from evalcore.formats.base import Surroundings
    from evalcore.results import Run


@dataclass(frozen=True, slots=True)
class Entry:
    """A file that a format knows, or one of ours that cannot be read (``error`` says why).

    ``path`` is relative to the workspace, with "/". ``id`` and ``name`` are the eval set's or the
    evaluator's own; a result file's ``id`` is None and ``set_refs`` are the ids and names of the
    eval sets that its runs belong to. ``case_count`` counts cases, or case results.
    ``is_checked`` is False for a large file, whose ``problems`` were not looked for.
    """

    path: str
    detection: Detection | None
    id: str | None
    name: str
    case_count: int | None
    problems: tuple[Problem, ...]
    size: int
    modified_ns: int
    error: Problem | None = None
    is_checked: bool = True
    set_refs: tuple[str, ...] = ()
    recorded_at: datetime | None = None

    @property
    def kind(self) -> Kind | None:
        """Return what the file is for, None where it could not be read."""
        return self.detection.kind if self.detection else None

    @property
    def problem_counts(self) -> dict[Severity, int]:
        """Return how many problems there are of each severity."""
        count = Counter(problem.severity for problem in self.problems)
        return {severity: count[severity] for severity in SEVERITIES}


@dataclass(frozen=True, slots=True)
class Examined:
    """A file that was read: its document, what it is, and its problems with their places."""

    document: JsonDocument
    detection: Detection | None
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class Title:
    """What a file says about itself."""

    id: str | None = None
    name: str = ""
    case_count: int | None = None
    set_refs: tuple[str, ...] = field(default=())
    recorded_at: datetime | None = None


def recognised(value: JsonValue, seen_as: PurePath) -> Detection | None:
    """Return what a file is, None for what no format knows.

    In ADK's folder of results anything else is no eval file: ADK itself reads only results there.
    """
    found = detect(value, seen_as)
    in_history = seen_as.parts[-3:-1] == HISTORY
    return None if found and in_history and found.kind is not Kind.RESULT else found


def examine(data: bytes, path: str, seen_as: PurePath, near: Surroundings) -> Examined:
    """Parse, recognise and check one file; problems are placed at ``path``.

    ``seen_as`` is the path by whose names formats recognise it. Raises DocumentError.
    """
    document = JsonDocument.parse(data)
    detection = recognised(document.value, seen_as)
    found = lint_document(document, detection, seen_as, near)
    return Examined(document, detection, tuple(problem.at(path=path) for problem in found))


def title_of(
    value: JsonValue, detection: Detection | None, path: str, count: int | None = None
) -> Title:
    """Return what a file is called and how much it holds; raises FormatError.

    ``count`` is the number of cases where ``value`` does not have all of them.
    """
    if detection is None:
        return Title()
    known, stem = by_id(detection.format_id), _stem(path)
    if detection.kind is Kind.EVAL_SET:
        lens = known.lens_for(detection)
        header = lens.read_header(value)
        cases = len(lens.raw_cases(value)) if count is None else count
        return Title(header.id, header.name or header.id or stem, cases)
    if detection.kind is Kind.EVALUATOR:
        evaluators = known.read_evaluators(value, detection)
        if len(evaluators) == 1:
            return Title(evaluators[0].ref, evaluators[0].name or stem)
    if detection.kind is Kind.RESULT:
        return _title_of_runs(known.read_runs(value, detection), stem, count)
    return Title(None, stem)


def unreadable(error: Exception, path: str) -> Problem:
    """Return an error met while a file was read as a problem of that file."""
    if isinstance(error, DocumentError):
        message = error.message + (f" (at “{error.excerpt}”)" if error.excerpt else "")
        return Problem(
            "error", "file.not_json", message, error.hint, "", error.line, error.column, path
        )
    if isinstance(error.__cause__, OSError) and isinstance(error, EvaldeskError):
        error = error.__cause__
    if isinstance(error, EvaldeskError):
        return Problem("error", "file.unreadable", error.message, error.hint, path=path)
    if isinstance(error, FileNotFoundError):
        hint = "Check the spelling; it may have been moved or deleted."
        return Problem("error", "file.missing", "There is no such file.", hint, path=path)
    if isinstance(error, PermissionError):
        hint = "Give yourself read permission, or ask the file's owner."
        message = "You are not allowed to read this."
        return Problem("error", "file.no_permission", message, hint, path=path)
    if isinstance(error, IsADirectoryError):
        hint = "Name a file in it."
        return Problem("error", "file.unreadable", "This is a folder, not a file.", hint, path=path)
    if isinstance(error, OSError):
        reason, hint = reason_of(error)
        message = f"This cannot be read: {reason}."
        return Problem("error", "file.unreadable", message, hint, path=path)
    message = f"Evaldesk met a fault of its own in this file: {type(error).__name__}: {error}"
    hint = "The file is left alone. Please report this, with the file if you can."
    return Problem("error", "file.unexpected", message, hint, path=path)


def _title_of_runs(runs: tuple[Run, ...], stem: str, count: int | None) -> Title:
    names = [name for run in runs for name in (run.eval_set_id, run.eval_set_name) if name]
    dates = [run.created_at for run in runs if run.created_at is not None]
    return Title(
        None,
        (runs[0].name if len(runs) == 1 else "") or stem,
        sum(len(run.cases) for run in runs) if count is None else count,
        tuple(dict.fromkeys(names)),
        max(dates, key=lambda d: d.timestamp()) if dates else None,
    )


def _stem(path: str) -> str:
    name = path.rsplit("/", 1)[-1]
    return name.split(".", 1)[0] or name
