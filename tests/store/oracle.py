"""What a stored run must answer, in plain Python over the case results themselves."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evalcore import counting
from evalcore.counting import CaseRow
from evalcore.results import CaseResult, Verdict
from evalcore.store import CaseFacts, MetricFilter, RunQuery
from evalcore.store.causes import causes_of
from evalcore.store.rows import case_key, searchable
from evalcore.verdicts import PassMark
from tests.store.builders import E, F, N, P

ORDER = [E, F, N, P]


@dataclass
class Line:
    """What is known of one case result."""

    place: int
    row: CaseRow
    key: str
    facts: CaseFacts
    flaky: bool = False

    @property
    def causes(self) -> tuple[str, ...]:
        return causes_of(self.row)

    def value(self, ref: str) -> float | None:
        """Return a number as 32 bits hold it."""
        cell = self.row.cells.get(ref)
        if cell is None or cell.verdict is E:
            return None
        score = cell.score
        found = score.native if score.informational and score.native is not None else score.value
        return None if found is None or not math.isfinite(found) else float(np.float32(found))

    def verdict(self, ref: str) -> Verdict | None:
        cell = self.row.cells.get(ref)
        return cell.verdict if cell else None

    @property
    def worst(self) -> float:
        if self.row.verdict is not F:
            return 0.0
        failed = [self.value(ref) for ref, cell in self.row.cells.items() if cell.verdict is F]
        return min((value for value in failed if value is not None), default=0.0)

    @property
    def rank(self) -> int:
        verdict = self.row.verdict
        if verdict in (E, F):
            return ORDER.index(verdict)
        if self.flaky:
            return 2
        return 4 if verdict is N else 3 if self.row.is_near else 5


def lines_of(
    results: Sequence[CaseResult], facts: Sequence[CaseFacts], mark: PassMark
) -> list[Line]:
    lines = [
        Line(place, counting.case_row(place, result, mark), case_key(result, place), fact)
        for place, (result, fact) in enumerate(zip(results, facts, strict=True))
    ]
    for line in lines:
        verdicts = {other.row.verdict for other in lines if other.key == line.key}
        line.flaky = P in verdicts and bool(verdicts & {E, F})
    return lines


def select(lines: list[Line], query: RunQuery) -> list[Line]:
    """Return the lines that match, in order, without limit and offset."""
    return in_order([line for line in lines if matches(line, query)], query)


def matches(line: Line, query: RunQuery) -> bool:
    verdict = line.row.verdict
    modes = {
        "all": True,
        "failures": verdict in (F, E),
        "errors": verdict is E,
        "passes": verdict is P,
        "not_evaluated": verdict is N,
        "flaky": line.flaky,
    }
    text = searchable(line.row.case)
    return (
        modes[query.mode]
        and all(word in text for word in query.text.casefold().split())
        and all(metric_matches(line, wanted) for wanted in query.metrics)
        and all(tag in line.facts.tags for tag in query.tags)
        and all(group in groups(line, name) for name, group in query.slices)
        and (query.cause is None or query.cause in line.causes)
        and (query.cases is None or line.key in query.cases)
        and (query.rows is None or line.place in query.rows)
    )


def metric_matches(line: Line, wanted: MetricFilter) -> bool:
    value, verdict = line.value(wanted.key), line.verdict(wanted.key)
    if wanted.verdict is None and wanted.comparison is None:
        return value is not None or verdict is not None
    if wanted.verdict is not None and verdict is not wanted.verdict:
        return False
    if wanted.comparison is None:
        return True
    if value is None:
        return False
    other = float(np.float32(wanted.value))
    return {
        "<": value < other,
        "<=": value <= other,
        "=": value == other,
        ">=": value >= other,
        ">": value > other,
    }[wanted.comparison]


def groups(line: Line, name: str) -> list[str]:
    if name == "tag":
        return list(line.facts.tags)
    value = line.facts.metadata.get(name)
    if value is None:
        return []
    return [value if isinstance(value, str) else json.dumps(value)]


def in_order(lines: list[Line], query: RunQuery) -> list[Line]:
    down = query.descending
    if query.sort == "file":
        return sorted(lines, key=lambda line: line.place, reverse=down)
    if query.sort == "worst":
        return sorted(lines, key=lambda line: (line.rank, line.worst, line.place), reverse=down)
    if query.sort == "name":
        # By bytes; among equals the order of the run holds in both directions.
        return sorted(lines, key=lambda line: line.key.encode(), reverse=down)
    if query.sort == "duration":
        return by_number(lines, lambda line: _f32(line.row.case.duration_s), not down, lambda _: 0)
    ref = query.sort.removeprefix("metric:")
    return by_number(lines, lambda line: line.value(ref), down, lambda line: line.verdict(ref) is E)


def by_number(lines, number, falls, is_first):
    def key(line):
        value = number(line)
        if is_first(line):
            return 0, 0.0, line.place
        if value is None:
            return 2, 0.0, line.place
        return 1, -value if falls else value, line.place

    return sorted(lines, key=key)


def _f32(number: float | None) -> float | None:
    return None if number is None else float(np.float32(number))


def histogram(lines: list[Line], ref: str, bins: int, low: float, high: float):
    width = (high - low) / bins or 1.0
    counts = [[0, 0] for _ in range(bins)]
    values = [(line.value(ref), line.verdict(ref)) for line in lines]
    known = [(value, verdict) for value, verdict in values if value is not None]
    for value, verdict in known:
        place = np.floor((np.float32(value) - np.float32(low)) * np.float32(1 / width))
        counts[int(min(max(place, 0), bins - 1))][verdict is not P] += 1
    bars = [(low + n * width, *count) for n, count in enumerate(counts)]
    return bars if known else []


def causes(lines: list[Line]) -> list[tuple[str, int]]:
    counted = Counter(cause for line in lines for cause in line.causes)
    return sorted(counted.items(), key=lambda pair: (-pair[1], pair[0].encode()))


def slices(lines: list[Line], name: str) -> dict[str, tuple[Counter[Verdict], int]]:
    found: dict[str, tuple[Counter[Verdict], set[str]]] = {}
    for line in lines:
        for group in groups(line, name):
            counts, keys = found.setdefault(group, (Counter(), set()))
            counts[line.row.verdict] += 1
            keys.add(line.key)
    return {name: (counts, len(keys)) for name, (counts, keys) in found.items()}
