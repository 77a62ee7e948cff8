"""What became of each case from one run to another."""

from __future__ import annotations

from enum import StrEnum

from evalcore.results import Verdict
from evalcore.store.rows import CODES


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


def sides_sql(prefix: str, columns: list[int], names: str) -> str:
    """Return a query of one row per case of a run, its repeats taken together.

    ``names`` is put before the columns: ``key``, ``hash``, ``row`` (of the worst repeat), ``n``,
    ``passed``, ``judged``, ``verdict`` and ``m<column>`` for the mean of each metric.
    """
    error, failed, idle, passed = (
        CODES[v] for v in (Verdict.ERROR, Verdict.FAILED, Verdict.NOT_EVALUATED, Verdict.PASSED)
    )
    means = "".join(f", avg(m{c}) AS {names}m{c}" for c in columns)
    return (
        f"SELECT case_key AS {names}key, hash(case_key) AS {names}hash, "
        f"arg_min(case_row, verdict) AS {names}row, count(*) AS {names}n, "
        f"count(*) FILTER (verdict = {passed}) AS {names}passed, "
        f"count(*) FILTER (verdict IN ({passed}, {failed})) AS {names}judged, "
        f"CASE WHEN {names}judged = 0 AND bool_or(verdict = {error}) THEN {error} "
        f"WHEN {names}judged = 0 THEN {idle} "
        f"WHEN 2 * {names}passed > {names}judged THEN {passed} ELSE {failed} END AS {names}verdict"
        f"{means} FROM {prefix}_cases GROUP BY case_key"
    )


def single_sql(prefix: str, columns: list[int], names: str) -> str:
    """Return the same as ``sides_sql`` for a run without repeats, which needs no grouping."""
    failed, passed = CODES[Verdict.FAILED], CODES[Verdict.PASSED]
    means = "".join(f", m{c}::DOUBLE AS {names}m{c}" for c in columns)
    return (
        f"SELECT case_key AS {names}key, hash(case_key) AS {names}hash, case_row AS {names}row, "
        f"1 AS {names}n, (verdict = {passed})::INT AS {names}passed, "
        f"(verdict IN ({passed}, {failed}))::INT AS {names}judged, verdict AS {names}verdict"
        f"{means} FROM {prefix}_cases"
    )


def outcome_sql(shared: list[tuple[int, int]]) -> str:
    """Return the number of the outcome of a joined row ``l_…``/``r_…``; see ``NUMBERS``.

    ``shared`` pairs the columns of the metrics that both runs have.
    """
    failed, passed = CODES[Verdict.FAILED], CODES[Verdict.PASSED]
    delta = delta_sql(shared)
    n = NUMBERS
    return (
        f"CASE WHEN l_key IS NULL THEN {n[Outcome.ONLY_RIGHT]} "
        f"WHEN r_key IS NULL THEN {n[Outcome.ONLY_LEFT]} "
        f"WHEN l_judged = 0 OR r_judged = 0 THEN {n[Outcome.NOT_COMPARABLE]} "
        f"WHEN l_verdict = {failed} AND r_verdict = {passed} THEN {n[Outcome.FIXED]} "
        f"WHEN l_verdict = {passed} AND r_verdict = {failed} THEN {n[Outcome.BROKE]} "
        f"WHEN r_passed * l_judged > l_passed * r_judged THEN {n[Outcome.IMPROVED]} "
        f"WHEN r_passed * l_judged < l_passed * r_judged THEN {n[Outcome.REGRESSED]} "
        f"WHEN {delta} > {EPSILON} THEN {n[Outcome.IMPROVED]} "
        f"WHEN {delta} < -{EPSILON} THEN {n[Outcome.REGRESSED]} "
        f"ELSE {n[Outcome.SAME]} END::UTINYINT"
    )


def delta_sql(shared: list[tuple[int, int]]) -> str:
    """Return the mean change over the metrics that both sides have a value for; 0 for none."""
    if not shared:
        return "0"
    changes = ", ".join(f"r_m{right} - l_m{left}" for left, right in shared)
    return f"coalesce(list_avg([{changes}]), 0)"
