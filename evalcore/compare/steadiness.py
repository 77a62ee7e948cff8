"""Which cases flake, and which say nothing any more, over several runs of a set."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from evalcore.results import Verdict
from evalcore.store import StoredRun
from evalcore.store.engine import creating, engine
from evalcore.store.marks import CODES

SHOWN = 100
MOST_RUNS = 20
_PASSED, _FAILED = CODES[Verdict.PASSED], CODES[Verdict.FAILED]


@dataclass(frozen=True, slots=True)
class CaseStory:
    """One case over the runs, oldest first: (passed, judged) repeats, None where it was not judged.

    ``flips`` counts the changes of its verdict from one run to the next that judged it, ``mixed``
    the runs in which some repeats passed and some failed.
    """

    case_key: str
    runs: tuple[tuple[int, int] | None, ...]
    flips: int
    mixed: int


@dataclass(frozen=True, slots=True)
class Steadiness:
    """What ``cases`` did that at least two runs judged.

    ``flaky`` holds the first of ``flaky_total``, those that changed most first: cases whose repeats
    disagreed, or whose verdict changed and changed back. ``passed`` and ``failed`` count those that
    came out the same in every run, and so tell no two of them apart; the names are the first.
    """

    cases: int
    flaky: tuple[CaseStory, ...]
    flaky_total: int
    passed: int
    passed_keys: tuple[str, ...]
    failed: int
    failed_keys: tuple[str, ...]


def steadiness(runs: Sequence[StoredRun], shown: int = SHOWN) -> Steadiness:
    """Look at the cases of several runs of a set, oldest first. By verdicts, not by scores.

    Raises ValueError for more than ``MOST_RUNS``.
    """
    if len(runs) > MOST_RUNS:
        raise ValueError(f"{MOST_RUNS} runs are looked at, at most")
    if not runs:
        return Steadiness(0, (), 0, 0, (), 0, ())
    with ExitStack() as stack:
        tables = [stack.enter_context(run.table()) for run in runs]
        make = creating(_stories([_judged(*pair) for pair in zip(runs, tables, strict=True)]))
        key = ("steadiness", *(run.key for run in runs))
        stories = stack.enter_context(engine().holding(key, make))
        counted = ", ".join(f"count(*) FILTER ({kind})" for kind in KINDS)
        cases, flaky, passed, failed = engine().rows(f"SELECT count(*), {counted} FROM {stories}")[
            0
        ]
        first = [_first(stories, of, shown) for of in KINDS]
        shares = _shares(runs, tables, [row[0] for row in first[0]])
    told = [
        CaseStory(key, tuple(shares[key].get(n) for n in range(len(runs))), flips, mixed)
        for key, flips, mixed in first[0]
    ]
    named = [tuple(row[0] for row in rows) for rows in first[1:]]
    return Steadiness(cases, tuple(told), flaky, passed, named[0], failed, named[1])


KINDS = (
    "mixed > 0 OR flips > 1",
    "mixed = 0 AND won = judged",
    "mixed = 0 AND won = 0",
)
"""Which cases flake, which passed in every run that judged them, and which failed in every one."""


def _judged(run: StoredRun, table: str) -> str:
    """Return a query of the cases that a run judged: who won, and whether repeats disagreed."""
    if run.manifest.repeats == 1:
        return (
            f"SELECT case_key, verdict = {_PASSED} AS passes, 0 AS differs FROM {table} "
            f"WHERE verdict IN ({_PASSED}, {_FAILED})"
        )
    return (
        "SELECT case_key, 2 * sum(passed) > count(*) AS passes, "
        "(min(passed) < max(passed))::INTEGER AS differs "
        f"FROM (SELECT case_key, (verdict = {_PASSED})::INTEGER AS passed FROM {table} "
        f"WHERE verdict IN ({_PASSED}, {_FAILED})) GROUP BY case_key"
    )


def _stories(judged: Sequence[str]) -> str:
    """Return a query of a row per case that two runs judged, or whose repeats disagreed.

    The runs are the bits of ``judged`` and ``won``. A gap is filled with the verdict before it, by
    doubling steps, so that ``flips`` counts changes between runs that judged the case.
    """
    every = (1 << len(judged)) - 1
    each = " UNION ALL ".join(
        f"SELECT case_key, {1 << number}::BIGINT AS bit, passes, differs FROM ({query})"
        for number, query in enumerate(judged)
    )
    filled = (
        "SELECT case_key, bit_or(bit) AS judged, "
        "bit_or(CASE WHEN passes THEN bit ELSE 0 END) AS won, "
        f"sum(differs)::INTEGER AS mixed FROM ({each}) GROUP BY case_key"
    )
    filled = f"SELECT *, won AS held, {every} - judged AS gap, judged AS begun FROM ({filled})"
    for step in (1, 2, 4, 8, 16):
        filled = (
            f"SELECT * REPLACE (held | (gap & (held << {step})) AS held, "
            f"gap & (gap << {step}) AS gap, begun | (begun << {step}) AS begun) FROM ({filled})"
        )
    return (
        "SELECT case_key, judged, won, mixed, "
        f"bit_count(xor(held, held << 1) & (begun << 1) & {every})::INTEGER AS flips "
        f"FROM ({filled}) WHERE bit_count(judged) > 1 OR mixed > 0"
    )


def _first(stories: str, kind: str, shown: int) -> list[tuple[str, int, int]]:
    return engine().rows(
        f"SELECT case_key, flips, mixed FROM {stories} WHERE {kind} "
        "ORDER BY flips + mixed DESC, case_key LIMIT ?",
        [shown],
    )


def _shares(
    runs: Sequence[StoredRun], tables: Sequence[str], keys: Sequence[str]
) -> dict[str, dict[int, tuple[int, int]]]:
    """Return, for some cases, how many repeats passed of those judged, by the run's number."""
    found: dict[str, dict[int, tuple[int, int]]] = {key: {} for key in keys}
    for number, table in enumerate(tables):
        rows = engine().rows(
            f"SELECT case_key, count(*) FILTER (verdict = {_PASSED}), count(*) FROM {table} "
            f"WHERE verdict IN ({_PASSED}, {_FAILED}) "
            "AND case_key IN (SELECT unnest(?::VARCHAR[])) GROUP BY case_key",
            [list(keys)],
        )
        for key, passed, judged in rows:
            found[key][number] = (passed, judged)
    return found
