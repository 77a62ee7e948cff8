"""The list of runs: each with how it went, how sure that is, and whether it beats the one before.

Only manifests are read, never the tables of a run.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import sqrt
from typing import Literal

from evalcore.errors import EvaldeskError
from evalcore.formats import by_id
from evalcore.results import Verdict
from evalcore.store import Manifest, Status, moment
from evalcore.verdicts import GLYPHS, WORDS, counted
from evalcore.views.dropped_files import dropped_name
from evalcore.views.numbers import Rate

POINTS = 0.05
BARS, SPARKS = "▁▂▃▄▅▆▇█", 8
NO_SET = "(no set named)"
Tone = Literal["ok", "error", "violet", "muted"]


@dataclass(frozen=True, slots=True)
class Change:
    """How far a pass rate is from that of the run before, in percentage points.

    ``is_sure`` says that the 95 % interval of the difference leaves out 0, by Newcombe's method
    for two samples. Compare pairs the cases and sees more.
    """

    points: float
    is_sure: bool

    @property
    def text(self) -> str:
        """Return ``▲ 4.2 points``, ``= the same``."""
        if abs(self.points) < POINTS:
            return "= the same"
        return f"{'▲' if self.points > 0 else '▼'} {abs(self.points):.1f} points"

    @property
    def note(self) -> str:
        """Return what that means, in words."""
        if abs(self.points) < POINTS:
            return ""
        if not self.is_sure:
            return "may be chance"
        return "better" if self.points > 0 else "worse"

    @property
    def tone(self) -> Tone:
        """Return its colour: none where it may be chance."""
        if not self.is_sure or abs(self.points) < POINTS:
            return "muted"
        return "ok" if self.points > 0 else "error"


@dataclass(frozen=True, slots=True)
class RunRow:
    """One run; ``before`` is the one before of the same eval set and system."""

    manifest: Manifest
    before: Manifest | None = None
    words: str = ""
    """Everything that a search looks at, casefolded."""

    @property
    def id(self) -> str:
        """Return the run's id."""
        return self.manifest.id

    @property
    def title(self) -> str:
        """Return what the run is called."""
        return self.manifest.name or set_label(self.manifest)

    @property
    def when(self) -> datetime:
        """Return when it ran."""
        return moment(self.manifest)

    @property
    def rate(self) -> Rate:
        """Return how many passed of those judged."""
        return rate_of(self.manifest)

    @property
    def verdict(self) -> Verdict:
        """Return what it came to: failed unless all that was judged passed."""
        return verdict_of(self.manifest)

    @property
    def change(self) -> Change | None:
        """Return how it stands to the run before, None where one of them has no rate."""
        return None if self.before is None else change_of(self.before, self.manifest)

    @property
    def status(self) -> str:
        """Return what to say of a run that is not finished, "" for one that is."""
        total = self.manifest.cases.total
        if self.manifest.status is Status.RUNNING:
            return f"◔ running, {total:,} results so far"
        if self.manifest.status is Status.INTERRUPTED:
            return f"◌ interrupted after {total:,} results"
        return ""


@dataclass(frozen=True, slots=True)
class LastRun:
    """How an eval set stands: its newest run that judged anything, and the rates up to it."""

    id: str
    at: datetime
    went: str
    verdict: Verdict
    spark: str


@dataclass(frozen=True, slots=True)
class RunFilter:
    """Which runs are shown; "" does not restrict. ``eval_set`` is a ``set_key``."""

    text: str = ""
    eval_set: str = ""
    system: str = ""

    @property
    def is_on(self) -> bool:
        """Return whether anything is left out."""
        return self != RunFilter()


def rows_of(manifests: Sequence[Manifest]) -> tuple[RunRow, ...]:
    """Return the rows of runs, newest first, each with the run before it.

    A run is never held against what it or another one was re-scored to; that stands after the run
    that it was made from, and is held against the newest before it of either kind.
    """
    rows: list[RunRow] = []
    before: dict[tuple[str, str, bool], Manifest] = {}
    oldest_first = [*reversed(manifests)]
    oldest_first.sort(key=lambda m: (moment(m), _is_scored(m)))
    for manifest in oldest_first:
        key = set_key(manifest), manifest.format_id
        known = before.get((*key, _is_scored(manifest))) if key[0] else None
        rows.append(RunRow(manifest, known, _words(manifest)))
        if manifest.status is Status.FINISHED and manifest.cases.judged:
            before[*key, True] = manifest
            if not _is_scored(manifest):
                before[*key, False] = manifest
    return tuple(reversed(rows))


def _is_scored(manifest: Manifest) -> bool:
    return manifest.source.kind == "scored"


def latest_of(rows: Iterable[RunRow]) -> dict[str, LastRun]:
    """Return how each eval set stands, by its path; ``rows`` stand newest first."""
    judged: dict[str, list[RunRow]] = {}
    for row in rows:
        path = row.manifest.eval_set.path
        if path and row.manifest.cases.judged:
            judged.setdefault(path, []).append(row)
    return {path: _last_run(_telling(found)) for path, found in judged.items()}


def _telling(found: list[RunRow]) -> list[RunRow]:
    """Return the runs by which a set stands: without re-scored ones, unless nothing newer is."""
    own = [row for row in found if not _is_scored(row.manifest)]
    return own if own and own[0].when >= found[0].when else found


def _last_run(found: list[RunRow]) -> LastRun:
    newest = found[0]
    bars = spark([row.rate.share or 0.0 for row in reversed(found[:SPARKS])])
    return LastRun(newest.id, newest.when, went(newest.manifest), newest.verdict, bars)


def spark(shares: Sequence[float]) -> str:
    """Return a bar for each share, all on the same scale from 0 to 1; "" for fewer than two."""
    if len(shares) < 2:
        return ""
    return "".join(BARS[min(len(BARS) - 1, int(share * len(BARS)))] for share in shares)


def matching(rows: Iterable[RunRow], wanted: RunFilter) -> list[RunRow]:
    """Return the rows that a filter lets through.

    Every word of its text must occur in names or paths, or begin the run's id.
    """
    words = wanted.text.casefold().split()
    return [
        row
        for row in rows
        if (not wanted.eval_set or set_key(row.manifest) == wanted.eval_set)
        and (not wanted.system or row.manifest.format_id == wanted.system)
        and all(word in row.words or row.id.startswith(word) for word in words)
    ]


def set_key(manifest: Manifest) -> str:
    """Return what makes runs those of one eval set: its path, else its id, else its name."""
    facts = manifest.eval_set
    return facts.path or facts.id or facts.name or ""


def set_label(manifest: Manifest) -> str:
    """Return what the eval set is called."""
    facts = manifest.eval_set
    stem = posixpath.basename(facts.path).split(".", 1)[0]
    return facts.name or stem or facts.id or NO_SET


def system_label(manifest: Manifest) -> str:
    """Return the name of the system that ran."""
    try:
        return by_id(manifest.format_id).label
    except (EvaldeskError, KeyError):
        return "outputs" if manifest.source.kind == "outputs" else manifest.format_id


def source_text(manifest: Manifest) -> str:
    """Return where a run is from, in words that need no path to be understood."""
    source = manifest.source
    name = dropped_name(source.path)
    where = f"{name}, dropped here" if name else source.path or "scored here"
    if source.kind == "scored":
        where = f"{where}, scored here" if source.path else where
    return f"{where} (run {source.number} of {source.of})" if source.of > 1 else where


def rate_of(manifest: Manifest) -> Rate:
    """Return a run's pass rate; the interval rests on different cases, not on their repeats."""
    counts = manifest.cases
    return Rate(counts.passed, counts.judged, min(counts.judged, manifest.distinct))


def verdict_of(manifest: Manifest) -> Verdict:
    """Return what a run came to: an error only where nothing was judged."""
    counts = manifest.cases
    if counts.judged:
        return Verdict.FAILED if counts.failed or counts.error else Verdict.PASSED
    return Verdict.ERROR if counts.error else Verdict.NOT_EVALUATED


def went(manifest: Manifest) -> str:
    """Return ``✗ 88.1 % (37 of 42)``, or why there is no rate."""
    verdict, rate = verdict_of(manifest), rate_of(manifest)
    return f"{GLYPHS[verdict]} {rate}" if rate.judged else f"{GLYPHS[verdict]} {WORDS[verdict]}"


def counts_text(manifest: Manifest) -> str:
    """Return what stands out beside the rate: ``2 failed · 1 error · 3 flaky``."""
    parts = [counted(verdict, number) for verdict, number in _standing_out(manifest)]
    return " · ".join([*parts, *([f"{manifest.flaky:,} flaky"] if manifest.flaky else [])])


def counts_glyphs(manifest: Manifest) -> str:
    """Return the same in glyphs, for where there is little room: ``✗ 2 · ! 1``."""
    return " · ".join(
        f"{GLYPHS[verdict]} {number:,}" for verdict, number in _standing_out(manifest)
    )


def _standing_out(manifest: Manifest) -> list[tuple[Verdict, int]]:
    counts = manifest.cases
    found = (
        (Verdict.FAILED, counts.failed),
        (Verdict.ERROR, counts.error),
        (Verdict.NOT_EVALUATED, counts.not_evaluated),
    )
    return [(verdict, number) for verdict, number in found if number]


def interval_text(rate: Rate) -> str:
    """Return ``95 %: 76.6–89.6 %``, "" where nothing was judged."""
    if rate.share is None:
        return ""
    low, high = rate.interval
    return f"95 %: {100 * low:.1f}–{100 * high:.1f} %"


def change_of(before: Manifest, after: Manifest) -> Change | None:
    """Return how a run's rate stands to that of another, None where one of them has none."""
    a, b = rate_of(before), rate_of(after)
    if a.share is None or b.share is None:
        return None
    (a_low, a_high), (b_low, b_high) = a.interval, b.interval
    gap = b.share - a.share
    low = gap - sqrt((b.share - b_low) ** 2 + (a_high - a.share) ** 2)
    high = gap + sqrt((b_high - b.share) ** 2 + (a.share - a_low) ** 2)
    return Change(100 * gap, is_sure=low > 0 or high < 0)


def _words(manifest: Manifest) -> str:
    parts = (
        manifest.name,
        manifest.source.path,
        manifest.eval_set.path,
        set_label(manifest),
        system_label(manifest),
    )
    return "\n".join(parts).casefold()
