"""How one case came out in a run, and what it said then, read from the run's files at once.

A history over many runs asks each of them about one case: no table is loaded into memory for that.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from evalcore.results import Verdict
from evalcore.store.engine import engine
from evalcore.store.marks import VERDICTS
from evalcore.store.stored import StoredRun


@dataclass(frozen=True, slots=True)
class Sighting:
    """The results of one case in one run, in the order of their repeats.

    ``content`` is the hash of what the case said when the run was imported, "" where that is not
    known.
    """

    rows: tuple[int, ...]
    verdicts: tuple[Verdict, ...]
    content: str

    @property
    def counts(self) -> Counter[Verdict]:
        """Return the results by verdict."""
        return Counter(self.verdicts)

    @property
    def is_flaky(self) -> bool:
        """Return whether some results passed and others failed or ended in an error."""
        found = self.counts
        return bool(found[Verdict.PASSED] and (found[Verdict.FAILED] or found[Verdict.ERROR]))


def sighting(run: StoredRun, case_key: str) -> Sighting | None:
    """Return how a case came out in a run, None where the run does not have it.

    Where the system has no pass rule, the mark that the run was opened with decides.
    """
    rows = _rows(run, case_key)
    if not rows:
        return None
    places = tuple(row for row, _ in rows)
    return Sighting(places, tuple(verdict for _, verdict in rows), _content(run, places[0]))


def _rows(run: StoredRun, case_key: str) -> list[tuple[int, Verdict]]:
    if run.is_judged_anew:
        return [(line.case_row, line.verdict) for line in run.repeats(case_key)]
    found = engine().rows(
        f"SELECT case_row, verdict FROM {run.file('cases')} WHERE case_key = ? "
        "ORDER BY repeat, case_row",
        [case_key],
    )
    return [(row, VERDICTS[code]) for row, code in found]


def _content(run: StoredRun, case_row: int) -> str:
    """Return the hash of the case at the import; runs written before that was kept have none."""
    columns = engine().rows(f"DESCRIBE SELECT * FROM {run.file('details')}")
    if not any(column[0] == "content" for column in columns):
        return ""
    sql = f"SELECT content FROM {run.file('details')} WHERE case_row = ?"
    found = engine().rows(sql, [case_row])
    return found[0][0] or "" if found else ""
