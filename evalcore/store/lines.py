"""What a stored run answers with: lines of case results, numbers of evaluators, groups."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from evalcore.results import Verdict
from evalcore.store.manifest import MetricSummary, VerdictCounts
from evalcore.store.marks import VERDICTS


@dataclass(frozen=True, slots=True)
class CaseLine:
    """One case result in a list. ``values`` and ``verdicts`` are by evaluator, None where n/a."""

    case_row: int
    case_key: str
    case_id: str | None
    name: str
    repeat: int
    verdict: Verdict
    is_near: bool
    is_flaky: bool
    turns: int
    duration_s: float | None
    tokens: int | None
    tags: tuple[str, ...]
    causes: tuple[str, ...]
    values: dict[str, float | None]
    verdicts: dict[str, Verdict | None]


@dataclass(frozen=True, slots=True)
class RunPage:
    """Some lines of all that match; ``total`` counts the matching ones."""

    lines: tuple[CaseLine, ...]
    total: int


@dataclass(frozen=True, slots=True)
class MetricNumbers:
    """One evaluator over the case results that match; ``mean`` and such on 0–1."""

    metric: MetricSummary
    scored: int
    counts: Counter[Verdict]
    mean: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Group:
    """Some case results with something in common: how many, and how they came out."""

    name: str
    counts: Counter[Verdict]
    cases: int

    @property
    def total(self) -> int:
        """Return how many case results there are."""
        return self.counts.total()


LINE = (
    "case_row, case_key, case_id, name, repeat, verdict, is_near, is_flaky, turns, duration_s, "
    "tokens, tags, causes"
)


"""The columns of a line that every run has."""


def line_of(row: Sequence[Any], keys: Sequence[str]) -> CaseLine:
    """Return a line; behind its columns stand value and verdict of every evaluator."""
    head, cells = row[:13], row[13:]
    codes = [None if code is None else VERDICTS[code] for code in cells[1::2]]
    return CaseLine(
        case_row=head[0],
        case_key=head[1],
        case_id=head[2],
        name=head[3],
        repeat=head[4],
        verdict=VERDICTS[head[5]],
        is_near=head[6],
        is_flaky=head[7],
        turns=head[8],
        duration_s=head[9],
        tokens=head[10],
        tags=tuple(head[11]),
        causes=tuple(head[12]),
        values=dict(zip(keys, cells[::2], strict=True)),
        verdicts=dict(zip(keys, codes, strict=True)),
    )


def aggregates(column: int) -> str:
    """Return the SQL of what ``numbers_of`` takes of one evaluator."""
    value = f"m{column}"
    counts = ", ".join(f"count(*) FILTER (v{column} = {code})" for code in VERDICTS)
    return f"count({value}), avg({value}), min({value}), max({value}), {counts}"


def numbers_of(metric: MetricSummary, row: Sequence[Any]) -> MetricNumbers:
    """Return an evaluator's numbers from the columns of its ``aggregates``."""
    found = dict(zip(VERDICTS.values(), row[4:], strict=True))
    counts = Counter({verdict: number for verdict, number in found.items() if number})
    return MetricNumbers(metric, row[0], counts, row[1], row[2], row[3])


def groups_of(found: Iterable[Sequence[Any]]) -> list[Group]:
    """Return groups from rows of group, verdict, number of results, keys of their cases."""
    counts: dict[str, Counter[Verdict]] = {}
    cases: dict[str, set[str]] = {}
    for name, code, number, keys in found:
        counts.setdefault(name, Counter())[VERDICTS[code]] += number
        cases.setdefault(name, set()).update(keys)
    groups = [Group(name, count, len(cases[name])) for name, count in counts.items()]
    return sorted(groups, key=lambda group: (-group.total, group.name))


def counted(counts: VerdictCounts) -> Counter[Verdict]:
    """Return the counts of a manifest by verdict, those of none left out."""
    found = {verdict: getattr(counts, verdict.value) for verdict in Verdict}
    return Counter({verdict: number for verdict, number in found.items() if number})


def numbers_of_all(metric: MetricSummary) -> MetricNumbers:
    """Return an evaluator's numbers over the whole run, as its manifest has them."""
    counts = counted(metric.counts)
    return MetricNumbers(metric, metric.scored, counts, metric.mean, metric.low, metric.high)
