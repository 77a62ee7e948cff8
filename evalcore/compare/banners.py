"""What makes two runs less comparable than they look."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from evalcore.store import MetricSummary, StoredRun


@dataclass(frozen=True, slots=True)
class Banner:
    """One thing in which two runs differ beside their answers."""

    about: Literal["set", "system", "evaluator", "threshold", "pass mark", "status", "repeats"]
    message: str


@dataclass(frozen=True, slots=True)
class Names:
    """What the two runs are called in a sentence."""

    left: str = "the left run"
    right: str = "the right run"
    other: str = "the right one"
    """The right run in a sentence that has named the left one."""
    on_left: str = "on the left"
    on_right: str = "on the right"


def lettered(left: str, right: str) -> Names:
    """Return the names of runs that are called by letters."""
    return Names(left, right, right, f"in {left}", f"in {right}")


def banners(left: StoredRun, right: StoredRun, names: Names | None = None) -> tuple[Banner, ...]:
    """Return what differs between two runs beside their answers, most important first."""
    called = names or Names()
    return (*_sets(left, right), *_checks(left, right, called), *_ways(left, right, called))


def _sets(left: StoredRun, right: StoredRun) -> Iterator[Banner]:
    a, b = left.manifest, right.manifest
    if a.format_id != b.format_id:
        yield Banner(
            "system", "The runs are of different systems; their scores may mean different things."
        )
    names = (a.eval_set.id or a.eval_set.name, b.eval_set.id or b.eval_set.name)
    if all(names) and names[0] != names[1]:
        yield Banner("set", f"The runs are of different sets: {names[0]} and {names[1]}.")
    elif a.eval_set.content and b.eval_set.content and a.eval_set.content != b.eval_set.content:
        yield Banner(
            "set",
            "The set has changed between the runs: a case may have been made easier or harder.",
        )


def _checks(left: StoredRun, right: StoredRun, called: Names) -> Iterator[Banner]:
    a, b = left.manifest, right.manifest
    for names, side in (
        ([m.label for m in left.metrics if b.metric(m.key) is None], called.left),
        ([m.label for m in right.metrics if a.metric(m.key) is None], called.right),
    ):
        if names:
            yield Banner("evaluator", f"Only in {side}: {', '.join(names)}.")
    for metric in left.metrics:
        other = b.metric(metric.key)
        if other is not None:
            yield from _check(metric, other, left, right, called)


def _check(
    metric: MetricSummary,
    other: MetricSummary,
    left: StoredRun,
    right: StoredRun,
    called: Names,
) -> Iterator[Banner]:
    if metric.thresholds and other.thresholds and metric.thresholds != other.thresholds:
        yield Banner(
            "threshold",
            f"{metric.label} passes at {_listed(metric.thresholds)} in {called.left} and at "
            f"{_listed(other.thresholds)} in {called.other}.",
        )
    hashes = (
        left.manifest.evaluators.get(metric.key, ""),
        right.manifest.evaluators.get(metric.key, ""),
    )
    if all(hashes) and hashes[0] != hashes[1]:
        yield Banner("evaluator", f"{metric.label} is configured differently in the two runs.")


def _ways(left: StoredRun, right: StoredRun, called: Names) -> Iterator[Banner]:
    a, b = left.manifest, right.manifest
    marks = left.pass_mark, right.pass_mark
    if None not in marks and marks[0] != marks[1]:
        yield Banner(
            "pass mark",
            f"{_capital(called.left)} passes at {marks[0]:g}, {called.other} at {marks[1]:g} of 1.",
        )
    if a.repeats != b.repeats:
        yield Banner(
            "repeats",
            f"Repeats differ: {a.repeats} {called.on_left}, {b.repeats} {called.on_right}; a "
            "case counts once, as passed when more than half of its repeats did.",
        )
    for run, side in ((a, called.left), (b, called.right)):
        if run.status != "finished":
            yield Banner("status", f"{_capital(side)} did not finish.")


def _listed(numbers: tuple[float, ...]) -> str:
    return ", ".join(f"{number:g}" for number in numbers)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
