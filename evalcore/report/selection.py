"""What a report is about: the case results of a run that a query selects, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from evalcore import counting
from evalcore.counting import CaseRow
from evalcore.errors import EvaldeskError
from evalcore.store import CaseLine, RunQuery, StoredRun
from evalcore.verdicts import USUAL_MARK, PassMark
from evalcore.views.expectations import Join

LINES = 2_000
RESULTS = 250
"""How many case results are held in full at once."""

Joins: TypeAlias = Callable[[CaseLine], Join | None]
"""Gives the case of the eval set that a result belongs to."""


def no_join(_line: CaseLine) -> None:
    """Say that no eval set is at hand: what was expected is what the result file has of it."""
    return


def unwatched(_done: int) -> None:
    """Tell nobody how far a report is."""


@dataclass(frozen=True, slots=True)
class Selection:
    """Some case results of a run. The limit and the offset of the query do not count.

    ``watch`` is told how many case results were read in full, some hundred at a time; what it
    raises ends the reading.
    """

    run: StoredRun
    query: RunQuery = field(default_factory=RunQuery)
    joins: Joins = no_join
    watch: Callable[[int], None] = unwatched

    @property
    def mark(self) -> PassMark:
        """Return the mark that decides where the system has no rule."""
        mark = self.run.pass_mark
        return USUAL_MARK if mark is None else PassMark(mark)

    def sorted_by(self, sort: str) -> Selection:
        """Return the same case results in another order."""
        return replace(self, query=replace(self.query, sort=sort, descending=False))

    def lines(self, most: int | None = None) -> Iterator[CaseLine]:
        """Yield the lines in the order of the query, at most so many."""
        left, offset = most, 0
        while left is None or left > 0:
            size = LINES if left is None else min(LINES, left)
            found = self.run.page(replace(self.query, limit=size, offset=offset)).lines
            yield from found
            if len(found) < size:
                return
            offset += size
            left = None if left is None else left - size

    def results(self, most: int | None = None) -> Iterator[tuple[CaseLine, CaseRow]]:
        """Yield the lines, each with its case result in full."""
        held: list[CaseLine] = []
        done = 0
        for line in self.lines(most):
            held.append(line)
            if len(held) >= RESULTS:
                self.watch(done)
                yield from self._in_full(held)
                done += len(held)
                held = []
        self.watch(done)
        yield from self._in_full(held)

    def _in_full(self, lines: list[CaseLine]) -> Iterator[tuple[CaseLine, CaseRow]]:
        places = sorted(line.case_row for line in lines)
        found = self.run.cases(places) if places else []
        if len(found) != len(places):
            raise EvaldeskError(
                f"{len(places) - len(found):,} results of this run are gone from its folder",
                hint="Import or score it again.",
            )
        cases = dict(zip(places, found, strict=True))
        for line in lines:
            case = cases.pop(line.case_row)
            yield line, counting.case_row(line.case_row, case, self.mark)


def label_of(line: CaseLine, row: CaseRow) -> str:
    """Return what a case result is called: its case, and from the second on which repeat it is."""
    name = row.label
    if line.case_id is None and not line.name and not line.case_key.startswith("place "):
        name = line.case_key
    return f"{name} (repeat {line.repeat + 1})" if line.repeat else name
