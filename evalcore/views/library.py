"""The library: every eval set and result file of a workspace as rows that can be searched."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal

from evalcore.errors import EvaldeskError, Problem, Severity
from evalcore.formats import by_id
from evalcore.formats.base import Kind
from evalcore.jsontree import MISSING
from evalcore.views.folders import in_folder
from evalcore.views.words import plural, worst
from evalcore.workspace.nearest import Runs

if TYPE_CHECKING:
    from evalcore.views.run_list import LastRun
    from evalcore.workspace import Entry, Workspace

LOG = logging.getLogger("evaldesk")
ProblemFilter = Literal["any", "problems", "errors", "healthy"]
_RANDOM = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{24,}", re.IGNORECASE)
UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class SetRow:
    """One eval set, or a file that cannot be read (``is_readable`` is False)."""

    path: str
    name: str
    format_id: str
    format_label: str
    cases: int | None
    problems: tuple[Problem, ...]
    severity: Severity | None
    edited: datetime
    last_run: str | None
    """Path of the latest result file of the set, None if there is none."""
    last_run_at: datetime | None
    run: LastRun | None = None
    """The newest of its runs that judged anything, None where none is kept."""
    is_readable: bool = True
    is_checked: bool = True
    has_draft: bool = False


@dataclass(frozen=True, slots=True)
class ResultRow:
    """One result file."""

    path: str
    name: str
    format_label: str
    cases: int | None
    recorded: datetime
    sets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SetFilter:
    """Which sets are shown. ``text`` also finds sets by what their cases say."""

    text: str = ""
    formats: tuple[str, ...] = ()
    problems: ProblemFilter = "any"
    folder: str = ""

    @property
    def is_on(self) -> bool:
        """Return whether anything is filtered."""
        return self != SetFilter()


@dataclass(frozen=True, slots=True)
class Library:
    """All rows of a workspace, sets by path and results latest first."""

    sets: tuple[SetRow, ...]
    results: tuple[ResultRow, ...]

    @property
    def formats(self) -> dict[str, str]:
        """Return the formats present, id to label, in the order of their first set."""
        return {row.format_id: row.format_label for row in self.sets if row.is_readable}


def library(
    entries: Sequence[Entry],
    drafts: Collection[str] = (),
    runs: Mapping[str, LastRun] | None = None,
) -> Library:
    """Return the rows of a workspace's entries.

    ``drafts`` are the paths with unsaved edits, ``runs`` how sets stand by their kept runs.
    """
    results = [e for e in entries if e.kind is Kind.RESULT and e.error is None]
    sets = [e for e in entries if e.kind is Kind.EVAL_SET or e.error is not None]
    latest = Runs(sets, results)
    return Library(
        tuple(_set_row(e, drafts, latest, (runs or {}).get(e.path)) for e in sets),
        tuple(_result_row(e) for e in sorted(results, key=_when, reverse=True)),
    )


def summary(found: Library, shown: Sequence[SetRow], *, is_filtered: bool) -> str:
    """Return how many sets and cases there are, and how many of them are shown."""
    totals = plural(len(found.sets), "set"), plural(_cases(found.sets), "case")
    if not is_filtered:
        return " · ".join(totals)
    return f"{len(shown):,} of {totals[0]} · {_cases(shown):,} of {totals[1]}"


def _cases(rows: Iterable[SetRow]) -> int:
    return sum(row.cases or 0 for row in rows)


def checks_of(workspace: Workspace, path: str) -> int | None:
    """Return how many checks an eval set uses; None where that cannot be told.

    A set that names its checks uses those; any other uses all that its system applies to it.
    """
    try:
        entry = workspace.entry(path)
        if entry.detection is None:
            return None
        value = workspace.near(path).value(path.rsplit("/", 1)[-1])
        lens = by_id(entry.detection.format_id).lens_for(entry.detection)
        named = () if value is MISSING else lens.read_header(value).evaluator_refs
        return len(named) or len(workspace.evaluators_of(path))
    except EvaldeskError:
        return None
    except Exception:
        # A format's own fault must cost one cell, not the whole list.
        LOG.exception("the checks of %s cannot be counted", path)
        return None


def matching(
    rows: Iterable[SetRow], wanted: SetFilter, texts: Collection[str] = ()
) -> tuple[SetRow, ...]:
    """Return the rows that a filter lets through; ``texts`` are paths whose cases hold the text."""
    needle = wanted.text.casefold().strip()
    return tuple(
        row
        for row in rows
        if (not needle or row.path in texts or _named(row, needle))
        and (not wanted.formats or row.format_id in wanted.formats)
        and _let_through(row, wanted.problems)
        and in_folder(row.path, wanted.folder)
    )


def sorted_sets(rows: Sequence[SetRow], by: str) -> tuple[SetRow, ...]:
    """Return rows in the order of a column, or with "-" before its name in the reverse order.

    The columns are *name*, *format*, *cases*, *problems*, *run* and *edited*; any other text leaves
    the order as it is. Rows that have nothing in the column come last both ways.
    """
    key = _SORT_KEYS.get(by.removeprefix("-"))
    if key is None:
        return tuple(rows)
    having = [row for row in rows if key(row) is not None]
    without = [row for row in rows if key(row) is None]
    return (*sorted(having, key=key, reverse=by.startswith("-")), *without)


def _problem_weight(row: SetRow) -> tuple[int, int]:
    heaviest = {"error": 3, "warning": 2, "info": 1}.get(row.severity or "", 0)
    return heaviest, len(row.problems)


_SORT_KEYS: dict[str, Callable[[SetRow], Any]] = {
    "name": lambda row: row.name.casefold(),
    "format": lambda row: row.format_label.casefold(),
    "cases": lambda row: row.cases,
    "problems": lambda row: _problem_weight(row) if row.is_checked else None,
    "run": lambda row: row.last_run_at,
    "edited": lambda row: row.edited,
}


def _named(row: SetRow, needle: str) -> bool:
    return any(needle in text.casefold() for text in (row.name, row.path, row.format_label))


def _let_through(row: SetRow, problems: ProblemFilter) -> bool:
    if problems == "problems":
        return bool(row.problems)
    if problems == "errors":
        return row.severity == "error"
    return problems != "healthy" or not row.problems


def _set_row(entry: Entry, drafts: Collection[str], latest: Runs, kept: LastRun | None) -> SetRow:
    detection = entry.detection
    known = by_id(detection.format_id) if detection else None
    run = latest.latest(entry.path)
    file_at = _when(run) if run else None
    return SetRow(
        path=entry.path,
        name=set_title(entry),
        format_id=known.id if known else UNREADABLE,
        format_label=known.label if known else "cannot be read",
        cases=entry.case_count,
        problems=entry.problems,
        severity=worst(entry.problems),
        edited=datetime.fromtimestamp(entry.modified_ns / 1e9, UTC),
        last_run=run.path if run else None,
        last_run_at=kept.at if kept else file_at,
        run=kept,
        is_readable=entry.error is None,
        is_checked=entry.is_checked,
        has_draft=entry.path in drafts,
    )


def set_title(entry: Entry) -> str:
    """Return a set's name, or its file's where the name is only a random id."""
    stem = entry.path.rsplit("/", 1)[-1].split(".", 1)[0]
    return stem if stem and _RANDOM.fullmatch(entry.name) else entry.name


def _result_row(entry: Entry) -> ResultRow:
    label = by_id(entry.detection.format_id).label if entry.detection else ""
    return ResultRow(entry.path, entry.name, label, entry.case_count, _when(entry), entry.set_refs)


def _when(entry: Entry) -> datetime:
    if entry.recorded_at is not None:
        return entry.recorded_at.astimezone(UTC)
    return datetime.fromtimestamp(entry.modified_ns / 1e9, UTC)
