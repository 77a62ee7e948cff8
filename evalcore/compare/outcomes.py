"""What became of each case from one run to another."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

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
        f"SELECT case_key, case_row, 1 AS n, (verdict = {_PASSED})::INTEGER AS passed, "
        f"(verdict IN ({_PASSED}, {_FAILED}))::INTEGER AS judged, verdict{means} FROM {table}"
    )


def outcome_sql(*, has_repeats: bool) -> str:
    """Return the number of the outcome of a row that joins ``l`` and ``r``; see ``NUMBERS``.

    ``delta`` is the row's mean change. Without repeats on either side a verdict says it all.
    """
    n = NUMBERS
    shares = (
        f"WHEN r.passed::BIGINT * l.judged > l.passed::BIGINT * r.judged "
        f"THEN {n[Outcome.IMPROVED]} "
        f"WHEN r.passed::BIGINT * l.judged < l.passed::BIGINT * r.judged "
        f"THEN {n[Outcome.REGRESSED]} "
    )
    return (
        f"(CASE WHEN l.case_row IS NULL THEN {n[Outcome.ONLY_RIGHT]} "
        f"WHEN r.case_row IS NULL THEN {n[Outcome.ONLY_LEFT]} "
        f"WHEN NOT ({_are_judged()}) THEN {n[Outcome.NOT_COMPARABLE]} "
        f"WHEN l.verdict < r.verdict THEN {n[Outcome.FIXED]} "
        f"WHEN l.verdict > r.verdict THEN {n[Outcome.BROKE]} "
        f"{shares if has_repeats else ''}"
        f"WHEN delta > {EPSILON}::FLOAT THEN {n[Outcome.IMPROVED]} "
        f"WHEN delta < -{EPSILON}::FLOAT THEN {n[Outcome.REGRESSED]} "
        f"ELSE {n[Outcome.SAME]} END)::UTINYINT"
    )


def fall_sql() -> str:
    """Return how the verdicts of a joined row fall, NULL where a side is not judged."""
    return (
        f"(CASE WHEN {_are_judged()} THEN "
        f"2 * (r.verdict = {_PASSED})::UTINYINT + (l.verdict = {_PASSED})::UTINYINT END)::UTINYINT"
    )


def _are_judged() -> str:
    """Return whether both sides passed or failed, where both are there."""
    # Among the codes those of a failure and a pass are the odd ones.
    return "(l.verdict & r.verdict & 1) = 1"


def delta_sql(shared: Sequence[tuple[int, int]]) -> str:
    """Return the mean change over the metrics that both sides have a value for; 0 for none."""
    if not shared:
        return "0::FLOAT"
    total = " + ".join(f"coalesce(r.m{right} - l.m{left}, 0)" for left, right in shared)
    known = " + ".join(
        f"(r.m{right} IS NOT NULL AND l.m{left} IS NOT NULL)::UTINYINT" for left, right in shared
    )
    return f"coalesce(({total}) / nullif({known}, 0), 0)::FLOAT"
