"""What saving would change, in words and line by line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from evalcore.drafts.changes import case_changes
from evalcore.jsontree import MISSING, JsonValue, Missing, get, same
from evalcore.views.sheet import Sheet, now
from evalcore.views.values import as_text

if TYPE_CHECKING:
    from evalcore.drafts import CaseChange, Conflict
    from evalcore.formats.evalset import EvalSetLens
    from evalcore.formats.lenses import Field
    from evalcore.saving import Diff, DiffLine, Hunk

WORDS = {"added": "added", "changed": "edited", "removed": "deleted", "moved": "moved"}
GLYPHS = {"added": "+", "changed": "±", "removed": "−", "moved": "↕"}
LINES_SHOWN = 1500


@dataclass(frozen=True, slots=True)
class ChangeView:
    """One case that saving would change: what it is called, and what happened to it."""

    change: CaseChange
    title: str
    what: str
    parts: tuple[str, ...]


def change_views(sheet: Sheet) -> tuple[ChangeView, ...]:
    """Return every changed case in words, in the order of the draft."""
    lens, draft = sheet.lens, sheet.draft
    old, new = lens.raw_cases(draft.base.document.value), lens.raw_cases(draft.tree)
    found: list[ChangeView] = []
    for change in draft.changed_cases:
        before = None if change.before is None else old[change.before]
        after = None if change.after is None else new[change.after]
        found.append(_view(lens, change, before, after))
    return tuple(found)


def _view(lens: EvalSetLens, change: CaseChange, before: JsonValue, after: JsonValue) -> ChangeView:
    was, now_called = lens.case_label(before), lens.case_label(after)
    title = now_called or was or "a case without a name"
    what = WORDS[change.kind] + (" and moved" if change.moved and change.kind == "changed" else "")
    parts: tuple[str, ...] = ()
    if change.kind == "changed":
        renamed = was is not None and now_called is not None and was != now_called
        named = (f"renamed from {was}",) if renamed else ()
        skip = (lens.label_field,) if renamed else ()
        parts = (*named, *changed_fields(lens, before, after, skip))
    return ChangeView(change, title, what, parts)


def changed_fields(
    lens: EvalSetLens, before: JsonValue, after: JsonValue, skip: Sequence[str] = ()
) -> tuple[str, ...]:
    """Return the labels of the fields in which two versions of a case differ.

    Fields of a turn say which turn; what no field shows comes last, as "other parts".
    """
    fields = [f for f in lens.case_fields if f.name not in skip]
    found = list(_differing(fields, before, after))
    old_turns = lens.invocation_pointers(before, "") if isinstance(before, dict) else []
    new_turns = lens.invocation_pointers(after, "") if isinstance(after, dict) else []
    if not lens.has_turns:
        found += _differing(lens.invocation_fields, before, after)
    else:
        found += _changed_turns(lens, _at(before, old_turns), _at(after, new_turns))
    if not found and not skip:
        found.append("other parts")
    return tuple(dict.fromkeys(found))


def _at(case: JsonValue, pointers: Sequence[str]) -> list[JsonValue]:
    return [None if (turn := get(case, pointer)) is MISSING else turn for pointer in pointers]


def _changed_turns(lens: EvalSetLens, old: list[JsonValue], new: list[JsonValue]) -> Iterator[str]:
    """Say what became of each turn, by its number in the new order; deleted ones by their old."""
    by_id = next((f.lens for f in lens.invocation_fields if f.name == "invocation_id"), None)

    def id_of(turn: JsonValue) -> str | None:
        found = by_id.get(turn) if by_id is not None and isinstance(turn, dict) else None
        return found if isinstance(found, str) and found else None

    for change in case_changes(old, new, id_of):
        if change.after is None:
            yield f"turn {(change.before or 0) + 1} deleted"
        elif change.before is None:
            yield f"turn {change.after + 1} added"
        else:
            number = change.after + 1
            if change.moved:
                yield f"turn {number} moved"
            for label in _differing(lens.invocation_fields, old[change.before], new[change.after]):
                yield f"turn {number}: {label}"


def _differing(
    fields: Sequence[Field], before: JsonValue | Missing, after: JsonValue | Missing
) -> Iterator[str]:
    if not isinstance(before, dict) or not isinstance(after, dict):
        return
    for field in fields:
        old, new = field.lens.get(before), field.lens.get(after)
        if not _alike(old, new):
            yield field.label.lower()


def _alike(old: object, new: object) -> bool:
    if isinstance(old, tuple) or isinstance(new, tuple):
        return old == new
    return same(old, new)  # type: ignore[arg-type]


def can_touch(sheet: Sheet) -> bool:
    """Return whether the format has edit times that saving could move on."""
    changed = [c.after for c in sheet.draft.changed_cases if c.after is not None]
    tree = sheet.tree
    return not same(sheet.lens.touch(tree, changed, now()), tree)


DiffRow = tuple[Literal["same", "added", "removed", "gap"], str, str, str]
"""Kind, old line number, new line number, text."""


def diff_rows(diff: Diff, limit: int = LINES_SHOWN) -> tuple[list[DiffRow], int]:
    """Return the lines of a diff for a table, and how many more there are."""
    lines: list[DiffRow] = []
    left = 0
    for hunk in diff.hunks:
        room = limit - len(lines)
        if room <= 0:
            left += len(hunk.lines)
            continue
        lines.append(("gap", "", "", f"from line {_first(hunk)}"))
        lines += [_row(line) for line in hunk.lines[:room]]
        left += max(0, len(hunk.lines) - room)
    return lines, left


def _first(hunk: Hunk) -> int:
    return next((n for line in hunk.lines for n in (line.new, line.old) if n is not None), 1)


def _row(line: DiffLine) -> DiffRow:
    old, new = (str(n) if n is not None else "" for n in (line.old, line.new))
    note = "" if line.ending else "  (no line ending)"
    return line.kind, old, new, line.text + note


def version_text(value: JsonValue | Missing) -> str:
    """Return one side of a conflict for reading."""
    return "(not there)" if value is MISSING else as_text(value)


def side_words(sheet: Sheet, conflict: Conflict, side: JsonValue | Missing) -> str:
    """Return what one side did to the thing that both changed, for a heading."""
    if side is MISSING:
        return "deleted"
    if conflict.base is MISSING:
        return "added"
    if conflict.case_id is None or not isinstance(side, dict):
        return "changed"
    base = conflict.base
    return ", ".join(changed_fields(sheet.lens, base, side)) if isinstance(base, dict) else ""


def conflict_title(conflict: Conflict) -> str:
    """Return what both sides changed, in words."""
    if conflict.case_id is not None:
        return f"Case {conflict.case_id}"
    if conflict.key == "order":
        return "The order of the cases"
    if conflict.pointer:
        return "Set: " + conflict.pointer.strip("/").replace("/", " › ")
    return "A case without a name" if conflict.key.startswith("case:") else "The whole file"
