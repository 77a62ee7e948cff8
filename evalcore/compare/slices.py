"""How two runs differ within parts of their cases, with what many comparisons cost."""

from __future__ import annotations

from dataclasses import dataclass

from evalcore.compare.outcomes import BOTH, BROKE, FIXED, NEITHER
from evalcore.compare.pair import Pair
from evalcore.stats import Interval, PairedCounts, holm, paired_rate
from evalcore.store.engine import engine
from evalcore.store.query import group_sql

MOST_GROUPS = 200
"""Groups that are tested: the largest. How large a group is says nothing of how it came out."""


@dataclass(frozen=True, slots=True)
class SliceChange:
    """One group of the cases: how the verdicts of both runs fall there.

    ``p`` is that of McNemar's exact test, ``p_adjusted`` corrected by Holm for all groups tested.
    """

    group: str
    counts: PairedCounts
    interval: Interval
    p: float
    p_adjusted: float


@dataclass(frozen=True, slots=True)
class SliceChanges:
    """The largest groups of a slice, of ``groups`` in all; a case may be in several by its tags."""

    name: str
    changes: tuple[SliceChange, ...]
    groups: int


def slice_names(pair: Pair) -> tuple[str, ...]:
    """Return what the cases can be sliced by, as either run knows it."""
    return tuple(dict.fromkeys([*pair.right.slice_names(), *pair.left.slice_names()]))


def slice_changes(pair: Pair, name: str) -> SliceChanges:
    """Return how the runs differ within each group of the cases that both judge.

    The groups are those that the right run knows, else those of the left one.
    """
    counts = _counts(pair, name, of_right=True) or _counts(pair, name, of_right=False)
    largest = sorted(counts, key=lambda group: (-counts[group].n, group))[:MOST_GROUPS]
    tested = [(group, counts[group], *paired_rate(counts[group])) for group in largest]
    adjusted = holm([p for *_, p in tested])
    return SliceChanges(
        name,
        tuple(
            SliceChange(group, count, interval, p, corrected)
            for (group, count, interval, p), corrected in zip(tested, adjusted, strict=True)
        ),
        len(counts),
    )


def _counts(pair: Pair, name: str, *, of_right: bool) -> dict[str, PairedCounts]:
    group = group_sql(name)
    with pair.joined() as tables:
        table = tables.right_results if of_right else tables.left_results
        row = "r_row" if of_right else "l_row"
        found = engine().rows(
            f"SELECT grp, fall, count(*) FROM (SELECT unnest({group.text}) AS grp, fall "
            f"FROM {tables.pairs} JOIN {table} c ON c.case_row = {row} WHERE fall IS NOT NULL) "
            "WHERE grp IS NOT NULL GROUP BY grp, fall",
            group.parameters,
        )
    falls: dict[str, dict[int, int]] = {}
    for grp, fall, count in found:
        falls.setdefault(grp, {})[fall] = count
    return {
        grp: PairedCounts(*(of.get(fall, 0) for fall in (BOTH, FIXED, BROKE, NEITHER)))
        for grp, of in falls.items()
    }
