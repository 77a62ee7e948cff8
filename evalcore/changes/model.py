"""What a comparison of two versions found: cases, their fields, and each thing that changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from evalcore.drafts.changes import ChangeKind
from evalcore.formats.evalset import Level
from evalcore.jsontree import MISSING, JsonValue, Missing

LineKind = Literal["changed", "added", "removed", "note"]


class Where(NamedTuple):
    """A step to what changed: ``words`` of ours, such as *tool call*, and a ``name`` of the file's.

    Either may be "".
    """

    words: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that changed.

    ``note`` says what no values show, such as an order. ``is_item`` marks a member of a list of
    plain values, which is its own name.
    """

    where: tuple[Where, ...]
    kind: LineKind
    before: JsonValue | Missing = MISSING
    after: JsonValue | Missing = MISSING
    note: str = ""
    is_item: bool = False


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One field of a set, a case or a turn whose edit can be dropped by itself.

    ``name`` is the field's, "" for what no field shows and for a whole turn. ``turn`` is the index
    of its turn before and after, None for a field of the case or the set.
    """

    level: Level
    name: str
    label: str
    lines: tuple[Line, ...]
    turn: tuple[int | None, int | None] | None = None

    @property
    def key(self) -> str:
        """Return what tells the fields of one case apart."""
        return f"{self.level} {self.turn} {self.name}"


@dataclass(frozen=True, slots=True)
class CaseDiff:
    """One case that differs.

    ``before`` and ``after`` are its indexes, as in `evalcore.drafts.CaseChange`; ``was`` is what it
    was called before it was renamed, "" if it was not. ``summary`` is what an added or removed case
    says, for reading.
    """

    kind: ChangeKind
    title: str
    before: int | None
    after: int | None
    is_moved: bool = False
    was: str = ""
    summary: str = ""
    fields: tuple[FieldChange, ...] = ()


@dataclass(frozen=True, slots=True)
class Differences:
    """How two versions differ: outside their cases, and case by case in the new order.

    ``is_set`` is False for files that have no cases; all they changed is ``around`` then.
    """

    around: tuple[FieldChange, ...] = ()
    cases: tuple[CaseDiff, ...] = ()
    is_set: bool = True

    def __bool__(self) -> bool:
        return bool(self.around or self.cases)

    def fields(self) -> Iterator[FieldChange]:
        """Yield every changed field."""
        yield from self.around
        for case in self.cases:
            yield from case.fields
