"""What the Compare page says of two or more runs, in words and figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evalcore import verdicts
from evalcore.compare import (
    LETTERS,
    Comparison,
    MetricChange,
    Outcome,
    Pair,
    PairLine,
    Side,
    SliceChange,
)
from evalcore.compare.report import GLYPHS, TOLD, WORDS
from evalcore.results import Verdict
from evalcore.stats import detectable_difference, paired_rate
from evalcore.stats.words import p_text
from evalcore.store import Manifest, MetricSummary, moment
from evalcore.views import numbers
from evalcore.views.words import plural

ALPHA = 0.05
MINUS = "−"
CHANGED = frozenset(outcome for outcome in Outcome if outcome is not Outcome.SAME)
HELP = {
    Outcome.FIXED: "Failed in A, passes now.",
    Outcome.BROKE: "Passed in A, fails now.",
    Outcome.IMPROVED: "The verdict is the same; more repeats pass, or the scores are higher.",
    Outcome.REGRESSED: "The verdict is the same; fewer repeats pass, or the scores are lower.",
    Outcome.SAME: "Nothing that was measured changed.",
    Outcome.ONLY_LEFT: "Only A has this case.",
    Outcome.ONLY_RIGHT: "A does not have this case.",
    Outcome.NOT_COMPARABLE: "A side ended in an error or was not evaluated.",
}
METHODS = (
    "Pass rates are compared case by case, on the cases that both runs judge. A case passes a run "
    "when more than half of its judged repeats do, so that repeats never count as cases.",
    "p is that of the exact test of McNemar on the cases that were fixed and broken. The interval "
    "of the difference is Newcombe's for paired rates (method 10). A difference is claimed only "
    "where both say so.",
    "Means of a check are compared over the cases that have a score on both sides: a paired "
    "bootstrap of 2,000 resamples with a fixed seed, and p of a sign-flip test; beyond 20,000 "
    "cases the normal approximation. p in the tables is corrected by Holm for all comparisons in "
    "the table, whose number stands above it.",
    "“About n cases would settle a gap this size” is the number of paired cases that would show "
    "this difference with a power of 80 % if the share of changed verdicts stayed what it is.",
    "“No worse by more than” is claimed where the lower end of the 90 % interval of the difference "
    "is above minus that margin; with several runs that interval is wider, by Holm’s correction.",
)
"""How the numbers of the page are made."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One figure above a comparison, with what stands below it and what it means."""

    label: str
    value: str
    below: str = ""
    help: str = ""


def outcome_text(outcome: Outcome, count: int | None = None) -> str:
    """Return an outcome as glyph and word, perhaps with a count: ``▲ 9 fixed``."""
    number = "" if count is None else f"{count:,} "
    return f"{GLYPHS[outcome]} {number}{WORDS[outcome]}"


def outcome_choices(counts: Counter[Outcome], chosen: Outcome | None) -> dict[str, str]:
    """Return what can be filtered by, "" for all; what does not occur is left out."""
    found = {"": f"All {counts.total():,}"}
    for outcome in TOLD:
        if counts[outcome] or outcome is chosen:
            found[outcome.value] = outcome_text(outcome, counts[outcome])
    return found


def facts(pair: Pair, letter: str = "B") -> list[Fact]:
    """Return the figures of a pair of runs."""
    counts, only = pair.paired, pair.counts
    interval, p = paired_rate(counts)
    old, new = counts.both + counts.broke, counts.both + counts.fixed
    shown = [
        Fact(
            "Pass rate, A to " + letter,
            f"{_percent(old, counts.n)} → {_percent(new, counts.n)}",
            f"{old:,} and {new:,} of {plural(counts.n, 'case')} that both judge",
        ),
        Fact(
            "Difference",
            points(interval.estimate),
            f"95 % interval {span(interval.low, interval.high)} ({interval.method})",
        ),
        Fact(
            "Verdicts that changed",
            f"{counts.fixed + counts.broke:,} of {counts.n:,}",
            f"{counts.fixed:,} for the better, {counts.broke:,} for the worse; "
            f"exact McNemar {p_text(p)}",
            "Churn: two runs with the same rate may still pass different cases.",
        ),
        Fact(
            "In common",
            f"{counts.n:,}",
            f"{only[Outcome.ONLY_LEFT]:,} only in A, {only[Outcome.ONLY_RIGHT]:,} only in "
            f"{letter}, {only[Outcome.NOT_COMPARABLE]:,} not comparable",
        ),
    ]
    return [*shown, _detectable(pair)]


def _detectable(pair: Pair) -> Fact:
    counts = pair.paired
    seen = counts.discordance
    share = seen if seen > 0 else 0.2
    least = detectable_difference(counts.n, share)
    taken = "as here" if seen > 0 else "assumed"
    return Fact(
        "Can be seen with this set",
        "–" if least is None else f"from {100 * least:.1f} points",
        f"if {100 * share:.0f} % of verdicts change ({taken}); power 80 %"
        if least is not None
        else "too few cases for any difference",
        "The smallest difference of pass rates that so many cases can show.",
    )


def margin_text(pair: Pair, margin: float, alpha: float = ALPHA) -> tuple[bool, str]:
    """Return whether the right run is no worse by more than a margin, and in words why."""
    low = paired_rate(pair.paired, 1 - 2 * alpha)[0].low
    level = f"{100 * (1 - 2 * alpha):.3g} % interval"
    stated = f"{100 * margin:g} points"
    if low is None:
        return False, "No case in common: nothing is shown."
    if low > -margin:
        return True, f"No worse by more than {stated}: the {level} begins at {points(low)}."
    return False, (
        f"That it is no worse by more than {stated} is not shown: the {level} "
        f"begins at {points(low)}."
    )


def several_text(comparison: Comparison) -> str:
    """Return what several comparisons with one baseline cost; "" for a single one."""
    many = len(comparison.pairs)
    if many == 1:
        return ""
    return (
        f"{many} comparisons with one baseline: p is corrected for them by Holm, and a difference "
        "is claimed only where the corrected p is below 0.05."
    )


def metric_note(changes: Sequence[MetricChange]) -> str:
    """Return how many comparisons a table of metrics makes."""
    tested = sum(change.change.p is not None for change in changes)
    return f"{plural(tested, 'comparison')}; p is corrected for them by Holm."


def is_shown(p: float | None) -> bool:
    """Return whether a corrected p shows a difference."""
    return p is not None and p < ALPHA


def arrow(delta: float, better: str = "higher") -> tuple[str, bool | None]:
    """Return an arrow for a change, and whether it is for the better (None: neither)."""
    if delta == 0:
        return "=", None
    up = delta > 0
    good = None if better == "none" else up == (better == "higher")
    return ("▲" if up else "▼"), good


def step_text(old: float | None, new: float | None) -> str:
    """Return two scores of a case: ``0.80 → 0.95``."""
    if old is None and new is None:
        return "–"
    return f"{numbers.score(old, new)} → {numbers.score(new, old)}"


def signed(value: float | None, digits: int = 2) -> str:
    """Return a number with its sign; what is not 0 never reads as 0."""
    if value is None:
        return "–"
    if value == 0:
        return "0"
    while digits < 6 and float(f"{value:.{digits}f}") == 0:
        digits += 1
    said = f"{value:+.{digits}f}"
    return (said if float(said) else f"{value:+.0e}").replace("-", MINUS)


def points(value: float | None) -> str:
    """Return a difference of rates in points of a hundred: ``+5.8 points``."""
    return "–" if value is None else f"{signed(100 * value, 1)} points"


def span(low: float | None, high: float | None) -> str:
    """Return the ends of an interval of a difference of rates, in points."""
    if low is None or high is None:
        return "–"
    return f"{signed(100 * low, 1)} to {signed(100 * high, 1)}"


def verdict_text(side: Side | None) -> str:
    """Return a side's verdict; with repeats, how many of those judged passed."""
    if side is None:
        return "–"
    said = verdicts.said(side.verdict)
    if side.repeats > 1 and side.judged:
        return f"{said} {side.passed}/{side.judged}"
    return said


def turned(base: Side | None, side: Side | None) -> str:
    """Return an arrow where a side's verdict is another than the baseline's; "" for none."""
    if base is None or side is None:
        return ""
    both = {base.verdict, side.verdict}
    if both != {Verdict.PASSED, Verdict.FAILED}:
        return ""
    return "▲" if side.verdict is Verdict.PASSED else "▼"


def step(line: PairLine, metric: MetricSummary) -> float | None:
    """Return how far a case's score moved, None where a side has none."""
    if line.left is None or line.right is None:
        return None
    old, new = line.left.values.get(metric.key), line.right.values.get(metric.key)
    return None if old is None or new is None else new - old


def is_noise(delta: float, key: str, bands: Mapping[str, float]) -> bool:
    """Return whether a case's change is no larger than repeats differ by chance."""
    return abs(delta) <= bands.get(key, 0.0)


def most_moved(pair: Pair, asked: str, limit: int) -> list[MetricSummary]:
    """Return the checks to show beside a list: the one asked for, then those with most failures."""
    metrics = [metric for metric, _ in pair.shared]
    ranked = sorted(metrics, key=lambda m: (m.key != asked, -m.counts.failed - m.counts.error))
    return ranked[:limit]


def run_when(manifest: Manifest) -> str:
    """Return when a run ran, in UTC; "" where nobody knows."""
    at = moment(manifest)
    return f"{at:%d %b %Y %H:%M}".lstrip("0") if at.year > 1 else ""


def letter(number: int) -> str:
    """Return what a run of a comparison is called, from 0."""
    return LETTERS[number]


def slice_tone(change: SliceChange) -> bool | None:
    """Return whether a group got better beyond what many comparisons allow; None: not shown."""
    return change.counts.difference > 0 if is_shown(change.p_adjusted) else None


def why_text(line: PairLine, right: str = "B") -> str:
    """Return why a case is not comparable, with the runs' letters."""
    return line.why.replace("the left side", "A").replace("the right side", right)


def tone_of(outcome: Outcome) -> bool | None:
    """Return whether an outcome is for the better; None for neither."""
    if outcome in (Outcome.FIXED, Outcome.IMPROVED):
        return True
    return False if outcome in (Outcome.BROKE, Outcome.REGRESSED) else None


def _percent(part: int, whole: int) -> str:
    return numbers.percent(part, whole) if whole else "–"


def verdict_of(side: Side | None) -> Verdict | None:
    """Return a side's verdict, None where the run does not have the case."""
    return None if side is None else side.verdict


def check_label(manifest: Manifest, key: str) -> str:
    """Return what a check of a run is called; "" is the verdict of a case as a whole."""
    if not key:
        return "The verdict of a case"
    known = manifest.metric(key)
    return known.label if known is not None else key
