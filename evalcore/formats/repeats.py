"""One fact that holds in many places of a file, told once."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace

from evalcore.errors import Problem

_ONE_BY_ONE: ContextVar[bool] = ContextVar("problems one by one", default=False)


@contextmanager
def one_by_one() -> Iterator[None]:
    """Let every problem be told at its own place, for what mends all of them."""
    token = _ONE_BY_ONE.set(True)
    try:
        yield
    finally:
        _ONE_BY_ONE.reset(token)


def folded(problems: Iterable[Problem], also: Container[str] = ()) -> list[Problem]:
    """Return the problems with those that say the same as one, at the first, with their number.

    Only infos are folded, and warnings whose code, without its prefix, is in ``also``: warnings
    with one cause outside the places they name. All else is to be mended place by place.
    """
    found = list(problems)
    if _ONE_BY_ONE.get():
        return found
    groups: dict[tuple[str, ...], list[Problem]] = {}
    for number, problem in enumerate(found):
        one_cause = problem.severity == "info" or (
            problem.severity == "warning" and problem.code.rpartition(".")[2] in also
        )
        same = (problem.code, problem.message) if one_cause else (str(number),)
        groups.setdefault(same, []).append(problem)
    return [_told_once(group) for group in groups.values()]


def _told_once(group: list[Problem]) -> Problem:
    first, more = group[0], len(group) - 1
    if not more:
        return first
    places = "one more place" if more == 1 else f"{more:,} more places"
    return replace(first, message=f"{first.message} The same in {places}.")
