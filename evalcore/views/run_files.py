"""The result files of a workspace: which runs they hold, and one of them opened for reading."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from evalcore import verdicts
from evalcore.errors import EvaldeskError, Problem
from evalcore.formats import by_id
from evalcore.formats.base import Kind
from evalcore.jsondoc import JsonDocument
from evalcore.jsontree import MISSING, JsonValue, Missing, get
from evalcore.results import Run, Verdict
from evalcore.views.expectations import Joiner, choose_set
from evalcore.views.report_card import set_name
from evalcore.workspace import Entry, Workspace
from evalcore.workspace.entries import unreadable

_RESULT_NAMES = re.compile(r"result|report|output|eval_history|(^|/)runs?/", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class RunSummary:
    """One line of the list of runs. ``number`` counts from 1 within the file, of ``siblings``.

    ``counts`` is None for a large file, which is read only when it is opened, and for one whose
    system says nothing of passing. A file that cannot be read is one line with its ``problem``.
    ``moment`` is when it ran, else when the file changed.
    """

    path: str
    number: int
    siblings: int
    name: str
    set_name: str
    format_label: str
    created_at: datetime | None
    moment: datetime
    total: int
    counts: Counter[Verdict] | None = None
    problem: Problem | None = None


@dataclass(frozen=True, slots=True)
class RunFile:
    """A result file that was read: its runs, its text for raw views, and its problems."""

    path: str
    document: JsonDocument
    format_label: str
    runs: tuple[Run, ...]
    problems: tuple[Problem, ...]
    unfolded: JsonValue = field(default=None, repr=False)
    """The value behind a file that is JSON within a JSON text; the document's own otherwise."""

    def raw(self, origin: str) -> JsonValue | Missing:
        """Return what stands at a place of the file, MISSING where the place is not known."""
        return get(self.unfolded, origin)

    def line(self, origin: str) -> int | None:
        """Return the line, from 1, where a place of the file begins; None inside a JSON text."""
        if self.unfolded is not self.document.value or self.raw(origin) is MISSING:
            return None
        return self.document.position(origin)[0]


def list_runs(
    entries: Iterable[Entry], summarise: Callable[[Entry], Sequence[RunSummary]]
) -> list[RunSummary]:
    """Return the runs of all result files, newest first, files that cannot be read at the end.

    Runs that do not say when they ran come after those that do, by when their files changed.
    ``summarise`` reads one file (``read_summaries``, perhaps from a cache).
    """
    found: list[RunSummary] = []
    for entry in entries:
        if entry.error is not None:
            if _RESULT_NAMES.search(entry.path):
                found.append(_line(entry, problem=entry.error))
        elif entry.kind is Kind.RESULT:
            found += summarise(entry) if entry.is_checked else [_line(entry)]
    return sorted(found, key=_newest_first)


def read_summaries(workspace: Workspace, entry: Entry) -> tuple[RunSummary, ...]:
    """Return the runs in one file; one line with its problem if it cannot be read."""
    try:
        runs = open_run_file(workspace, entry.path, check=False).runs
    except (OSError, EvaldeskError) as error:
        return (_line(entry, problem=unreadable(error, entry.path)),)
    return tuple(_summary(entry, run, n, len(runs)) for n, run in enumerate(runs, 1))


def open_run_file(workspace: Workspace, path: str, *, check: bool = True) -> RunFile:
    """Read a result file and its runs.

    Raises WorkspaceError, DocumentError, OSError, or FormatError if it holds no runs.
    """
    if check:
        seen = workspace.examine(path)
        document, detection, problems = seen.document, seen.detection, seen.problems
    else:
        opened = workspace.open(path)
        document, detection, problems = opened.document, opened.detection, ()
    if detection is None or detection.kind is not Kind.RESULT:
        raise EvaldeskError(
            f"{path} is not a result file of any known system",
            hint="Choose a run from the list.",
        )
    known = by_id(detection.format_id)
    evaluators = workspace.evaluators_of(path)
    runs = tuple(
        known.with_evaluators(run, evaluators) for run in known.read_runs(document.value, detection)
    )
    return RunFile(path, document, known.label, runs, problems, _unfold(document.value))


def joiner_for(
    workspace: Workspace, entries: Sequence[Entry], run: Run, path: str
) -> Joiner | None:
    """Return what finds the cases of the set that was run, None if there is no such set here.

    A set of the run's own format is preferred to one of another format with the same id.
    Raises WorkspaceError or DocumentError if the set cannot be read any more.
    """
    sets = [e for e in entries if e.kind is Kind.EVAL_SET and e.detection is not None]
    own = [e for e in sets if e.detection and e.detection.format_id == run.format_id]
    chosen = _choose(run, path, own) or _choose(run, path, sets)
    if chosen is None:
        return None
    opened = workspace.open(chosen)
    if opened.format is None or opened.detection is None:
        return None
    lens, value = opened.format.lens_for(opened.detection), opened.document.value
    raw, pointers = lens.raw_cases(value), lens.case_pointers(value)
    ids = [lens.case_id(case) for case in raw]
    return Joiner(
        run,
        chosen,
        ids,
        lambda at: lens.read_case(raw[at], pointers[at]),
        key=lens.join_key,
        format_label=opened.format.label,
    )


def _choose(run: Run, path: str, sets: Sequence[Entry]) -> str | None:
    return choose_set(run, path, [(e.path, e.id, e.name) for e in sets])


def _line(entry: Entry, problem: Problem | None = None) -> RunSummary:
    label = by_id(entry.detection.format_id).label if entry.detection else ""
    changed = datetime.fromtimestamp(entry.modified_ns / 1e9, UTC)
    return RunSummary(
        path=entry.path,
        number=1,
        siblings=1,
        name=entry.name,
        set_name=entry.set_refs[0] if entry.set_refs else "",
        format_label=label,
        created_at=entry.recorded_at,
        moment=_utc(entry.recorded_at) or changed,
        total=entry.case_count or 0,
        problem=problem,
    )


def _summary(entry: Entry, run: Run, number: int, siblings: int) -> RunSummary:
    changed = datetime.fromtimestamp(entry.modified_ns / 1e9, UTC)
    return RunSummary(
        path=entry.path,
        number=number,
        siblings=siblings,
        name=run.name or entry.name,
        set_name=set_name(run),
        format_label=by_id(run.format_id).label,
        created_at=run.created_at,
        moment=_utc(run.created_at) or changed,
        total=len(run.cases),
        counts=Counter(map(verdicts.of_case, run.cases)) if run.has_pass_rule else None,
    )


def _newest_first(line: RunSummary) -> tuple[bool, bool, float, str, int]:
    dated = line.created_at is not None
    return line.problem is not None, not dated, -line.moment.timestamp(), line.path, line.number


def _utc(moment: datetime | None) -> datetime | None:
    return moment if moment is None or moment.tzinfo else moment.replace(tzinfo=UTC)


def _unfold(value: JsonValue) -> JsonValue:
    """Return the JSON inside a text that is JSON itself, at most twice deep; else the value."""
    for _ in range(2):
        if not isinstance(value, str):
            break
        try:
            value = json.loads(value)
        except ValueError:
            break
    return value
