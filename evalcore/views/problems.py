"""Which problem belongs to which case and field, and how the problems of a set are listed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from evalcore.errors import SEVERITIES, Problem, Severity
from evalcore.jsontree import is_within, split
from evalcore.views.mending import title_of


@dataclass(frozen=True, slots=True)
class ProblemIndex:
    """The problems of one set, by case. Pointers belong to the tree that was checked."""

    all: tuple[Problem, ...] = ()
    by_case: dict[int, tuple[Problem, ...]] = field(default_factory=dict)
    """By the case's index; each list worst first."""
    around: tuple[Problem, ...] = ()
    """Problems of no case."""

    def of_case(self, index: int) -> tuple[Problem, ...]:
        """Return the problems of one case."""
        return self.by_case.get(index, ())


def index_problems(problems: Sequence[Problem], cases_pointer: str) -> ProblemIndex:
    """Sort the problems of a set by the case that each lies in."""
    by_case: defaultdict[int, list[Problem]] = defaultdict(list)
    around: list[Problem] = []
    depth = len(split(cases_pointer))
    for problem in problems:
        tokens = split(problem.pointer) if is_within(problem.pointer, cases_pointer) else ()
        if len(tokens) > depth and tokens[depth].isdecimal():
            by_case[int(tokens[depth])].append(problem)
        else:
            around.append(problem)
    return ProblemIndex(tuple(problems), {i: tuple(p) for i, p in by_case.items()}, tuple(around))


@dataclass(frozen=True, slots=True)
class ProblemGroup:
    """The problems of one kind, in the order of the file."""

    code: str
    title: str
    severity: Severity
    problems: tuple[Problem, ...]


def grouped(
    problems: Iterable[Problem], severity: Severity | None = None, text: str = ""
) -> list[ProblemGroup]:
    """Return problems by kind, the worst and most frequent kinds first.

    ``severity`` and ``text`` keep only what has the one and holds the other.
    """
    needle = text.casefold().strip()
    by_kind: defaultdict[tuple[str, Severity], list[Problem]] = defaultdict(list)
    for problem in problems:
        told = (problem.message, problem.hint, problem.code, title_of(problem))
        if severity in (None, problem.severity) and any(needle in t.casefold() for t in told):
            by_kind[problem.code, problem.severity].append(problem)
    groups = [
        ProblemGroup(code, title_of(found[0]), worth, tuple(found))
        for (code, worth), found in by_kind.items()
    ]
    return sorted(groups, key=lambda g: (SEVERITIES.index(g.severity), -len(g.problems), g.code))


def divide(
    problems: Iterable[Problem], places: Sequence[str]
) -> tuple[dict[str, list[Problem]], list[Problem]]:
    """Return the problems at or below each of some places, and those that belong to none.

    A problem goes to the deepest place that holds it, so that it is shown once.
    """
    by_place: dict[str, list[Problem]] = {}
    rest: list[Problem] = []
    deepest_first = sorted(set(places), key=len, reverse=True)
    for problem in problems:
        place = next((p for p in deepest_first if is_within(problem.pointer, p)), None)
        if place is None:
            rest.append(problem)
        else:
            by_place.setdefault(place, []).append(problem)
    return by_place, rest
