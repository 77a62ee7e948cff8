"""What was read from a file before anything is made of it: columns, rows, and what was wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from evalcore.errors import Severity
from evalcore.exporting.paths import at, leaf_paths, suffix
from evalcore.jsontree import MISSING, JsonObject, JsonValue, Missing

TABLE: Final = "table"
WORKBOOK: Final = "workbook"
EXPORT: Final = "export"
RECORDS: Final = "records"
CHAT: Final = "chat"
MESSAGES: Final = "messages"
OPENAI_EVALS: Final = "openai_evals"
PROMPTFOO: Final = "promptfoo"
SESSION: Final = "session"
RESULTS: Final = "results"
EVAL_SET: Final = "eval_set"

KINDS: Final[Mapping[str, str]] = {
    EXPORT: "Sheet exported from here",
    TABLE: "Table",
    WORKBOOK: "Excel workbook",
    RECORDS: "Records, one case each",
    CHAT: "Chat log, one conversation",
    MESSAGES: "Messages (OpenAI style)",
    OPENAI_EVALS: "OpenAI Evals",
    PROMPTFOO: "promptfoo tests",
    SESSION: "ADK session",
    RESULTS: "Run results",
    EVAL_SET: "Eval set",
}
"""What a file may be read as, with the name people see."""


@dataclass(frozen=True, slots=True)
class Unusable:
    """A cell that has no value to use, and why; it matters only if its column is used."""

    message: str
    hint: str = ""


Value: TypeAlias = "JsonValue | Missing | Unusable"


@dataclass(frozen=True, slots=True)
class RowProblem:
    """What is wrong with a row or one of its cells.

    ``row`` is the number that people see in the file, None for the whole file. An *error* leaves
    the row out; with a *warning* it is used.
    """

    row: int | None
    column: str
    message: str
    hint: str = ""
    severity: Severity = "error"


@dataclass(frozen=True, slots=True)
class SourceRow:
    """One row: its number in the file, counted from 1, and a value for each column."""

    number: int
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How a file is to be read; None leaves it to what the file looks like.

    ``header`` is the number of the row with the columns' names, 0 for a table that has none.
    """

    kind: str | None = None
    encoding: str | None = None
    delimiter: str | None = None
    sheet: str | None = None
    header: int | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """A file as it was read.

    ``options`` are those that were used, ``kinds``, ``sheets`` what could be chosen instead.
    ``typed``: the file itself tells numbers from texts. ``unit`` is what a row is called.
    ``system`` is the format whose system wrote the file, "" where none did.
    """

    name: str
    what: str
    columns: tuple[str, ...]
    rows: tuple[SourceRow, ...]
    options: ReadOptions
    kinds: tuple[str, ...]
    problems: tuple[RowProblem, ...] = ()
    notes: tuple[str, ...] = ()
    sheets: tuple[str, ...] = ()
    typed: bool = True
    unit: str = "row"
    set_path: str = ""
    system: str = ""

    @property
    def kind(self) -> str:
        """Return what the file was read as."""
        return self.options.kind or self.kinds[0]

    def column(self, name: str) -> list[Value]:
        """Return the values of one column."""
        index = self.columns.index(name)
        return [row.values[index] for row in self.rows]

    def samples(self, index: int, limit: int = 3) -> list[JsonValue]:
        """Return the first values of a column that are there, each once."""
        found: list[JsonValue] = []
        for row in self.rows:
            value = row.values[index]
            if isinstance(value, Unusable) or value in (MISSING, None, "") or value in found:
                continue
            found.append(value)
            if len(found) == limit:
                break
        return found


@dataclass(slots=True)
class Items:
    """Rows under construction, as objects whose members become columns."""

    unit: str = "item"
    rows: list[tuple[int, JsonObject]] = field(default_factory=list)
    problems: list[RowProblem] = field(default_factory=list)
    notes: dict[str, int] = field(default_factory=dict)

    def add(self, number: int, members: Mapping[str, JsonValue | Missing]) -> None:
        """Add a row; members that are missing are left out."""
        there = {name: value for name, value in members.items() if value is not MISSING}
        self.rows.append((number, there))

    def refuse(self, number: int, message: str, hint: str = "", column: str = "") -> None:
        """Note that an item cannot be used."""
        self.problems.append(RowProblem(number, column, message, hint))

    def note(self, text: str) -> None:
        """Note that something was left out; what is said several times is counted."""
        self.notes[text] = self.notes.get(text, 0) + 1


def tabulated(items: Items) -> tuple[tuple[str, ...], tuple[SourceRow, ...]]:
    """Return the columns and rows of some objects, objects inside them spread over columns."""
    names = dict.fromkeys(name for _number, members in items.rows for name in members)
    places: list[tuple[str, str, tuple[str, ...]]] = []
    for name in names:
        values = [members.get(name, MISSING) for _number, members in items.rows]
        paths = leaf_paths(v for v in values if v is not None) or ((),)
        places += ((name + suffix(path), name, path) for path in paths)
    rows = tuple(
        SourceRow(number, tuple(at(members.get(name, MISSING), path) for _, name, path in places))
        for number, members in items.rows
    )
    return tuple(column for column, _name, _path in places), rows


def told(notes: Mapping[str, int]) -> tuple[str, ...]:
    """Return notes with how often each was made."""
    return tuple(text if n == 1 else f"{text} ({n:,} times)" for text, n in notes.items())


def chosen_kind(options: ReadOptions, fitting: Sequence[str]) -> str:
    """Return the kind that was asked for if it fits, else the first that does."""
    return options.kind if options.kind and options.kind in fitting else fitting[0]


def resolved(options: ReadOptions, **used: object) -> ReadOptions:
    """Return options with what was found out about the file."""
    return replace(options, **used)  # type: ignore[arg-type]
