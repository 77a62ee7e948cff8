"""What aligned tool calls are called on a page, and how their arguments differ, in words."""

from __future__ import annotations

from evalcore.explain.json_diff import Change
from evalcore.explain.tool_alignment import Match, Pair
from evalcore.jsontree import MISSING
from evalcore.model import MaybeJson
from evalcore.views.values import as_text

WORDS = {
    Match.MATCHED: "✓ as expected",
    Match.ARGUMENTS: "✗ other arguments",
    Match.MOVED: "⇅ at another step",
    Match.MISSING: "✗ not called",
    Match.EXTRA: "+ not expected",
}


def differing(pair: Pair) -> str:
    """Return the arguments that differ, in words: ``seats: expected 14A, got 15C``."""
    return "; ".join(_told(change) for change in pair.changes)


def _told(change: Change) -> str:
    name = change.path or "arguments"
    if change.kind == "missing":
        return f"{name}: expected {_value(change.expected)}, not given"
    if change.kind == "extra":
        return f"{name}: not expected, got {_value(change.actual)}"
    told = f"{name}: expected {_value(change.expected)}, got {_value(change.actual)}"
    return told + " (another type)" if change.kind == "type" else told


def _value(value: MaybeJson) -> str:
    text = "" if value is MISSING else as_text(value, indent=None)
    return text if len(text) <= 80 else text[:79] + "…"
