"""What time and tokens a case takes in two runs."""

from __future__ import annotations

from evalcore.compare.joining import Joined
from evalcore.compare.pair import MetricChange, Pair, corrected, paired_change
from evalcore.store import MetricSummary

COSTS = {"duration_s": "Seconds per case", "tokens": "Tokens per case"}


def cost_changes(pair: Pair) -> tuple[MetricChange, ...]:
    """Return how time and tokens changed, over the cases where both runs know them; less is better.

    A case counts once, with the mean of its repeats. What no case in common has is left out.
    """
    found = [_change(pair, column, label) for column, label in COSTS.items()]
    return corrected([change for change in found if change.n])


def _change(pair: Pair, column: str, label: str) -> MetricChange:
    metric = MetricSummary(
        key=column, label=label, column=-1, informational=True, better="lower", scored=0
    )
    with pair.joined() as tables:
        if pair.left.manifest.repeats == pair.right.manifest.repeats == 1:
            both = _once(tables, column)
        else:
            sides = [
                f"(SELECT case_key, avg({column}) AS value, min(case_row) AS place FROM {table} "
                f"WHERE {column} IS NOT NULL GROUP BY case_key)"
                for table in (tables.left_results, tables.right_results)
            ]
            both = f"FROM {sides[0]} l JOIN {sides[1]} r ON l.case_key = r.case_key"
        return paired_change(metric, "l.value", "r.value", both, "l.place")


def _once(tables: Joined, column: str) -> str:
    """Return the same where no case was run twice, without looking at any key."""
    sides = [
        f"(SELECT case_row AS place, {column} AS value FROM {table} WHERE {column} IS NOT NULL)"
        for table in (tables.left_results, tables.right_results)
    ]
    return (
        f"FROM {tables.pairs} p JOIN {sides[0]} l ON p.l_row = l.place "
        f"JOIN {sides[1]} r ON p.r_row = r.place"
    )
