"""The changes of a set for its review: per case and field, in words, and what can be dropped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from evalcore.changes import CaseDiff, FieldChange, case_diff
from evalcore.changes.revert import can_drop, without_field
from evalcore.changes.sets import around_changes
from evalcore.changes.words import Said, case_words, field_label, field_lines, plain_text
from evalcore.drafts.changes import case_changes
from evalcore.errors import FormatError
from evalcore.views.words import ago

if TYPE_CHECKING:
    from evalcore.drafts import CaseChange, Draft
    from evalcore.formats.evalset import EvalSetLens
    from evalcore.history import Commit
    from evalcore.jsontree import JsonValue

GLYPHS = {"added": "+", "changed": "±", "removed": "−", "moved": "↕"}
CASES_SHOWN = 100
LINES_SHOWN = 30


@dataclass(frozen=True, slots=True)
class FieldView:
    """One changed field: its lines, and whether its edit can be dropped by itself."""

    key: str
    label: str
    lines: tuple[tuple[Said, ...], ...]
    more: int
    is_droppable: bool


@dataclass(frozen=True, slots=True)
class CaseView:
    """One changed case. ``change`` is None for a comparison with an older version."""

    change: CaseChange
    title: str
    glyph: str
    what: str
    summary: str
    fields: tuple[FieldView, ...]


@dataclass(frozen=True, slots=True)
class ChangesView:
    """All changes of a set, the first cases of them in words; ``more`` cases are left out."""

    around: tuple[FieldView, ...]
    cases: tuple[CaseView, ...]
    more: int

    @property
    def is_empty(self) -> bool:
        """Return whether nothing differs."""
        return not (self.around or self.cases)


def changes_view(old: JsonValue, new: JsonValue, lens: EvalSetLens) -> ChangesView:
    """Return how two versions of a set differ."""
    before, after = lens.raw_cases(old), lens.raw_cases(new)
    return _view(old, new, lens, case_changes(before, after, lens.case_id))


def draft_changes(draft: Draft) -> ChangesView:
    """Return what saving a draft would change; () for a file without cases."""
    lens = draft.lens
    if lens is None:
        return ChangesView((), (), 0)
    return _view(draft.base.document.value, draft.tree, lens, draft.changed_cases)


def drop_field(draft: Draft, change: CaseChange | None, key: str) -> None:
    """Drop the edit of one field, as a step that can be undone; None means the set's own fields.

    Raises FormatError if the draft has moved on, or the field cannot be taken back by itself.
    """
    lens, base = draft.lens, draft.base.document.value
    if lens is None:
        return
    found = _field_of(draft, lens, change, key)
    draft.edit(
        lambda tree: without_field(base, tree, lens, found, change),
        f"Drop the edit of {field_label(found)}",
    )


def version_options(commits: Sequence[Commit], now: datetime) -> dict[str, str]:
    """Return what a draft can be compared with, "" for the opened file, by commit id."""
    options = {"": "The file as you opened it"}
    for number, commit in enumerate(commits):
        name = "Last commit" if number == 0 else commit.short
        options[commit.id] = f"{name} · {ago(commit.when, now)} · {commit.subject[:60]}"
    return options


def _view(
    old: JsonValue, new: JsonValue, lens: EvalSetLens, changes: Sequence[CaseChange]
) -> ChangesView:
    before, after = lens.raw_cases(old), lens.raw_cases(new)
    shown = [(c, case_diff(lens, c, before, after)) for c in changes[:CASES_SHOWN]]
    around = tuple(map(field_view, around_changes(old, new, lens)))
    cases = tuple(_case_view(change, diff) for change, diff in shown)
    return ChangesView(around, cases, len(changes) - len(shown))


def _case_view(change: CaseChange, diff: CaseDiff) -> CaseView:
    summary = diff.summary if diff.kind in ("added", "removed") else ""
    fields = tuple(map(field_view, diff.fields))
    what = plain_text(case_words(diff))
    return CaseView(change, diff.title, GLYPHS[diff.kind], what, summary, fields)


def field_view(field: FieldChange) -> FieldView:
    """Return a changed field with the first of its lines."""
    lines = tuple(field_lines(field))
    shown = lines[:LINES_SHOWN]
    label = field_label(field)
    return FieldView(field.key, label, shown, len(lines) - len(shown), can_drop(field))


def _field_of(draft: Draft, lens: EvalSetLens, change: CaseChange | None, key: str) -> FieldChange:
    old, new = draft.base.document.value, draft.tree
    fields: Sequence[FieldChange] = ()
    if change is None:
        fields = around_changes(old, new, lens)
    elif change in draft.changed_cases:
        fields = case_diff(lens, change, lens.raw_cases(old), lens.raw_cases(new)).fields
    found = next((field for field in fields if field.key == key), None)
    if found is None:
        raise FormatError("This edit is gone already", hint="Look at the list again.")
    return found
