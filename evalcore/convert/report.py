"""A conversion's report as text for people, as Markdown for a review, and as data for programs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from evalcore.convert.model import Fate, Group, Report, Status
from evalcore.jsontree import JsonValue

HEADS: Final[dict[Status, str]] = {
    "lost": "Lost",
    "changed": "Changed",
    "carried": "Kept beside the cases",
    "spare": "Not needed",
    "kept": "Kept as it is",
}
WIDTH: Final = 60


def summary(report: Report) -> str:
    """Return in one sentence how much is kept, changed and lost."""
    counts = report.counts
    total = len(report.fates)
    parts = [f"{counts['kept']:,} of {_values(total)} kept as they are"]
    words: tuple[tuple[Status, str], ...] = (
        ("changed", "changed"),
        ("carried", "kept beside the cases"),
        ("spare", "not needed"),
        ("lost", "lost"),
    )
    parts += [f"{counts[status]:,} {word}" for status, word in words if counts[status]]
    return ", ".join(parts) + "."


def case_words(report: Report) -> str:
    """Return how many cases become how many."""
    before, after = report.cases_before, report.cases_after
    one = f"{before:,} case{'' if before == 1 else 's'}"
    return f"{one} become{'s' if before == 1 else ''} {after:,} case{'' if after == 1 else 's'}."


def group_words(group: Group) -> str:
    """Return how many values a group has, and in how many cases."""
    found = _values(len(group.fates))
    return (
        f"{found} in {group.cases:,} case{'' if group.cases == 1 else 's'}"
        if group.cases
        else found
    )


def example_words(fate: Fate) -> str:
    """Return where an example is and what it says."""
    shown = shortened(fate.value)
    shown = f"{fate.name} = {shown}" if fate.name else shown
    return f"{fate.case}: {shown}" if fate.case else shown


def shortened(value: JsonValue) -> str:
    """Return a value on one short line; text in quotation marks."""
    text = json.dumps(value, ensure_ascii=False) if not isinstance(value, str) else value
    line = " ".join(text.split())
    line = line if len(line) <= WIDTH else line[: WIDTH - 1] + "…"
    return f"“{line}”" if isinstance(value, str) else line


def checks_words(report: Report) -> str:
    """Return which evaluators are not converted, "" where there are none."""
    if not report.checks:
        return ""
    names = ", ".join(f"“{name}”" for name in report.checks)
    return f"Evaluators are not converted: {names}. {report.checks_hint}".strip()


def as_text(report: Report) -> str:
    """Return the report for people: what is lost first, each part with examples."""
    lines = [f"{report.source} → {report.target}: {case_words(report)}", summary(report)]
    if report.checks:
        lines.append(checks_words(report))
    status: Status | None = None
    for group in report.groups("lost", "changed", "carried", "spare"):
        if group.status != status:
            status = group.status
            lines += ["", HEADS[status]]
        lines.append(f"  {group.title} ({group_words(group)})")
        lines += [f"      {text}" for text in (_reason(group),) if text]
        lines += [f"      {example_words(fate)}" for fate in group.examples]
    return "\n".join(lines)


def as_markdown(report: Report, title: str = "") -> str:
    """Return the report as Markdown, in which no text of the file is formatting."""
    lines = [f"# {title or f'{report.source} → {report.target}'}", "", case_words(report)]
    lines += [_escaped(summary(report))]
    if report.checks:
        lines += ["", _escaped(checks_words(report))]
    status: Status | None = None
    for group in report.groups("lost", "changed", "carried", "spare"):
        if group.status != status:
            status = group.status
            lines += ["", f"## {HEADS[status]}", ""]
        reason = _reason(group)
        head = f"- **{_escaped(group.title)}**: {group_words(group)}."
        lines.append(f"{head} {_escaped(reason)}" if reason else head)
        lines += [f"  - {_escaped(example_words(fate))}" for fate in group.examples]
    return "\n".join(lines) + "\n"


def as_data(report: Report) -> dict[str, Any]:
    """Return the report for programs: every value with its pointers, old and new."""
    return {
        "from": report.source,
        "to": report.target,
        "cases": {"before": report.cases_before, "after": report.cases_after},
        "lossy": report.is_lossy,
        "counts": dict(report.counts),
        "checks_not_converted": list(report.checks),
        "values": list(_rows(report)),
    }


def _rows(report: Report) -> Iterator[dict[str, Any]]:
    for fate in report.fates:
        yield {
            "pointer": fate.pointer,
            "status": fate.status,
            "part": fate.title,
            "case": fate.case or None,
            "value": fate.value,
            "target": fate.target,
            "why": fate.why,
            "hint": fate.hint,
        }


def _reason(group: Group) -> str:
    return f"{group.why} {group.hint}".strip()


def _values(count: int) -> str:
    return f"{count:,} value{'' if count == 1 else 's'}"


def _escaped(text: str) -> str:
    return "".join(f"\\{c}" if c in "\\`*_{}[]<>()#+!|~" else c for c in text)
