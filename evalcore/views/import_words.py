"""The words and tables in which an import is shown before anything is changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from evalcore.exporting.cells import Cell, plain_text, unguard
from evalcore.exporting.columns import CASE_ID, TURN, columns_of
from evalcore.exporting.table import table_of
from evalcore.importing import talks
from evalcore.importing.edits import CellEdit, Patch
from evalcore.importing.source import RowProblem, Source
from evalcore.importing.targets import IGNORE, Target, field_key
from evalcore.jsontree import JsonValue
from evalcore.views.values import plain, printable
from evalcore.views.words import first_words, plural

if TYPE_CHECKING:
    import pandas as pd

    from evalcore.formats.evalset import EvalSetLens

CELL = 300
"""Characters of a cell that a preview shows."""


def preview_frame(
    lens: EvalSetLens, tree: JsonValue, indexes: Sequence[int], mapping: Sequence[Target]
) -> pd.DataFrame:
    """Return some cases of a set as a table of the fields that columns become."""
    import pandas as pd

    told = {target.what for target in mapping} | {f"invocation:{name}" for name in talks.FIELDS}
    cases = lens.raw_cases(tree)
    columns = columns_of(lens, [cases[i] for i in indexes])
    columns = tuple(c for c in columns if field_key(c.level, c.field) in told)
    table = table_of(lens, tree, "", indexes, columns)
    rows: list[dict[str, str]] = []
    for row in table.rows:
        label = lens.case_label(lens.raw_cases(tree)[row.case]) or row.id or ""
        shown = {CASE_ID: label} | ({TURN: str((row.turn or 0) + 1)} if table.has_turns else {})
        named = zip(table.columns, row.cells, strict=True)
        rows.append(shown | {c.header: _words(cell) for c, cell in named})
    frame = pd.DataFrame(rows, dtype="object").map(printable)
    used = [name for name in frame.columns if name in (CASE_ID, TURN) or frame[name].any()]
    return frame[used]


def why_nothing(source: Source, mapping: Sequence[Target]) -> str:
    """Return why nothing can come of a file whatever its rows hold, "" where something can."""
    if not source.rows:
        return f"The file has no {source.unit}s below the names of its columns: nothing to add."
    if mapping and all(target.what == IGNORE for target in mapping):
        return "No column is used yet. Choose above what each column becomes."
    return ""


def _words(cell: Cell) -> str:
    return unguard(plain_text(cell))[:CELL]


def sample_words(source: Source, index: int) -> str:
    """Return the first values of a column, for one line."""
    return first_words(" · ".join(plain(value) for value in source.samples(index)), 90)


def source_words(source: Source) -> str:
    """Return what was read: how much of what."""
    rows = plural(len(source.rows), source.unit)
    return f"{source.what}: {rows}, {plural(len(source.columns), 'column')}"


def problem_place(problem: RowProblem, unit: str) -> str:
    """Return where a problem is: ``Row 7, column tags``."""
    if problem.row is None:
        return f"Column {problem.column}" if problem.column else "The file"
    place = f"{unit.capitalize()} {problem.row:,}"
    return f"{place}, column {problem.column}" if problem.column else place


def plan_words(cases: int, left_out: int, unit: str) -> str:
    """Return what will be added and what is left out."""
    words = f"✓ {plural(cases, 'case')} to add" if cases else "○ No cases to add"
    return f"{words} · ✗ {plural(left_out, unit)} left out" if left_out else words


def patch_words(patch: Patch) -> str:
    """Return what an edited export changes, in one line."""
    cases = len({edit.case for edit in patch.edits})
    parts = [
        f"{plural(len(patch.edits), 'field')} changed in {plural(cases, 'case')}",
        f"{plural(len(patch.new_cases), 'new case')}",
        f"{plural(len(patch.new_turns), 'new turn')}",
        f"{plural(len(patch.missing_cases), 'case')} not in the sheet",
        f"{plural(len(patch.missing_turns), 'turn')} not in the sheet",
    ]
    return " · ".join(part for part in parts if not part.startswith("0 ")) or "Nothing is changed"


def edit_place(edit: CellEdit) -> str:
    """Return what is changed: the case, its turn and the field."""
    turn = "" if edit.turn is None or edit.column.level == "case" else f" › turn {edit.turn + 1}"
    return f"{edit.title}{turn} › {edit.column.header}"


def edit_texts(edit: CellEdit) -> tuple[str, str]:
    """Return what the field says now and what it will say."""
    before, after = (unguard(plain_text(cell)) for cell in (edit.before, edit.after))
    return before or "(nothing)", after or "(nothing)"
