"""The numbers of a report: what they are of, what they leave out, how sure they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from evalcore import verdicts
from evalcore.errors import EvaldeskError
from evalcore.formats import by_id
from evalcore.report.selection import Selection
from evalcore.results import Verdict
from evalcore.store import MetricNumbers, RunQuery, Status, moment
from evalcore.store.manifest import Manifest
from evalcore.verdicts import WORST_FIRST
from evalcore.views import numbers
from evalcore.views.numbers import Rate
from evalcore.views.report_card import when
from evalcore.views.words import plural

JUDGED = (Verdict.PASSED, Verdict.FAILED)
MODE_WORDS = {
    "failures": "only failures and errors",
    "errors": "only errors",
    "passes": "only what passed",
    "flaky": "only cases that passed in some repeats and failed in others",
    "not_evaluated": "only what was not evaluated",
}
"""What is said of a report's choice; of a mode without words here, its own name."""


class Caution(NamedTuple):
    """A sentence on what the numbers hide; ``quoted`` is what a file says of it."""

    text: str
    quoted: str = ""

    def __str__(self) -> str:
        """Return both as one text."""
        return f"{self.text} {self.quoted}".strip()


@dataclass(frozen=True, slots=True)
class Facts:
    """A selection of a run in numbers.

    ``total`` counts the case results selected, ``whole`` all of the run. ``chosen`` says in words
    what was selected, "" where that is everything. ``about`` are pairs of a name and a text.
    """

    title: str
    rate: Rate
    counts: Counter[Verdict]
    total: int
    whole: int
    chosen: str
    metrics: tuple[MetricNumbers, ...]
    causes: tuple[tuple[str, int], ...]
    cautions: tuple[Caution, ...]
    about: tuple[tuple[str, str], ...]

    @property
    def verdict(self) -> Verdict:
        """Return the worst that any of the case results came to."""
        return next((v for v in WORST_FIRST if self.counts[v]), Verdict.NOT_EVALUATED)

    @property
    def headline(self) -> str:
        """Return ``84.2 % (101 of 120) passed``, or that there is no rate."""
        return "nothing was scored" if self.rate.share is None else f"{self.rate} passed"

    @property
    def scored(self) -> str:
        """Return ``120 of 126 scored; not in the rate: 4 errors, 2 not evaluated``."""
        left_out = [
            verdicts.counted(verdict, self.counts[verdict])
            for verdict in (Verdict.ERROR, Verdict.NOT_EVALUATED)
            if self.counts[verdict]
        ]
        text = f"{self.rate.judged:,} of {self.total:,} scored"
        return f"{text}; not in the rate: {', '.join(left_out)}" if left_out else text

    @property
    def scope(self) -> str:
        """Return which part of the run this is, "" where it is all of it."""
        if not self.chosen:
            return ""
        return f"{self.total:,} of the run's {self.whole:,} case results: {self.chosen}"


def facts_of(selection: Selection, most_causes: int = 50) -> Facts:
    """Return the numbers of a selection."""
    run, query, manifest = selection.run, selection.query, selection.run.manifest
    counts = run.verdicts(query)
    judged = counts[Verdict.PASSED] + counts[Verdict.FAILED]
    return Facts(
        title=manifest.name or manifest.eval_set.name or manifest.eval_set.id or manifest.id,
        rate=Rate(counts[Verdict.PASSED], judged, _independent(selection, judged)),
        counts=counts,
        total=counts.total(),
        whole=manifest.cases.total,
        chosen=chosen_words(query, manifest),
        metrics=run.numbers(query),
        causes=tuple(run.causes(query, most_causes)),
        cautions=tuple(_cautions(selection)),
        about=tuple((name, text) for name, text in _about(selection) if text),
    )


def chosen_words(query: RunQuery, manifest: Manifest) -> str:
    """Return what a query selects, in words; "" for everything."""
    parts = [] if query.mode == "all" else [MODE_WORDS.get(query.mode, query.mode)]
    if query.text.strip():
        parts.append(f"with the words “{query.text.strip()}”")
    for wanted in query.metrics:
        metric = manifest.metric(wanted.key)
        said = [] if wanted.verdict is None else [verdicts.WORDS[wanted.verdict]]
        if wanted.comparison is not None:
            said.append(f"{wanted.comparison} {wanted.value:g}")
        parts.append(f"{metric.label if metric else wanted.key} {' and '.join(said) or 'scored'}")
    parts += [f"tagged “{tag}”" for tag in query.tags]
    parts += [f"{name} is “{value}”" for name, value in query.slices]
    if query.cause is not None:
        parts.append(f"because of “{query.cause}”")
    if query.cases is not None:
        parts.append(plural(len(query.cases), "chosen case"))
    if query.rows is not None:
        parts.append(plural(len(query.rows), "chosen result"))
    return "; ".join(parts) or ("" if query.is_open else "a part of them")


def _independent(selection: Selection, judged: int) -> int:
    """Return how many different cases passed or failed: repeats make no rate any surer."""
    if selection.run.manifest.repeats <= 1:
        return judged
    return len({line.case_key for line in selection.lines() if line.verdict in JUDGED})


def _cautions(selection: Selection) -> Iterator[Caution]:
    run, manifest = selection.run, selection.run.manifest
    if manifest.status is not Status.FINISHED:
        yield Caution("This run was interrupted: what is here is how far it got.")
    if manifest.error:
        yield Caution("The run itself ended in an error:", manifest.error)
    if run.pass_mark is not None:
        yield Caution(
            "The system has no rule for passing. Passed means a score of at least "
            f"{run.pass_mark:g} of 1, a mark that was set in Evaldesk."
        )
    if manifest.repeats > 1:
        yield Caution(
            f"{manifest.cases.total:,} results of {plural(manifest.distinct, 'case')}: some ran "
            "several times. The interval counts each case once."
        )
    whole = RunQuery()
    stored, ours = verdicts.as_verdict(manifest.stored_status), _worst(run.verdicts(whole))
    bad = (Verdict.FAILED, Verdict.ERROR)
    if stored is not None and stored is not ours and not (stored in bad and ours in bad):
        yield Caution(
            f"The result file says {verdicts.WORDS[stored]}; counting its cases gives "
            f"{verdicts.WORDS[ours]}."
        )
    yield from (Caution("", said) for said in manifest.cautions)


def _worst(counts: Counter[Verdict]) -> Verdict:
    return next((v for v in WORST_FIRST if counts[v]), Verdict.NOT_EVALUATED)


def _about(selection: Selection) -> Iterator[tuple[str, str]]:
    manifest = selection.run.manifest
    set_, source = manifest.eval_set, manifest.source
    yield "Eval set", " · ".join(filter(None, (set_.name or set_.id, set_.path)))
    yield "Set content", f"sha256 {set_.content[:16]}" if set_.content else ""
    yield "System", system_of(manifest)
    yield "Ran", when(moment(manifest)) if moment(manifest).year > 1 else "time not recorded"
    yield "Cases", f"{manifest.distinct:,}, {plural(manifest.invocations, 'turn')}"
    yield "Repeats", f"{manifest.repeats:,}" if manifest.repeats > 1 else ""
    yield "Flaky cases", f"{manifest.flaky:,}" if manifest.repeats > 1 else ""
    yield "Time", "" if manifest.duration_s is None else numbers.seconds(manifest.duration_s)
    yield "Tokens", "" if manifest.tokens is None else numbers.count(manifest.tokens)
    yield "Cost", "" if manifest.cost is None else f"{manifest.cost:g}"
    marks = [f"{m.label} {', '.join(f'{t:g}' for t in m.thresholds)}" for m in manifest.metrics]
    yield (
        "Pass marks",
        "; ".join(m for m, of in zip(marks, manifest.metrics, strict=True) if of.thresholds),
    )
    yield "Versions", ", ".join(f"{name} {version}" for name, version in manifest.versions.items())
    yield "Result file", source.path
    yield "File content", f"sha256 {source.sha256[:16]}" if source.sha256 else ""
    yield "Run", manifest.id


def system_of(manifest: Manifest) -> str:
    """Return the name of the system that ran."""
    try:
        return by_id(manifest.format_id).label
    except EvaldeskError:
        return manifest.format_id
