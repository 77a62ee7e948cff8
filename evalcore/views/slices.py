"""How groups of a run's cases did, each with its interval, and whether one really differs."""

from __future__ import annotations

from dataclasses import dataclass, replace

from evalcore.stats import holm
from evalcore.stats.unpaired import different_rates
from evalcore.store import RunQuery, StoredRun
from evalcore.store.casewise import Slice, slices, tried
from evalcore.store.query import TAG
from evalcore.views.numbers import wilson

SLICES = 200
"""The most groups that are shown."""
ALPHA = 0.05


@dataclass(frozen=True, slots=True)
class SliceLine:
    """One group; ``p`` is Holm's for "as the rest", None where that was not tested."""

    group: Slice
    p: float | None = None
    lower: bool = False

    @property
    def interval(self) -> tuple[float, float]:
        """Return Wilson's 95 % interval of the share, over cases; (0, 1) where none was scored."""
        share, n = self.group.share, self.group.judged
        return (0.0, 1.0) if share is None else wilson(share * n, n)

    @property
    def share_text(self) -> str:
        """Return ``84.2 %``, ``–`` where nothing was scored."""
        share = self.group.share
        return "–" if share is None else f"{100 * share:.1f} %".replace("100.0", "100")

    @property
    def interval_text(self) -> str:
        """Return ``76.6–89.6 %``, "" where nothing was scored."""
        low, high = self.interval
        return "" if self.group.share is None else f"{100 * low:.1f}–{100 * high:.1f} %"

    @property
    def differs(self) -> bool:
        """Return whether the group can be told from the rest, all comparisons considered."""
        return self.p is not None and self.p < ALPHA


@dataclass(frozen=True, slots=True)
class SliceTable:
    """The groups of a slice, the largest first; ``comparisons`` tests were made."""

    name: str
    lines: tuple[SliceLine, ...]
    comparisons: int

    @property
    def told(self) -> str:
        """Return in words what the tests are worth."""
        if not self.comparisons:
            return "Nothing to compare: every case is in one group, or nothing was scored."
        many = "comparison" if self.comparisons == 1 else "comparisons"
        found = sum(line.differs for line in self.lines)
        said = "none of them" if not found else f"{found} of them"
        return (
            f"{self.comparisons} {many} of a group with the rest (Fisher's exact test, corrected "
            f"by Holm): {said} can be told from chance."
        )


def slice_table(run: StoredRun, name: str, query: RunQuery) -> SliceTable:
    """Return how the groups by ``tag`` or a field of metadata did among the matching results.

    A case counts once, with the share of its repeats that passed.
    """
    found = slices(run, name, query, SLICES)
    judged, passed = _all(run, query)
    tests: list[tuple[int, float]] = []
    lines = []
    for place, group in enumerate(found):
        inside = round((group.share or 0.0) * group.judged)
        outside = max(0, round(passed) - inside), judged - group.judged
        line = SliceLine(group)
        if group.judged and outside[1] > 0:
            p = different_rates(inside, group.judged, min(*outside), outside[1])
            tests.append((place, p))
            rest = min(*outside) / outside[1]
            line = replace(line, lower=(group.share or 0.0) < rest)
        lines.append(line)
    for (place, _), p in zip(tests, holm([p for _, p in tests]), strict=True):
        lines[place] = replace(lines[place], p=p)
    return SliceTable(name, tuple(lines), len(tests))


def slice_label(name: str) -> str:
    """Return what a slice is called."""
    return "tag" if name == TAG else name


def _all(run: StoredRun, query: RunQuery) -> tuple[int, float]:
    """Return how many cases were scored, and the sum of the shares that passed."""
    found = [line for line in tried(run, query) if line.judged]
    judged = sum(line.cases for line in found)
    return judged, sum(line.cases * line.passed / line.judged for line in found)
