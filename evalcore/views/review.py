"""The lines that saving would change, and the two sides of a conflict in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from evalcore.changes import FieldChange, case_diff
from evalcore.changes.sets import WHOLE
from evalcore.changes.words import field_label
from evalcore.drafts.changes import CaseChange
from evalcore.errors import EvaldeskError
from evalcore.jsontree import MISSING, JsonValue, Missing, same
from evalcore.views.changes import FieldView, field_view
from evalcore.views.sheet import Sheet, now
from evalcore.views.values import as_text
from evalcore.views.words import first_words

if TYPE_CHECKING:
    from evalcore.drafts import Conflict
    from evalcore.formats.evalset import EvalSetLens
    from evalcore.saving import Diff, DiffLine, Hunk

LINES_SHOWN = 1500


def changed_fields(lens: EvalSetLens, before: JsonValue, after: JsonValue) -> tuple[str, ...]:
    """Return the labels of the fields in which two versions of a case differ.

    Fields of a turn say which turn; what no field shows comes last, as "other parts".
    """
    change = CaseChange("changed", lens.case_id(after), 0, 0)
    return tuple(map(_field_words, case_diff(lens, change, [before], [after]).fields))


def _field_words(field: FieldChange) -> str:
    if field.name != WHOLE:
        return field_label(field)
    before, after = field.turn or (None, None)
    what = "added" if before is None else "deleted" if after is None else "moved"
    return f"{field.label} {what}"


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


def side_fields(
    sheet: Sheet, conflict: Conflict, side: JsonValue | Missing
) -> tuple[FieldView, ...]:
    """Return what one side changed in a case, in words; () where ``side_words`` says it all."""
    base = conflict.base
    if conflict.case_id is None or not isinstance(base, dict) or not isinstance(side, dict):
        return ()
    change = CaseChange("changed", sheet.lens.case_id(side), 0, 0)
    return tuple(map(field_view, case_diff(sheet.lens, change, [base], [side]).fields))


@dataclass(frozen=True, slots=True)
class Unusable:
    """A text that was typed and cannot be used. ``case`` is a handle, None outside the cases.

    ``is_whole`` is whether it was typed for the whole case, in the view that shows its text.
    """

    case: str | None
    typed: str
    error: EvaldeskError
    is_whole: bool = False


def unusable(sheet: Sheet) -> list[Unusable]:
    """Return what was typed and is not in the draft, and why."""
    cases = set(sheet.names())
    found = []
    for key, pending in sheet.pending.items():
        name, _, rest = key.removeprefix(f"{sheet.draft.path}|").partition("|")
        typed = first_words(str(pending.typed), 60)
        case = name if name in cases else None
        found.append(Unusable(case, typed, pending.error, rest == "raw"))
    return found


def conflict_title(conflict: Conflict) -> str:
    """Return what both sides changed, in words."""
    if conflict.case_id is not None:
        return f"Case {conflict.case_id}"
    if conflict.key == "order":
        return "The order of the cases"
    if conflict.pointer:
        return "Set: " + conflict.pointer.strip("/").replace("/", " › ")
    return "A case without a name" if conflict.key.startswith("case:") else "The whole file"
