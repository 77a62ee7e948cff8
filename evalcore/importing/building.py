"""From rows and a mapping to new cases of a set, and what was wrong with each row left out."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import chain, count
from typing import TYPE_CHECKING, Any, Final, Literal

from evalcore.errors import FormatError
from evalcore.exporting.columns import HOLDS_OBJECTS, Column
from evalcore.importing.converting import as_text, converted, looks_like
from evalcore.importing.source import RowProblem, Source, SourceRow, Unusable, Value
from evalcore.importing.talks import conversed, has_conversations, tells_turns
from evalcore.importing.targets import CASE, TURN, As, Target, column_of
from evalcore.jsontree import MISSING, JsonValue, get, put

if TYPE_CHECKING:
    from evalcore.formats.evalset import EvalSetLens

SameId = Literal["turns", "cases"]
NoId = Literal["new", "above"]
Taken = Literal["skip", "rename"]
NAME_LENGTH: Final = 40
ROWS_NAMED: Final = 5


@dataclass(frozen=True, slots=True)
class Grouping:
    """How rows become cases.

    ``same_id``: rows with one id are the turns of one case, or a mistake; where the format has one
    turn in a case, turns are one conversation, or cases of their own. ``no_id``: a row without
    an id is a case of its own, or belongs to the case above. ``taken``: a case whose id is in the
    set already is left out, or gets another id.
    """

    same_id: SameId = "turns"
    no_id: NoId = "new"
    taken: Taken = "skip"


@dataclass(slots=True)
class NewCase:
    """A case to be made: its id ("" for one to be made up) and the values of its fields.

    ``rows`` are the numbers of the rows that it comes from.
    """

    id: str
    rows: list[int] = field(default_factory=list)
    values: dict[Column, Any] = field(default_factory=dict)
    turns: list[dict[Column, Any]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Plan:
    """The cases that rows make, under the ids that they will have, and what was wrong with rows."""

    cases: tuple[NewCase, ...]
    problems: tuple[RowProblem, ...]

    @property
    def left_out(self) -> int:
        """Return how many rows are not used."""
        return len({p.row for p in self.problems if p.severity == "error" and p.row is not None})


def planned(
    lens: EvalSetLens,
    tree: JsonValue,
    source: Source,
    mapping: Sequence[Target],
    grouping: Grouping,
) -> Plan:
    """Return the cases that a source's rows make; the tree is the set that they are for."""
    rows = _Rows(lens, source, mapping, grouping)
    problems = [*source.problems]
    cases = list(rows.cases(problems))
    name_cases(lens, tree, cases, grouping, problems)
    if cases and not rows.input:
        label = lens.field("invocation", "input").label
        message = f"No column becomes “{label}”, so the cases say nothing"
        problems.append(RowProblem(None, "", message, "Choose a column for it.", "warning"))
    ordered = sorted(problems, key=lambda p: p.row or 0)
    return Plan(tuple(case for case in cases if case.id), tuple(ordered))


def written(
    lens: EvalSetLens, tree: JsonValue, cases: Sequence[NewCase], now: datetime
) -> tuple[list[JsonValue], list[RowProblem]]:
    """Return planned cases as their set has them; one that cannot be written is a problem."""
    found: list[JsonValue] = []
    problems: list[RowProblem] = []
    for case in cases:
        try:
            found.append(made(lens, tree, case, now))
        except FormatError as error:
            problems.append(RowProblem(case.rows[0], "", error.message, error.hint))
    return found, problems


def with_cases(lens: EvalSetLens, tree: JsonValue, cases: Sequence[JsonValue]) -> JsonValue:
    """Return the set with new cases at its end."""
    if lens.read_only:
        raise FormatError("This set is in an old shape that can be read but not edited")
    where = lens.cases_pointer(tree)
    old = get(tree, where)
    return put(tree, where, [*(old if isinstance(old, list) else []), *cases])


def made(lens: EvalSetLens, tree: JsonValue, case: NewCase, now: datetime) -> JsonValue:
    """Return a new case of a set, with its fields and turns written as the set writes them."""
    raw = lens.blank_case(tree, case.id, now)
    style = lens.style_at(raw, tree)
    for column, value in case.values.items():
        raw = column.put(raw, value, style)
    if not lens.has_turns:
        if len(case.turns) > 1:
            return conversed(raw, lens, case.turns, style)
        for column, value in (case.turns[0] if case.turns else {}).items():
            raw = column.put(raw, value, style)
        return raw
    where = lens.invocations_pointer(raw)
    turns: JsonValue = [_turn(lens, raw, values, style) for values in case.turns]
    return put(raw, where, turns) if turns or not _is_simulated(case) else put(raw, where, MISSING)


def _turn(lens: EvalSetLens, case: JsonValue, values: dict[Column, Any], style: Any) -> JsonValue:
    raw = lens.blank_invocation(case)
    for column, value in values.items():
        raw = column.put(raw, value, style)
    return raw


def _is_simulated(case: NewCase) -> bool:
    return any(c.field.name.startswith("scenario.") for c in case.values)


def _only_tells(values: dict[Column, Any]) -> bool:
    """Return whether a row only says something of its whole case, so that it needs no turn."""
    return bool(values) and all(column.level == "case" for column in values)


def _says(value: Any) -> bool:
    return value is not None and value != ""


class _Rows:
    """Reads the rows of a source by a mapping."""

    def __init__(
        self,
        lens: EvalSetLens,
        source: Source,
        mapping: Sequence[Target],
        grouping: Grouping,
    ) -> None:
        self.lens, self.source, self.grouping = lens, source, grouping
        self.id_at = _index(mapping, CASE)
        self.turn_at = _index(mapping, TURN)
        self.used: list[tuple[int, Column, As, As]] = []
        for index, target in enumerate(mapping):
            column = column_of(lens, target)
            if column is not None:
                self.used.append((index, column, target.as_, self._looks(index, column)))
        self.input = [u for u in self.used if u[1].field.name == "input"]
        self.talks = grouping.same_id == "turns" and has_conversations(lens)
        joins = grouping.same_id == "turns" and (lens.has_turns or self.talks)
        self.splits = not joins and tells_turns(source)
        self.unsaid: dict[int, list[int]] = {}
        self.turns_of: dict[str, int] = {}

    def cases(self, problems: list[RowProblem]) -> Iterator[NewCase]:
        """Return the cases that good rows make; what is wrong with the others is added."""
        by_id: dict[str, NewCase] = {}
        order: dict[int, list[tuple[float, dict[Column, Any]]]] = {}
        last: NewCase | None = None
        found: list[NewCase] = []
        for row in self.source.rows:
            read = self._read(row, problems)
            if read is None:
                continue
            name, number, values = read
            case = by_id.get(name) if name else last if self.grouping.no_id == "above" else None
            if case is not None and self.splits:
                case = self._further(case, row, problems)
                found.append(case)
            elif case is not None and not self._may_join(case, row, problems):
                continue
            elif case is None:
                case = NewCase(name)
                found.append(case)
                by_id |= {name: case} if name else {}
            last = case
            case.rows.append(row.number)
            turn = {c: v for c, v in values.items() if c.level == "invocation"}
            self._share(case, values, row, problems)
            if turn or not self.lens.has_turns:
                place = float(len(case.rows)) if number is None else number
                order.setdefault(id(case), []).append((place, turn))
        self._tell_unsaid(problems)
        for case in found:
            turns = sorted(order.get(id(case), []), key=lambda item: item[0])
            case.turns = [turn for _place, turn in turns]
        return iter(found)

    def _read(
        self, row: SourceRow, problems: list[RowProblem]
    ) -> tuple[str, float | None, dict[Column, Any]] | None:
        """Return a row's id, number of its turn and values, None for one that cannot be used."""
        count = len(problems)
        values: dict[Column, Any] = {}
        for index, column, as_, looks in self.used:
            value = row.values[index]
            if value is MISSING:
                continue
            try:
                values[column] = converted(_usable(value), column, as_, looks=looks)
            except FormatError as error:
                problems.append(self._problem(row, index, error))
        name = self._cell(row, self.id_at, problems)
        number = self._number(row, problems)
        if not any(p.severity == "error" for p in problems[count:]):
            self._require_input(row, values, problems)
        failed = any(p.severity == "error" for p in problems[count:])
        return None if failed else (name, number, values)

    def _cell(self, row: SourceRow, index: int | None, problems: list[RowProblem]) -> str:
        value = MISSING if index is None else row.values[index]
        if value is MISSING or value is None or index is None:
            return ""
        try:
            return as_text(_usable(value)).strip()
        except FormatError as error:
            problems.append(self._problem(row, index, error))
            return ""

    def _number(self, row: SourceRow, problems: list[RowProblem]) -> float | None:
        text = self._cell(row, self.turn_at, problems)
        found = re.search(r"\d+(?:[.,]\d+)?", text)
        if text and not found and self.turn_at is not None:
            error = FormatError(f"{text!r} is no number", hint="Turns are numbered 1, 2, 3.")
            problems.append(self._problem(row, self.turn_at, error))
        return float(found.group().replace(",", ".")) if found else None

    def _require_input(
        self, row: SourceRow, values: dict[Column, Any], problems: list[RowProblem]
    ) -> None:
        texts = [u for u in self.input if not u[1].path] if self.lens.has_turns else self.input
        is_needed = bool(texts) and not (self.lens.has_turns and _only_tells(values))
        if is_needed and not any(_says(values.get(u[1])) for u in texts):
            column, label = self.source.columns[texts[0][0]], texts[0][1].field.label
            message = f"There is no {'text' if self.lens.has_turns else 'value'} for “{label}”"
            problems.append(RowProblem(row.number, column, message, "Fill it in."))
        elif is_needed and not self.lens.has_turns:
            for index, column_, *_ in texts:
                if column_ not in values:
                    self.unsaid.setdefault(index, []).append(row.number)
        elif not values:
            problems.append(RowProblem(row.number, "", "Nothing but an id is in this row"))

    def _tell_unsaid(self, problems: list[RowProblem]) -> None:
        """Say once for each input in which rows it is empty, so that their cases go without it."""
        for index, rows in self.unsaid.items():
            listed = ", ".join(f"{n:,}" for n in rows[:ROWS_NAMED])
            more = f" and {len(rows) - ROWS_NAMED:,} more" if len(rows) > ROWS_NAMED else ""
            unit = self.source.unit if len(rows) == 1 else f"{self.source.unit}s"
            message = f"Nothing is in {unit} {listed}{more}: no such input is in the case there"
            column = self.source.columns[index]
            hint = "Fill it in if the agent needs it."
            problems.append(RowProblem(None, column, message, hint, "warning"))

    def _further(self, case: NewCase, row: SourceRow, problems: list[RowProblem]) -> NewCase:
        """Return a case of its own for a further turn of one that can have one turn only."""
        number = self.turns_of.get(case.id, 1) + 1
        self.turns_of[case.id] = number
        suffix = f"_turn_{number}"
        values = {
            c: f"{v}{suffix}" if c.field.name == "name" and isinstance(v, str) else v
            for c, v in case.values.items()
        }
        message = f"Turn {number} of {case.id!r} becomes a case of its own, without what was said"
        hint = "" if self.lens.has_turns else "Cases of this format have one turn."
        problems.append(RowProblem(row.number, "", f"{message} before it", hint, "info"))
        return NewCase(case.id + suffix, values=values)

    def _may_join(self, case: NewCase, row: SourceRow, problems: list[RowProblem]) -> bool:
        if self.grouping.same_id == "turns" and (self.lens.has_turns or self._is_talk()):
            return True
        column = self.source.columns[self.id_at] if self.id_at is not None else ""
        message = f"The id {case.id!r} is in row {case.rows[0]:,} already"
        hint = "Give it another id, or leave the column out to have ids made."
        problems.append(RowProblem(row.number, column, message, hint))
        return False

    def _is_talk(self) -> bool:
        return self.talks and tells_turns(self.source)

    def _share(
        self, case: NewCase, values: dict[Column, Any], row: SourceRow, problems: list[RowProblem]
    ) -> None:
        """Give the case what a row says about all of it; the first row that says it counts."""
        for column, value in values.items():
            if column.level != "case":
                continue
            if column in case.values and case.values[column] != value:
                name = next(self.source.columns[i] for i, c, *_ in self.used if c is column)
                message = f"This differs from row {case.rows[0]:,} of the same case, which counts"
                problems.append(RowProblem(row.number, name, message, severity="warning"))
            case.values.setdefault(column, value)

    def _looks(self, index: int, column: Column) -> As:
        """Return what a column of texts holds; a file that knows kinds needs no guess."""
        any_kind = column.path or column.field.editor in HOLDS_OBJECTS
        if self.source.typed or not any_kind:
            return "auto"
        values = [row.values[index] for row in self.source.rows]
        return looks_like([v for v in values if v is not MISSING and not isinstance(v, Unusable)])

    def _problem(self, row: SourceRow, index: int, error: FormatError) -> RowProblem:
        return RowProblem(row.number, self.source.columns[index], error.message, error.hint)


def name_cases(
    lens: EvalSetLens,
    tree: JsonValue,
    cases: Sequence[NewCase],
    grouping: Grouping,
    problems: list[RowProblem],
) -> None:
    """Give every case an id of its own; those that are left out lose theirs."""
    labels = (lens.case_label(raw) for raw in lens.raw_cases(tree))
    taken = {lens.join_key(label) for label in labels if label is not None}
    wanted = {lens.join_key(case.id) for case in cases if case.id}
    for case in cases:
        if case.id and lens.join_key(case.id) in taken and grouping.taken == "skip":
            message = f"The set has a case called {case.id!r} already"
            problems += (RowProblem(row, "", message, "Choose to rename it.") for row in case.rows)
            case.id = ""
            continue
        base = case.id or _made_up(case)
        used = (taken,) if case.id else (taken, wanted)
        names = chain((base,), (f"{base}_{n}" for n in count(2)))
        case.id = next(n for n in names if not any(lens.join_key(n) in u for u in used))
        taken.add(lens.join_key(case.id))


def _made_up(case: NewCase) -> str:
    """Return an id made of the first words that a case says."""
    named = next((v for c, v in case.values.items() if c.field.name == "name"), "")
    said = [v for turn in case.turns[:1] for v in turn.values()]
    spoken = (v for v in said if isinstance(v, str) and re.search(r"[^\W\d_]{2}", v))
    text = str(named) or next(spoken, "")
    plain = unicodedata.normalize("NFKD", text[:200]).encode("ascii", "ignore").decode().lower()
    words = re.findall(r"[a-z0-9]+", plain)[:6]
    name = "_".join(words)[:NAME_LENGTH].rstrip("_")
    return name or f"case_{case.rows[0] if case.rows else 1}"


def _usable(value: Value) -> JsonValue:
    if isinstance(value, Unusable):
        raise FormatError(value.message, hint=value.hint)
    return None if value is MISSING else value


def _index(mapping: Sequence[Target], what: str) -> int | None:
    return next((i for i, target in enumerate(mapping) if target.what == what), None)
