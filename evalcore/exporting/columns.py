"""The columns of a set's table: one for each field that it uses, objects spread over several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Literal, cast

from evalcore.errors import FormatError
from evalcore.exporting import calls, cells, rubrics, texts
from evalcore.exporting.cells import LEAVE, Cell, Keep
from evalcore.exporting.paths import Path, at, leaf_paths, parsed, put_at, suffix
from evalcore.formats.lenses import Editor, Field
from evalcore.formats.moments import UNIT, is_moment
from evalcore.jsontree import MISSING, JsonValue, Missing, get

if TYPE_CHECKING:
    from evalcore.formats.evalset import EvalSetLens

Level = Literal["case", "invocation"]
CASE_ID: Final = "Case id"
TURN: Final = "Turn"
CHECK: Final = "Evaldesk check"
RESERVED: Final = frozenset({CASE_ID.casefold(), TURN.casefold(), CHECK.casefold()})

_TEXTS = frozenset({Editor.LINE, Editor.TEXT, Editor.CHOICE})
_NAMES = frozenset({Editor.TAGS, Editor.NAMES})
_OTHERS = frozenset(
    {Editor.NUMBER, Editor.FLAG, Editor.MESSAGES, Editor.TOOL_CALLS, Editor.RUBRICS}
)
HOLDS_OBJECTS: Final[frozenset[Editor]] = frozenset(Editor) - _TEXTS - _NAMES - _OTHERS
"""The editors of fields that may hold an object, whose members can have columns of their own."""


@dataclass(frozen=True, eq=False)
class Column:
    """One column: a field of cases or of turns, or a member inside of one.

    ``like`` is a value that most cells of the column are like, MISSING where that is not known.
    """

    header: str
    level: Level
    field: Field
    path: Path = ()
    like: Any = MISSING

    @cached_property
    def key(self) -> str:
        """Return a name that stays when labels change."""
        return f"{self.level}.{self.field.name}{suffix(self.path)}"

    @property
    def holds_text(self) -> bool:
        """Return whether everything typed into the column is text."""
        return self.field.editor in _TEXTS

    @property
    def choices(self) -> tuple[str, ...]:
        """Return the values that may be chosen from, () where anything may be written."""
        if self.path or self.field.editor is Editor.FLAG:
            return () if self.path else ("TRUE", "FALSE")
        return self.field.choices if self.field.editor is Editor.CHOICE else ()

    def value(self, raw: JsonValue) -> Any:
        """Return what an object of the file has for this column."""
        found = self.field.lens.get(raw)
        return at(found, self.path) if self.path else found

    def cell(self, raw: JsonValue) -> Cell:
        """Return the cell of an object of the file."""
        value = self.value(raw)
        editor = self.field.editor
        if self.path or editor in HOLDS_OBJECTS:
            return cells.value_cell(value)
        if editor in _TEXTS:
            return cells.text_cell(value)
        if value is MISSING or value is None:
            return None
        if editor is Editor.TOOL_CALLS and isinstance(value, tuple):
            return calls.calls_cell(value)
        if editor is Editor.RUBRICS and isinstance(value, tuple):
            return rubrics.rubrics_cell(value)
        if editor in _NAMES:
            return texts.names_cell(value)
        return texts.lines_cell(value) if editor is Editor.MESSAGES else cells.value_cell(value)

    def read(self, cell: Cell, raw: JsonValue) -> Any:
        """Return what a cell that is not empty says, LEAVE if it says to leave what there is.

        ``raw`` is the object that the cell is for. Raises FormatError for what cannot be read.
        """
        old, editor = self.value(raw), self.field.editor
        if self.path or editor in HOLDS_OBJECTS:
            return cells.read_value(cell, self.like if old in (MISSING, None) else old)
        if editor in _TEXTS:
            return cells.read_text(cell)
        if editor is Editor.TOOL_CALLS:
            return calls.read_calls(cell, old if isinstance(old, tuple) else ())
        if editor is Editor.RUBRICS:
            return rubrics.read_rubrics(cell, old if isinstance(old, tuple) else ())
        if editor in _NAMES:
            return texts.read_names(cell)
        if editor is Editor.MESSAGES:
            return texts.read_lines(cell)
        return self._typed(cells.read_value(cell, True if editor is Editor.FLAG else 0.5))

    def cleared(self, raw: JsonValue) -> Any:
        """Return what an emptied cell says: nothing, but for what every case has to have."""
        needed = self.field.pinned and self.field.group == "main" and not self.path
        return self.field.blank if needed else MISSING

    def canonical(self, cell: Cell) -> str:
        """Return a text that is equal for cells that say the same."""
        return cells.canonical(cell)

    def put(self, raw: JsonValue, value: Any, style: Any) -> JsonValue:
        """Return an object of the file with the column's value written."""
        if self.path:
            value = put_at(cast("JsonValue | Missing", self.field.lens.get(raw)), self.path, value)
        return self.field.lens.put(raw, value, style)

    def _typed(self, value: JsonValue | Keep) -> JsonValue | Keep:
        if value is LEAVE or value is None:
            return value
        if self.field.editor is Editor.FLAG and not isinstance(value, bool):
            raise FormatError(f"{value!r} is neither yes nor no", hint="Write TRUE or FALSE.")
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if self.field.editor is Editor.NUMBER and not is_number:
            raise FormatError(f"{value!r} is not a number", hint="Write a number such as 3 or 0.8.")
        return value


def headers(lens: EvalSetLens) -> dict[tuple[Level, str], str]:
    """Return the name of each field's column: its label, with its level where two share one."""
    fields = editable(lens)
    labels = [field.label.casefold() for _level, field in fields]
    found: dict[tuple[Level, str], str] = {}
    for level, field in fields:
        shared = labels.count(field.label.casefold()) > 1 or field.label.casefold() in RESERVED
        of = "turn" if level == "invocation" else "case"
        label = field.label + UNIT * is_moment(field)
        found[level, field.name] = f"{label} ({of})" if shared else label
    return found


def editable(lens: EvalSetLens) -> list[tuple[Level, Field]]:
    """Return the fields that have columns of their own: all that can be edited but the id."""
    case = [("case", f) for f in lens.case_fields if f.name != "id" and not f.read_only]
    turn = [("invocation", f) for f in lens.invocation_fields if not f.read_only]
    return cast("list[tuple[Level, Field]]", [*case, *turn])


def objects_of(lens: EvalSetLens, case: JsonValue, level: Level) -> list[JsonValue]:
    """Return a case itself, or its turns."""
    if level == "case":
        return [case] if isinstance(case, dict) else []
    turns = [get(case, pointer) for pointer in lens.invocation_pointers(case, "")]
    return [turn for turn in turns if turn is not MISSING]


def columns_of(lens: EvalSetLens, cases: Sequence[JsonValue]) -> tuple[Column, ...]:
    """Return the columns for some cases: fields that one of them uses, and those always drawn.

    Objects are spread over a column for each of their members.
    """
    names = headers(lens)
    levels: tuple[Level, ...] = ("case", "invocation")
    objects = {lv: [raw for case in cases for raw in objects_of(lens, case, lv)] for lv in levels}
    found: list[Column] = []
    for level, field in editable(lens):
        values = [field.lens.get(raw) for raw in objects[level]]
        used = any(value not in (MISSING, None, "", [], {}, ()) for value in values)
        if not used and not field.pinned and field.name not in ("tags", "expected_behavior"):
            continue
        header = names[level, field.name]
        paths = _paths(field, values)
        if not paths:
            found.append(Column(header, level, field, (), _usual(field, values)))
        found += (
            Column(
                header + suffix(path),
                level,
                field,
                path,
                _usual(field, [at(value, path) for value in values]),
            )
            for path in paths
        )
    return tuple(sorted(found, key=_rank))


def column_named(lens: EvalSetLens, header: str, known: Sequence[Column]) -> Column | None:
    """Return the column that a header names: a known one, or another field's or member's."""
    wanted = header.strip().casefold()
    same = (c for c in known if wanted in (c.header.casefold(), c.key.casefold()))
    found = next(same, None)
    if found is not None:
        return found
    names = headers(lens)
    for level, field in sorted(editable(lens), key=lambda lf: -len(names[lf[0], lf[1].name])):
        for name in (names[level, field.name], field.name):
            rest = header.strip()[len(name) :]
            if not wanted.startswith(name.casefold()):
                continue
            if not rest:
                return Column(names[level, field.name], level, field)
            path = parsed(rest) if rest[0] in ".[" and field.editor in HOLDS_OBJECTS else None
            if path:
                return Column(names[level, field.name] + suffix(path), level, field, path)
    return None


def _rank(column: Column) -> int:
    """Return how far to the right a column belongs: what people edit most comes first."""
    turn = column.level == "invocation"
    groups = {"main": 0 + turn, "expected": 2, "checks": 4, "session": 5, "mocks": 6}
    return 3 if column.field.name == "tags" else groups.get(column.field.group, 7 + turn)


def _paths(field: Field, values: Sequence[Any]) -> tuple[Path, ...]:
    if field.editor not in HOLDS_OBJECTS or field.group == "mocks":
        return ()
    # Null stands for an object that is not there, but as a criterion it means the default.
    kept = [v for v in values if v is not None or field.editor is Editor.CRITERIA]
    return leaf_paths(kept)


def _usual(field: Field, values: Sequence[Any]) -> Any:
    """Return a value of the kind that most of the values are of, MISSING if there is none."""
    if field.editor not in HOLDS_OBJECTS:
        return MISSING
    there = [v for v in values if v is not MISSING and v is not None]
    kinds = [type(v) for v in there]
    if not kinds:
        return MISSING
    most = max(dict.fromkeys(kinds), key=kinds.count)
    return next(v for v in there if type(v) is most)
