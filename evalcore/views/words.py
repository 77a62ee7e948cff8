"""Small words that several pages share: counts, times, kinds of findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import datetime

from evalcore.errors import SEVERITIES, Problem, Severity

GLYPHS: dict[Severity, str] = {"error": "✗", "warning": "!", "info": "i"}
NOUNS: dict[Severity, str] = {"error": "error", "warning": "warning", "info": "note"}


def plural(count: int, noun: str, many: str = "") -> str:
    """Return ``1 case``, ``1,204 cases``."""
    return f"{count:,} {noun if count == 1 else many or noun + 's'}"


def worst(problems: Iterable[Problem]) -> Severity | None:
    """Return the worst severity among problems, None where there are none."""
    found = {p.severity for p in problems}
    return next((s for s in SEVERITIES if s in found), None)


def problem_words(problems: Iterable[Problem]) -> str:
    """Return ``✗ 2 errors, 1 warning``: the worst glyph and what there is; ✓ where nothing is."""
    count = Counter(p.severity for p in problems)
    present = [s for s in SEVERITIES if count[s]]
    if not present:
        return "✓ none"
    return f"{GLYPHS[present[0]]} " + ", ".join(plural(count[s], NOUNS[s]) for s in present)


def ago(moment: datetime, now: datetime) -> str:
    """Return how long ago something was, in the largest unit that says it."""
    seconds = (now - moment).total_seconds()
    if seconds < 45:
        return "just now"
    if seconds < 90 * 60:
        return f"{max(1, round(seconds / 60))} min ago"
    if seconds < 36 * 3600:
        return f"{round(seconds / 3600)} h ago"
    if seconds < 45 * 86400:
        return plural(round(seconds / 86400), "day") + " ago"
    return moment.strftime("%d %b %Y").lstrip("0")


def first_words(text: str, limit: int = 80) -> str:
    """Return the beginning of a text on one line, cut between words where it can be."""
    line = " ".join(text[: 4 * limit].split())
    if len(line) <= limit:
        return line
    cut, space, _rest = line[:limit].rpartition(" ")
    return (cut if space and len(cut) > limit // 2 else line[: limit - 1]) + "…"
