"""Draws cases, asks both sides, and reduces a disagreement to its smallest form."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from importlib import import_module
from types import ModuleType
from typing import Any, NamedTuple

from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
from hypothesis.errors import HypothesisException

from evalcore.errors import EvaldeskError
from evalcore.evaluators.measures.porter import stem
from evalcore.evaluators.uipath.files import from_file
from tests.conformance.report import Check, failure, same
from tests.differential.cases.values import Family, Row, Rows
from tests.differential.peer import Worker

BATCH = 500
SHRINKS = 3
"""How many disagreements of one evaluator are reduced and shown."""
Ask = Callable[[Sequence[Row]], list[Row]]


class Disagreement(AssertionError):
    """Both sides answer, and not the same."""


class Count(NamedTuple):
    """How many cases of an evaluator agreed, and the smallest ones that did not."""

    total: int
    agreed: int
    shown: tuple[str, ...]


def stems(row: Row) -> None:
    same("stem", stem(row["word"].lower()), row["stem"])


MORE_CHECKS: dict[str, Check] = {"stems": stems}


def check_of(system: str, section: str) -> Check:
    module: ModuleType = import_module(f"tests.conformance.{system}")
    found: Check = {**module.SECTIONS, **MORE_CHECKS}[section]
    return found


def families(system: str) -> dict[str, Family]:
    found: dict[str, Family] = import_module(f"tests.differential.cases.{system}").FAMILIES
    return found


def compared(worker: Worker, system: str, family: Family, cases: int, start: int) -> Count:
    """Compare that many cases, in batches of which each has a seed of its own."""
    check = check_of(system, family.section)

    def ask(rows: Sequence[Row]) -> list[Row]:
        return worker.ask(family.section, rows)

    total = agreed = 0
    shown: list[str] = []
    for number, size in enumerate(_sizes(cases)):
        number_seed = start * 100_003 + number
        rows = drawn(family.rows, size, number_seed)
        bad = sum(
            bool(disagreement(check, row, answer))
            for row, answer in zip(rows, ask(rows), strict=True)
        )
        total, agreed = total + len(rows), agreed + len(rows) - bad
        if bad and len(shown) < SHRINKS:
            shown.append(smallest(family.rows, check, ask, size, number_seed))
    return Count(total, agreed, tuple(dict.fromkeys(shown)))


def drawn(rows: Rows, size: int, number: int) -> list[Row]:
    """Return cases drawn with a seed; fewer where there are no more different ones."""
    found: list[Row] = []

    @_quietly(size, number, Phase.generate)
    @given(rows)
    def collect(row: Row) -> None:
        found.append(row)

    collect()
    return found


def disagreement(check: Check, row: Row, answer: Row) -> str:
    """Return how our answer differs from the package's, "" if it does not."""
    if "broke" in answer:
        return f"the package's worker failed: {answer['broke']}"
    if "refused" in answer:
        return _accepted(row, answer["refused"])
    return failure(check, {**row, **answer}, 0)


def smallest(rows: Rows, check: Check, ask: Ask, size: int, number: int) -> str:
    """Return the smallest case found that disagrees, as a vector, after what is wrong with it.

    The same seed draws the same cases again, this time to be reduced.
    """
    last: list[Row] = []

    @_quietly(size, number, Phase.generate, Phase.shrink)
    @given(rows)
    def reduce_one(row: Row) -> None:
        if disagreement(check, row, ask([row])[0]):
            last[:] = [row]
            raise Disagreement

    with suppress(Disagreement, HypothesisException):
        reduce_one()
    if not last:
        return "a case that disagreed in its batch agrees when it is asked alone"
    (answer,) = ask(last)
    vector = json.dumps({**last[0], **answer}, ensure_ascii=False)
    return f"{disagreement(check, last[0], answer)}\n    {vector}"


def _accepted(row: Row, message: str) -> str:
    files = row["evaluators"] if "evaluators" in row else [row["evaluator"]]
    try:
        for file in files:
            from_file(file)
    except EvaldeskError:
        return ""
    return f"accepts an evaluator that the package refuses: {message}"


def _sizes(cases: int) -> Iterator[int]:
    while cases > 0:
        yield min(cases, BATCH)
        cases -= BATCH


def _settings(size: int, *phases: Phase) -> settings:
    return settings(
        max_examples=size,
        phases=phases,
        database=None,
        deadline=None,
        verbosity=Verbosity.quiet,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )


def _quietly(size: int, number: int, *phases: Phase) -> Callable[[Any], Any]:
    return lambda test: seed(number)(_settings(size, *phases)(test))
