"""Two to eight runs against one baseline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evalcore.compare.pair import ALPHA, Pair, compare
from evalcore.errors import EvaldeskError
from evalcore.stats import holm, mcnemar
from evalcore.store import StoredRun

MOST_RUNS = 8
LETTERS = "ABCDEFGH"


@dataclass(frozen=True, slots=True)
class Comparison:
    """Runs of which the first is the baseline; ``pairs`` hold each of the others against it."""

    runs: tuple[StoredRun, ...]
    pairs: tuple[Pair, ...]

    @property
    def base(self) -> StoredRun:
        """Return the baseline."""
        return self.runs[0]

    def alpha(self, number: int) -> float:
        """Return the p below which a pair claims a difference, by Holm's steps from the least p.

        0.05 over the pairs that are not told apart yet; for a single pair 0.05. A pair claims a
        difference where its ``adjusted`` p is below 0.05, and only there.
        """
        p_values = [mcnemar(p.paired.fixed, p.paired.broke) for p in self.pairs]
        adjusted = holm(p_values)
        shown = sum(p < ALPHA for p in adjusted)
        rank = sorted(range(len(p_values)), key=p_values.__getitem__).index(number)
        return ALPHA / (len(p_values) - min(rank, shown))

    def sentence(self, number: int, margin: float | None = None) -> str:
        """Return one pair in one honest sentence; runs are called A, B, …, the baseline A."""
        return self.pairs[number].sentence(margin, LETTERS[number + 1], self.alpha(number))

    def adjusted(self) -> tuple[float, ...]:
        """Return the exact test's p of every pair, corrected by Holm for the pairs."""
        return holm([mcnemar(p.paired.fixed, p.paired.broke) for p in self.pairs])


def compare_all(runs: Sequence[StoredRun]) -> Comparison:
    """Compare runs with the first of them.

    Raises EvaldeskError for fewer than two, more than eight, or a run that is there twice.
    """
    if not 2 <= len(runs) <= MOST_RUNS:
        raise EvaldeskError(
            f"Two to {MOST_RUNS} runs can be compared, not {len(runs)}",
            hint="Add a run, or take some away.",
        )
    if len({run.manifest.id for run in runs}) < len(runs):
        raise EvaldeskError("A run cannot be compared with itself", hint="Choose different runs.")
    base = runs[0]
    return Comparison(tuple(runs), tuple(compare(base, other) for other in runs[1:]))
