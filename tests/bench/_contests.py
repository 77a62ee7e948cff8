"""What is timed on both sides, and what cases of it are made of."""

import json
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import NamedTuple

from evalcore.evaluators.base import Evaluator, Sample
from tests.differential.peer import Row

Call = Callable[[], object]


class Contest(NamedTuple):
    """One comparison: what the package times over its rows, and what we do for each of them."""

    name: str
    system: str
    what: str
    rows: Sequence[Row]
    ours: Sequence[Call]
    goal: float | None = None
    before: Call = lambda: None
    """What is done before each of our passes, on the clock."""


def adk_turn(reply: str = "", calls: list[Row] | None = None) -> Row:
    return {
        "user_content": {"role": "user", "parts": [{"text": "q"}]},
        "final_response": {"role": "model", "parts": [{"text": reply}]},
        "intermediate_data": {"tool_uses": calls or []},
    }


def reread(row: Row) -> Row:
    """Return a row that shares nothing with itself, as the package gets it: from JSON."""
    copy: Row = json.loads(json.dumps(row))
    return copy


def evaluating(evaluator: Evaluator, samples: Iterable[Sample]) -> list[Call]:
    return [partial(evaluator.evaluate, sample) for sample in samples]
