"""What became of each case from one run to another."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Literal

from evalcore.results import Verdict
from evalcore.store.marks import CODES


class Outcome(StrEnum):
    """What became of a case; a case passes a run when more than half of its repeats passed."""

    FIXED = "fixed"
    BROKE = "broke"
    IMPROVED = "improved"
    """The verdict is the same, more repeats passed or the scores are higher."""
    REGRESSED = "regressed"
    """The verdict is the same, fewer repeats passed or the scores are lower."""
    SAME = "same"
    ONLY_LEFT = "only_left"
    ONLY_RIGHT = "only_right"
    NOT_COMPARABLE = "not_comparable"
    """A side ended in an error or was not evaluated: nothing is claimed of it."""


WORST_FIRST = (
    Outcome.BROKE,
    Outcome.REGRESSED,
    Outcome.NOT_COMPARABLE,
    Outcome.ONLY_LEFT,
    Outcome.ONLY_RIGHT,
    Outcome.FIXED,
    Outcome.IMPROVED,
    Outcome.SAME,
)
NUMBERS = {outcome: number for number, outcome in enumerate(WORST_FIRST)}
EPSILON = 1e-6
"""Scores are 32-bit numbers in the tables: what differs by less is the same."""
NEITHER, BROKE, FIXED, BOTH = range(4)
"""How a pair of verdicts falls: nobody passed, only the left, only the right, both; else NULL."""
_ERROR, _FAILED, _IDLE, _PASSED = (
    CODES[v] for v in (Verdict.ERROR, Verdict.FAILED, Verdict.NOT_EVALUATED, Verdict.PASSED)
)


def grouped_sql(table: str, columns: Sequence[int]) -> str:
    """Return a query of one row per case of a run, its repeats taken together.

    Its columns are ``case_key``, ``case_row`` (of the worst repeat), ``n``, ``passed``, ``judged``,
    ``verdict`` and ``m<column>`` for the mean of each metric. Errors and repeats that were not
    evaluated are no failures: they do not count among those judged.
    """
    means = "".join(f", avg(m{c})::FLOAT AS m{c}" for c in columns)
    return (
        "SELECT case_key, "
        "arg_min(case_row, verdict::BIGINT * 4294967296 + case_row) AS case_row, "
        f"count(*)::INTEGER AS n, count(*) FILTER (verdict = {_PASSED})::INTEGER AS passed, "
        f"count(*) FILTER (verdict IN ({_PASSED}, {_FAILED}))::INTEGER AS judged, "
        f"(CASE WHEN judged = 0 AND bool_or(verdict = {_ERROR}) THEN {_ERROR} "
        f"WHEN judged = 0 THEN {_IDLE} WHEN 2 * passed > judged THEN {_PASSED} "
        f"ELSE {_FAILED} END)::UTINYINT AS verdict"
        f"{means} FROM {table} GROUP BY case_key ORDER BY min(case_row)"
    )


def single_sql(table: str, columns: Sequence[int]) -> str:
    """Return the same for a run without repeats, whose rows are its cases already."""
    means = "".join(f", m{c}" for c in columns)
    return (
        f"SELECT case_key, case_row, 1 AS n, {_single('', 'passed')} AS passed, "
        f"{_single('', 'judged')} AS judged, verdict{means} FROM {table}"
    )


def counts_of(side: str, *, has_repeats: bool) -> tuple[str, str]:
    """Return how many repeats of a side ``l`` or ``r`` passed, and how many were judged.

    Without repeats both follow from the verdict, and need not be carried through a join.
    """
    if has_repeats:
        return f"{side}.passed", f"{side}.judged"
    return _single(f"{side}.", "passed"), _single(f"{side}.", "judged")


def _single(side: str, what: Literal["passed", "judged"]) -> str:
    wanted = f"= {_PASSED}" if what == "passed" else f"IN ({_PASSED}, {_FAILED})"
    return f"({side}verdict {wanted})::INTEGER"


def outcome_sql(left: tuple[str, str], right: tuple[str, str]) -> str:
    """Return the number of the outcome of a row that joins ``l`` and ``r``; see ``NUMBERS``.

    ``left`` and ``right`` are their ``counts_of``, ``delta`` is the row's mean change.
    """
    n = NUMBERS
    (l_passed, l_judged), (r_passed, r_judged) = left, right
    return (
        f"(CASE WHEN l.case_row IS NULL THEN {n[Outcome.ONLY_RIGHT]} "
        f"WHEN r.case_row IS NULL THEN {n[Outcome.ONLY_LEFT]} "
        f"WHEN {l_judged} = 0 OR {r_judged} = 0 THEN {n[Outcome.NOT_COMPARABLE]} "
        f"WHEN l.verdict = {_FAILED} AND r.verdict = {_PASSED} THEN {n[Outcome.FIXED]} "
        f"WHEN l.verdict = {_PASSED} AND r.verdict = {_FAILED} THEN {n[Outcome.BROKE]} "
        f"WHEN {r_passed}::BIGINT * {l_judged} > {l_passed}::BIGINT * {r_judged} "
        f"THEN {n[Outcome.IMPROVED]} "
        f"WHEN {r_passed}::BIGINT * {l_judged} < {l_passed}::BIGINT * {r_judged} "
        f"THEN {n[Outcome.REGRESSED]} "
        f"WHEN delta > {EPSILON} THEN {n[Outcome.IMPROVED]} "
        f"WHEN delta < -{EPSILON} THEN {n[Outcome.REGRESSED]} "
        f"ELSE {n[Outcome.SAME]} END)::UTINYINT"
    )


def fall_sql(left: tuple[str, str], right: tuple[str, str]) -> str:
    """Return how the verdicts of a joined row fall, NULL where a side is not judged."""
    return (
        f"(CASE WHEN {left[1]} > 0 AND {right[1]} > 0 THEN "
        f"2 * (r.verdict = {_PASSED})::INTEGER + (l.verdict = {_PASSED})::INTEGER END)::UTINYINT"
    )


def delta_sql(shared: Sequence[tuple[int, int]]) -> str:
    """Return the mean change over the metrics that both sides have a value for; 0 for none."""
    if not shared:
        return "0::FLOAT"
    changes = [f"(r.m{right}::DOUBLE - l.m{left})" for left, right in shared]
    total = " + ".join(f"coalesce({change}, 0)" for change in changes)
    known = " + ".join(f"({change} IS NOT NULL)::INTEGER" for change in changes)
    return f"coalesce(({total}) / nullif({known}, 0), 0)::FLOAT"
