"""Expected answers that stand in the input already: the agent only has to copy them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from evalcore.errors import Problem
from evalcore.formats.memo import remembered
from evalcore.formats.outlines import Outline
from evalcore.jsontree import MISSING, JsonValue, get
from evalcore.lint.cross.texts import flat, strings

SHORTEST, FEWEST_WORDS = 30, 5
"""Shorter answers are what an agent is asked to find in its input: names, numbers, quotations."""


def answers_in_inputs(value: JsonValue, cases: Sequence[Outline]) -> Iterator[Problem]:
    """Yield a problem for each expected text of some length that is part of the input."""
    for case in cases:
        raw = get(value, case.pointer)
        if raw is not MISSING:
            yield from remembered(raw, ("leaks", case.pointer), partial(_leaks, case))


def _leaks(case: Outline) -> Iterator[Problem]:
    said: list[str] = []
    for exchange in case.exchanges:
        said += [flat(text).casefold() for given in exchange.given for text in strings(given.value)]
        for placed in exchange.expected.values():
            answer = next((t for t in strings(placed.value) if _is_in(t, said)), None)
            if answer is not None:
                yield Problem(
                    "warning",
                    "cases.answer_in_input",
                    f"Case “{case.label}”: the expected answer stands in the input word for word, "
                    "so the agent only has to copy it.",
                    "Take the answer out of the input, or expect something that must be worked "
                    "out.",
                    placed.pointer,
                )


def _is_in(answer: str, said: Sequence[str]) -> bool:
    wanted = flat(answer).casefold()
    if len(wanted) < SHORTEST or wanted.count(" ") < FEWEST_WORDS - 1:
        return False
    return any(wanted in text for text in said)
