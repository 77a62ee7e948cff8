"""A set as JSONL for programs: a line for each case, with the fields by their names here.

Absent, null and empty stay apart: a field that a case does not have is not in its line.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from evalcore.exporting.calls import calls_from, plain_calls
from evalcore.exporting.cells import Cell, dump, load
from evalcore.exporting.columns import Column, editable, headers
from evalcore.exporting.rubrics import plain_rubrics, rubrics_from
from evalcore.exporting.stamp import stamp
from evalcore.exporting.table import rows_of, turns_of
from evalcore.formats.lenses import Editor
from evalcore.jsontree import MISSING, JsonObject, JsonValue, Missing

if TYPE_CHECKING:
    from evalcore.formats.evalset import EvalSetLens

ID: Final = "case_id"
TURNS: Final = "turns"
STAMP: Final = "evaldesk_check"
SET: Final = "evaldesk_set"


@dataclass(frozen=True, eq=False)
class JsonColumn(Column):
    """A field whose cell is JSON; an empty cell is one that says nothing about the field."""

    def cell(self, raw: JsonValue) -> Cell:
        """Return the field's value as JSON."""
        found = self.plain(raw)
        return None if found is MISSING else dump(found)

    def canonical(self, cell: Cell) -> str:
        """Return the JSON with its keys sorted, and whole numbers without a fraction."""
        if cell is None:
            return ""
        return dump(_loose(load(str(cell))))

    def read(self, cell: Cell, raw: JsonValue) -> Any:
        """Return the field's value."""
        value = load(str(cell))
        old = self.value(raw)
        records = old if isinstance(old, tuple) else ()
        if self.field.editor is Editor.TOOL_CALLS and value is not None:
            return calls_from(value, records)
        if self.field.editor is Editor.RUBRICS and value is not None:
            return rubrics_from(value, records)
        return value

    def cleared(self, raw: JsonValue) -> Any:
        """Return what there is: a line that leaves a field out does not ask to remove it."""
        return self.value(raw)

    def plain(self, raw: JsonValue) -> JsonValue | Missing:
        """Return the field's value as JSON has it, MISSING where the file has none."""
        found: Any = self.value(raw)
        if isinstance(found, tuple):
            is_call = self.field.editor is Editor.TOOL_CALLS
            return plain_calls(found) if is_call else plain_rubrics(found)
        value: JsonValue | Missing = found
        return value


def json_columns(lens: EvalSetLens) -> tuple[JsonColumn, ...]:
    """Return a column for each field."""
    names = headers(lens)
    return tuple(JsonColumn(names[lv, f.name], lv, f) for lv, f in editable(lens))


def jsonl_bytes(
    lens: EvalSetLens, tree: JsonValue, path: str = "", indexes: Sequence[int] | None = None
) -> bytes:
    """Return a set, or the cases at some indexes, as JSONL in UTF-8."""
    cases, columns = lens.raw_cases(tree), json_columns(lens)
    chosen = range(len(cases)) if indexes is None else sorted(set(indexes))
    lines = (dump(_line(lens, cases[i], i, columns, path)) for i in chosen)
    return "".join(f"{line}\n" for line in lines).encode("utf-8")


def _line(
    lens: EvalSetLens, case: JsonValue, index: int, columns: Sequence[JsonColumn], path: str
) -> JsonObject:
    line: JsonObject = {ID: lens.case_id(case), **_fields(case, columns, "case")}
    turns = turns_of(lens, case)
    told: list[JsonValue] = [_fields(turn, columns, "invocation") for turn in turns]
    if lens.has_turns:
        line[TURNS] = told
    else:
        line |= _fields(case, columns, "invocation")
    texts = [
        (f"{row.turn or 0}:{column.key}", column.canonical(cell))
        for row in rows_of(lens, case, index, columns)
        for column, cell in zip(columns, row.cells, strict=True)
    ]
    return {**line, SET: path, STAMP: stamp(index, None, texts)}


def _fields(raw: JsonValue, columns: Sequence[JsonColumn], level: str) -> JsonObject:
    if not isinstance(raw, dict):
        return {}
    found = {c.field.name: c.plain(raw) for c in columns if c.level == level}
    return {name: value for name, value in found.items() if value is not MISSING}


def _loose(value: JsonValue) -> JsonValue:
    if isinstance(value, dict):
        return {key: _loose(value[key]) for key in sorted(value)}
    if isinstance(value, list):
        return [_loose(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value
