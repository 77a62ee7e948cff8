"""What a pass mark decides, where the system has no rule of its own, kept apart from the rest.

Tables of such runs hold, per check and per case, the lowest score that the mark decides and what
all else comes to, so that another mark can be applied to them as if the run were imported again.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from evalcore import verdicts
from evalcore.counting import CaseRow
from evalcore.results import Score, Verdict
from evalcore.store.causes import MAX_CAUSES, NO_REASON, cause_of, error_causes, tool_causes
from evalcore.verdicts import NEAR, PassMark

CODES = {
    Verdict.ERROR: 0,
    Verdict.FAILED: 1,
    Verdict.NOT_EVALUATED: 2,
    Verdict.PASSED: 3,
}
"""The number of each verdict in the tables: worst first."""
VERDICTS = {code: verdict for verdict, code in CODES.items()}
CHECK_COLUMNS = {"b": "float64", "f": "uint8", "g": "float64", "c": "string", "h": "string"}
"""Per check: the lowest score that the mark decides, the verdict and value of the worst of all
others, the cause if the check fails, and that if it fails by the others."""
CASE_COLUMNS = {
    "low": "float64",
    "base": "uint8",
    "near_else": "bool",
    "tool_causes": "strings",
    "error_causes": "strings",
}
"""Per case: the lowest score that decides it by the mark (none: the mark decides nothing), what all
else comes to, whether another check passed by little, and the causes that tools and errors give."""
_FAIL = Verdict.FAILED
_ERROR, _FAILED, _IDLE, _PASSED = (CODES[v] for v in verdicts.WORST_FIRST)


def columns_of(row: CaseRow, columns: Mapping[str, int], mark: PassMark) -> dict[str, Any]:
    """Return the columns of one case result by name; ``columns`` numbers the checks."""
    low, base = _case(row)
    found: dict[str, Any] = {"low": low, "base": base}
    near = False
    for key, cell in row.cells.items():
        scores = _scores(row, key)
        open_ = [score for score in scores if is_open(score)]
        number = columns[key]
        if not open_:
            near = near or verdicts.is_near(cell.score, cell.verdict, mark)
            found[f"c{number}"] = cause_of(cell.score) if cell.verdict is _FAIL else None
            continue
        lowest = min(open_, key=lambda score: score.value or 0.0)
        others = [(_code(score), score) for score in scores if not is_open(score)]
        found[f"b{number}"] = lowest.value
        found[f"c{number}"] = cause_of(lowest)
        if others:
            code, worst = min(others, key=lambda pair: (pair[0], _or_one(pair[1])))
            found[f"f{number}"] = code if code < len(CODES) else None
            found[f"g{number}"] = _number(worst) if code < len(CODES) else None
            found[f"h{number}"] = cause_of(worst) if code == _FAILED else None
    found["near_else"] = near
    found["tool_causes"] = list(dict.fromkeys(tool_causes(row)))
    found["error_causes"] = list(dict.fromkeys(error_causes(row)))[:MAX_CAUSES]
    return found


def is_open(score: Score) -> bool:
    """Return whether the user's mark decides a score; what is no number fails by any."""
    value = score.value
    is_number = value is not None and not math.isnan(value)
    return score.verdict is None and is_number and not score.informational


def _case(row: CaseRow) -> tuple[float | None, int]:
    """Return the lowest score that the mark decides a case by, and what all else comes to."""
    case, idle = row.case, Verdict.NOT_EVALUATED
    if case.verdict is not None:
        return None, CODES[case.verdict]
    if case.error:
        return None, _ERROR
    deciding: list[Score] = [s for s in case.scores if not s.informational]
    if not deciding:
        if any(turn.error for turn in case.invocations):
            return None, _ERROR
        deciding = [s for turn in case.invocations for s in turn.scores if not s.informational]
    low = min((s.value for s in deciding if is_open(s) and s.value is not None), default=None)
    rest = verdicts.together(verdicts.of_score(s) for s in deciding if not is_open(s))
    return low, CODES[rest or idle]


def _scores(row: CaseRow, key: str) -> list[Score]:
    """Return the scores that a cell of a case was taken from."""
    if row.cells[key].turns == 0:
        return list(_plain(row.case.scores, key))
    return [
        score
        for turn in row.turns
        if (cell := turn.cells.get(key)) is not None
        and (cell.verdict is not None or cell.score.informational)
        for score in _plain(turn.turn.scores, key)
    ]


def _plain(scores: Iterable[Score], key: str) -> Iterator[Score]:
    return (score for score in scores if score.evaluator == key and score.line is None)


def _code(score: Score) -> int:
    verdict = verdicts.of_score(score)
    return len(CODES) if verdict is None else CODES[verdict]


def _number(score: Score) -> float | None:
    return None if score.value is None or math.isnan(score.value) else score.value


def _or_one(score: Score) -> float:
    return 1.0 if score.value is None else score.value


def judged_sql(mark: PassMark, numbers: Iterable[int]) -> str:
    """Return the columns of the table of cases with all that a pass mark decides.

    ``numbers`` are those of the checks.
    """
    at = repr(float(mark.value)) + "::DOUBLE"
    numbers = tuple(numbers)
    by_mark = f"CASE WHEN low < {at} THEN {_FAILED} ELSE {_PASSED} END"
    verdict = (
        f"CASE WHEN low IS NULL OR base = {_ERROR} THEN base "
        f"ELSE least({by_mark}, CASE WHEN base = {_IDLE} THEN {_PASSED} ELSE base END) END"
    )
    near = "".join(
        f" OR (v{n} = {_PASSED} AND b{n} < 1 AND b{n} >= {at} AND b{n} - {at} < {NEAR!r})"
        for n in numbers
    )
    replaced = [part for n in numbers for part in _check_sql(n, at)]
    return (
        f"SELECT * EXCLUDE (is_near, causes), coalesce(near_else{near}, false) AS is_near, "
        f"{_causes_sql(numbers, at)} AS causes "
        f"FROM (SELECT * REPLACE ({', '.join([f'({verdict})::UTINYINT AS verdict', *replaced])}) "
        "FROM {table})"
    )


def _check_sql(n: int, at: str) -> tuple[str, str]:
    ours = f"CASE WHEN b{n} < {at} THEN {_FAILED} ELSE {_PASSED} END"
    verdict = f"CASE WHEN b{n} IS NULL THEN v{n} ELSE least(coalesce(f{n}, {_PASSED}), {ours}) END"
    value = (
        f"CASE WHEN b{n} IS NULL THEN m{n} WHEN f{n} = {_ERROR} THEN NULL "
        f"WHEN f{n} IS NULL OR f{n} > ({ours}) THEN b{n} WHEN f{n} < ({ours}) THEN g{n} "
        f"WHEN coalesce(g{n}, 1) <= b{n} THEN g{n} ELSE b{n} END"
    )
    return f"({verdict})::UTINYINT AS v{n}", f"({value})::FLOAT AS m{n}"


def _causes_sql(numbers: Iterable[int], at: str) -> str:
    """Return the causes of a failure, in the order of the checks; those of an error stay."""
    failing = ", ".join(
        f"CASE WHEN v{n} = {_FAILED} THEN CASE WHEN h{n} IS NOT NULL "
        f"AND (b{n} >= {at} OR coalesce(g{n}, 1) <= b{n}) THEN h{n} ELSE c{n} END END"
        for n in numbers
    )
    every = f"list_concat(tool_causes, [{failing}]::VARCHAR[])"
    told = (
        f"list_filter({every}, lambda x, i: x IS NOT NULL AND list_position({every}, x) = i)"
        f"[:{MAX_CAUSES}]"
    )
    return (
        f"CASE WHEN verdict = {_ERROR} THEN causes WHEN verdict <> {_FAILED} THEN []::VARCHAR[] "
        "WHEN len(error_causes) > 0 THEN error_causes "
        f"WHEN len({told}) = 0 THEN ['{NO_REASON}'] ELSE {told} END"
    )
