"""The card on top of a run: what passed, how sure that is, what it leaves out, what to doubt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from evalcore import verdicts
from evalcore.errors import EvaldeskError
from evalcore.formats import by_id
from evalcore.results import Run, Verdict
from evalcore.stats import detectable_difference, pass_hat_k
from evalcore.store import Manifest, MetricNumbers, RunQuery, Status, StoredRun, moment
from evalcore.store.casewise import Tried, mode_counts, tried
from evalcore.verdicts import WORST_FIRST
from evalcore.views import metrics, numbers
from evalcore.views.numbers import Rate, count
from evalcore.views.words import ago, plural

MOST_CAUSES = 50
DISCORDANCE = 0.2
"""The share of cases taken to change their verdict, to say what difference could be seen."""
WHOLE = RunQuery()


@dataclass(frozen=True, slots=True)
class ReportCard:
    """A run in numbers, all of it. ``rate`` is passed of those scored; errors are not in it.

    ``distinct`` counts cases, ``total`` their results. ``hats`` are k and pass^k, None where it is
    not defined. ``visible`` is the smallest difference that the set can show, as a share.
    ``facts`` are pairs of a name and a text; ``cautions`` say what the numbers hide.
    """

    rate: Rate
    counts: Counter[Verdict]
    total: int
    distinct: int
    repeats: int
    flaky: int
    hats: tuple[tuple[int, float | None], ...]
    visible: float | None
    status: Verdict
    checks: tuple[MetricNumbers, ...]
    causes: tuple[tuple[str, int], ...]
    facts: tuple[tuple[str, str], ...]
    cautions: tuple[str, ...]

    @property
    def scored_text(self) -> str:
        """Return ``120 of 126 scored; 4 errors and 2 not evaluated are not in the rate``."""
        out = [
            verdicts.counted(verdict, self.counts[verdict])
            for verdict in (Verdict.ERROR, Verdict.NOT_EVALUATED)
            if self.counts[verdict]
        ]
        what = "case results" if self.repeats > 1 else ""
        text = " ".join(filter(None, (f"{count(self.rate.judged)} of {count(self.total)}", what)))
        return f"{text} scored; {' and '.join(out)} left out" if out else f"all {text} scored"

    @property
    def of_all_text(self) -> str:
        """Return ``80.2 % of all (101 of 126)``, "" where all were scored."""
        if self.rate.judged == self.total or not self.total:
            return ""
        part = numbers.percent(self.rate.passed, self.total)
        return f"passed of all {part} ({count(self.rate.passed)} of {count(self.total)})"

    @property
    def interval_text(self) -> str:
        """Return the interval with its level, its method and what it rests on."""
        if self.rate.share is None:
            return "nothing was scored, so there is no rate"
        low, high = (f"{100 * end:.1f}" for end in self.rate.interval)
        return f"95 % interval {low}–{high} % (Wilson, {plural(self.rate.independent, 'case')})"

    @property
    def hats_text(self) -> str:
        """Return ``pass^1 84 %, pass^5 –``."""
        return "   ".join(
            f"pass^{k} {'–' if value is None else f'{100 * value:.1f} %'}" for k, value in self.hats
        )

    @property
    def visible_text(self) -> str:
        """Return in words how small a difference between two runs the set can show."""
        if self.visible is None:
            return f"{plural(self.distinct, 'case')}: too few to show any difference between runs"
        return (
            f"{plural(self.distinct, 'case')}: a run must differ by about "
            f"{100 * self.visible:.0f} points for it to show"
        )


def report_card(run: StoredRun) -> ReportCard:
    """Return the card of a run."""
    manifest, counts, found = run.manifest, run.verdicts(WHOLE), tried(run, WHOLE)
    judged = counts[Verdict.PASSED] + counts[Verdict.FAILED]
    independent = sum(line.cases for line in found if line.judged)
    return ReportCard(
        rate=Rate(counts[Verdict.PASSED], judged, independent),
        counts=counts,
        total=counts.total(),
        distinct=manifest.distinct,
        repeats=manifest.repeats,
        flaky=mode_counts(run, WHOLE)["flaky"],
        hats=_hats(found, manifest.repeats),
        visible=detectable_difference(independent, DISCORDANCE),
        status=Verdict.ERROR if manifest.error else worst(counts),
        checks=_by_trouble(run.numbers(WHOLE)),
        causes=tuple(run.causes(WHOLE, MOST_CAUSES)),
        facts=tuple((name, text) for name, text in _facts(run) if text),
        cautions=tuple(_cautions(run, counts)),
    )


def worst(counts: Counter[Verdict]) -> Verdict:
    """Return the worst verdict that any of the case results came to."""
    return next((v for v in WORST_FIRST if counts[v]), Verdict.NOT_EVALUATED)


def when(moment: datetime | None, now: datetime | None = None) -> str:
    """Return a date and time in UTC, with how long ago where ``now`` is given."""
    if moment is None or moment.year <= 1:
        return "time not recorded"
    at = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    text = f"{at.astimezone(UTC):%d %b %Y, %H:%M} UTC".lstrip("0")
    age = ago(at.astimezone(UTC), now) if now else ""
    return f"{text}, {age}" if age.endswith("ago") or age == "just now" else text


def set_name(run: Run) -> str:
    """Return the best name of the eval set that was run."""
    return run.eval_set_name or run.eval_set_id or run.name or "unnamed set"


def name_of(manifest: Manifest) -> str:
    """Return the best name of the eval set of a stored run."""
    held = manifest.eval_set
    return held.name or held.id or manifest.name or "unnamed set"


def took_text(manifest: Manifest) -> str:
    """Return what a run took: time, tokens, cost, as far as they are known."""
    found = [
        "" if manifest.duration_s is None else numbers.seconds(manifest.duration_s),
        "" if manifest.tokens is None else f"{count(manifest.tokens)} tokens",
        "" if manifest.cost is None else f"cost {manifest.cost:g}",
    ]
    return " · ".join(filter(None, found)) or "time, tokens and cost not recorded"


def _hats(found: tuple[Tried, ...], repeats: int) -> tuple[tuple[int, float | None], ...]:
    """Return k and pass^k for one repeat, for all of them, and for one in between."""
    wanted = sorted({1, (repeats + 1) // 2, repeats}) if repeats > 1 else [1, 2]
    return tuple((k, _hat(found, k)) for k in wanted)


def _hat(found: tuple[Tried, ...], k: int) -> float | None:
    cases, total = 0, 0.0
    for line in found:
        value = pass_hat_k(line.passed, line.judged, k)
        if value is not None:
            cases += line.cases
            total += value * line.cases
    return total / cases if cases else None


def _by_trouble(found: tuple[MetricNumbers, ...]) -> tuple[MetricNumbers, ...]:
    def trouble(held: MetricNumbers) -> tuple[bool, int]:
        bad = held.counts[Verdict.ERROR] + held.counts[Verdict.FAILED]
        return held.metric.informational, -bad

    return tuple(sorted(found, key=trouble))


def _facts(run: StoredRun) -> Iterator[tuple[str, str]]:
    manifest = run.manifest
    held, source = manifest.eval_set, manifest.source
    yield "Eval set", " · ".join(filter(None, (held.name or held.id, held.path)))
    yield "Content of the set", f"sha256 {held.content[:16]}" if held.content else "not at hand"
    yield "System", system_of(manifest)
    yield "Started", when(manifest.started_at) if manifest.started_at else ""
    yield "Finished", when(manifest.finished_at) if manifest.finished_at else ""
    yield "Source", " · ".join(filter(None, (source.path, _number(manifest), source.sha256[:16])))
    yield "Size", f"{plural(manifest.distinct, 'case')}, {plural(manifest.invocations, 'turn')}"
    for name, version in manifest.versions.items():
        yield f"Version of {name}", version
    for metric in manifest.metrics:
        marks = metrics.thresholds_of(run, metric)
        texts = [metrics.shown(metric, value) for value in marks]
        settings = manifest.evaluators.get(metric.key, "")
        parts = (
            f"threshold {', '.join(texts)}" if texts else "no threshold",
            f"settings {settings[:12]}" if settings else "",
        )
        yield metric.label, " · ".join(filter(None, parts))
    if run.pass_mark is not None:
        yield "Pass mark", f"{run.pass_mark:g} of 1, yours"


def system_of(manifest: Manifest) -> str:
    """Return the name of the system whose file the run was."""
    try:
        return by_id(manifest.format_id).label
    except EvaldeskError:
        return manifest.format_id


def _number(manifest: Manifest) -> str:
    source = manifest.source
    return f"run {source.number} of {source.of}" if source.of > 1 else ""


def _cautions(run: StoredRun, counts: Counter[Verdict]) -> Iterator[str]:
    manifest = run.manifest
    if manifest.status is not Status.FINISHED:
        yield "This run was interrupted: what is here is how far it got."
    if manifest.error:
        yield f"The run stopped: {manifest.error}"
    stored, ours = verdicts.as_verdict(manifest.stored_status), worst(counts)
    if stored is not None and not _agree(stored, ours):
        yield (
            f"The file says {verdicts.WORDS[stored]}; counting its cases gives "
            f"{verdicts.WORDS[ours]}."
        )
    if manifest.contradicting:
        yield _contradicting(manifest)
    yield from manifest.cautions


def _contradicting(manifest: Manifest) -> str:
    """Return the sentence on verdicts of the file that its own scores do not give."""
    named = ", ".join(manifest.contradicting_cases)
    rest = manifest.contradicting - len(manifest.contradicting_cases)
    more = f" and {rest:,} more" if rest else ""
    verb = "case result has" if manifest.contradicting == 1 else "case results have"
    return (
        f"{manifest.contradicting:,} {verb} a verdict in the file that the scores do not give: "
        f"{named}{more}."
    )


def _agree(stored: Verdict, ours: Verdict) -> bool:
    """Return whether two words say the same: many systems have one word for failure and error."""
    bad = (Verdict.FAILED, Verdict.ERROR)
    return stored is ours or (stored in bad and ours in bad)


def moment_of(manifest: Manifest) -> datetime | None:
    """Return when a run ran, None where nobody noted it."""
    found = moment(manifest)
    return found if found.year > 1 else None
