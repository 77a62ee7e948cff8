"""A comparison in words for people, as Markdown for a pull request, and as data for programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from evalcore.changes.report import code
from evalcore.compare.outcomes import WORST_FIRST, Outcome
from evalcore.compare.pair import ALPHA, MetricChange, Pair, PairLine, Side
from evalcore.compare.querying import PairQuery
from evalcore.stats import outcome_of, paired_rate
from evalcore.stats.words import p_text
from evalcore.store import Manifest, moment

WORDS = {
    Outcome.FIXED: "fixed",
    Outcome.BROKE: "broke",
    Outcome.IMPROVED: "improved",
    Outcome.REGRESSED: "regressed",
    Outcome.SAME: "same",
    Outcome.ONLY_LEFT: "only left",
    Outcome.ONLY_RIGHT: "only right",
    Outcome.NOT_COMPARABLE: "not comparable",
}
GLYPHS = {
    Outcome.FIXED: "▲",
    Outcome.BROKE: "▼",
    Outcome.IMPROVED: "△",
    Outcome.REGRESSED: "▽",
    Outcome.SAME: "=",
    Outcome.ONLY_LEFT: "−",
    Outcome.ONLY_RIGHT: "+",
    Outcome.NOT_COMPARABLE: "?",
}
TOLD = (
    Outcome.FIXED,
    Outcome.BROKE,
    Outcome.IMPROVED,
    Outcome.REGRESSED,
    Outcome.SAME,
    Outcome.ONLY_RIGHT,
    Outcome.ONLY_LEFT,
    Outcome.NOT_COMPARABLE,
)
"""The order in which outcomes are told."""
CHANGED = (Outcome.BROKE, Outcome.REGRESSED, Outcome.NOT_COMPARABLE, Outcome.FIXED)
"""What is listed case by case."""
HEADER = ("METRIC", "CASES", "LEFT", "RIGHT", "CHANGE", "95% INTERVAL", "P")
MOST_CASES = 20


def counts_text(pair: Pair) -> str:
    """Return the counts in one line: ``▲ 9 fixed  ▼ 2 broke  = 104 same``."""
    counted = [f"{GLYPHS[o]} {pair.counts[o]:,} {WORDS[o]}" for o in TOLD if pair.counts[o]]
    return "  ".join(counted) or "no cases"


def run_text(manifest: Manifest) -> str:
    """Return a run in one line: its name, when it ran, its results, its id."""
    at, counts = moment(manifest), manifest.cases
    when = f", {at:%Y-%m-%d %H:%M} UTC" if at.year > 1 else ""
    return (
        f"{manifest.name or manifest.id}{when}: {counts.passed:,} of {counts.total:,} passed "
        f"({manifest.id})"
    )


def metric_rows(changes: Sequence[MetricChange]) -> list[tuple[str, ...]]:
    """Return the rows under ``HEADER``; p is corrected for the number of metrics by Holm."""
    return [_metric_row(change) for change in changes]


def as_text(pair: Pair, margin: float | None = None, name: str = "B") -> str:
    """Return the sentence, what makes it doubtful, the counts, and the cases that changed.

    The table of metrics is left to whoever prints it: see ``metric_rows``.
    """
    lines = [pair.sentence(margin, name), counts_text(pair)]
    lines += [f"Caution: {banner.message}" for banner in pair.banners]
    for outcome, found, total in _listed(pair):
        lines.append(f"{GLYPHS[outcome]} {WORDS[outcome]}:")
        lines += [f"    {_case_text(line)}" for line in found]
        if total > len(found):
            lines.append(f"    and {total - len(found):,} more")
    return "\n".join(lines)


def as_markdown(
    pair: Pair, margin: float | None = None, name: str = "B", alpha: float = ALPHA
) -> str:
    """Return the same as Markdown, with the metrics; what comes from a file is in code spans.

    A difference is claimed where p is below ``alpha``.
    """
    a, b = pair.left.manifest, pair.right.manifest
    lines = [
        f"## {_cell(b.name or b.id)} against {_cell(a.name or a.id)}",
        "",
        f"**{pair.sentence(margin, name, alpha)}**",
        "",
        counts_text(pair).replace("  ", " · "),
    ]
    lines += [line for banner in pair.banners for line in ("", f"> {code(banner.message)}")]
    changes = pair.metric_changes()
    if changes:
        lines += ["", "| metric | cases | left | right | change | 95 % interval | p |"]
        lines.append("| --- | ---: | ---: | ---: | ---: | --- | --- |")
        lines += [f"| {' | '.join((_cell(row[0]), *row[1:]))} |" for row in metric_rows(changes)]
    for outcome, found, total in _listed(pair):
        lines += ["", f"### {GLYPHS[outcome]} {total:,} {WORDS[outcome]}", ""]
        lines += [f"- {code(_case_text(line))}" for line in found]
        if total > len(found):
            lines.append(f"- and {total - len(found):,} more")
    return "\n".join(lines)


def as_data(
    pair: Pair, margin: float | None = None, name: str = "B", alpha: float = ALPHA
) -> dict[str, Any]:
    """Return all of it as plain data, every changed case included."""
    interval, p = paired_rate(pair.paired)
    outcomes = [o for o in WORST_FIRST if o not in (Outcome.SAME, Outcome.IMPROVED)]
    changed = PairQuery(outcomes=frozenset(outcomes), limit=sum(pair.counts.values()))
    return {
        "left": _run_data(pair.left.manifest),
        "right": _run_data(pair.right.manifest),
        "sentence": pair.sentence(margin, name, alpha),
        "outcome": outcome_of(pair.paired, margin, alpha).value,
        "counts": {outcome.value: pair.counts[outcome] for outcome in TOLD},
        "paired": {**asdict(pair.paired), "n": pair.paired.n},
        "difference": {**asdict(interval), "p": p},
        "margin": margin,
        "banners": [asdict(banner) for banner in pair.banners],
        "metrics": [_metric_data(change) for change in pair.metric_changes()],
        "cases": [_case_data(line) for line in pair.page(changed)[0]],
    }


def _listed(pair: Pair) -> Iterator[tuple[Outcome, Sequence[PairLine], int]]:
    for outcome in CHANGED:
        if pair.counts[outcome]:
            query = PairQuery(outcomes=frozenset([outcome]), limit=MOST_CASES)
            yield outcome, *pair.page(query)


def _case_text(line: PairLine) -> str:
    if line.why:
        return f"{line.case_key}: {line.why}"
    if line.left is None or line.right is None:
        return line.case_key
    if line.left.repeats == line.right.repeats == 1:
        return f"{line.case_key}{f' ({line.delta:+.3g})' if line.delta else ''}"
    return f"{line.case_key}: {_share(line.left)}, then {_share(line.right)}"


def _share(side: Side) -> str:
    return f"{side.passed} of {side.judged} passed"


def _metric_row(found: MetricChange) -> tuple[str, ...]:
    interval = found.change.interval
    ends = "–"
    if interval.low is not None and interval.high is not None:
        ends = f"{interval.low:+.4f} to {interval.high:+.4f}"
    p = found.p_adjusted if found.p_adjusted is not None else found.change.p
    return (
        found.metric.label,
        f"{found.n:,}",
        _number(found.left_mean),
        _number(found.right_mean),
        "–" if interval.estimate is None else f"{interval.estimate:+.4f}",
        ends,
        "–" if p is None else p_text(p).removeprefix("p = ").removeprefix("p "),
    )


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"


def _cell(text: str) -> str:
    """Return text for a cell of a table, in a code span."""
    return code(text).replace("|", "\\|")


def _run_data(manifest: Manifest) -> dict[str, Any]:
    at = moment(manifest)
    return {
        "id": manifest.id,
        "name": manifest.name,
        "at": at.isoformat() if at.year > 1 else None,
        "set": manifest.eval_set.model_dump(),
        "cases": manifest.cases.model_dump(),
        "repeats": manifest.repeats,
    }


def _metric_data(found: MetricChange) -> dict[str, Any]:
    return {
        "key": found.metric.key,
        "label": found.metric.label,
        "cases": found.n,
        "left": found.left_mean,
        "right": found.right_mean,
        "change": asdict(found.change.interval),
        "p": found.change.p,
        "p_holm": found.p_adjusted,
    }


def _case_data(line: PairLine) -> dict[str, Any]:
    return {
        "case": line.case_key,
        "outcome": line.outcome.value,
        "delta": line.delta,
        "why": line.why,
        "left": _side_data(line.left),
        "right": _side_data(line.right),
    }


def _side_data(side: Side | None) -> dict[str, Any] | None:
    if side is None:
        return None
    return {
        "verdict": side.verdict.value,
        "passed": side.passed,
        "judged": side.judged,
        "repeats": side.repeats,
        "values": side.values,
    }
