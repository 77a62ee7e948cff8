"""Finding rows among the case results of a run, and those that contradict themselves."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from evalcore import verdicts
from evalcore.counting import CaseRow, RunView
from evalcore.jsontree import MISSING
from evalcore.model import MaybeJson
from evalcore.results import CaseResult, Verdict
from evalcore.views.values import plain

_GUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


@dataclass(frozen=True, slots=True)
class Filter:
    """Which rows are wanted. ``metric`` narrows ``verdict`` to what that evaluator said."""

    text: str = ""
    verdict: Verdict | None = None
    metric: str = ""

    @property
    def is_open(self) -> bool:
        """Return whether every row passes."""
        return not self.text.strip() and self.verdict is None and not self.metric


def select(rows: Iterable[CaseRow], wanted: Filter) -> list[CaseRow]:
    """Return the rows that match, in their order. Every word of the text must occur somewhere.

    Ids, names, what was said on both sides, tool names, reasons and errors are searched.
    """
    words = wanted.text.casefold().split()
    return [
        row
        for row in rows
        if _matches(row, wanted)
        and (not words or all(word in haystack(row.case) for word in words))
    ]


def haystack(case: CaseResult) -> str:
    """Return everything of a case result that a search looks at, case-folded."""
    parts = [case.case_id or "", case.name, case.error or "", case.stored_status]
    parts += [score.reason for score in case.scores]
    for turn in case.invocations:
        parts += [_said(turn.input), _said(turn.expected_output), _said(turn.actual_output)]
        parts += [call.name for call in (turn.actual_tool_calls or ())]
        parts += [score.reason for score in turn.scores]
        parts.append(turn.error or "")
    return "\n".join(parts).casefold()


def find(view: RunView, case_id: str | None, of_id: int = 1) -> CaseRow | None:
    """Return the ``of_id``-th result of a case in file order, None where there is none."""
    found = [row for row in view.by_place if row.case.case_id == case_id]
    return found[of_id - 1] if 0 < of_id <= len(found) else None


def contradictions(view: RunView) -> tuple[CaseRow, ...]:
    """Return the rows whose stored verdict is not what their own scores come to.

    Rows without any score are left out: there is nothing to hold against the file's word.
    """
    return tuple(
        row
        for row in view.by_place
        if row.case.verdict is not None
        and row.cells
        and row.case.verdict is not verdicts.recount(row.case, view.mark)
    )


def _matches(row: CaseRow, wanted: Filter) -> bool:
    if not wanted.metric:
        return wanted.verdict is None or row.verdict is wanted.verdict
    cell = row.cells.get(wanted.metric)
    return cell is not None and (wanted.verdict is None or cell.verdict is wanted.verdict)


def _said(value: MaybeJson) -> str:
    if value is MISSING or value is None:
        return ""
    return plain(value)
