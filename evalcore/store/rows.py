"""Case results as rows of tables: one per case result, one per invocation, one with the texts."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from evalcore import counting
from evalcore.counting import CaseRow, Cell
from evalcore.jsontree import MISSING
from evalcore.model import Json, MaybeJson
from evalcore.results import CaseResult, Verdict
from evalcore.store.causes import causes_of
from evalcore.store.documents import dump
from evalcore.store.tally import Tally, value_of
from evalcore.verdicts import PassMark

CODES = {
    Verdict.ERROR: 0,
    Verdict.FAILED: 1,
    Verdict.NOT_EVALUATED: 2,
    Verdict.PASSED: 3,
}
"""The number of each verdict in the tables: worst first."""
VERDICTS = {code: verdict for verdict, code in CODES.items()}
MAX_TEXT = 20_000
"""How much of one text a search looks at, in characters."""

Row: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class CaseFacts:
    """What the eval set says of a case, by which results are sliced."""

    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Json] = field(default_factory=dict)


@dataclass(slots=True)
class Rows:
    """The rows made from some case results."""

    cases: list[Row] = field(default_factory=list)
    scores: list[Row] = field(default_factory=list)
    details: list[Row] = field(default_factory=list)


class RowMaker:
    """Makes rows of case results in their order, and counts what they come to.

    ``mark`` decides only where the system has no pass rule.
    """

    def __init__(self, mark: PassMark) -> None:
        self.mark = mark
        self.tally = Tally(mark)
        self._seen: Counter[str] = Counter()
        self._next_case = 0
        self._next_row = 0

    def add(self, case: CaseResult, facts: CaseFacts, rows: Rows, doc: str | None = None) -> None:
        """Append the rows of one case result; ``doc`` is its text where that is known already."""
        place = self._next_case
        row = counting.case_row(place, case, self.mark)
        key = case_key(case, place)
        repeat = self._seen[key]
        self._seen[key] += 1
        columns = self.tally.add(row, key)
        common = {"case_row": place, "case_id": case.case_id, "repeat": repeat}
        rows.cases.append(
            common
            | {
                "case_key": key,
                "name": case.name,
                "verdict": CODES[row.verdict],
                "stored_verdict": None if case.verdict is None else CODES[case.verdict],
                "stored_status": case.stored_status,
                "is_near": row.is_near,
                "causes": list(causes_of(row)),
                "turns": len(case.invocations),
                "duration_s": case.duration_s,
                "tokens": case.total_tokens,
                "tags": list(facts.tags),
                "metadata": json.dumps(dict(facts.metadata)) if facts.metadata else None,
            }
            | _numbers(row.cells, columns)
        )
        rows.scores += self._turns(row, common, columns)
        rows.details.append({"case_row": place, "doc": doc or dump(case), "text": searchable(case)})
        self._next_case += 1

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


def case_key(case: CaseResult, place: int) -> str:
    """Return what makes results those of one case: its id, else its name, else its place.

    GUIDs compare in lower case, as traces write them.
    """
    if case.case_id is not None:
        return case.case_id.lower() if counting.is_guid(case.case_id) else case.case_id
    return f"name {case.name}" if case.name else f"place {place}"


def _numbers(cells: Mapping[str, Cell], columns: Mapping[str, int]) -> Row:
    found: Row = {}
    for key, cell in cells.items():
        number = columns[key]
        found[f"m{number}"] = value_of(cell)
        found[f"v{number}"] = None if cell.verdict is None else CODES[cell.verdict]
    return found


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
    return found.encode("utf-8", "replace").decode("utf-8")


def _text(value: MaybeJson) -> str:
    if value is MISSING or value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
