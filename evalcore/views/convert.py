"""What the dialog "Convert to…" shows: where a set can go, and what would become of it there."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from evalcore.convert import ROOM, Options, PlannedFile, planned_file
from evalcore.convert.report import (
    HEADS,
    case_words,
    checks_words,
    example_words,
    group_words,
    summary,
)
from evalcore.errors import EvaldeskError
from evalcore.formats import by_id
from evalcore.formats.evalset import stem_of
from evalcore.views.newset import choosable_formats, project_of, suggested_path
from evalcore.views.words import plural

if TYPE_CHECKING:
    from evalcore.convert import Group, Report, Status
    from evalcore.drafts import Draft
    from evalcore.workspace import Entry, Workspace

GROUPS_SHOWN = 40
WORDS: dict[Status, str] = {
    "lost": "Not in the new file in any form.",
    "changed": "In the new file, in another form.",
    "carried": "In the new file as notes, which its system does not read.",
    "spare": "Empty, or said by the new file in its own way.",
}


@dataclass(frozen=True, slots=True)
class Row:
    """One part of the report: what it is, how much, why, and examples."""

    title: str
    count: str
    why: str
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """All parts that go the same way; ``more`` counts those that are not listed."""

    status: Status
    title: str
    help: str
    rows: tuple[Row, ...]
    more: int = 0


@dataclass(frozen=True, slots=True)
class Offer:
    """A planned conversion in words."""

    planned: PlannedFile
    lead: str
    summary: str
    checks: str
    sections: tuple[Section, ...]

    @property
    def lost(self) -> int:
        """Return how many values would be lost."""
        return self.planned.conversion.report.counts["lost"]

    @property
    def action(self) -> str:
        """Return what the button says that writes the file."""
        return f"Convert and lose {plural(self.lost, 'value')}" if self.lost else "Convert"


def targets(draft: Draft) -> dict[str, str]:
    """Return the formats that a set can be converted to, with their labels, its own left out."""
    own = draft.base.format.id if draft.base.format else ""
    return {name: of.label for name, of in choosable_formats().items() if name != own}


def can_split(draft: Draft, format_id: str) -> bool:
    """Return whether it matters that each turn becomes a case: some case has several."""
    lens = draft.lens
    if lens is None or by_id(format_id).eval_sets.has_turns:
        return False
    if not lens.has_turns:
        return any(f.name == "conversational_input" for f in lens.invocation_fields)
    pointers = lens.case_pointers(draft.tree)
    return any(len(lens.invocation_pointers(draft.tree, p)) > 1 for p in pointers)


def room_for_notes(format_id: str) -> str:
    """Return where a format keeps what it has no place for, "" where it keeps nothing."""
    return ROOM.get(format_id, "")


def suggestion(draft: Draft, format_id: str, entries: Iterable[Entry]) -> str:
    """Return a free path for the new set, named after the old one and in the same project."""
    old = draft.base.format
    project = project_of(old, draft.path) if old is not None else None
    stem = stem_of(posixpath.basename(draft.path))
    return suggested_path(by_id(format_id), stem, entries, project)


def offer(workspace: Workspace, draft: Draft, format_id: str, path: str, options: Options) -> Offer:
    """Return what converting a set, unsaved edits included, would write and lose.

    Raises FormatError where the new format's system takes no file of that name for a set.
    """
    planned = planned_file(
        workspace, draft.base, workspace, path, format_id, tree=draft.tree, options=options
    )
    report = planned.conversion.report
    return Offer(
        planned, case_words(report), summary(report), checks_words(report), _sections(report)
    )


def _sections(report: Report) -> tuple[Section, ...]:
    statuses: Sequence[Status] = ("lost", "changed", "carried", "spare")
    found = []
    for status in statuses:
        groups = report.groups(status)
        if groups:
            rows = tuple(map(_row, groups[:GROUPS_SHOWN]))
            more = max(0, len(groups) - GROUPS_SHOWN)
            count = report.counts[status]
            title = f"{HEADS[status]}: {plural(count, 'value')}"
            found.append(Section(status, title, WORDS[status], rows, more))
    return tuple(found)


def _row(group: Group) -> Row:
    why = f"{group.why} {group.hint}".strip()
    return Row(
        group.title, group_words(group), why, tuple(example_words(f) for f in group.examples)
    )


def written(offered: Offer) -> str:
    """Write the new file and return its path; raises WorkspaceError where that cannot be done."""
    try:
        return offered.planned.write().path
    except OSError as error:
        raise EvaldeskError(f"The file cannot be written: {error.strerror or error}") from error
