"""Cases with the same input: copies of each other, or two that cannot both be right."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from evalcore.errors import Problem
from evalcore.formats.outlines import Outline
from evalcore.lint.cross.texts import holds_something, identity

_BLANK = ("null", '""', "{}", "[]")
COMPARED = 50
"""With how many earlier cases of the same input a case is compared at most."""


@dataclass
class _Known:
    """A case, and by name what it expects, as texts that can be compared."""

    case: Outline

    @cached_property
    def wants(self) -> dict[str, str]:
        return {name: identity(placed.value) for name, placed in self.case.expected.items()}


def same_cases(cases: Sequence[Outline]) -> Iterator[Problem]:
    """Yield a problem for each case whose input an earlier case has as well."""
    by_input: defaultdict[str, list[_Known]] = defaultdict(list)
    for case in cases:
        if any(holds_something(given.value) for e in case.exchanges for given in e.given):
            by_input[_input(case)].append(_Known(case))
    for group in by_input.values():
        for index, later in enumerate(group[1:], 1):
            yield from _compared(later, group[: min(index, COMPARED)])


def _input(case: Outline) -> str:
    around = [placed.value for placed in case.around]
    turns = [[placed.value for placed in exchange.given] for exchange in case.exchanges]
    return identity([list(turns), around])


def _compared(later: _Known, earlier: Sequence[_Known]) -> Iterator[Problem]:
    twin = next((known for known in earlier if known.wants == later.wants), None)
    if twin is not None:
        yield Problem(
            "warning",
            "cases.duplicate",
            f"Case “{later.case.label}”: it gives and expects the same as “{twin.case.label}”.",
            "Delete one of the two: the scenario counts twice in every average.",
            later.case.pointer,
        )
        return
    for known in earlier:
        name = next((n for n in later.wants if _clash(n, known, later)), None)
        if name is not None:
            yield Problem(
                "warning",
                "cases.contradiction",
                f"Case “{later.case.label}”: it gives the same as “{known.case.label}” and expects "
                "something else, so no agent that answers alike can pass both.",
                "Correct one of the two, or tell the inputs apart.",
                later.case.expected[name].pointer,
            )
            return


def _clash(name: str, known: _Known, later: _Known) -> bool:
    """Return whether both cases say what they expect under a name, and only one can be met."""
    wanted = known.wants.get(name, "null"), later.wants[name]
    is_whole = name not in later.case.partial and name not in known.case.partial
    return is_whole and wanted[0] != wanted[1] and not set(wanted) & set(_BLANK)
