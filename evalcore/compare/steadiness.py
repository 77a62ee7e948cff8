"""Which cases flake, and which say nothing any more, over several runs of a set."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from evalcore.store import StoredRun
from evalcore.store.engine import engine

SHOWN = 100


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
    """Look at the cases of several runs of a set, oldest first. By verdicts, not by scores."""
    with ExitStack() as stack:
        tables = [stack.enter_context(run.table()) for run in runs]
        every = " UNION ALL ".join(
            f"SELECT {number} AS run, case_key, (verdict = 3)::INTEGER AS passed "
            f"FROM {table} WHERE verdict IN (1, 3)"
            for number, table in enumerate(tables)
        )
        if not tables:
            return Steadiness(0, (), 0, 0, (), 0, ())
        stories = f"WITH {_stories(every)}"
        counts = engine().rows(
            f"{stories} SELECT count(*), count(*) FILTER ({FLAKY}), "
            "count(*) FILTER (NOT mixed AND wins = runs), count(*) FILTER (NOT mixed AND wins = 0) "
            "FROM stories WHERE runs > 1 OR mixed"
        )[0]
        found = engine().rows(
            f"{stories} SELECT case_key, places, shares, flips, mixed FROM stories "
            f"WHERE (runs > 1 OR mixed) AND {FLAKY} "
            "ORDER BY flips + mixed DESC, case_key LIMIT ?",
            [shown],
        )
        named = [
            engine().rows(
                f"{stories} SELECT case_key FROM stories WHERE runs > 1 AND NOT mixed "
                f"AND wins = {wanted} ORDER BY case_key LIMIT ?",
                [shown],
            )
            for wanted in ("runs", "0")
        ]
    return Steadiness(
        cases=counts[0],
        flaky=tuple(_story(row, len(runs)) for row in found),
        flaky_total=counts[1],
        passed=counts[2],
        passed_keys=tuple(key for (key,) in named[0]),
        failed=counts[3],
        failed_keys=tuple(key for (key,) in named[1]),
    )


FLAKY = "(mixed OR flips > 1)"


def _stories(every: str) -> str:
    """Return the tables from verdicts of results to a row per case."""
    return (
        f"each AS (SELECT case_key, run, sum(passed)::INTEGER AS passed, count(*) AS judged "
        f"FROM ({every}) GROUP BY case_key, run), "
        "turned AS (SELECT *, 2 * passed > judged AS won, "
        "lag(2 * passed > judged) OVER (PARTITION BY case_key ORDER BY run) AS before FROM each), "
        "stories AS (SELECT case_key, count(*) AS runs, "
        "count(*) FILTER (won) AS wins, "
        "count(*) FILTER (passed > 0 AND passed < judged) AS mixed, "
        "count(*) FILTER (won <> before) AS flips, "
        "list(run ORDER BY run) AS places, list([passed, judged] ORDER BY run) AS shares "
        "FROM turned GROUP BY case_key)"
    )


def _story(row: tuple[str, list[int], list[list[int]], int, int], runs: int) -> CaseStory:
    shares = {run: (passed, judged) for run, (passed, judged) in zip(row[1], row[2], strict=True)}
    return CaseStory(row[0], tuple(shares.get(n) for n in range(runs)), row[3], row[4])
