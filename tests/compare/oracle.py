"""What a comparison must say, in plain Python over the case results of both runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evalcore.compare import Outcome
from evalcore.results import CaseResult
from evalcore.stats import PairedCounts
from evalcore.store import CaseFacts
from evalcore.verdicts import USUAL_MARK
from tests.store.builders import E, F, N, P
from tests.store.oracle import Line, lines_of

EPSILON = 1e-6


@dataclass
class Case:
    """The repeats of one case in one run."""

    lines: list[Line]

    def count(self, *verdicts) -> int:
        return sum(line.row.verdict in verdicts for line in self.lines)

    @property
    def passed(self) -> int:
        return self.count(P)

    @property
    def judged(self) -> int:
        return self.count(P, F)

    @property
    def verdict(self):
        if not self.judged:
            return E if self.count(E) else N
        return P if 2 * self.passed > self.judged else F

    def mean(self, ref: str) -> float | None:
        values = [v for line in self.lines if (v := line.value(ref)) is not None]
        return float(np.float32(sum(values) / len(values))) if values else None

    @property
    def row(self) -> int:
        order = [E, F, N, P]
        return min((order.index(line.row.verdict), line.place) for line in self.lines)[1]


def by_case(results: Sequence[CaseResult]) -> dict[str, Case]:
    found: dict[str, Case] = {}
    for line in lines_of(results, [CaseFacts()] * len(results), USUAL_MARK):
        found.setdefault(line.key, Case([])).lines.append(line)
    return found


def delta(left: Case, right: Case, refs: Sequence[str]) -> float:
    pairs = [(left.mean(ref), right.mean(ref)) for ref in refs]
    changes = [b - a for a, b in pairs if a is not None and b is not None]
    return sum(changes) / len(changes) if changes else 0.0


def outcome(left: Case | None, right: Case | None, refs: Sequence[str]) -> Outcome:
    if left is None:
        return Outcome.ONLY_RIGHT
    if right is None:
        return Outcome.ONLY_LEFT
    if not left.judged or not right.judged:
        return Outcome.NOT_COMPARABLE
    if left.verdict is not right.verdict:
        return Outcome.FIXED if right.verdict is P else Outcome.BROKE
    change = right.passed / right.judged - left.passed / left.judged
    change = change if abs(change) > 1e-9 else delta(left, right, refs)
    if abs(change) <= EPSILON:
        return Outcome.SAME
    return Outcome.IMPROVED if change > 0 else Outcome.REGRESSED


def outcomes(left, right, refs) -> dict[str, Outcome]:
    a, b = by_case(left), by_case(right)
    return {key: outcome(a.get(key), b.get(key), refs) for key in {*a, *b}}


def paired(left, right) -> PairedCounts:
    a, b = by_case(left), by_case(right)
    falls = Counter(
        (a[key].verdict, b[key].verdict)
        for key in a.keys() & b.keys()
        if a[key].judged and b[key].judged
    )
    return PairedCounts(falls[P, P], falls[F, P], falls[P, F], falls[F, F])
