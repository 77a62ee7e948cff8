"""Why a case failed, in words that cases failing for the same reason share."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from evalcore.counting import CaseRow, Cell
from evalcore.results import InvocationResult, Score, Verdict

MAX_LENGTH = 160
MAX_CAUSES = 8
NO_REASON = "no reason is given"
_NUMBERS = re.compile(r"[-+]?\d[\d.,:]*(?:e[-+]?\d+)?", re.IGNORECASE)
_HEXES = re.compile(r"\b(?=[0-9a-f-]*[a-f])(?:0x)?[0-9a-f]{8,}(?:-[0-9a-f]{4,})*\b", re.IGNORECASE)
_QUOTED = re.compile(
    r"(?<!\w)'[^']{1,200}'(?!\w)|\"[^\"]{1,200}\"|‘[^’]{1,200}’(?!\w)|“[^”]{1,200}”"
)


def causes_of(row: CaseRow) -> tuple[str, ...]:
    """Return the causes of a case that ended in an error or failed, most telling first; else ().

    Errors by their text, tool calls by what was missing or too many, all else by the check that
    failed and its reason. Numbers, ids and quoted texts do not tell causes apart.
    """
    if row.verdict not in (Verdict.ERROR, Verdict.FAILED):
        return ()
    found = dict.fromkeys(error_causes(row))
    if not found:
        found = dict.fromkeys([*tool_causes(row), *_checks(row)])
    return tuple(found)[:MAX_CAUSES] or (NO_REASON,)


def error_causes(row: CaseRow) -> Iterator[str]:
    """Yield the errors of a case, of its turns and of its checks."""
    for text in (row.case.error, *(turn.turn.error for turn in row.turns)):
        if text:
            yield _said("error: ", text)
    for cell in _cells(row, Verdict.ERROR):
        yield _said(f"error in {_name(cell)}: ", cell.score.reason or NO_REASON)


def tool_causes(row: CaseRow) -> Iterator[str]:
    """Yield what was missing and what was too many among the tool calls."""
    for turn in row.turns:
        missing, extra = _differing(turn.turn)
        yield from (_cut(f"missing tool call: {name}") for name in missing)
        yield from (_cut(f"unexpected tool call: {name}") for name in extra)


def _differing(turn: InvocationResult) -> tuple[list[str], list[str]]:
    if turn.expected_tool_calls is None or turn.actual_tool_calls is None:
        return [], []
    wanted = Counter(call.name for call in turn.expected_tool_calls)
    made = Counter(call.name for call in turn.actual_tool_calls)
    return sorted(wanted - made), sorted(made - wanted) if wanted else []


def _checks(row: CaseRow) -> Iterator[str]:
    yield from (cause_of(cell.score) for cell in _cells(row, Verdict.FAILED))


def cause_of(score: Score) -> str:
    """Return what a failed check says of a case."""
    reason, name = score.reason.strip(), score.evaluator_name or score.evaluator
    return _said(f"{name}: ", reason) if reason else _cut(f"{name} below its mark")


def _cells(row: CaseRow, verdict: Verdict) -> list[Cell]:
    return [cell for cell in row.cells.values() if cell.verdict is verdict]


def _name(cell: Cell) -> str:
    return cell.score.evaluator_name or cell.score.evaluator


def _said(prefix: str, text: str) -> str:
    first = next((line for line in text.splitlines() if line.strip()), text)
    for pattern, stand_in in ((_QUOTED, "“…”"), (_HEXES, "…"), (_NUMBERS, "#")):
        first = pattern.sub(stand_in, first[:2000])
    return _cut(prefix + first)


def _cut(text: str) -> str:
    whole = " ".join(text.split())
    return whole if len(whole) <= MAX_LENGTH else whole[: MAX_LENGTH - 1] + "…"
