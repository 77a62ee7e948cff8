"""The order "worst first" of a run's case results, and which cases flake."""

from __future__ import annotations

from evalcore.results import Verdict
from evalcore.store.marks import CODES

RANK_COLUMNS = ("is_flaky", "worst", "rank", "place")
"""Whether the case flakes; the lowest value of a failed check; errors 0, failures 1, flaky cases 2,
near passes 3, not evaluated 4, the rest 5; the place in the order of rank, worst and the run."""
_ERROR, _FAILED, _IDLE, _PASSED = (
    CODES[v] for v in (Verdict.ERROR, Verdict.FAILED, Verdict.NOT_EVALUATED, Verdict.PASSED)
)


def ranked_sql(cases: str, judged: list[int], *, has_repeats: bool) -> str:
    """Return a query of case results with their ``RANK_COLUMNS``, in the order of the run.

    ``cases`` is what to select from, ``judged`` are the numbers of the checks that can fail.
    """
    lowest = ", ".join(f"CASE WHEN v{n} = {_FAILED} THEN m{n} END" for n in judged)
    worst = f"CASE WHEN verdict = {_FAILED} THEN coalesce(least({lowest}, NULL), 0) ELSE 0 END"
    flaky = "FALSE"
    if has_repeats:
        flaky = (
            f"bool_or(verdict = {_PASSED}) OVER same "
            f"AND bool_or(verdict IN ({_ERROR}, {_FAILED})) OVER same"
        )
    with_flaky = f"SELECT *, ({flaky}) AS is_flaky FROM {cases} " + (
        "WINDOW same AS (PARTITION BY case_key)" if has_repeats else ""
    )
    with_rank = (
        f"SELECT *, ({worst if judged else '0'})::FLOAT AS worst, "
        f"(CASE WHEN verdict = {_ERROR} THEN 0 WHEN verdict = {_FAILED} THEN 1 "
        f"WHEN is_flaky THEN 2 WHEN verdict = {_PASSED} AND is_near THEN 3 "
        f"WHEN verdict = {_IDLE} THEN 4 ELSE 5 END)::UTINYINT AS rank FROM ({with_flaky})"
    )
    return (
        "SELECT *, (row_number() OVER (ORDER BY rank, worst, case_row) - 1)::INTEGER AS place "
        f"FROM ({with_rank}) ORDER BY case_row"
    )
