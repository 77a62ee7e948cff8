"""Runs of one eval set over time, from their manifests alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from evalcore.stats import Interval, rate_interval
from evalcore.store import Manifest, moment
from evalcore.store.manifest import Status


def set_of_run(manifest: Manifest) -> str:
    """Return the name that runs of one eval set share: the set's path, else its id, else its name.

    "" where a run says nothing of its set.
    """
    held = manifest.eval_set
    return held.path or held.id or held.name or ""


def by_set(manifests: Iterable[Manifest]) -> dict[str, list[Manifest]]:
    """Return the runs that can be read by their set, the oldest first; sets by their newest run."""
    found: dict[str, list[Manifest]] = {}
    readable = (m for m in manifests if m.status is not Status.RUNNING)
    for manifest in sorted(readable, key=moment, reverse=True):
        found.setdefault(set_of_run(manifest), []).append(manifest)
    return {name: list(reversed(runs)) for name, runs in found.items()}


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
