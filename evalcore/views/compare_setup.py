"""How runs were set up, property by property, and which of them differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evalcore.store import Manifest, MetricSummary
from evalcore.views.numbers import seconds
from evalcore.views.run_list import set_label, source_text, system_label

UNKNOWN = "–"


@dataclass(frozen=True, slots=True)
class SetupRow:
    """One property in every run; ``differs`` says whether two runs say otherwise."""

    label: str
    values: tuple[str, ...]

    @property
    def differs(self) -> bool:
        """Return whether not all values are the same."""
        return len(set(self.values)) > 1


def setup_rows(runs: Sequence[Manifest]) -> list[SetupRow]:
    """Return what is known of the runs' making."""
    found = [SetupRow(label, tuple(values)) for label, values in _plain(runs)]
    keys = dict.fromkeys(metric.key for run in runs for metric in run.metrics)
    for key in keys:
        found += _check(key, runs)
    for name in dict.fromkeys(name for run in runs for name in run.versions):
        values = tuple(run.versions.get(name, UNKNOWN) for run in runs)
        found.append(SetupRow(f"Version of {name}", values))
    return found


def _plain(runs: Sequence[Manifest]) -> Iterator[tuple[str, list[str]]]:
    yield "System", [system_label(run) for run in runs]
    yield "Eval set", [set_label(run) for run in runs]
    yield "Content of the set (hash)", [run.eval_set.content or UNKNOWN for run in runs]
    yield "Different cases", [f"{run.distinct:,}" for run in runs]
    yield "Repeats of a case", [str(run.repeats) for run in runs]
    yield "Pass rule", [_rule(run) for run in runs]
    yield "Errors", [f"{run.cases.error:,}" for run in runs]
    yield "Not evaluated", [f"{run.cases.not_evaluated:,}" for run in runs]
    yield "Time, all results", [seconds(run.duration_s) for run in runs]
    yield "Tokens", [UNKNOWN if run.tokens is None else f"{run.tokens:,}" for run in runs]
    yield "Cost", [UNKNOWN if run.cost is None else f"{run.cost:,.4g}" for run in runs]
    yield "From", [source_text(run) for run in runs]


def _rule(run: Manifest) -> str:
    if run.has_pass_rule:
        return "the system's own"
    return "your pass mark" if run.pass_mark is None else f"at {run.pass_mark:g} of 1"


def _check(key: str, runs: Sequence[Manifest]) -> Iterator[SetupRow]:
    metrics = [run.metric(key) for run in runs]
    label = next(metric.label for metric in metrics if metric is not None)
    marks = tuple(UNKNOWN if m is None else _thresholds(m) for m in metrics)
    yield SetupRow(f"{label}: passes at", marks)
    hashes = tuple(run.evaluators.get(key, "") or UNKNOWN for run in runs)
    if set(hashes) != {UNKNOWN}:
        yield SetupRow(f"{label}: configuration (hash)", hashes)


def _thresholds(metric: MetricSummary) -> str:
    return ", ".join(f"{mark:g}" for mark in metric.thresholds) or "no threshold"
