"""What an edited export changes in its set: cells, turns and cases, and what could not be told."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from evalcore.exporting.cells import Cell
from evalcore.exporting.columns import Column
from evalcore.importing.building import NewCase
from evalcore.importing.source import RowProblem


@dataclass(frozen=True, slots=True)
class CellEdit:
    """One field of one case or turn that the sheet says otherwise.

    ``is_stale``: the file says something else than what was exported, too. ``before`` and ``after``
    are the cells, for people; ``value`` is what the field will hold.
    """

    case: int
    turn: int | None
    title: str
    column: Column
    before: Cell
    after: Cell
    value: Any
    row: int
    is_stale: bool = False

    @property
    def key(self) -> tuple[int, int | None, str]:
        """Return what tells this edit from the others of its patch."""
        return self.case, self.turn, self.column.key


@dataclass(frozen=True, slots=True)
class NewTurn:
    """A row that adds a turn to a case that the set has."""

    case: int
    title: str
    row: int
    values: dict[Column, Any]


@dataclass(slots=True)
class Patch:
    """All that a sheet changes; indexes are those of the set that it was compared with."""

    edits: list[CellEdit] = field(default_factory=list)
    new_cases: list[NewCase] = field(default_factory=list)
    new_turns: list[NewTurn] = field(default_factory=list)
    missing_cases: list[tuple[int, str]] = field(default_factory=list)
    missing_turns: list[tuple[int, int, str]] = field(default_factory=list)
    stale: list[tuple[int, str]] = field(default_factory=list)
    problems: list[RowProblem] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        """Return whether the sheet changes nothing by itself."""
        return not (self.edits or self.new_cases or self.new_turns)
