"""Why a stored score of 10xGraph is what it is, in words: its own reason, or its details."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from evalcore.formats.tenxgraph.report_facts import (
    NO_JUDGE,
    as_number,
    as_text,
    items_of,
)
from evalcore.jsontree import JsonObject


def reason_of(score: JsonObject) -> str:
    """Return the reason of a score: what went wrong, what was said, or what the details show."""
    error = score.get("error")
    if error is not None:
        return as_text(error) or "The criterion failed without a message."
    found = score.get("details")
    return _said(found) if isinstance(found, dict) else ""


def _said(details: JsonObject) -> str:
    """Return the judge's or the criterion's own words, else what the details amount to."""
    reasonings = [t for t in items_of(details, "reasonings") if as_text(t) not in ("", NO_JUDGE)]
    last = reasonings[-1] if reasonings else None
    own = (details.get("reason"), last, details.get("reasoning"), details.get("note"))
    words = next((t for text in own if (t := as_text(text)) not in ("", NO_JUDGE)), "")
    told = words or next((tell(details) for mark, tell in _TELLERS.items() if mark in details), "")
    unreached = (*items_of(details, "reasonings"), details.get("reasoning"))
    return told or (NO_JUDGE if NO_JUDGE in unreached else "")


def _overlap(details: JsonObject) -> str:
    precision, recall = as_number(details.get("precision")), as_number(details.get("recall"))
    if precision is None or recall is None:
        return ""
    return (
        f"{precision:.0%} of the reply's different words are expected, and it has {recall:.0%} of "
        "the expected ones."
    )


def _names(details: JsonObject) -> str:
    return f"Expected {_listed(details, 'expected_names')}; got {_listed(details, 'actual_names')}."


def _keywords(details: JsonObject) -> str:
    return f"Found {_listed(details, 'found')}; missing {_listed(details, 'missing')}."


def _equality(details: JsonObject) -> str:
    verb = "are equal" if details.get("match") is True else "differ"
    return f"The reply and the expected reply {verb}."


def _parts(details: JsonObject) -> str:
    parts = [part for part in items_of(details, "sub_results") if isinstance(part, dict)]
    return "; ".join(f"{part.get('criterion')}: {part.get('score')}" for part in parts)


_TELLERS: Final[Mapping[str, Callable[[JsonObject], str]]] = {
    "precision": _overlap,
    "expected_names": _names,
    "missing": _keywords,
    "match": _equality,
    "sub_results": _parts,
}


def _listed(details: JsonObject, name: str) -> str:
    return ", ".join(str(item) for item in items_of(details, name)) or "nothing"
