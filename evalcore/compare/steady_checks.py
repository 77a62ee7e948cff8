"""Checks that tell nothing apart over several runs, from manifests alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from evalcore.stats import Interval, rate_interval
from evalcore.store import Manifest


@dataclass(frozen=True, slots=True)
class SteadyCheck:
    """A check that always said the same: ``results`` in ``runs``, all passed or all failed.

    ``bound`` is the highest rate of the other answer that fits this with 95 %, by cases: runs of
    the same cases are no new observations.
    """

    key: str
    label: str
    kind: Literal["never fails", "always fails"]
    results: int
    runs: int
    bound: Interval


def steady_checks(manifests: Sequence[Manifest]) -> list[SteadyCheck]:
    """Return the checks that told no result of these runs from any other."""
    found = []
    for key in dict.fromkeys(m.key for run in manifests for m in run.metrics):
        judging = [
            (run, metric)
            for run in manifests
            if (metric := run.metric(key)) is not None
            and not metric.informational
            and metric.counts.judged
        ]
        passed = sum(metric.counts.passed for _, metric in judging)
        failed = sum(metric.counts.failed for _, metric in judging)
        if not judging or (passed and failed):
            continue
        cases = max(min(run.distinct, metric.counts.judged) for run, metric in judging)
        found.append(
            SteadyCheck(
                key=key,
                label=judging[-1][1].label,
                kind="never fails" if passed else "always fails",
                results=passed + failed,
                runs=len(judging),
                bound=rate_interval(0, cases),
            )
        )
    return found
