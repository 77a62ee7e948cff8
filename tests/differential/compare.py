"""Draws cases, asks both sides, and reduces a disagreement to its smallest form."""

import json
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from types import ModuleType
from typing import Any, NamedTuple

from hypothesis import HealthCheck, Phase, find, given, seed, settings
from hypothesis.errors import NoSuchExample

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
    """Return the smallest case found that disagrees, as a vector, after what is wrong with it."""

    def differs(row: Row) -> bool:
        return bool(disagreement(check, row, ask([row])[0]))

    try:
        row = find(rows, differs, settings=_settings(20 * size, Phase.generate, Phase.shrink))
    except NoSuchExample:
        row = next(filter(differs, drawn(rows, size, number)))
    answer = ask([row])[0]
    vector = json.dumps({**row, **answer}, ensure_ascii=False)
    return f"{disagreement(check, row, answer)}\n    {vector}"


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
        suppress_health_check=list(HealthCheck),
    )


def _quietly(size: int, number: int, *phases: Phase) -> Callable[[Any], Any]:
    return lambda test: seed(number)(_settings(size, *phases)(test))
