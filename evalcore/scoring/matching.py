"""Which case of an eval set a recorded result belongs to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from evalcore.results import CaseResult, Run


class Match(NamedTuple):
    """The place of a case in its set, from 0, and how it was found."""

    place: int
    by: Literal["id", "name", "name and order"]


class CaseMatcher:
    """Finds the case of each result of a run.

    The id decides, in its own letter case first and then as ``key`` makes ids alike. A result
    without a known id goes by name; where several cases share a name, the k-th result of that name
    is taken for the k-th such case.
    """

    def __init__(
        self,
        run: Run,
        ids: Sequence[str | None],
        name_of: Callable[[int], str | None],
        key: Callable[[str], str],
    ) -> None:
        """Take the set's case ids, in order, and what tells a case's name.

        ``name_of`` is asked only once a result has no known id.
        """
        self._run = run
        self._ids = ids
        self._name_of = name_of
        self._key = key
        self._by_id: dict[str, list[int]] = defaultdict(list)
        for index, case_id in enumerate(ids):
            if case_id is not None:
                self._by_id[key(case_id)].append(index)
        self._by_name: dict[str, list[int]] | None = None
        self._nth_of_name = _nth([name_of_result(case) for case in run.cases])

    def of(self, place: int) -> Match | None:
        """Return the case of the result at a place of the run, None where the set has none."""
        return self.find(self._run.cases[place], self._nth_of_name[place])

    def find(self, case: CaseResult, nth: int) -> Match | None:
        """Return the case of a result, before which ``nth`` results have its name."""
        hits = self._by_id.get(self._key(case.case_id), []) if case.case_id else []
        if hits:
            exact = [index for index in hits if self._ids[index] == case.case_id]
            return Match((exact or hits)[0], "id")
        name = name_of_result(case)
        hits = self._names().get(name, []) if name else []
        if not hits:
            return None
        return Match(hits[nth % len(hits)], "name" if len(hits) == 1 else "name and order")

    def _names(self) -> dict[str, list[int]]:
        if self._by_name is None:
            self._by_name = defaultdict(list)
            for index in range(len(self._ids)):
                name = self._name_of(index)
                if name:
                    self._by_name[name].append(index)
        return self._by_name


def name_of_result(case: CaseResult) -> str:
    """Return the name by which a result's case is looked for where its id is not known."""
    return case.name or case.case_id or ""


def _nth(names: Sequence[str]) -> list[int]:
    """Return, for every name, how often it stood before."""
    seen: dict[str, int] = defaultdict(int)
    found = []
    for name in names:
        found.append(seen[name])
        seen[name] += 1
    return found
