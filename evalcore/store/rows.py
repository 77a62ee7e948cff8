"""Case results as rows of tables: one per case result, one per invocation, one with the texts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from evalcore import counting
from evalcore.counting import CaseRow, Cell
from evalcore.jsontree import MISSING
from evalcore.model import Json, MaybeJson
from evalcore.results import CaseResult
from evalcore.store.causes import causes_of
from evalcore.store.documents import dump, utf8
from evalcore.store.marks import CODES, VERDICTS, columns_of
from evalcore.store.tally import Tally, value_of
from evalcore.verdicts import PassMark, recount

__all__ = ["CODES", "VERDICTS", "CaseFacts", "Row", "RowMaker", "Rows", "case_key", "searchable"]

BLANKS: dict[str, Any] = {
    "name": "",
    "repeat": 0,
    "turns": 1,
    "duration_s": None,
    "tokens": None,
    "tags": [],
    "metadata": [],
}
"""What stands in a column where a case result says nothing of note."""
MAX_TEXT = 20_000
"""How much of one text a search looks at, in characters."""

Row: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class CaseFacts:
    """What the eval set says of a case, by which results are sliced and compared.

    ``id`` is that of the case, where the result itself has none. ``content`` is the hash of what
    the case said when the run was imported, "" where no set was at hand.
    """

    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Json] = field(default_factory=dict)
    id: str | None = None
    content: str = ""


@dataclass(slots=True)
class Rows:
    """The rows made from some case results; ``size`` is roughly that of their texts in bytes."""

    cases: list[Row] = field(default_factory=list)
    scores: list[Row] = field(default_factory=list)
    details: list[Row] = field(default_factory=list)
    size: int = 0


class RowMaker:
    """Makes rows of case results in their order, and counts what they come to.

    ``mark`` decides only where the system has no pass rule; ``is_open`` says that it has none.
    """

    def __init__(self, mark: PassMark, *, is_open: bool = False) -> None:
        self.mark = mark
        self.is_open = is_open
        self.tally = Tally()
        self._next_case = 0
        self._next_row = 0
        self._said: set[str] = set()

    @property
    def blank(self) -> tuple[str, ...]:
        """Return the columns that say the same of every case result; see ``Manifest.blank``."""
        never = (name for name in ("case_id", *BLANKS) if name not in self._said)
        return (*never, *(() if "repeat" in self._said else ("is_flaky",)))

    def add(self, case: CaseResult, facts: CaseFacts, rows: Rows, doc: str | None = None) -> None:
        """Append the rows of one case result; ``doc`` is its text where that is known already."""
        place = self._next_case
        row = counting.case_row(place, case, self.mark)
        key = case_key(case, place, facts.id)
        columns, repeat = self.tally.add(row, key)
        if row.cells and case.verdict not in (None, recount(case, self.mark)):
            self.tally.contradict(row)
        common = {"case_row": place, "case_id": case.case_id, "repeat": repeat}
        line = common | {
            "case_key": key,
            "name": case.name,
            "verdict": CODES[row.verdict],
            "stored_verdict": None if case.verdict is None else CODES[case.verdict],
            "stored_status": case.stored_status,
            "is_near": row.is_near,
            "causes": list(causes_of(row)),
            "turns": len(case.invocations),
            "duration_s": case.duration_s,
            "tokens": _whole(case.total_tokens),
            "tags": list(facts.tags),
            "metadata": _sliced(facts.metadata),
        }
        line |= _numbers(row.cells, columns)
        if self.is_open:
            line |= columns_of(row, columns, self.mark)
        rows.cases.append(line)
        rows.scores += self._turns(row, common, columns)
        doc, text = doc or dump(case), searchable(case)
        rows.details.append(
            {"case_row": place, "doc": doc, "text": text, "content": facts.content or None}
        )
        rows.size += len(doc) + len(text)
        self._next_case += 1
        self._said.update(name for name, blank in BLANKS.items() if line[name] != blank)
        if line["case_id"] != key:
            self._said.add("case_id")

    def _turns(self, row: CaseRow, common: Row, columns: Mapping[str, int]) -> list[Row]:
        lines = []
        for turn in row.turns:
            verdict = row.verdict if len(row.turns) == 1 else turn.verdict
            cells = row.cells if row.is_told_by_its_turn else turn.cells
            lines.append(
                {"row_id": self._next_row}
                | common
                | {
                    "inv": turn.number - 1,
                    "verdict": None if verdict is None else CODES[verdict],
                    "duration_s": turn.turn.duration_s,
                }
                | _numbers(cells, columns)
            )
            self._next_row += 1
        return lines


def case_key(case: CaseResult, place: int, set_id: str | None = None) -> str:
    """Return what makes results those of one case: its id, else its name, else its place.

    ``set_id`` is the id that the eval set gives a case whose result has none. GUIDs compare in
    lower case, as traces write them.
    """
    case_id = case.case_id if case.case_id is not None else set_id
    if case_id is not None:
        return case_id.lower() if counting.is_guid(case_id) else utf8(case_id)
    return utf8(f"name {case.name}") if case.name else f"place {place}"


def _numbers(cells: Mapping[str, Cell], columns: Mapping[str, int]) -> Row:
    found: Row = {}
    for key, cell in cells.items():
        number = columns[key]
        found[f"m{number}"] = value_of(cell)
        found[f"v{number}"] = None if cell.verdict is None else CODES[cell.verdict]
    return found


def _sliced(metadata: Mapping[str, Json]) -> list[tuple[str, str]]:
    """Return metadata as pairs of texts; what is no text as its JSON, what is null not at all."""
    return [
        (utf8(name), utf8(value if isinstance(value, str) else _json(value)))
        for name, value in metadata.items()
        if value is not None
    ]


def _whole(number: int | None) -> int | None:
    """Return a number that 64 bits hold; a file may claim any number of tokens."""
    return None if number is None else max(-(2**63), min(number, 2**63 - 1))


def _json(value: Json) -> str:
    try:
        return json.dumps(value, ensure_ascii=False)
    except ValueError:
        return "a number of too many digits"


def searchable(case: CaseResult) -> str:
    """Return everything of a case result that a search looks at, case-folded.

    Ids, names, what was said on both sides, tool names and arguments, reasons and errors.
    """
    parts = [case.case_id or "", case.name, case.error or "", case.stored_status]
    parts += [score.reason for score in case.scores]
    for turn in case.invocations:
        parts += [_text(turn.input), _text(turn.expected_output), _text(turn.actual_output)]
        for calls in (turn.expected_tool_calls, turn.actual_tool_calls):
            parts += [f"{call.name} {_text(call.args)}" for call in calls or ()]
        parts += [score.reason for score in turn.scores]
        parts.append(turn.error or "")
    found = "\n".join(part[:MAX_TEXT] for part in parts if part).casefold()
    return utf8(found)


def _text(value: MaybeJson) -> str:
    if value is MISSING or value is None:
        return ""
    return value if isinstance(value, str) else _json(value)
